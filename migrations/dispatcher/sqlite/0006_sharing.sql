-- Registers tell of sales and refunds that are to be shared, in the stores that say so.
ALTER TABLE stores ADD COLUMN shares_orders INTEGER NOT NULL DEFAULT 0 CHECK (shares_orders IN (0, 1));

CREATE TABLE records_of_6 (
    store INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    register INTEGER NOT NULL,
    request_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (
        kind = 'receipt' OR kind = 'print' OR kind = 'close' OR kind = 'correction' OR kind = 'split'
    ),
    fingerprint BLOB NOT NULL,
    flow_no INTEGER,
    epoch INTEGER NOT NULL,
    hour INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    judged_at INTEGER NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict = 'accepted' OR verdict = 'rejected'),
    code TEXT,
    detail TEXT,
    day TEXT,
    body TEXT NOT NULL,
    PRIMARY KEY (store, seq),
    FOREIGN KEY (store, register) REFERENCES registers (store, register),
    CHECK ((verdict = 'rejected') = (code IS NOT NULL)),
    CHECK (verdict = 'rejected' OR day IS NULL)
) STRICT;
INSERT INTO records_of_6 SELECT * FROM records;
DROP TABLE records;
ALTER TABLE records_of_6 RENAME TO records;
CREATE UNIQUE INDEX records_accepted ON records (store, request_id) WHERE verdict = 'accepted';
CREATE INDEX records_rejected ON records (store, request_id) WHERE verdict = 'rejected';
CREATE INDEX records_refused ON records (store, seq) WHERE verdict = 'rejected';
CREATE INDEX records_by_hour ON records (store, register, hour, seq) WHERE verdict = 'accepted';
CREATE INDEX records_refused_receipts ON records (store, register, flow_no)
    WHERE verdict = 'rejected' AND kind = 'receipt';

-- Refunds that were confirmed before their original was paid: as a rule there are none.
CREATE INDEX splits_waiting ON splits (store, of_split) WHERE state = 'init' AND confirmed AND due_at IS NULL;
