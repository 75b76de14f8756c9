//! The first start: what a person keyed in becomes a register with a manager PIN.

use std::path::Path;

use tillroll_domain::business_day::BusinessCalendar;
use tillroll_domain::ids::Part;
use tillroll_domain::money::Currency;
use tillroll_escpos::compose::Locale;
use tillroll_store::{RegisterSettings, StoreError};

use crate::folder::FolderError;
use crate::problem::{Code, FaultView, Problem};
use crate::roles::check_pin;
use crate::view::SetUpBody;
use crate::{BootError, Register};

/// The file that makes a folder a register's.
const INSTALLATION_FILE: &str = "installation.json";

impl Register {
    /// Whether a folder holds a register.
    #[must_use]
    pub fn is_in(folder: &Path) -> bool {
        folder.join(INSTALLATION_FILE).is_file()
    }

    /// Makes the register of the answers in a new or empty folder. The PIN is set when it runs, by
    /// [`Register::set_pin`].
    ///
    /// # Errors
    /// [`Code::InvalidValue`] naming every answer that cannot be used, [`Code::NotAllowed`] for a folder
    /// with something in it.
    pub async fn set_up(folder: &Path, body: &SetUpBody) -> Result<(), Problem> {
        let settings = settings_of(body)?;
        Self::init(folder, settings).await?;
        Ok(())
    }
}

/// Every answer is checked, so that all that is wrong is told at once.
fn settings_of(body: &SetUpBody) -> Result<RegisterSettings, Problem> {
    let mut faults = Faults::default();
    let store = faults.take("store", body.store.parse::<Part>());
    let register = faults.take("register", body.register.parse::<Part>());
    faults.take("zone", BusinessCalendar::parse(&body.zone, "00:00"));
    faults.take("cutoff", BusinessCalendar::parse("UTC", &body.cutoff));
    let currency = faults.take("currency", body.currency.parse::<Currency>());
    let known = Locale::ALL.into_iter().find(|locale| locale.tag() == body.locale);
    faults.take("locale", known.ok_or("must be zh-CN, en, fr or de"));
    faults.take("manager_pin", check_pin(&body.manager_pin).map_err(|_| "must be 4 to 12 digits"));
    match (store, register, currency) {
        (Some(store), Some(register), Some(currency)) if faults.0.is_empty() => {
            Ok(RegisterSettings {
                store,
                register,
                zone: body.zone.clone(),
                cutoff: body.cutoff.clone(),
                currency,
                locale: body.locale.clone(),
            })
        }
        _ => Err(faults.into_problem()),
    }
}

#[derive(Default)]
struct Faults(Vec<FaultView>);

impl Faults {
    fn take<T, E: std::fmt::Display>(&mut self, field: &str, read: Result<T, E>) -> Option<T> {
        let error = match read {
            Ok(value) => return Some(value),
            Err(error) => error,
        };
        self.0.push(FaultView {
            field: field.to_owned(),
            message: error.to_string(),
            computed_minor: None,
            stated_minor: None,
        });
        None
    }

    fn into_problem(self) -> Problem {
        let told = self.0.iter().map(|fault| format!("{}: {}", fault.field, fault.message));
        let detail = told.collect::<Vec<_>>().join("; ");
        Problem { faults: self.0, ..Problem::new(Code::InvalidValue, detail) }
    }
}

impl From<BootError> for Problem {
    fn from(error: BootError) -> Self {
        let code = match &error {
            BootError::Folder(
                FolderError::InUse(_)
                | FolderError::NotEmpty(_)
                | FolderError::HoldsRegister(_)
                | FolderError::Begun(_),
            )
            | BootError::Store(StoreError::NotInitialised | StoreError::AlreadyInitialised) => {
                Code::NotAllowed
            }
            BootError::Folder(_) | BootError::Store(_) => Code::Unavailable,
            BootError::Setting(problem) => problem.code,
        };
        let detail = error.to_string();
        Self { source: Some(Box::new(error)), ..Self::new(code, detail) }
    }
}

impl From<crate::HostError> for Problem {
    fn from(error: crate::HostError) -> Self {
        match error {
            crate::HostError::Boot(error) => error.into(),
            error @ crate::HostError::Listen { .. } => {
                let detail = error.to_string();
                Self { source: Some(Box::new(error)), ..Self::new(Code::Unavailable, detail) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body() -> SetUpBody {
        SetUpBody {
            store: "S1".to_owned(),
            register: "R1".to_owned(),
            zone: "Asia/Shanghai".to_owned(),
            cutoff: "04:00".to_owned(),
            currency: "CNY".to_owned(),
            locale: "zh-CN".to_owned(),
            manager_pin: "2468".to_owned(),
        }
    }

    #[test]
    fn every_answer_that_cannot_be_used_is_named_at_once() {
        let wrong = SetUpBody {
            store: "老王 面馆".to_owned(),
            zone: "Mars/Olympus".to_owned(),
            cutoff: "25:00".to_owned(),
            currency: "yuan".to_owned(),
            locale: "tlh".to_owned(),
            manager_pin: "12".to_owned(),
            ..body()
        };
        let problem = settings_of(&wrong).unwrap_err();
        assert_eq!(problem.code, Code::InvalidValue);
        let fields: Vec<_> = problem.faults.iter().map(|fault| fault.field.as_str()).collect();
        assert_eq!(fields, ["store", "zone", "cutoff", "currency", "locale", "manager_pin"]);
        settings_of(&body()).unwrap();
    }

    #[tokio::test]
    async fn folder_with_a_register_is_not_set_up_again() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("till");
        assert!(!Register::is_in(&folder));
        Register::set_up(&folder, &body()).await.unwrap();
        assert!(Register::is_in(&folder));
        let problem = Register::set_up(&folder, &body()).await.unwrap_err();
        assert_eq!(problem.code, Code::NotAllowed);
    }

    #[test]
    fn pin_is_not_shown_for_debugging() {
        assert!(!format!("{:?}", body()).contains("2468"));
    }
}
