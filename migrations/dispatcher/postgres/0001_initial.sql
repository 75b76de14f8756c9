-- Instants are UTC milliseconds since 1970 (`_at`), amounts minor units (`_minor`), days ISO dates.
--
-- A table with the column `store` first in its primary key is distributed by it under Citus: every unique key
-- and every foreign key between such tables holds it, so that the rows of a store live together on one node.
-- The others are reference tables, whole on every node: a store or a register is found by them before its number
-- is known (uid, token, pairing code), and they change when people set something up, never with a sale. A
-- reference table cannot refer to a distributed one: their registers are kept right by the transactions that
-- write them. `probe` is never distributed.
--
-- Partial indexes say `x = 'a' OR x = 'b' OR ..` in the words of their queries.

-- Reference.
CREATE TABLE tenants (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created_at BIGINT NOT NULL
);

-- Reference.
CREATE TABLE stores (
    store BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant BIGINT NOT NULL REFERENCES tenants (id),
    uid TEXT NOT NULL UNIQUE,
    code TEXT NOT NULL,
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (tenant, code)
);

-- The numbers given last in a store. Its row is locked until the transaction that takes a number ends, so
-- numbers become visible in their order and none is skipped over by a reader that pages by them.
CREATE TABLE store_numbers (
    store BIGINT PRIMARY KEY REFERENCES stores (store),
    job BIGINT NOT NULL DEFAULT 0,
    record BIGINT NOT NULL DEFAULT 0,
    register BIGINT NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

CREATE TABLE registers (
    store BIGINT NOT NULL REFERENCES stores (store),
    register BIGINT NOT NULL,
    name TEXT NOT NULL,
    installation TEXT,
    paired_at BIGINT,
    revoked_at BIGINT,
    drift_ms BIGINT,
    drift_at BIGINT,
    high_epoch BIGINT,
    high_flow_no BIGINT,
    PRIMARY KEY (store, register),
    UNIQUE (store, name)
) WITH (fillfactor = 70);

-- Reference. SHA-256 of credentials; a row goes when its register is revoked.
CREATE TABLE register_credentials (
    hash BYTEA PRIMARY KEY,
    store BIGINT NOT NULL REFERENCES stores (store),
    register BIGINT NOT NULL,
    UNIQUE (store, register)
);

-- Reference. SHA-256 of pairing codes; a row goes with its use.
CREATE TABLE register_codes (
    hash BYTEA PRIMARY KEY,
    store BIGINT NOT NULL REFERENCES stores (store),
    register BIGINT NOT NULL,
    code_until BIGINT NOT NULL,
    UNIQUE (store, register)
);

-- Reference.
CREATE TABLE api_keys (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant BIGINT NOT NULL REFERENCES tenants (id),
    name TEXT NOT NULL,
    hash BYTEA NOT NULL UNIQUE,
    revoked_at BIGINT
);
CREATE UNIQUE INDEX api_keys_by_name ON api_keys (tenant, name) WHERE revoked_at IS NULL;

-- Reference.
CREATE TABLE api_key_stores (
    api_key BIGINT NOT NULL REFERENCES api_keys (id),
    store BIGINT NOT NULL REFERENCES stores (store),
    PRIMARY KEY (api_key, store)
);

CREATE TABLE printers (
    store BIGINT NOT NULL,
    name TEXT NOT NULL,
    register BIGINT NOT NULL,
    announced_at BIGINT NOT NULL,
    PRIMARY KEY (store, name),
    FOREIGN KEY (store, register) REFERENCES registers (store, register)
);
CREATE INDEX printers_by_register ON printers (store, register);

CREATE TABLE routes (
    store BIGINT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('receipt', 'refund', 'prebill', 'kitchen', 'report')),
    register BIGINT NOT NULL,
    printer TEXT NOT NULL,
    PRIMARY KEY (store, kind, register),
    FOREIGN KEY (store, register) REFERENCES registers (store, register)
);

