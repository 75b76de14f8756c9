//! `register`: the registers of a store.

use clap::Subcommand;
use tillroll_dispatcher::admin::{Command, PairingMade, RegisterView};

use crate::desk::Desk;
use crate::failure::Failure;
use crate::output;

/// Pairs registers, lists them, and takes their credentials away.
#[derive(Debug, Subcommand)]
pub enum Register {
    /// Makes a register and prints its pairing code, this once. One that is there gets a new code, for a
    /// machine that takes its place.
    Add {
        /// The store's uid.
        #[arg(long)]
        store: String,
        /// The register's name, as it has it itself.
        register: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Lists the registers of a store.
    List {
        /// The store's uid.
        #[arg(long)]
        store: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Takes a register's credential away; its channel is closed at once.
    Revoke {
        /// The store's uid.
        #[arg(long)]
        store: String,
        /// The register's name.
        register: String,
    },
}

impl Register {
    /// Does it.
    ///
    /// # Errors
    /// [`Failure::Refused`] with what cannot be.
    pub async fn run(self, desk: &Desk) -> Result<(), Failure> {
        match self {
            Self::Add { store, register, json } => {
                let made: PairingMade = desk.ask(Command::AddRegister { store, register }).await?;
                if json { output::json(&made) } else { show(&made) }
            }
            Self::List { store, json } => {
                let registers: Vec<RegisterView> = desk.ask(Command::Registers { store }).await?;
                if json { output::json(&registers) } else { list(registers) }
            }
            Self::Revoke { store, register } => {
                let said = format!("the credential of {register} counts no longer");
                let () = desk.ask(Command::RevokeRegister { store, register }).await?;
                output::line(said)
            }
        }
    }
}

fn show(made: &PairingMade) -> Result<(), Failure> {
    let PairingMade { register, until, .. } = made;
    output::note(format_args!("The pairing code of {register}, once and until {until}:"))?;
    output::line(&made.code)
}

fn list(registers: Vec<RegisterView>) -> Result<(), Failure> {
    let row = |register: RegisterView| {
        let state = match (register.revoked_at, register.paired_at) {
            (Some(at), _) => format!("revoked {at}"),
            (None, Some(at)) => format!("paired {at}"),
            (None, None) => "not paired".to_owned(),
        };
        let drift = register.drift_ms.map_or_else(String::new, |ms| format!("{ms} ms"));
        [register.name, state, drift, register.installation.unwrap_or_default()]
    };
    let rows = registers.into_iter().map(row).collect();
    output::table(["register", "credential", "clock ahead", "installation"], rows, "no registers")
}
