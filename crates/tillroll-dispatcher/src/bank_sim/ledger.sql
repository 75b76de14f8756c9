-- A payment is queued until `due_at`, and made once a posting is there.
CREATE TABLE payments (
    no INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    amount_minor INTEGER NOT NULL,
    parts TEXT NOT NULL,
    due_at INTEGER,
    asked INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX payments_by_id ON payments (id);
CREATE INDEX payments_due ON payments (due_at) WHERE due_at IS NOT NULL;

-- Money that moved.
CREATE TABLE postings (
    no INTEGER PRIMARY KEY,
    payment INTEGER NOT NULL REFERENCES payments (no),
    id TEXT NOT NULL,
    amount_minor INTEGER NOT NULL,
    made_at INTEGER NOT NULL
) STRICT;
CREATE INDEX postings_by_payment ON postings (payment);
CREATE INDEX postings_by_id ON postings (id);
