//! A data folder, of any version, that a disk or a person has damaged.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use bolero::generator::*;
use bolero::{TypeGenerator, check};
use jiff::Timestamp;
use tillroll_domain::ids::JobId;
use tillroll_domain::printer::{ConfirmationLevel, Unproven};
use tillroll_sqlite::rusqlite::Connection;
use tillroll_sqlite::{Database, Migration, Options};
use tillroll_store::{
    Body, BodyFormat, NewPrinter, NewReceipt, RegisterSettings, Store, StoreOptions,
};
use tillroll_testkit::receipts;

use crate::inputs::Inputs;

const SALES: u32 = 12;

/// The schemas there were, oldest first.
fn schemas() -> &'static [Migration] {
    static SCHEMAS: OnceLock<Vec<Migration>> = OnceLock::new();
    SCHEMAS.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations/register");
        let mut files: Vec<_> =
            fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
        files.sort();
        files.iter().map(|file| schema(file)).collect()
    })
}

/// A file `NNNN_name.sql`.
fn schema(file: &Path) -> Migration {
    let name = file.file_stem().unwrap().to_str().unwrap();
    let (number, name) = name.split_once('_').unwrap();
    Migration {
        number: number.parse().unwrap(),
        name: name.to_owned().leak(),
        sql: fs::read_to_string(file).unwrap().leak(),
    }
}

/// What happened to the folder.
#[derive(Debug, Clone, TypeGenerator)]
struct Damage {
    /// Which of the schemas the database had.
    schema: u8,
    /// Whether the program had been killed.
    killed: bool,
    /// Bytes of the database that are others, each at a share of its length.
    #[generator(produce::<Vec<(u16, u8)>>().with().len(0..24usize))]
    overwritten: Vec<(u16, u8)>,
    /// The share of the database that is left.
    left: Option<u16>,
    /// What lies in the other files instead.
    wal: Option<Vec<u8>>,
    mark: Option<Vec<u8>>,
    installation: Option<Vec<u8>>,
}

/// The files of a register with sales, its database in every schema.
struct Sound {
    installation: Vec<u8>,
    mark: Vec<u8>,
    databases: Vec<Vec<u8>>,
}

fn sound() -> &'static Sound {
    static SOUND: OnceLock<Sound> = OnceLock::new();
    SOUND.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::create(folder.path(), &settings(), options()).unwrap();
        wait(sell(&store));
        store.close().unwrap();
        let newest = folder.path().join("register.db");
        let older = |count| older_copy(&newest, &folder.path().join("older.db"), count);
        Sound {
            installation: fs::read(folder.path().join("installation.json")).unwrap(),
            mark: fs::read(folder.path().join("mark")).unwrap(),
            databases: (1..=schemas().len()).map(older).collect(),
        }
    })
}

/// The rows of a database in one of an earlier schema, as far as that had a place for them.
fn older_copy(newest: &Path, path: &Path, count: usize) -> Vec<u8> {
    let options = Options { migrations: &schemas()[..count], ..options().database };
    Database::open(path, options).unwrap().0.close().unwrap();
    let db = Connection::open(path).unwrap();
    db.execute("ATTACH ? AS newest", [newest.to_str().unwrap()]).unwrap();
    db.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
    for table in names(&db, "SELECT name FROM sqlite_schema WHERE type = 'table'") {
        if table != "schema_migrations" && !table.starts_with("sqlite_") {
            copy_rows(&db, &table);
        }
    }
    drop(db);
    let bytes = fs::read(path).unwrap();
    fs::remove_file(path).unwrap();
    bytes
}

fn copy_rows(db: &Connection, table: &str) {
    let both = format!(
        "SELECT name FROM pragma_table_info('{table}', 'main')
         WHERE name IN (SELECT name FROM pragma_table_info('{table}', 'newest'))"
    );
    let columns = names(db, &both).join(", ");
    let copy = format!(
        "INSERT OR REPLACE INTO main.{table} ({columns}) SELECT {columns} FROM newest.{table}"
    );
    db.execute_batch(&copy).unwrap();
}

