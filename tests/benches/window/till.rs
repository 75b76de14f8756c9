//! A till to open windows on: a desktop of its own, a register with a past, and the fastest printer.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use rustix::process::Signal;
use tillroll_domain::ids::Part;
use tillroll_domain::printer::{ConfirmationLevel, Unproven};
use tillroll_register::{Endpoint, Register, TOKEN_FILE};
use tillroll_store::NewPrinter;
use tokio::runtime::Runtime;

use crate::desktop::{Desktop, program, wait_until};
use crate::device::Device;
use crate::history::{self, Past};
use crate::page::Page;
use crate::pos::Pos;
use crate::processes::Processes;
use crate::settings::{PROFILE, settings};

/// A till without a running program.
pub struct Till {
    desktop: Desktop,
    /// Its printer.
    pub device: Device,
}

/// The program with its open window.
pub struct Window {
    /// What it shows.
    pub page: Page,
    /// What the system knows of it.
    pub processes: Processes,
}

impl Till {
    /// A till whose register holds so many printed receipts.
    pub fn with_past(runtime: &Runtime, receipts: u32) -> Result<Self> {
        let desktop = runtime.block_on(Desktop::start())?;
        let device = Device::switch_on()?;
        let past = Past { printed: receipts, waiting: 0 };
        let (store, _) = history::store(runtime, &desktop.data(), past)?;
        runtime.block_on(store.change_printer(NewPrinter {
            name: Part::new("front", "printer")?,
            uri: format!("tcp://{}", device.address()),
            profile: PROFILE.to_owned(),
            columns: None,
            level: ConfirmationLevel::Token,
            unproven: Unproven::Ask,
            drawer_pin: 0,
        }))?;
        store.close()?;
        // A store without its owner's token is a making that was cut off; this ends it.
        runtime.block_on(Register::init(&desktop.data(), settings()?))?;
        Ok(Self { desktop, device })
    }

    /// Starts the program.
    pub async fn open(&self) -> Result<Window> {
        let page = self.desktop.open(&[]).await?;
        let running = || Processes::of(&program(), &self.desktop.data());
        let processes = wait_until("the program", running).await?;
        Ok(Window { page, processes })
    }

    /// Ends the program as a log-out does.
    pub async fn close(&self, window: Window) -> Result<()> {
        window.processes.signal(Signal::TERM)?;
        let gone = || Ok(Processes::of(&program(), &self.desktop.data())?.is_none().then_some(()));
        wait_until("the end of the program", gone).await?;
        window.page.leave().await;
        Ok(())
    }

    /// A POS that hands over so many receipts a second to the running register.
    pub async fn pos(&self, every: Duration) -> Result<Pos> {
        self.desktop.api().await?;
        let data = self.desktop.data();
        let endpoint = Endpoint::read(&data).context("the register listens nowhere")?;
        let token = std::fs::read_to_string(data.join(TOKEN_FILE))?;
        Pos::start(endpoint.address, token.trim(), every)
    }

    /// Waits until so many jobs are printed.
    pub async fn wait_printed(&self, jobs: u64) -> Result<()> {
        wait_until("the last receipt", || Ok((self.device.printed() >= jobs).then_some(())))
            .await?;
        ensure!(self.device.printed() == jobs, "more was printed than handed over");
        Ok(())
    }
}
