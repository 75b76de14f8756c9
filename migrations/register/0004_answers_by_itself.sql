-- What the register itself settles: a refusal of a receipt that was accepted later, a pulse that came too
-- late, a number that must not come twice.

-- The Z number the database must go on above, as for the other numbers.
ALTER TABLE register ADD COLUMN z_floor INTEGER NOT NULL DEFAULT 0;

-- Looked into with each receipt that is recorded; as a rule it is empty.
CREATE INDEX rejected_by_order ON rejected (client, order_no, kind) WHERE answered_at IS NULL;

-- An opening is due until its pulse was given, or dropped since the printer could not take it in time;
-- nobody knows of one whose link broke. What was recorded up to now counts as given.
ALTER TABLE drawer_openings ADD COLUMN outcome TEXT NOT NULL DEFAULT 'opened'
    CHECK (outcome IN ('due', 'opened', 'dropped', 'unconfirmed'));
ALTER TABLE drawer_openings ADD COLUMN business_day TEXT;
CREATE INDEX drawer_openings_by_day ON drawer_openings (business_day, id);
CREATE INDEX drawer_openings_due ON drawer_openings (id) WHERE outcome = 'due';

-- More to tell than a rescue and a restored copy.
CREATE TABLE notices_of_4 (
    id INTEGER PRIMARY KEY,
    code TEXT NOT NULL CHECK (code IN ('rescued', 'restored', 'unreadable_job', 'fonts_missing')),
    detail TEXT NOT NULL,
    noticed_at INTEGER NOT NULL,
    answered_at INTEGER
) STRICT;
INSERT INTO notices_of_4 SELECT id, code, detail, noticed_at, answered_at FROM notices;
DROP TABLE notices;
ALTER TABLE notices_of_4 RENAME TO notices;
CREATE INDEX notices_open ON notices (id) WHERE answered_at IS NULL;
