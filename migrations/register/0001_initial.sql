-- Instants are UTC milliseconds since 1970 (`_at`), amounts minor units (`_minor`).
-- Integer keys grow and are the primary keys; business ids stand in a unique index.
-- The four tables that every receipt writes say `x = 'a' OR x = 'b' OR ..` in checks and indexes: IN with
-- more than two values builds a tree at each statement, which costs more than the rows.

CREATE TABLE register (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    store TEXT NOT NULL,
    register TEXT NOT NULL,
    zone TEXT NOT NULL,
    cutoff TEXT NOT NULL,
    currency TEXT NOT NULL,
    locale TEXT NOT NULL,
    installation TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    flow_floor INTEGER NOT NULL DEFAULT 0,
    attempt_floor INTEGER NOT NULL DEFAULT 0,
    answer_floor INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE clients (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    token_hash BLOB NOT NULL UNIQUE,
    order_scope TEXT NOT NULL DEFAULT 'store' CHECK (order_scope IN ('store', 'register', 'register_day')),
    may_open_drawer INTEGER NOT NULL DEFAULT 0 CHECK (may_open_drawer IN (0, 1)),
    may_manage INTEGER NOT NULL DEFAULT 0 CHECK (may_manage IN (0, 1)),
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;

CREATE TABLE printers (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    uri TEXT NOT NULL,
    profile TEXT NOT NULL,
    columns INTEGER,
    level TEXT NOT NULL CHECK (level IN ('token', 'counter', 'in_order', 'realtime', 'silent')),
    unproven TEXT NOT NULL CHECK (unproven IN ('trust', 'ask')),
    drawer_pin INTEGER NOT NULL DEFAULT 0 CHECK (drawer_pin IN (0, 1)),
    paused INTEGER NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
    removed_at INTEGER
) STRICT;

CREATE TABLE routes (
    kind TEXT PRIMARY KEY CHECK (kind IN ('receipt', 'refund', 'prebill', 'kitchen', 'report')),
    printer INTEGER NOT NULL REFERENCES printers (id)
) STRICT, WITHOUT ROWID;

-- A numbered session of a business day; its number is the Z number.
CREATE TABLE sessions (
    z_no INTEGER PRIMARY KEY,
    business_day TEXT NOT NULL,
    opened_at INTEGER NOT NULL,
    closed_at INTEGER,
    closing TEXT
) STRICT;
CREATE UNIQUE INDEX sessions_open ON sessions (business_day) WHERE closed_at IS NULL;
CREATE INDEX sessions_by_day ON sessions (business_day, z_no);

-- What a POS handed over. The flow number is the key: gapless, given in the same transaction.
-- Retention drops bodies, never rows: an old id sent again never prints.
CREATE TABLE receipts (
    flow_no INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (
        kind = 'receipt' OR kind = 'refund' OR kind = 'prebill'
        OR kind = 'kitchen' OR kind = 'report'
    ),
    format TEXT NOT NULL CHECK (format IN ('receipt', 'document')),
    fingerprint BLOB NOT NULL,
    body TEXT,
    client INTEGER REFERENCES clients (id),
    session INTEGER NOT NULL REFERENCES sessions (z_no),
    epoch INTEGER NOT NULL,
    issued_at INTEGER,
    recorded_at INTEGER NOT NULL,
    recorded_boot_ms INTEGER NOT NULL,
    takings_minor INTEGER NOT NULL,
    tenders TEXT NOT NULL
) STRICT;
CREATE INDEX receipts_by_session ON receipts (session, flow_no);

CREATE TABLE print_jobs (
    id INTEGER PRIMARY KEY,
    job_id TEXT NOT NULL UNIQUE,
    flow_no INTEGER NOT NULL REFERENCES receipts (flow_no),
    copy_no INTEGER NOT NULL DEFAULT 0,
    printer INTEGER NOT NULL REFERENCES printers (id),
    priority INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (
        state = 'pending' OR state = 'held' OR state = 'printing' OR state = 'printed'
        OR state = 'sent' OR state = 'unconfirmed' OR state = 'failed' OR state = 'skipped'
    ),
    reason TEXT,
    confirmation TEXT CHECK (
        confirmation = 'token' OR confirmation = 'counter' OR confirmation = 'in_order'
        OR confirmation = 'clerk' OR confirmation = 'assumed'
    ),
    failures INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    reprint INTEGER NOT NULL DEFAULT 0 CHECK (reprint IN (0, 1)),
    skip_asked INTEGER NOT NULL DEFAULT 0 CHECK (skip_asked IN (0, 1)),
    drawer TEXT NOT NULL DEFAULT 'none' CHECK (
        drawer = 'none' OR drawer = 'due'
        OR drawer = 'opened' OR drawer = 'dropped'
    ),
    row_version INTEGER NOT NULL DEFAULT 1,
    due_at INTEGER,
    accepted_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    CHECK ((state = 'pending') = (due_at IS NOT NULL)),
    CHECK ((state = 'printed') = (confirmation IS NOT NULL))
) STRICT;
CREATE INDEX print_jobs_by_receipt ON print_jobs (flow_no, copy_no);
CREATE INDEX print_jobs_due ON print_jobs (printer, priority, flow_no, copy_no, due_at) WHERE state = 'pending';
CREATE UNIQUE INDEX print_jobs_printing ON print_jobs (printer) WHERE state = 'printing';
CREATE INDEX print_jobs_asking ON print_jobs (state, id)
    WHERE state = 'held' OR state = 'sent' OR state = 'unconfirmed' OR state = 'failed';
CREATE INDEX print_jobs_skipped ON print_jobs (id) WHERE state = 'skipped';

-- Committed before the first byte: a committed attempt counts as sent.
CREATE TABLE attempts (
    id INTEGER PRIMARY KEY,
    job INTEGER NOT NULL REFERENCES print_jobs (id),
    number INTEGER NOT NULL,
    printer INTEGER NOT NULL REFERENCES printers (id),
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    outcome TEXT CHECK (outcome = 'printed' OR outcome = 'sent' OR outcome = 'left_nothing' OR outcome = 'unconfirmed'),
    cause TEXT,
    lines_before INTEGER,
    cuts_before INTEGER,
    cuts INTEGER NOT NULL,
    byte_count INTEGER NOT NULL,
    sha256 BLOB NOT NULL
) STRICT;
CREATE INDEX attempts_by_job ON attempts (job, number);
CREATE INDEX attempts_by_printer ON attempts (printer, id);

-- Every answer of a person, and of the cloud in a person's name.
CREATE TABLE answers (
    id INTEGER PRIMARY KEY,
    job INTEGER NOT NULL REFERENCES print_jobs (id),
    verb TEXT NOT NULL CHECK (verb IN ('retry', 'on_paper', 'not_on_paper', 'print', 'skip', 'reroute', 'copy')),
    was TEXT NOT NULL,
    client INTEGER REFERENCES clients (id),
    note TEXT,
    answered_at INTEGER NOT NULL
) STRICT;
CREATE INDEX answers_by_job ON answers (job, id);

CREATE TABLE outbox (
    id INTEGER PRIMARY KEY,
    request_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind = 'receipt' OR kind = 'print' OR kind = 'close' OR kind = 'correction'),
    flow_no INTEGER REFERENCES receipts (flow_no),
    body TEXT,
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state = 'waiting' OR state = 'acknowledged' OR state = 'parked'),
    verdict TEXT,
    recorded_at INTEGER NOT NULL
) STRICT;
CREATE INDEX outbox_waiting ON outbox (id) WHERE state = 'waiting';
CREATE INDEX outbox_by_receipt ON outbox (flow_no, id);

