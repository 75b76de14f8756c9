-- Splits: paid orders shared between parties, and paid out by a channel. Their ids are kept for good.

-- `shares` is JSON.
CREATE TABLE share_tables (
    store BIGINT NOT NULL REFERENCES stores (store),
    version BIGINT NOT NULL CHECK (version > 0),
    valid_from BIGINT NOT NULL,
    valid_until BIGINT,
    shares TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (store, version),
    CHECK (valid_until IS NULL OR valid_until > valid_from)
);

-- `parts` is JSON. A refund refers to the split it takes back from, which its transaction holds; none is ever deleted.
-- `window_at` is when its time for tries began.
CREATE TABLE splits (
    store BIGINT NOT NULL REFERENCES stores (store),
    seq BIGINT GENERATED ALWAYS AS IDENTITY,
    split_id TEXT NOT NULL,
    fingerprint BYTEA NOT NULL,
    of_split TEXT,
    day TEXT NOT NULL,
    amount_minor BIGINT NOT NULL CHECK (amount_minor > 0),
    currency TEXT NOT NULL,
    parts TEXT NOT NULL,
    table_version BIGINT NOT NULL,
    pace TEXT NOT NULL CHECK (pace IN ('till', 'background')),
    state TEXT NOT NULL
        CHECK (state IN ('init', 'processing', 'succeeded', 'retryable_failed', 'failed', 'manual')),
    reason TEXT,
    confirmed BOOLEAN NOT NULL,
    tries BIGINT NOT NULL,
    doubtful BOOLEAN NOT NULL,
    by_hand BOOLEAN NOT NULL,
    due_at BIGINT,
    window_at BIGINT,
    created_at BIGINT NOT NULL,
    changed_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (store, seq),
    UNIQUE (store, split_id),
    CHECK (due_at IS NULL OR state IN ('init', 'processing', 'retryable_failed'))
) WITH (fillfactor = 70);
CREATE INDEX splits_due ON splits (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX splits_open ON splits (state) WHERE due_at IS NOT NULL OR state = 'manual';
CREATE INDEX splits_by_state ON splits (store, state, seq);
CREATE INDEX splits_by_day ON splits (store, day, state, (of_split IS NULL)) INCLUDE (amount_minor);
CREATE INDEX splits_refunds ON splits (store, of_split) WHERE of_split IS NOT NULL;
CREATE INDEX splits_paid ON splits (changed_at, store, seq) WHERE state = 'succeeded';

-- One row for each change of a split, its making included.
CREATE TABLE split_changes (
    store BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    version BIGINT NOT NULL,
    event TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
    changed_by TEXT,
    note TEXT,
    changed_at BIGINT NOT NULL,
    PRIMARY KEY (store, seq, version),
    FOREIGN KEY (store, seq) REFERENCES splits (store, seq)
);
