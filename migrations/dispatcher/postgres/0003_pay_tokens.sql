-- A store's limits are widened until `until_at`.
CREATE TABLE promotions (
    store BIGINT PRIMARY KEY REFERENCES stores (store),
    percent BIGINT NOT NULL CHECK (percent BETWEEN 100 AND 1000),
    until_at BIGINT NOT NULL
);

-- One row for each token, for good: it keeps a payment from being done twice. Tokens begin with the time, so that the
-- newest lie together. A token is issued, consumed from `consumed_at` on, completed from `completed_at` on.
CREATE TABLE pay_tokens (
    store BIGINT NOT NULL,
    token TEXT NOT NULL,
    request_id TEXT NOT NULL,
    fingerprint BYTEA NOT NULL,
    register BIGINT NOT NULL,
    amount_minor BIGINT NOT NULL CHECK (amount_minor > 0),
    issued_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    consume_id TEXT,
    consumed_at BIGINT,
    result TEXT,
    completed_at BIGINT,
    PRIMARY KEY (store, token),
    UNIQUE (store, request_id),
    FOREIGN KEY (store, register) REFERENCES registers (store, register),
    CHECK ((consume_id IS NULL) = (consumed_at IS NULL)),
    CHECK ((result IS NULL) = (completed_at IS NULL)),
    CHECK (completed_at IS NULL OR consumed_at IS NOT NULL)
) WITH (fillfactor = 80);
