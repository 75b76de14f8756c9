-- Counters: what is in stock, what each register took, and the store's flow number. The ledger is the truth and is
-- written once; the figures beside it are kept in its transaction, and can be counted anew from it.

-- The flow number given last.
CREATE TABLE counter_numbers (
    store INTEGER PRIMARY KEY REFERENCES stores (store),
    flow_no INTEGER NOT NULL
) STRICT;

-- `moved` is `sku,by,left;...`. The register was looked up in the same transaction, and is never deleted.
CREATE TABLE counter_ledger (
    store INTEGER NOT NULL,
    flow_no INTEGER NOT NULL,
    request_id TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    day TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (
        kind = 'sale' OR kind = 'refund' OR kind = 'set' OR kind = 'adjust'
    ),
    register INTEGER,
    amount_minor INTEGER NOT NULL,
    moved TEXT NOT NULL,
    register_count INTEGER NOT NULL,
    register_net_minor INTEGER NOT NULL,
    counted_at INTEGER NOT NULL,
    PRIMARY KEY (store, flow_no),
    UNIQUE (store, request_id),
    CHECK ((kind = 'sale' OR kind = 'refund') = (register IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX counter_ledger_by_day ON counter_ledger (store, day, flow_no);

CREATE TABLE counter_days (
    store INTEGER NOT NULL,
    day TEXT NOT NULL,
    register INTEGER NOT NULL,
    sales INTEGER NOT NULL,
    refunds INTEGER NOT NULL,
    gross_minor INTEGER NOT NULL,
    refunded_minor INTEGER NOT NULL,
    PRIMARY KEY (store, day, register)
) STRICT, WITHOUT ROWID;

-- Hours since 1970 in UTC, of the counting.
CREATE TABLE counter_hours (
    store INTEGER NOT NULL,
    day TEXT NOT NULL,
    register INTEGER NOT NULL,
    hour INTEGER NOT NULL,
    sales INTEGER NOT NULL,
    refunds INTEGER NOT NULL,
    gross_minor INTEGER NOT NULL,
    refunded_minor INTEGER NOT NULL,
    PRIMARY KEY (store, day, register, hour)
) STRICT, WITHOUT ROWID;

CREATE TABLE stock (
    store INTEGER NOT NULL,
    sku TEXT NOT NULL,
    quantity INTEGER NOT NULL CHECK (quantity >= 0),
    PRIMARY KEY (store, sku)
) STRICT, WITHOUT ROWID;

CREATE TABLE stock_days (
    store INTEGER NOT NULL,
    sku TEXT NOT NULL,
    day TEXT NOT NULL,
    sold INTEGER NOT NULL,
    refunded INTEGER NOT NULL,
    adjusted INTEGER NOT NULL,
    PRIMARY KEY (store, sku, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX stock_days_by_day ON stock_days (store, day, sku);

-- Jobs of which nobody knows whether they are on paper, to be counted for an alarm.
CREATE INDEX jobs_unconfirmed ON jobs (changed_at) WHERE state = 'unconfirmed';
