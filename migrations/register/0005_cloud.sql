-- The register's side of the head office: who it is, what it has, what it wants printed.

-- The head office this register is paired with. The credential lies in a file of its own.
CREATE TABLE cloud (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    url TEXT NOT NULL,
    store_uid TEXT NOT NULL,
    store_name TEXT NOT NULL,
    paired_at INTEGER NOT NULL,
    -- The head office's clock less this register's, when they last spoke.
    drift_ms INTEGER,
    contact_at INTEGER,
    -- Both sides agree on every hour before this one.
    agreed_hour INTEGER
) STRICT;

-- A record's fingerprint is noted with its verdict; a parked one may be given up, with a reason.
ALTER TABLE outbox ADD COLUMN fingerprint BLOB;
ALTER TABLE outbox ADD COLUMN detail TEXT;
ALTER TABLE outbox ADD COLUMN judged_at INTEGER;
ALTER TABLE outbox ADD COLUMN given_up TEXT;
ALTER TABLE outbox ADD COLUMN given_up_at INTEGER;
CREATE INDEX outbox_parked ON outbox (id) WHERE state = 'parked' AND given_up_at IS NULL;
CREATE INDEX outbox_acknowledged ON outbox (recorded_at) WHERE state = 'acknowledged';

-- What the head office is known to have, by hour of the recording: how many records, and the exclusive or
-- of their digests. Kept with each verdict, so that nothing is counted when both sides are compared.
CREATE TABLE cloud_hours (
    hour INTEGER PRIMARY KEY,
    records INTEGER NOT NULL,
    digest BLOB NOT NULL
) STRICT;

-- Records the head office has that went here with an older copy of the database, or that read otherwise
-- here: a person compares them with the POS.
CREATE TABLE cloud_only (
    id INTEGER PRIMARY KEY,
    request_id TEXT NOT NULL UNIQUE,
    fingerprint BLOB NOT NULL,
    hour INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    otherwise INTEGER NOT NULL CHECK (otherwise IN (0, 1)),
    seen_at INTEGER NOT NULL,
    answer TEXT,
    answered_at INTEGER
) STRICT;
CREATE INDEX cloud_only_by_hour ON cloud_only (hour);
CREATE INDEX cloud_only_open ON cloud_only (id) WHERE answered_at IS NULL;

-- Jobs the head office pushed: the row version it has acknowledged (0: none; NULL: not its job), and when
-- an unstarted one is too late. The boot clock counts in the run that took the job; the next run has only
-- the wall clock.
ALTER TABLE print_jobs ADD COLUMN told_version INTEGER;
ALTER TABLE print_jobs ADD COLUMN expires_at INTEGER;
ALTER TABLE print_jobs ADD COLUMN expires_boot_ms INTEGER;
CREATE INDEX print_jobs_untold ON print_jobs (id)
    WHERE told_version < row_version AND state <> 'pending' AND state <> 'held' AND state <> 'printing';
CREATE INDEX print_jobs_expiring ON print_jobs (expires_at) WHERE state = 'pending' AND expires_at IS NOT NULL;

-- The head office has notices of its own.
CREATE TABLE notices_of_5 (
    id INTEGER PRIMARY KEY,
    code TEXT NOT NULL CHECK (
        code IN ('rescued', 'restored', 'unreadable_job', 'fonts_missing', 'cloud_differences', 'clock_drift')
    ),
    detail TEXT NOT NULL,
    noticed_at INTEGER NOT NULL,
    answered_at INTEGER
) STRICT;
INSERT INTO notices_of_5 SELECT id, code, detail, noticed_at, answered_at FROM notices;
DROP TABLE notices;
ALTER TABLE notices_of_5 RENAME TO notices;
CREATE INDEX notices_open ON notices (id) WHERE answered_at IS NULL;
