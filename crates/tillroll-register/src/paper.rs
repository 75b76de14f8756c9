//! The paper of a job as it would print now, drawn from the very bytes its printer would get.

use std::sync::{Arc, Mutex, PoisonError};

use tillroll_escpos::profile::{DEFAULT, Profile};
use tillroll_escpos::typeset::Typesetter;
use tillroll_paper::{Device, Roll};
use tillroll_spooler::{Renderer, SpoolerError, Stationery};
use tillroll_store::{Body, JobRow, NewPrinter, StoreError};

use crate::Register;
use crate::problem::{Code, Problem};

/// The paper of a job.
pub struct Paper {
    roll: Roll,
    typesetter: Arc<Mutex<Typesetter>>,
}

impl Register {
    /// The paper of a job as its printer would print it now, marks included.
    ///
    /// # Errors
    /// [`Code::NotFound`], [`Code::BodyGone`], or [`Code::PrinterUnusable`] when the printer cannot
    /// print it.
    pub async fn paper(&self, job_id: &str) -> Result<Paper, Problem> {
        let job = self.store().job(job_id.to_owned()).await?;
        let body = self.store().body_of(job.flow_no).await?;
        let profile = self.profile_for(&job).await?;
        let register = self.clone();
        off_the_runtime(move || {
            let typesetter = register.preview_typesetter();
            let printing = register.spooler().context().stationery.clone();
            let stationery = Stationery { typesetter: Arc::clone(&typesetter), ..printing };
            let renderer = Renderer::new(profile.clone(), stationery);
            Ok(Paper { roll: roll(&renderer, &profile, &job, &body)?, typesetter })
        })
        .await?
    }

    /// The profile of a job's printer; the default one where the printer is gone.
    async fn profile_for(&self, job: &JobRow) -> Result<Profile, Problem> {
        match self.store().printer_named(job.printer_name.clone()).await {
            Ok(printer) => Ok(profile_of(&printer.settings)?),
            Err(StoreError::NotFound { .. }) => Ok(named(DEFAULT)?.clone()),
            Err(error) => Err(error.into()),
        }
    }
}

impl Paper {
    /// As monospace text.
    #[must_use]
    pub fn text(&self) -> String {
        self.roll.text()
    }

    /// As SVG.
    ///
    /// # Errors
    /// [`Code::TooLarge`] for paper that is too long for a picture.
    pub fn svg(&self) -> Result<String, Problem> {
        self.roll.svg().map_err(too_long)
    }

    /// As PNG.
    ///
    /// # Errors
    /// As [`Paper::svg`].
    pub async fn png(self) -> Result<Vec<u8>, Problem> {
        let draw = move || {
            let mut typesetter = self.typesetter.lock().unwrap_or_else(PoisonError::into_inner);
            self.roll.png(&mut typesetter)
        };
        off_the_runtime(draw).await?.map_err(too_long)
    }
}

fn profile_of(settings: &NewPrinter) -> Result<Profile, SpoolerError> {
    let profile = named(&settings.profile)?;
    Ok(match settings.columns {
        Some(columns) => profile.with_columns(columns)?,
        None => profile.clone(),
    })
}

fn named(profile: &str) -> Result<&'static Profile, SpoolerError> {
    Profile::named(profile).ok_or_else(|| SpoolerError::UnknownProfile(profile.to_owned()))
}

fn roll(
    renderer: &Renderer,
    profile: &Profile,
    job: &JobRow,
    body: &Body,
) -> Result<Roll, Problem> {
    let rendered = renderer.render(job, body).map_err(|error| {
        let detail = error.to_string();
        Problem { source: Some(Box::new(error)), ..Problem::new(Code::PrinterUnusable, detail) }
    })?;
    Ok(Roll::preview(Device::from(profile), &rendered.print_data()))
}

/// Drawing takes its time; other requests must not wait for it.
async fn off_the_runtime<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.map_err(|error| Problem {
        source: Some(Box::new(error)),
        ..Problem::new(Code::Internal, "the paper could not be drawn")
    })
}

fn too_long(error: tillroll_paper::RenderError) -> Problem {
    let detail = error.to_string();
    Problem { source: Some(Box::new(error)), ..Problem::new(Code::TooLarge, detail) }
}
