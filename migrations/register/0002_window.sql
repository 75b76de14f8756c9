-- What the window needs: who may manage, and what the owner may change while the register runs.

-- The manager's PIN as an argon2id hash. A try is counted before it is checked.
CREATE TABLE manager_pin (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    hash TEXT NOT NULL,
    wrong INTEGER NOT NULL DEFAULT 0,
    locked_until INTEGER,
    changed_at INTEGER NOT NULL
) STRICT;

-- NULL is the program's own default.
CREATE TABLE preferences (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    attention_after_s INTEGER CHECK (attention_after_s > 0),
    stale_after_s INTEGER CHECK (stale_after_s > 0),
    sounds INTEGER NOT NULL DEFAULT 1 CHECK (sounds IN (0, 1))
) STRICT;