-- Retention drops bodies, never rows: an old id sent again never prints.
CREATE TABLE jobs (
    store BIGINT NOT NULL REFERENCES stores (store),
    seq BIGINT NOT NULL,
    job_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('receipt', 'refund', 'prebill', 'kitchen', 'report')),
    fingerprint BYTEA NOT NULL,
    api_key BIGINT NOT NULL REFERENCES api_keys (id),
    printer TEXT,
    state TEXT NOT NULL CHECK (state IN ('scheduled', 'parked', 'pushed', 'accepted', 'printed', 'failed',
        'unconfirmed', 'skipped', 'rejected', 'timed_out', 'cancel_requested', 'canceled')),
    reason TEXT,
    register BIGINT,
    installation TEXT,
    pushes BIGINT NOT NULL DEFAULT 0,
    after_deadline TEXT NOT NULL CHECK (after_deadline IN ('hold', 'drop')),
    recovering BOOLEAN NOT NULL DEFAULT FALSE,
    hold_at_return BOOLEAN NOT NULL DEFAULT FALSE,
    late BOOLEAN NOT NULL DEFAULT FALSE,
    result_version BIGINT NOT NULL DEFAULT 0,
    row_version BIGINT NOT NULL DEFAULT 1,
    created_at BIGINT NOT NULL,
    deadline_at BIGINT NOT NULL,
    next_push_at BIGINT,
    changed_at BIGINT NOT NULL,
    PRIMARY KEY (store, seq),
    UNIQUE (store, job_id),
    FOREIGN KEY (store, register) REFERENCES registers (store, register)
);
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
    WHERE (state = 'scheduled' OR state = 'parked' OR (state = 'timed_out' AND hold_at_return));
CREATE INDEX jobs_at_register ON jobs (store, register, seq)
    WHERE (state = 'pushed' OR state = 'accepted' OR state = 'cancel_requested');

-- Beside the jobs, so that a change of state does not write the body anew.
CREATE TABLE job_bodies (
    store BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    body TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (store, seq),
    FOREIGN KEY (store, seq) REFERENCES jobs (store, seq)
);
CREATE INDEX job_bodies_by_creation ON job_bodies (created_at);

-- Reference.
CREATE TABLE hooks (
    api_key BIGINT PRIMARY KEY REFERENCES api_keys (id),
    url TEXT NOT NULL,
    secret TEXT NOT NULL
);

-- One delivery for each (job, state, late). Its number goes out as its id: the sequence keeps it unique over all
-- stores, which no key of a distributed table can.
CREATE SEQUENCE hook_delivery_ids;
CREATE TABLE hook_deliveries (
    store BIGINT NOT NULL,
    id BIGINT NOT NULL DEFAULT nextval('hook_delivery_ids'),
    seq BIGINT NOT NULL,
    state TEXT NOT NULL,
    late BOOLEAN NOT NULL,
    api_key BIGINT NOT NULL REFERENCES api_keys (id),
    body TEXT NOT NULL,
    tries BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    due_at BIGINT,
    settled_at BIGINT,
    outcome TEXT CHECK (outcome IN ('delivered', 'given_up')),
    PRIMARY KEY (store, id),
    UNIQUE (store, seq, state, late),
    FOREIGN KEY (store, seq) REFERENCES jobs (store, seq),
    CHECK ((due_at IS NULL) = (settled_at IS NOT NULL)),
    CHECK ((settled_at IS NULL) = (outcome IS NULL))
);
CREATE INDEX hook_deliveries_by_id ON hook_deliveries (id);
CREATE INDEX hook_deliveries_due ON hook_deliveries (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX hook_deliveries_of_key ON hook_deliveries (api_key) WHERE due_at IS NOT NULL;
CREATE INDEX hook_deliveries_given_up ON hook_deliveries (settled_at, id) WHERE outcome = 'given_up';
CREATE INDEX hook_deliveries_settled ON hook_deliveries (settled_at) WHERE settled_at IS NOT NULL;

-- Every record a register sent, with its verdict. Another body under a known id is another row, refused:
-- nothing is overwritten. `day` is set where a refusal counts in the books of that day.
CREATE TABLE records (
    store BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    register BIGINT NOT NULL,
    request_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('receipt', 'print', 'close', 'correction')),
    fingerprint BYTEA NOT NULL,
    flow_no BIGINT,
    epoch BIGINT NOT NULL,
    hour BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL,
    judged_at BIGINT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('accepted', 'rejected')),
    code TEXT,
    detail TEXT,
    day TEXT,
    body TEXT NOT NULL,
    PRIMARY KEY (store, seq),
    FOREIGN KEY (store, register) REFERENCES registers (store, register),
    CHECK ((verdict = 'rejected') = (code IS NOT NULL)),
    CHECK (verdict = 'rejected' OR day IS NULL)
);
CREATE UNIQUE INDEX records_accepted ON records (store, request_id) WHERE verdict = 'accepted';
CREATE INDEX records_rejected ON records (store, request_id) WHERE verdict = 'rejected';
CREATE INDEX records_refused ON records (store, seq) WHERE verdict = 'rejected';
CREATE INDEX records_by_hour ON records (store, register, hour, seq) WHERE verdict = 'accepted';
CREATE INDEX records_refused_receipts ON records (store, register, flow_no)
    WHERE verdict = 'rejected' AND kind = 'receipt';

