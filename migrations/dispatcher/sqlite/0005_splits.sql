-- Splits: paid orders shared between parties, and paid out by a channel. Their ids are kept for good.

-- `shares` is JSON.
CREATE TABLE share_tables (
    store INTEGER NOT NULL REFERENCES stores (store),
    version INTEGER NOT NULL CHECK (version > 0),
    valid_from INTEGER NOT NULL,
    valid_until INTEGER,
    shares TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (store, version),
    CHECK (valid_until IS NULL OR valid_until > valid_from)
) STRICT, WITHOUT ROWID;

-- `parts` is JSON. A refund refers to the split it takes back from; none is ever deleted. `window_at` is when its time
-- for tries began.
CREATE TABLE splits (
    store INTEGER NOT NULL REFERENCES stores (store),
    seq INTEGER NOT NULL,
    split_id TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    of_split TEXT,
    day TEXT NOT NULL,
    amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
    currency TEXT NOT NULL,
    parts TEXT NOT NULL,
    table_version INTEGER NOT NULL,
    pace TEXT NOT NULL CHECK (pace IN ('till', 'background')),
    state TEXT NOT NULL
        CHECK (state IN ('init', 'processing', 'succeeded', 'retryable_failed', 'failed', 'manual')),
    reason TEXT,
    confirmed INTEGER NOT NULL CHECK (confirmed IN (0, 1)),
    tries INTEGER NOT NULL,
    doubtful INTEGER NOT NULL CHECK (doubtful IN (0, 1)),
    by_hand INTEGER NOT NULL CHECK (by_hand IN (0, 1)),
    due_at INTEGER,
    window_at INTEGER,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (store, seq),
    UNIQUE (store, split_id),
    CHECK (due_at IS NULL OR state IN ('init', 'processing', 'retryable_failed'))
) STRICT, WITHOUT ROWID;
CREATE INDEX splits_due ON splits (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX splits_open ON splits (state, due_at) WHERE due_at IS NOT NULL OR state = 'manual';
CREATE INDEX splits_by_state ON splits (store, state, seq);
CREATE INDEX splits_by_day ON splits (store, day, state, of_split, amount_minor);
CREATE INDEX splits_refunds ON splits (store, of_split) WHERE of_split IS NOT NULL;
CREATE INDEX splits_paid ON splits (changed_at, store, seq) WHERE state = 'succeeded';

-- One row for each change of a split, its making included.
CREATE TABLE split_changes (
    store INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    version INTEGER NOT NULL,
    event TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
    changed_by TEXT,
    note TEXT,
    changed_at INTEGER NOT NULL,
    PRIMARY KEY (store, seq, version),
    FOREIGN KEY (store, seq) REFERENCES splits (store, seq)
) STRICT, WITHOUT ROWID;