-- What the POS says of a day; the last word counts.
CREATE TABLE pos_totals (
    business_day TEXT PRIMARY KEY,
    totals TEXT NOT NULL,
    declared_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE cash_movements (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions (z_no),
    kind TEXT NOT NULL CHECK (kind IN ('float', 'paid_in', 'paid_out', 'count')),
    amount_minor INTEGER NOT NULL CHECK (amount_minor >= 0),
    reason TEXT,
    client INTEGER REFERENCES clients (id),
    moved_at INTEGER NOT NULL
) STRICT;
CREATE INDEX cash_movements_by_session ON cash_movements (session, id);

-- An answer that came after its session was closed: a row, never a change of the closed session.
CREATE TABLE corrections (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions (z_no),
    job INTEGER NOT NULL REFERENCES print_jobs (id),
    was TEXT NOT NULL,
    became TEXT NOT NULL,
    corrected_at INTEGER NOT NULL
) STRICT;
CREATE INDEX corrections_by_session ON corrections (session, id);

-- Receipts that were refused although their sale may be done: nothing is silent. Rows go at the end of
-- the list; AUTOINCREMENT keeps an answer to a row that went from reaching another one.
CREATE TABLE rejected (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    order_no TEXT,
    kind TEXT,
    code TEXT NOT NULL,
    detail TEXT NOT NULL,
    body TEXT NOT NULL,
    client INTEGER REFERENCES clients (id),
    rejected_at INTEGER NOT NULL,
    answer TEXT,
    answered_at INTEGER
) STRICT;
CREATE INDEX rejected_open ON rejected (id) WHERE answered_at IS NULL;

-- The drawer opened without a sale.
CREATE TABLE drawer_openings (
    id INTEGER PRIMARY KEY,
    printer INTEGER NOT NULL REFERENCES printers (id),
    client INTEGER REFERENCES clients (id),
    reason TEXT NOT NULL,
    opened_at INTEGER NOT NULL
) STRICT;

-- What the register itself must tell a person, until it is answered.
CREATE TABLE notices (
    id INTEGER PRIMARY KEY,
    code TEXT NOT NULL CHECK (code IN ('rescued', 'restored')),
    detail TEXT NOT NULL,
    noticed_at INTEGER NOT NULL,
    answered_at INTEGER
) STRICT;
CREATE INDEX notices_open ON notices (id) WHERE answered_at IS NULL;
