-- Stores whose orders are shared: what the head office said last, and a record for each sale and refund.
ALTER TABLE cloud ADD COLUMN shares_orders INTEGER NOT NULL DEFAULT 0 CHECK (shares_orders IN (0, 1));

-- `behind` is the sale that a refund takes back from: its split goes up before that of the refund.
CREATE TABLE outbox_of_6 (
    id INTEGER PRIMARY KEY,
    request_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (
        kind = 'receipt' OR kind = 'print' OR kind = 'close' OR kind = 'correction' OR kind = 'split'
    ),
    flow_no INTEGER REFERENCES receipts (flow_no),
    body TEXT,
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state = 'waiting' OR state = 'acknowledged' OR state = 'parked'),
    verdict TEXT,
    recorded_at INTEGER NOT NULL,
    fingerprint BLOB,
    detail TEXT,
    judged_at INTEGER,
    given_up TEXT,
    given_up_at INTEGER,
    behind INTEGER
) STRICT;
INSERT INTO outbox_of_6
    SELECT id, request_id, kind, flow_no, body, state, verdict, recorded_at, fingerprint, detail, judged_at,
        given_up, given_up_at, NULL FROM outbox;
DROP TABLE outbox;
ALTER TABLE outbox_of_6 RENAME TO outbox;
CREATE INDEX outbox_waiting ON outbox (id) WHERE state = 'waiting';
CREATE INDEX outbox_by_receipt ON outbox (flow_no, id);
CREATE INDEX outbox_parked ON outbox (id) WHERE state = 'parked' AND given_up_at IS NULL;
CREATE INDEX outbox_acknowledged ON outbox (recorded_at) WHERE state = 'acknowledged';

-- A day's splits as the head office told them last, for while it cannot be asked. `told` is JSON.
CREATE TABLE split_days (
    business_day TEXT PRIMARY KEY,
    told TEXT NOT NULL,
    told_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
