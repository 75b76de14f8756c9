//! A register of the first version, with receipts in it, whose power goes while the present one starts on its
//! files: everything is migrated or nothing, and the receipts are there.

use std::fs;
use std::path::Path;

use rusqlite::Connection;
use tillroll_sqlite::{Database, Migration, Options};
use tillroll_testkit::Dice;

use crate::ledger::{Facts, Ledger};
use crate::register::Register;
use crate::run::Program;

pub struct Older(Register);

/// The schema of the first version.
const FIRST: &[Migration] = &[Migration {
    number: 1,
    name: "initial",
    sql: include_str!("../../../migrations/register/0001_initial.sql"),
}];

/// Who the register is, from its new database into the old one.
const MOVE_IN: &str = "INSERT INTO main.register (id, store, register, zone, cutoff, currency, locale,
        installation, epoch)
    SELECT id, store, register, zone, cutoff, currency, locale, installation, epoch FROM new.register;
    INSERT INTO main.printers (id, name, uri, profile, level, unproven)
    SELECT id, name, uri, profile, level, unproven FROM new.printers;";

/// A day's receipts, half of them printed and with the head office.
const SOLD: &str = r#"
    INSERT INTO sessions (z_no, business_day, opened_at) VALUES (1, '2026-10-12', 1791770000000);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
    INSERT INTO receipts (flow_no, kind, format, fingerprint, body, session, epoch, recorded_at,
        recorded_boot_ms, takings_minor, tenders)
    SELECT i, 'receipt', 'receipt', randomblob(32), '{"order_no":"' || i || '"}', 1, 1,
        1791770000000 + i, i, 1250, '{"cash":1250}' FROM n;
    INSERT INTO print_jobs (job_id, flow_no, printer, priority, state, confirmation, attempts, due_at,
        accepted_at, changed_at)
    SELECT 'S1:' || flow_no || ':receipt:v1', flow_no, 1, 0, iif(flow_no % 2, 'printed', 'pending'),
        iif(flow_no % 2, 'token', NULL), flow_no % 2, iif(flow_no % 2, NULL, recorded_at), recorded_at,
        recorded_at FROM receipts;
    INSERT INTO attempts (job, number, printer, started_at, ended_at, outcome, cuts, byte_count, sha256)
    SELECT id, 1, 1, accepted_at, accepted_at + 1, 'printed', 1, 900, randomblob(32)
        FROM print_jobs WHERE state = 'printed';
    INSERT INTO outbox (request_id, kind, flow_no, state, recorded_at)
    SELECT job_id || '/receipt/e1/r1', 'receipt', flow_no, iif(flow_no % 2, 'acknowledged', 'waiting'),
        accepted_at FROM print_jobs;"#;

impl Program for Older {
    const DATABASE: &'static str = Register::DATABASE;
    const NEVER: &'static [&'static str] = Register::NEVER;

    fn make(folder: &Path) {
        Register::make(folder);
        let (old, new) = (folder.join(Self::DATABASE), folder.join("new.db"));
        fs::rename(&old, &new).unwrap();
        let options = Options { migrations: FIRST, inline: true, ..Options::default() };
        Database::open(&old, options).unwrap().0.close().unwrap();
        let database = Connection::open(&old).unwrap();
        database.execute("ATTACH ?1 AS new", [new.to_str().unwrap()]).unwrap();
        database.execute_batch(MOVE_IN).unwrap();
        database.execute_batch(SOLD).unwrap();
        database.execute_batch("DETACH new").unwrap();
        drop(database);
        for file in ["new.db", "new.db-wal", "new.db-shm"] {
            let _not_there = fs::remove_file(folder.join(file));
        }
    }

    fn open(folder: &Path, options: Options) -> Result<(Self, Option<String>), String> {
        Register::open(folder, options).map(|(register, told)| (Self(register), told))
    }

    fn step(&mut self, ledger: &mut Ledger<'_>, dice: &mut Dice) {
        self.0.step(ledger, dice);
    }

    fn close(self) {
        self.0.close();
    }

    fn facts(database: &Connection) -> rusqlite::Result<Facts> {
        Register::facts(database)
    }
}
