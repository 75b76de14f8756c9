-- Registers tell of sales and refunds that are to be shared, in the stores that say so.
ALTER TABLE stores ADD COLUMN shares_orders BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE records DROP CONSTRAINT records_kind_check;
ALTER TABLE records ADD CONSTRAINT records_kind_check
    CHECK (kind IN ('receipt', 'print', 'close', 'correction', 'split'));

-- Refunds that were confirmed before their original was paid: as a rule there are none.
CREATE INDEX splits_waiting ON splits (store, of_split) WHERE state = 'init' AND confirmed AND due_at IS NULL;
