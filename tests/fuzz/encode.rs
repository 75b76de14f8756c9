//! Any receipt on any printer.

use std::cell::RefCell;

use bolero::{TypeGenerator, check};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use tillroll_domain::ids::{JobId, JobKind, Part};
use tillroll_domain::money::Minor;
use tillroll_domain::receipt::{Line, NamedAmount, Receipt, Tax};
use tillroll_escpos::compose::{Heading, Locale, Mark, compose};
use tillroll_escpos::encode::{Encoded, encode};
use tillroll_escpos::profile::Profile;
use tillroll_escpos::raw::sanitize;
use tillroll_escpos::typeset::Typesetter;
use tillroll_paper::{Device, Effect, Interpreter};

use crate::inputs::Inputs;
use crate::pieces::Text;

/// What a program may put into a receipt, and the printer it is for.
#[derive(Debug, Clone, TypeGenerator)]
struct Order {
    profile: u8,
    locale: u8,
    mark: u8,
    kind: u8,
    header: Text,
    lines: [(Text, Text, Text); 2],
    charge: Text,
    discount: Text,
    tax: Text,
    footer: Text,
    store: Text,
    qr: Option<Text>,
    barcode: Option<Text>,
    #[generator(0..1_000_000_000_000i64)]
    price: i64,
}

impl Order {
    fn kind(&self) -> JobKind {
        let kinds = [
            JobKind::Receipt,
            JobKind::Refund,
            JobKind::Prebill,
            JobKind::Kitchen,
            JobKind::Report,
        ];
        kinds[usize::from(self.kind) % kinds.len()]
    }

    fn receipt(&self) -> Receipt {
        let named = |name: &Text| NamedAmount { name: name.text(), amount_minor: Minor(7) };
        let mut receipt = Receipt::new(Part::new("1", "order").unwrap(), self.kind());
        receipt.header = vec![self.header.text()];
        receipt.lines = self.lines.iter().map(|texts| line(texts, self.price)).collect();
        receipt.charges = vec![named(&self.charge)];
        receipt.discounts = vec![named(&self.discount)];
        receipt.taxes = vec![Tax { name: self.tax.text(), amount_minor: Minor(1), included: true }];
        receipt.total_minor = Some(Minor(2 * self.price));
        receipt.footer = vec![self.footer.text()];
        receipt.qr = self.qr.as_ref().map(Text::text).filter(|text| !text.is_empty());
        receipt.barcode = self.barcode.as_ref().map(Text::text);
        receipt
    }
}

fn line((name, unit, note): &(Text, Text, Text), price: i64) -> Line {
    Line {
        name: name.text(),
        quantity: Some("1".parse().unwrap()),
        unit: Some(unit.text()),
        unit_price_minor: Some(Minor(price)),
        amount_minor: None,
        note: Some(note.text()),
    }
}

thread_local! {
    // Opening fonts takes longer than setting a line.
    static FONTS: RefCell<Typesetter> =
        RefCell::new(Typesetter::from_fonts(tillroll_testkit::fonts::fonts()));
}

/// One of a list.
fn pick<T>(list: &[T], at: u8) -> &T {
    &list[usize::from(at) % list.len()]
}

/// The bytes for the printer; none where the receipt is refused.
fn printed(order: &Order, profile: &Profile) -> Option<Encoded> {
    let receipt = order.receipt();
    receipt.check().ok()?;
    let job_id = JobId {
        store: Part::new("S1", "store").unwrap(),
        order: receipt.order_no.clone(),
        kind: receipt.kind,
        version: 1,
        copy: None,
    };
    let store = order.store.text();
    let heading = Heading {
        job_id: &job_id,
        currency: "CNY".parse().unwrap(),
        locale: *pick(&Locale::ALL, order.locale),
        zone: TimeZone::UTC,
        recorded_at: Timestamp::UNIX_EPOCH,
        mark: *pick(&[Mark::None, Mark::Copy, Mark::Reprint], order.mark),
        store_name: Some(&store),
    };
    let document = compose(&receipt, &heading);
    FONTS.with_borrow_mut(|fonts| encode(&document, profile, &(), fonts)).ok()
}

#[test]
fn whatever_stands_in_a_receipt_only_prints() {
    let inputs = Inputs::to("a receipt for any printer");
    let target = check!().with_type::<Order>().with_iterations(300);
    target.for_each(|order: &Order| inputs.hold(|| only_prints(order)));
}

fn only_prints(order: &Order) {
    let profile = pick(Profile::all(), order.profile);
    let Some(Encoded { body, cut, .. }) = printed(order, profile) else { return };
    let bytes = [&body[..], &cut].concat();
    for effect in Interpreter::new(Device::from(profile)).feed(&bytes) {
        assert!(matches!(effect, Effect::Printed(_) | Effect::Cut(_)), "{effect:?}");
    }
    // Another reading of the same bytes: every command is known, and none would have to go.
    let read = sanitize(&bytes);
    assert!(read.understood && read.removed.is_empty(), "{:?}", read.removed);
}
