//! `init`: makes a register in a new or empty folder.

use clap::Args;
use tillroll_domain::business_day::BusinessCalendar;
use tillroll_domain::ids::Part;
use tillroll_domain::money::Currency;
use tillroll_escpos::compose::Locale;
use tillroll_register::Register;
use tillroll_store::RegisterSettings;

use crate::data_folder::DataFolder;
use crate::failure::Failure;
use crate::output::Output;

/// Makes a register in a new or empty data folder.
///
/// Store and register become part of every job's id, so they stay. Zone and cut-off decide the business
/// day; neither is guessed.
#[derive(Debug, Args)]
pub struct Init {
    /// The store's name, the first part of every job id.
    #[arg(long, value_name = "NAME")]
    store: Part,
    /// This register's name within the store.
    #[arg(long, value_name = "NAME")]
    register: Part,
    /// The store's time zone, such as Asia/Shanghai or Europe/Paris.
    #[arg(long, value_parser = zone)]
    zone: String,
    /// When the business day begins, such as 04:00.
    #[arg(long, value_name = "HH:MM", value_parser = cutoff)]
    cutoff: String,
    /// The store's currency: three letters, such as CNY or EUR.
    #[arg(long)]
    currency: Currency,
    /// The language of the paper: zh-CN, en, fr or de. Without it zh-CN for CNY, otherwise en.
    #[arg(long, value_parser = locale)]
    locale: Option<&'static str>,
}

impl Init {
    /// Makes the register and tells where its token lies.
    ///
    /// # Errors
    /// [`Failure::Boot`] when the folder cannot be used.
    pub async fn run(self, folder: &DataFolder, output: &Output) -> Result<(), Failure> {
        let settings = self.settings();
        let heading = format!("{} of store {}", settings.register, settings.store);
        let token = Register::init(folder.path(), settings).await?;
        let data = folder.path().display();
        output.line(format_args!("Register {heading} is set up in {data}."))?;
        output.line(format_args!("Token of the owner: {}", token.display()))?;
        output.line(format_args!("Run it with: tillctl serve --data {data}"))
    }

    fn settings(self) -> RegisterSettings {
        let locale = self.locale.unwrap_or_else(|| usual_locale(self.currency));
        RegisterSettings {
            store: self.store,
            register: self.register,
            zone: self.zone,
            cutoff: self.cutoff,
            currency: self.currency,
            locale: locale.to_owned(),
        }
    }
}

fn usual_locale(currency: Currency) -> &'static str {
    if currency.code() == "CNY" { Locale::ZhCn.tag() } else { Locale::En.tag() }
}

fn zone(text: &str) -> Result<String, String> {
    BusinessCalendar::parse(text, "00:00").map_err(|error| error.to_string())?;
    Ok(text.to_owned())
}

fn cutoff(text: &str) -> Result<String, String> {
    BusinessCalendar::parse("UTC", text).map_err(|error| error.to_string())?;
    Ok(text.to_owned())
}

fn locale(text: &str) -> Result<&'static str, String> {
    let known = Locale::ALL.into_iter().map(Locale::tag).find(|tag| *tag == text);
    known.ok_or_else(|| "must be zh-CN, en, fr or de".to_owned())
}
