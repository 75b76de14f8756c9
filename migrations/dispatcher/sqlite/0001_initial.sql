-- Instants are UTC milliseconds since 1970 (`_at`), amounts minor units (`_minor`), days ISO dates.
-- Every key of a store's rows begins with the store's number and goes on with a number that grows within
-- it; business ids stand in a unique index.
-- Checks and partial indexes say `x = 'a' OR x = 'b' OR ..`: IN with more than two values builds a tree at
-- each statement, and a query uses a partial index only when it repeats the index's words.

CREATE TABLE tenants (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE stores (
    store INTEGER PRIMARY KEY,
    tenant INTEGER NOT NULL REFERENCES tenants (id),
    uid TEXT NOT NULL UNIQUE,
    code TEXT NOT NULL,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (tenant, code)
) STRICT;

-- Codes and credentials are SHA-256; a code is emptied by its use, a credential by its revocation.
CREATE TABLE registers (
    store INTEGER NOT NULL REFERENCES stores (store),
    register INTEGER NOT NULL,
    name TEXT NOT NULL,
    installation TEXT,
    credential BLOB,
    paired_at INTEGER,
    revoked_at INTEGER,
    code BLOB,
    code_until INTEGER,
    drift_ms INTEGER,
    drift_at INTEGER,
    high_epoch INTEGER,
    high_flow_no INTEGER,
    PRIMARY KEY (store, register),
    UNIQUE (store, name),
    CHECK ((code IS NULL) = (code_until IS NULL)),
    CHECK (credential IS NULL OR installation IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX registers_by_credential ON registers (credential) WHERE credential IS NOT NULL;
CREATE UNIQUE INDEX registers_by_code ON registers (code) WHERE code IS NOT NULL;

CREATE TABLE api_keys (
    id INTEGER PRIMARY KEY,
    tenant INTEGER NOT NULL REFERENCES tenants (id),
    name TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE,
    revoked_at INTEGER
) STRICT;
CREATE UNIQUE INDEX api_keys_by_name ON api_keys (tenant, name) WHERE revoked_at IS NULL;

CREATE TABLE api_key_stores (
    api_key INTEGER NOT NULL REFERENCES api_keys (id),
    store INTEGER NOT NULL REFERENCES stores (store),
    PRIMARY KEY (api_key, store)
) STRICT, WITHOUT ROWID;

CREATE TABLE printers (
    store INTEGER NOT NULL,
    name TEXT NOT NULL,
    register INTEGER NOT NULL,
    announced_at INTEGER NOT NULL,
    PRIMARY KEY (store, name),
    FOREIGN KEY (store, register) REFERENCES registers (store, register)
) STRICT, WITHOUT ROWID;
CREATE INDEX printers_by_register ON printers (store, register);

CREATE TABLE routes (
    store INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (
        kind = 'receipt' OR kind = 'refund' OR kind = 'prebill' OR kind = 'kitchen' OR kind = 'report'
    ),
    register INTEGER NOT NULL,
    printer TEXT NOT NULL,
    PRIMARY KEY (store, kind, register),
    FOREIGN KEY (store, register) REFERENCES registers (store, register)
) STRICT, WITHOUT ROWID;

-- Retention drops bodies, never rows: an old id sent again never prints.
CREATE TABLE jobs (
    store INTEGER NOT NULL REFERENCES stores (store),
    seq INTEGER NOT NULL,
    job_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (
        kind = 'receipt' OR kind = 'refund' OR kind = 'prebill' OR kind = 'kitchen' OR kind = 'report'
    ),
    fingerprint BLOB NOT NULL,
    api_key INTEGER NOT NULL REFERENCES api_keys (id),
    printer TEXT,
    state TEXT NOT NULL CHECK (
        state = 'scheduled' OR state = 'parked' OR state = 'pushed' OR state = 'accepted'
        OR state = 'printed' OR state = 'failed' OR state = 'unconfirmed' OR state = 'skipped'
        OR state = 'rejected' OR state = 'timed_out' OR state = 'cancel_requested' OR state = 'canceled'
    ),
    reason TEXT,
    register INTEGER,
    installation TEXT,
    pushes INTEGER NOT NULL DEFAULT 0,
    after_deadline TEXT NOT NULL CHECK (after_deadline = 'hold' OR after_deadline = 'drop'),
    recovering INTEGER NOT NULL DEFAULT 0 CHECK (recovering = 0 OR recovering = 1),
    hold_at_return INTEGER NOT NULL DEFAULT 0 CHECK (hold_at_return = 0 OR hold_at_return = 1),
    late INTEGER NOT NULL DEFAULT 0 CHECK (late = 0 OR late = 1),
    result_version INTEGER NOT NULL DEFAULT 0,
    row_version INTEGER NOT NULL DEFAULT 1,
    created_at INTEGER NOT NULL,
    deadline_at INTEGER NOT NULL,
    next_push_at INTEGER,
    changed_at INTEGER NOT NULL,
    PRIMARY KEY (store, seq),
    UNIQUE (store, job_id),
    FOREIGN KEY (store, register) REFERENCES registers (store, register)
) STRICT, WITHOUT ROWID;
CREATE INDEX jobs_by_state ON jobs (store, state, seq);
CREATE INDEX jobs_open ON jobs (state, created_at)
    WHERE (state = 'scheduled' OR state = 'parked' OR state = 'pushed' OR state = 'accepted'
        OR state = 'cancel_requested');
CREATE INDEX jobs_by_creation ON jobs (store, created_at);
CREATE INDEX jobs_due_push ON jobs (next_push_at, store, seq) WHERE next_push_at IS NOT NULL;
CREATE INDEX jobs_due_deadline ON jobs (deadline_at, store, seq)
    WHERE (state = 'scheduled' OR state = 'parked' OR state = 'pushed' OR state = 'accepted'
        OR state = 'cancel_requested');
CREATE INDEX jobs_waiting ON jobs (store, printer, seq)
    WHERE (state = 'scheduled' OR state = 'parked' OR (state = 'timed_out' AND hold_at_return = 1));
CREATE INDEX jobs_at_register ON jobs (store, register, seq)
    WHERE (state = 'pushed' OR state = 'accepted' OR state = 'cancel_requested');

-- Beside the jobs, so that a change of state does not write the body anew.
CREATE TABLE job_bodies (
    store INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    body TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (store, seq),
    FOREIGN KEY (store, seq) REFERENCES jobs (store, seq)
) STRICT;
CREATE INDEX job_bodies_by_creation ON job_bodies (created_at);

CREATE TABLE hooks (
    api_key INTEGER PRIMARY KEY REFERENCES api_keys (id),
    url TEXT NOT NULL,
    secret TEXT NOT NULL
) STRICT;

-- One delivery for each (job, state, late). Its number goes out as its id: AUTOINCREMENT keeps it unique.
CREATE TABLE hook_deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    store INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    state TEXT NOT NULL,
    late INTEGER NOT NULL CHECK (late = 0 OR late = 1),
    api_key INTEGER NOT NULL REFERENCES api_keys (id),
    body TEXT NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    due_at INTEGER,
    settled_at INTEGER,
    outcome TEXT CHECK (outcome = 'delivered' OR outcome = 'given_up'),
    UNIQUE (store, seq, state, late),
    FOREIGN KEY (store, seq) REFERENCES jobs (store, seq),
    CHECK ((due_at IS NULL) = (settled_at IS NOT NULL)),
    CHECK ((settled_at IS NULL) = (outcome IS NULL))
) STRICT;
CREATE INDEX hook_deliveries_due ON hook_deliveries (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX hook_deliveries_of_key ON hook_deliveries (api_key) WHERE due_at IS NOT NULL;
CREATE INDEX hook_deliveries_given_up ON hook_deliveries (settled_at, id) WHERE outcome = 'given_up';
CREATE INDEX hook_deliveries_settled ON hook_deliveries (settled_at) WHERE settled_at IS NOT NULL;

-- Every record a register sent, with its verdict. Another body under a known id is another row, refused:
-- nothing is overwritten. `day` is set where a refusal counts in the books of that day.
CREATE TABLE records (
    store INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    register INTEGER NOT NULL,
    request_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind = 'receipt' OR kind = 'print' OR kind = 'close' OR kind = 'correction'),
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
CREATE UNIQUE INDEX records_accepted ON records (store, request_id) WHERE verdict = 'accepted';
CREATE INDEX records_rejected ON records (store, request_id) WHERE verdict = 'rejected';
CREATE INDEX records_refused ON records (store, seq) WHERE verdict = 'rejected';
CREATE INDEX records_by_hour ON records (store, register, hour, seq) WHERE verdict = 'accepted';
CREATE INDEX records_refused_receipts ON records (store, register, flow_no)
    WHERE verdict = 'rejected' AND kind = 'receipt';

-- Count and digest of a register's accepted records by hour, kept with every record.
CREATE TABLE record_hours (
    store INTEGER NOT NULL,
    register INTEGER NOT NULL,
    hour INTEGER NOT NULL,
    records INTEGER NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY (store, register, hour)
) STRICT, WITHOUT ROWID;

-- The books: what a register recorded; written once.
CREATE TABLE receipts (
    store INTEGER NOT NULL,
    register INTEGER NOT NULL,
    flow_no INTEGER NOT NULL,
    job_id TEXT NOT NULL,
    record INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (
        kind = 'receipt' OR kind = 'refund' OR kind = 'prebill' OR kind = 'kitchen' OR kind = 'report'
    ),
    day TEXT NOT NULL,
    z_no INTEGER NOT NULL,
    takings_minor INTEGER NOT NULL,
    tenders TEXT NOT NULL,
    PRIMARY KEY (store, register, flow_no),
    UNIQUE (store, job_id),
    FOREIGN KEY (store, record) REFERENCES records (store, seq)
) STRICT, WITHOUT ROWID;

-- What became of a receipt on paper: the newest word of its register.
CREATE TABLE papers (
    store INTEGER NOT NULL,
    register INTEGER NOT NULL,
    flow_no INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    row_version INTEGER NOT NULL,
    state TEXT NOT NULL,
    confirmation TEXT,
    PRIMARY KEY (store, register, flow_no)
) STRICT, WITHOUT ROWID;

-- Counters instead of counting, kept with every record.
CREATE TABLE register_days (
    store INTEGER NOT NULL,
    day TEXT NOT NULL,
    register INTEGER NOT NULL,
    receipts INTEGER NOT NULL DEFAULT 0,
    refunds INTEGER NOT NULL DEFAULT 0,
    gross_minor INTEGER NOT NULL DEFAULT 0,
    refunded_minor INTEGER NOT NULL DEFAULT 0,
    printed INTEGER NOT NULL DEFAULT 0,
    closed INTEGER NOT NULL DEFAULT 0,
    rejected INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (store, day, register)
) STRICT, WITHOUT ROWID;

CREATE TABLE register_day_tenders (
    store INTEGER NOT NULL,
    day TEXT NOT NULL,
    register INTEGER NOT NULL,
    tender TEXT NOT NULL,
    takings_minor INTEGER NOT NULL,
    PRIMARY KEY (store, day, register, tender)
) STRICT, WITHOUT ROWID;

-- Written to learn whether anything can be written.
CREATE TABLE probe (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    writes INTEGER NOT NULL
) STRICT;
INSERT INTO probe (id, writes) VALUES (1, 0);
