//! A ready-made ESC/POS job of a POS, made fit for printing with proof.
//!
//! A raw job may contain what would spoil the proof: a reset or `GS a` ends automatic status, status
//! requests mix their answers into ours, real-time commands act out of order, and a drawer pulse would
//! open the drawer again on a late print. [`sanitize`] reads the job command by command, takes these out
//! and cuts the job where a print token belongs: right behind the last thing printed.
//!
//! Where a command is not known its length is not known either, and taking bytes out behind it might
//! tear a picture apart: from there on the job passes as it is and is not `understood`, but for drawer
//! pulses, which are overwritten in place. Such a job must be treated as on a printer that cannot confirm.

mod grammar;
mod pulse;
mod reset;
mod walk;

/// How many removals are listed one by one.
pub const REMOVED_MAX: usize = 100;

/// A raw job, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sanitized {
    /// What prints. Ends with the last printing command and at the beginning of a line, so that a cut
    /// works and a token sent next belongs to that printing. Cuts in the middle stay.
    pub body: Vec<u8>,
    /// What follows the last printing: the cut, and settings or feeds around it.
    pub cut: Vec<u8>,
    /// Cuts in body and tail: as much as the device's cut counter goes up.
    pub cuts: u32,
    /// What was taken out, in order, the first [`REMOVED_MAX`].
    pub removed: Vec<Removed>,
    /// Drawer pulses the job has: those taken out, and those left in.
    pub drawer_pulses: u32,
    /// Whether a pulse is left in body or cut, since taking it out would change what is printed: one in
    /// real time among the content of a code. The drawer opens whenever such a job prints.
    pub pulse_left: bool,
    /// Whether every command was known, whole, and free of real-time sequences that could not be
    /// defused.
    pub understood: bool,
}

/// One command that was taken out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removed {
    /// What it was.
    pub what: What,
    /// Where it stood in the job, in bytes.
    pub offset: usize,
}

/// Commands that are taken out of a raw job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum What {
    /// `ESC @`; settings made before it are reset one by one in its place.
    Initialise,
    /// `GS a`, `GS j`, `FS ( e`: automatic status.
    StatusBack,
    /// `DLE EOT`, `DLE ENQ`, `DLE DC4`.
    Realtime,
    /// A command that the device answers, or that changes the counters it answers with.
    StatusRequest,
    /// `ESC p`, `DLE DC4 1`.
    DrawerPulse,
    /// A command the job ends inside of: it would swallow the start of the next job.
    Truncated,
}

/// Takes a raw job apart.
///
/// Bounded: body and cut together have at most four bytes for each byte of the job, and one more.
/// Sanitising a sanitised body changes nothing.
#[must_use]
pub fn sanitize(job: &[u8]) -> Sanitized {
    walk::walk(job)
}

#[cfg(test)]
mod tests;
