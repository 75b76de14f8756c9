//! The device that a printer profile describes.

use tillroll_escpos::{
    code_page::CodePage as Page,
    profile::{Cjk as ProfileCjk, Cutter, Profile},
};

use super::{Cjk, CodePage, CodePages, Device};

impl From<&Profile> for Device {
    fn from(profile: &Profile) -> Self {
        let pages = profile.code_pages.iter();
        Self {
            dots: profile.dots,
            cutter: profile.cutter != Cutter::None,
            code_pages: CodePages::new(
                pages.filter_map(|(number, page)| Some((*number, CodePage::named(name(*page))?))),
            ),
            cjk: match profile.cjk {
                ProfileCjk::None => None,
                ProfileCjk::Gb18030 => Some(Cjk::Gb18030),
                ProfileCjk::Big5 => Some(Cjk::Big5),
                ProfileCjk::ShiftJis => Some(Cjk::ShiftJis),
                ProfileCjk::Ksc => Some(Cjk::Ksc),
            },
            cjk_at_power_on: profile.cjk_on_at_power_up,
            maker: profile.vendor.clone(),
            model: profile.name.clone(),
            ..Self::mm80()
        }
    }
}

/// The name by which [`CodePage::named`] knows it.
fn name(page: Page) -> &'static str {
    match page {
        Page::Cp437 => "CP437",
        Page::Cp737 => "CP737",
        Page::Cp775 => "CP775",
        Page::Cp850 => "CP850",
        Page::Cp852 => "CP852",
        Page::Cp855 => "CP855",
        Page::Cp857 => "CP857",
        Page::Cp858 => "CP858",
        Page::Cp860 => "CP860",
        Page::Cp861 => "CP861",
        Page::Cp863 => "CP863",
        Page::Cp865 => "CP865",
        Page::Cp866 => "CP866",
        Page::Cp869 => "CP869",
        Page::Windows1250 => "CP1250",
        Page::Windows1251 => "CP1251",
        Page::Windows1252 => "CP1252",
        Page::Windows1253 => "CP1253",
        Page::Windows1254 => "CP1254",
        Page::Windows1257 => "CP1257",
        Page::Iso8859Part2 => "ISO_8859-2",
        Page::Iso8859Part4 => "ISO_8859-4",
        Page::Iso8859Part5 => "ISO_8859-5",
        Page::Iso8859Part7 => "ISO_8859-7",
        Page::Iso8859Part15 => "ISO_8859-15",
    }
}

#[cfg(test)]
mod tests {
    use tillroll_escpos::document::{Row, Style};
    use tillroll_escpos::encode::encode;
    use tillroll_escpos::typeset::Typesetter;

    use super::*;
    use crate::Roll;

    #[test]
    fn chinese_printer_under_a_latin_profile_prints_accents_signs_and_rules() {
        let profile = Profile::named("generic-80").unwrap();
        let chinese =
            Device { cjk: Some(Cjk::Gb18030), cjk_at_power_on: true, ..Device::from(profile) };
        let price = Row::amount("Crème brûlée", "4,50 €", Style::default());
        let rows = [Row::text("Tea"), Row::Rule, price, Row::Rule];
        let mut fonts_missing = Typesetter::from_fonts(Vec::new());
        let encoded = encode(&rows, profile, &(), &mut fonts_missing).unwrap();
        let paper = Roll::preview(chinese, &encoded.body).text();
        let rule = "─".repeat(48);
        let price = format!("Crème brûlée{}4,50 €", " ".repeat(30));
        assert!(paper.starts_with(&format!("Tea\n{rule}\n{price}\n{rule}\n")), "{paper}");
    }

    #[test]
    fn every_page_of_every_profile_is_printed_as_it_was_encoded() {
        for profile in Profile::all() {
            let device = Device::from(profile);
            for (number, page) in &profile.code_pages {
                let printed = device.code_pages.get(*number);
                for c in "éäñЖŁαç€½│".chars() {
                    if let Some(byte) = page.encode(c) {
                        assert_eq!(printed.decode(byte), c, "{} page {number}", profile.name);
                    }
                }
            }
        }
    }
}