-- Count and digest of a register's accepted records by hour, kept with every record.
CREATE TABLE record_hours (
    store BIGINT NOT NULL,
    register BIGINT NOT NULL,
    hour BIGINT NOT NULL,
    records BIGINT NOT NULL,
    digest BYTEA NOT NULL,
    PRIMARY KEY (store, register, hour)
) WITH (fillfactor = 70);

-- The books: what a register recorded; written once.
CREATE TABLE receipts (
    store BIGINT NOT NULL,
    register BIGINT NOT NULL,
    flow_no BIGINT NOT NULL,
    job_id TEXT NOT NULL,
    record BIGINT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('receipt', 'refund', 'prebill', 'kitchen', 'report')),
    day TEXT NOT NULL,
    z_no BIGINT NOT NULL,
    takings_minor BIGINT NOT NULL,
    tenders TEXT NOT NULL,
    PRIMARY KEY (store, register, flow_no),
    UNIQUE (store, job_id),
    FOREIGN KEY (store, record) REFERENCES records (store, seq)
);

-- What became of a receipt on paper: the newest word of its register.
CREATE TABLE papers (
    store BIGINT NOT NULL,
    register BIGINT NOT NULL,
    flow_no BIGINT NOT NULL,
    epoch BIGINT NOT NULL,
    row_version BIGINT NOT NULL,
    state TEXT NOT NULL,
    confirmation TEXT,
    PRIMARY KEY (store, register, flow_no)
);

-- Counters instead of counting, kept with every record.
CREATE TABLE register_days (
    store BIGINT NOT NULL,
    day TEXT NOT NULL,
    register BIGINT NOT NULL,
    receipts BIGINT NOT NULL DEFAULT 0,
    refunds BIGINT NOT NULL DEFAULT 0,
    gross_minor BIGINT NOT NULL DEFAULT 0,
    refunded_minor BIGINT NOT NULL DEFAULT 0,
    printed BIGINT NOT NULL DEFAULT 0,
    closed BIGINT NOT NULL DEFAULT 0,
    rejected BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (store, day, register)
) WITH (fillfactor = 70);

CREATE TABLE register_day_tenders (
    store BIGINT NOT NULL,
    day TEXT NOT NULL,
    register BIGINT NOT NULL,
    tender TEXT NOT NULL,
    takings_minor BIGINT NOT NULL,
    PRIMARY KEY (store, day, register, tender)
) WITH (fillfactor = 70);

-- Written to learn whether anything can be written.
CREATE TABLE probe (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    writes BIGINT NOT NULL
);
INSERT INTO probe (id, writes) VALUES (1, 0);
