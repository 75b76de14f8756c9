//! `printer`: the printers of the register.

mod settings;
mod show;

use clap::{Args, Subcommand};
use reqwest::Method;
use tillroll_register::view::{Accepted, DrawerBody, PrintersView, ProbeView, ProfilesView};

use self::settings::{AddSettings, Settings};
use crate::cli::Desk;
use crate::failure::Failure;
use crate::table::{Cell, Table};

/// Said while a device is asked what it can prove.
const ASKING: &str = "Asking the device; a slip of paper may come out.";

/// Adds, lists and looks after printers.
#[derive(Debug, Subcommand)]
pub enum Printer {
    /// Adds a printer; the first one prints every kind. Without --level it is asked first what it can prove;
    /// one that does not answer is added all the same.
    Add(AddSettings),
    /// Changes a printer; what is not given stays.
    Change {
        /// The printer's name.
        name: String,
        #[command(flatten)]
        settings: Settings,
    },
    /// Lists the printers with what they are doing.
    List {
        /// Print the API's JSON.
        #[arg(long)]
        json: bool,
    },
    /// Asks the device what it can prove, and keeps the answer.
    Probe(Named),
    /// Prints a test page. The drawer stays shut.
    Test(Named),
    /// Lets a printer rest; its jobs wait.
    Pause(Named),
    /// Lets a paused printer go on.
    Resume(Named),
    /// Removes a printer; its waiting jobs go on the to-do list.
    Remove {
        /// The printer's name.
        name: String,
    },
    /// Opens the drawer at a printer without a sale. It is recorded, and not tried twice.
    Drawer {
        /// The printer's name.
        name: String,
        /// Why it is opened.
        #[arg(long)]
        reason: String,
    },
    /// Lists the profiles a printer can have.
    Profiles {
        /// Print the API's JSON.
        #[arg(long)]
        json: bool,
    },
    /// Looks for serial and USB printers at this computer. Nothing is sent to them.
    Discover {
        /// Print the API's JSON.
        #[arg(long)]
        json: bool,
    },
}

/// Which printer.
#[derive(Debug, Args)]
pub struct Named {
    /// The printer's name.
    name: String,
    /// Print the API's JSON.
    #[arg(long)]
    json: bool,
}

impl Printer {
    /// Does it.
    ///
    /// # Errors
    /// [`Failure::Refused`] with what cannot be.
    pub async fn run(self, desk: &Desk<'_>) -> Result<(), Failure> {
        match self {
            Self::Add(add) => settings::add(add, desk).await,
            Self::Change { name, settings } => settings::change(&name, settings, desk).await,
            Self::List { json } => list(json, desk).await,
            Self::Probe(named) => probe(named, desk).await,
            Self::Test(named) => test(named, desk).await,
            Self::Pause(named) => switch(named, "pause", desk).await,
            Self::Resume(named) => switch(named, "resume", desk).await,
            Self::Remove { name } => remove(&name, desk).await,
            Self::Drawer { name, reason } => open_drawer(&name, reason, desk).await,
            Self::Profiles { json } => profiles(json, desk).await,
            Self::Discover { json } => discover(json, desk).await,
        }
    }
}

async fn list(json: bool, desk: &Desk<'_>) -> Result<(), Failure> {
    let answer = desk.api.get(&["printers"]).await?;
    if json {
        return desk.output.line(answer.text());
    }
    let PrintersView { printers } = answer.read()?;
    show::printers(&printers, desk)
}

async fn probe(named: Named, desk: &Desk<'_>) -> Result<(), Failure> {
    desk.output.progress(ASKING)?;
    let answer = desk.api.act(Method::POST, &["printers", &named.name, "probe"]).await?;
    if named.json {
        return desk.output.line(answer.text());
    }
    show::probed(&named.name, &answer.read::<ProbeView>()?, desk)
}

async fn test(named: Named, desk: &Desk<'_>) -> Result<(), Failure> {
    let answer = desk.api.act(Method::POST, &["printers", &named.name, "test"]).await?;
    if named.json {
        return desk.output.line(answer.text());
    }
    let Accepted { id, .. } = answer.read()?;
    desk.output.line(format_args!("{id}  is on its way; ask with: tillctl job {id}"))
}

async fn switch(named: Named, verb: &str, desk: &Desk<'_>) -> Result<(), Failure> {
    let answer = desk.api.act(Method::POST, &["printers", &named.name, verb]).await?;
    if named.json {
        return desk.output.line(answer.text());
    }
    show::printers(&[answer.read()?], desk)
}

async fn remove(name: &str, desk: &Desk<'_>) -> Result<(), Failure> {
    desk.api.act(Method::DELETE, &["printers", name]).await?;
    desk.output.line(format_args!("{name} is removed"))
}

async fn open_drawer(name: &str, reason: String, desk: &Desk<'_>) -> Result<(), Failure> {
    desk.api.post(&["printers", name, "drawer"], &DrawerBody { reason }).await?;
    desk.output.line(format_args!(
        "the drawer at {name} gets its pulse, if the printer takes it within 10 s; tillctl day shows what became of it"
    ))
}

async fn profiles(json: bool, desk: &Desk<'_>) -> Result<(), Failure> {
    let answer = desk.api.get(&["profiles"]).await?;
    if json {
        return desk.output.line(answer.text());
    }
    let ProfilesView { profiles } = answer.read()?;
    let mut table = Table::new(["profile", "maker", "columns", "dots", "notes"]);
    for profile in profiles {
        table.row([
            Cell::text(profile.name),
            Cell::text(profile.vendor),
            Cell::number(profile.columns),
            Cell::number(profile.dots),
            Cell::text(profile.notes),
        ]);
    }
    table.write(desk.output, "no profiles")
}

async fn discover(json: bool, desk: &Desk<'_>) -> Result<(), Failure> {
    let answer = desk.api.get(&["discover"]).await?;
    if json {
        return desk.output.line(answer.text());
    }
    show::discovered(&answer.read()?, desk)
}
