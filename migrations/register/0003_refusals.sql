-- A refused receipt is listed once for each client and business day, whatever it looks like inside.
ALTER TABLE rejected ADD COLUMN business_day TEXT;
ALTER TABLE rejected ADD COLUMN body_sha256 BLOB;
CREATE INDEX rejected_same ON rejected (body_sha256) WHERE answered_at IS NULL;
