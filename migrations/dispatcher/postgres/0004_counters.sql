-- Counters: what is in stock, what each register took, and the store's flow number. The ledger is the truth and is
-- written once; the figures beside it are kept in its transaction, and can be counted anew from it.

-- The flow number given last. Its row is locked by whoever counts for the store.
CREATE TABLE counter_numbers (
    store BIGINT PRIMARY KEY REFERENCES stores (store),
    flow_no BIGINT NOT NULL
) WITH (fillfactor = 50);

-- `moved` is `sku,by,left;...`. The register was looked up in the same transaction, and is never deleted.
CREATE TABLE counter_ledger (
    store BIGINT NOT NULL,
    flow_no BIGINT NOT NULL,
    request_id TEXT NOT NULL,
    fingerprint BYTEA NOT NULL,
    day TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('sale', 'refund', 'set', 'adjust')),
    register BIGINT,
    amount_minor BIGINT NOT NULL,
    moved TEXT NOT NULL,
    register_count BIGINT NOT NULL,
    register_net_minor BIGINT NOT NULL,
    counted_at BIGINT NOT NULL,
    PRIMARY KEY (store, flow_no),
    UNIQUE (store, request_id),
    CHECK ((kind = 'sale' OR kind = 'refund') = (register IS NOT NULL))
);
CREATE INDEX counter_ledger_by_day ON counter_ledger (store, day, flow_no);

CREATE TABLE counter_days (
    store BIGINT NOT NULL,
    day TEXT NOT NULL,
    register BIGINT NOT NULL,
    sales BIGINT NOT NULL,
    refunds BIGINT NOT NULL,
    gross_minor BIGINT NOT NULL,
    refunded_minor BIGINT NOT NULL,
    PRIMARY KEY (store, day, register)
) WITH (fillfactor = 50);

-- Hours since 1970 in UTC, of the counting.
CREATE TABLE counter_hours (
    store BIGINT NOT NULL,
    day TEXT NOT NULL,
    register BIGINT NOT NULL,
    hour BIGINT NOT NULL,
    sales BIGINT NOT NULL,
    refunds BIGINT NOT NULL,
    gross_minor BIGINT NOT NULL,
    refunded_minor BIGINT NOT NULL,
    PRIMARY KEY (store, day, register, hour)
) WITH (fillfactor = 50);

CREATE TABLE stock (
    store BIGINT NOT NULL,
    sku TEXT NOT NULL,
    quantity BIGINT NOT NULL CHECK (quantity >= 0),
    PRIMARY KEY (store, sku)
) WITH (fillfactor = 50);

CREATE TABLE stock_days (
    store BIGINT NOT NULL,
    sku TEXT NOT NULL,
    day TEXT NOT NULL,
    sold BIGINT NOT NULL,
    refunded BIGINT NOT NULL,
    adjusted BIGINT NOT NULL,
    PRIMARY KEY (store, sku, day)
) WITH (fillfactor = 50);
CREATE INDEX stock_days_by_day ON stock_days (store, day, sku);

-- Jobs of which nobody knows whether they are on paper, to be counted for an alarm.
CREATE INDEX jobs_unconfirmed ON jobs (changed_at) WHERE state = 'unconfirmed';
