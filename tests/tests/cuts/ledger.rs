//! What the driver was told: its own list, against which every power cut is judged.
//!
//! A fact is a name and a value ("job S1:7:receipt:v1" is "printed"). An operation changes some facts. Once it
//! is acknowledged they must be found as it left them; while it is under way, or when its outcome was told as
//! unknown, as before or as after; when it was refused, as before.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::MutexGuard;

use crate::disk::Disk;
use crate::vfs::Mounted;

/// Facts by their names.
pub type Facts = BTreeMap<String, String>;

/// What the driver was told of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    Acknowledged,
    Unknown,
    Refused,
}

#[derive(Debug)]
struct Operation {
    effect: Facts,
    told: Told,
}

/// When the driver counts an operation as acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Answering {
    /// When it returned.
    #[default]
    AfterCommit,
    /// When it began: a control that must lose.
    BeforeCommit,
    /// When it returned, whatever it returned: a control that must lose.
    WhateverItSays,
}

/// The driver's list of one life of the program.
pub struct Ledger<'a> {
    mounted: &'a Mounted,
    answering: Answering,
    before: Facts,
    operations: Vec<Operation>,
}

/// What is wrong with the facts found after a cut.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Facts that are gone, or as they were before something acknowledged.
    pub lost: Vec<String>,
    /// Facts that no operation ever made so.
    pub impossible: Vec<String>,
}

/// What a fact may be, and what it has been; `None` where there was none.
#[derive(Debug, Default)]
struct Course<'a> {
    possible: BTreeSet<Option<&'a str>>,
    past: BTreeSet<Option<&'a str>>,
}

impl<'a> Ledger<'a> {
    /// A list that begins with what survived the life before.
    pub fn new(mounted: &'a Mounted, before: Facts, answering: Answering) -> Self {
        Self { mounted, answering, before, operations: Vec::new() }
    }

    pub fn disk(&self) -> MutexGuard<'_, Disk> {
        self.mounted.disk()
    }

    /// Does something that has this effect, and notes what came of it.
    pub fn act<T>(
        &mut self,
        effect: impl IntoIterator<Item = (String, String)>,
        work: impl FnOnce() -> Result<T, Told>,
    ) -> Option<T> {
        let effect = effect.into_iter().collect();
        self.operations.push(Operation { effect, told: Told::Acknowledged });
        if self.answering == Answering::BeforeCommit {
            self.disk().acknowledged = self.operations.len();
        }
        let done = work();
        if let (Err(told), Some(last)) = (&done, self.operations.last_mut())
            && self.answering != Answering::WhateverItSays
        {
            last.told = *told;
        }
        self.disk().acknowledged = self.operations.len();
        done.ok()
    }

    /// Operations that were acknowledged.
    pub fn acknowledged(&self) -> usize {
        let told = |operation: &&Operation| operation.told == Told::Acknowledged;
        self.operations.iter().filter(told).count()
    }

    /// Operations that were begun.
    pub fn begun(&self) -> usize {
        self.operations.len()
    }

    /// Holds what was found against the first operations, as they were told; those begun since may have come
    /// about or not.
    pub fn judge(&self, told: usize, begun: usize, found: &Facts) -> Faults {
        let courses = self.courses(told, begun);
        let mut faults = Faults::default();
        for (name, course) in &courses {
            let value = found.get(*name).map(String::as_str);
            if course.possible.contains(&value) {
                continue;
            }
            let fault = format!("{name}: {value:?} instead of {:?}", course.possible);
            let list = match course.past.contains(&value) {
                true => &mut faults.lost,
                false => &mut faults.impossible,
            };
            list.push(fault);
        }
        let unheard = found.keys().filter(|name| !courses.contains_key(name.as_str()));
        faults.impossible.extend(unheard.map(|name| format!("{name}: nobody asked for it")));
        faults
    }

    fn courses(&self, told: usize, begun: usize) -> BTreeMap<&str, Course<'_>> {
        let mut courses: BTreeMap<&str, Course<'_>> = BTreeMap::new();
        for (name, value) in &self.before {
            courses.entry(name).or_default().possible.insert(Some(value));
        }
        for (place, operation) in self.operations.iter().take(begun).enumerate() {
            let told = if place < told { operation.told } else { Told::Unknown };
            for (name, value) in &operation.effect {
                courses.entry(name).or_insert_with(Course::absent).heard(value, told);
            }
        }
        courses
    }
}

impl<'a> Course<'a> {
    fn absent() -> Self {
        Self { possible: BTreeSet::from([None]), past: BTreeSet::from([None]) }
    }

    fn heard(&mut self, value: &'a str, told: Told) {
        match told {
            Told::Refused => {}
            Told::Unknown => drop(self.possible.insert(Some(value))),
            Told::Acknowledged => {
                self.past.append(&mut self.possible);
                // Absent before it was made, whatever it was made as.
                self.past.insert(None);
                self.possible.insert(Some(value));
                self.past.remove(&Some(value));
            }
        }
    }
}
