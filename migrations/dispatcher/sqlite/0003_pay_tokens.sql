-- A store's limits are widened until `until_at`.
CREATE TABLE promotions (
    store INTEGER PRIMARY KEY REFERENCES stores (store),
    percent INTEGER NOT NULL CHECK (percent BETWEEN 100 AND 1000),
    until_at INTEGER NOT NULL
) STRICT;

-- One row for each token, for good: it keeps a payment from being done twice. Tokens begin with the time, so that the
-- newest lie together. A token is issued, consumed from `consumed_at` on, completed from `completed_at` on.
CREATE TABLE pay_tokens (
    store INTEGER NOT NULL,
    token TEXT NOT NULL,
    request_id TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    register INTEGER NOT NULL,
    amount_minor INTEGER NOT NULL CHECK (amount_minor > 0),
    issued_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    consume_id TEXT,
    consumed_at INTEGER,
    result TEXT,
    completed_at INTEGER,
    PRIMARY KEY (store, token),
    UNIQUE (store, request_id),
    FOREIGN KEY (store, register) REFERENCES registers (store, register),
    CHECK ((consume_id IS NULL) = (consumed_at IS NULL)),
    CHECK ((result IS NULL) = (completed_at IS NULL)),
    CHECK (completed_at IS NULL OR consumed_at IS NOT NULL)
) STRICT, WITHOUT ROWID;
