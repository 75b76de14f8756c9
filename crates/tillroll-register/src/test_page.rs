//! The test page: shows that a printer prints, how wide its lines are, and its amounts. It is a job like
//! any other, and never opens the drawer.

use tillroll_domain::money::Minor;
use tillroll_escpos::document::{Document, Row, Style};

use crate::Register;
use crate::problem::Problem;
use crate::view::Accepted;

const TITLE: Style = Style { wide: true, tall: true, bold: true, small: false };
/// Ten columns with their number, repeated until the widest paper is full.
const RULER: &str = "1234567890";

impl Register {
    /// Prints a test page.
    ///
    /// # Errors
    /// [`crate::problem::Code::NotFound`] without such a printer.
    pub async fn test_printer(&self, name: &str) -> Result<Accepted, Problem> {
        let printer = self.store().printer_named(name.to_owned()).await?;
        let now = self.clock().now();
        let local = self.calendar().zone().to_datetime(now);
        let document = self.test_page(name, &local.strftime("%Y-%m-%d %H:%M:%S").to_string());
        // A register prints one such page a millisecond at most, or the same one twice asked for.
        let order = format!("{}~test~{}", self.settings().register, now.as_millisecond());
        self.record_report(&order, &document, printer.id).await
    }

    fn test_page(&self, printer: &str, time: &str) -> Document {
        let settings = self.settings();
        let amount = settings.currency.digits(Minor(123_456), '.');
        vec![
            Row::centered("Test", TITLE),
            Row::centered(printer, Style::default()),
            Row::Rule,
            Row::columns(settings.store.as_str(), settings.register.as_str()),
            Row::text(time),
            Row::text(RULER.repeat(4)),
            Row::text("äéñß € 测试 小票"),
            Row::amount(settings.currency.code(), amount, Style::default()),
        ]
    }
}