fn names(db: &Connection, sql: &str) -> Vec<String> {
    let mut select = db.prepare(sql).unwrap();
    select.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

fn settings() -> RegisterSettings {
    RegisterSettings {
        store: "S1".parse().unwrap(),
        register: "R1".parse().unwrap(),
        zone: "Asia/Shanghai".into(),
        cutoff: "04:00".into(),
        currency: "CNY".parse().unwrap(),
        locale: "en".into(),
    }
}

fn options() -> StoreOptions {
    let mut options = StoreOptions::default();
    options.database.inline = true;
    options
}

async fn sell(store: &Store) {
    let front = NewPrinter {
        name: "front".parse().unwrap(),
        uri: "virtual:front".into(),
        profile: "default".into(),
        columns: None,
        level: ConfirmationLevel::Token,
        unproven: Unproven::Ask,
        drawer_pin: 0,
    };
    let printer = store.add_printer(front).await.unwrap();
    for n in 1..=SALES {
        let receipt = receipts::simple(n);
        let new = NewReceipt {
            job_id: JobId {
                store: "S1".parse().unwrap(),
                order: receipt.order_no.clone(),
                kind: receipt.kind,
                version: 1,
                copy: None,
            },
            body: Body { format: BodyFormat::Receipt, text: receipts::json(&receipt) },
            fingerprint: receipt.fingerprint().unwrap(),
            printer,
            client: None,
            refused_as: None,
            day: "2026-10-12".parse().unwrap(),
            issued_at: None,
            recorded_at: now(),
            recorded_boot: std::time::Duration::from_secs(1),
            takings: receipt.takings(),
            tenders: receipt.takings_by_tender(),
            drawer: false,
            held: None,
            claiming: None,
            pushed: None,
        };
        store.record_receipt(new).await.unwrap();
    }
}

fn now() -> Timestamp {
    "2026-10-12T02:00:00Z".parse().unwrap()
}

fn wait<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// Where a share of a length lies.
fn share(length: usize, share: u16) -> usize {
    length * usize::from(share) / (usize::from(u16::MAX) + 1)
}

fn lay_out(damage: &Damage, folder: &Path) {
    let sound = sound();
    let schema = usize::from(damage.schema) % sound.databases.len();
    let mut database = sound.databases[schema].clone();
    for (at, byte) in &damage.overwritten {
        let at = share(database.len(), *at);
        database[at] = *byte;
    }
    if let Some(left) = damage.left {
        database.truncate(share(database.len(), left));
    }
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).unwrap();
    write("register.db", &database);
    write("mark", damage.mark.as_ref().unwrap_or(&sound.mark));
    write("installation.json", damage.installation.as_ref().unwrap_or(&sound.installation));
    if let Some(wal) = &damage.wal {
        write("register.db-wal", wal);
    }
    if damage.killed {
        write("register.db.open", b"");
    }
}

/// A folder that opens can be read, unless it seemed to have been closed properly and was not looked
/// through, and opens again; what was rescued is told once.
fn open(folder: &Path, looked_through: bool) {
    let store = match Store::open(folder, options(), now()) {
        Err(error) => return assert!(!error.to_string().is_empty()),
        Ok((store, opened)) => {
            match wait(store.notices()) {
                Ok(told) => {
                    assert!(opened.rescue.is_none() || !told.is_empty(), "a rescue in silence")
                }
                Err(error) => assert!(!looked_through && opened.rescue.is_none(), "{error}"),
            }
            store
        }
    };
    let _ = wait(store.jobs(None, 100));
    let _ = store.settings();
    store.close().unwrap();
    let (store, again) = Store::open(folder, options(), now()).unwrap();
    assert!(again.rescue.is_none(), "rescued once");
    store.close().unwrap();
}

#[test]
fn damaged_folder_is_refused_with_a_reason_or_opens_and_says_what_was_lost() {
    let target = check!().with_type::<Damage>().with_iterations(200);
    let inputs = Inputs::to("a damaged folder of a register");
    target.for_each(|damage: &Damage| {
        inputs.hold(|| {
            let folder = tempfile::tempdir().unwrap();
            lay_out(damage, folder.path());
            let has_log = damage.wal.as_ref().is_some_and(|log| !log.is_empty());
            open(folder.path(), damage.killed || has_log);
        });
    });
}
