-- Several nodes over one database: which of them lives, and which register is connected to which.
--
-- `until` and `taken_at` are read from the database's clock, all other instants from the nodes'.

-- Reference. One run of the program; it lives while `until` lies ahead.
CREATE TABLE nodes (
    node BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    until BIGINT NOT NULL
) WITH (fillfactor = 50);

-- Reference. What one node does for all of them, while `until` lies ahead.
CREATE TABLE duties (
    duty TEXT PRIMARY KEY,
    node BIGINT NOT NULL,
    until BIGINT NOT NULL
) WITH (fillfactor = 50);

-- The node a register is connected to, none when it is away; the lease lives as long as its node does. Every
-- taking raises the generation, so that a node that comes too late gives nothing back. `former` is the node it was
-- taken from, until it is given back.
CREATE TABLE register_leases (
    store BIGINT NOT NULL,
    register BIGINT NOT NULL,
    node BIGINT,
    generation BIGINT NOT NULL,
    former BIGINT,
    taken_at BIGINT NOT NULL,
    PRIMARY KEY (store, register),
    FOREIGN KEY (store, register) REFERENCES registers (store, register)
) WITH (fillfactor = 70);
CREATE INDEX register_leases_of_node ON register_leases (node) WHERE node IS NOT NULL;
CREATE INDEX register_leases_lost ON register_leases (former, taken_at) WHERE former IS NOT NULL;
