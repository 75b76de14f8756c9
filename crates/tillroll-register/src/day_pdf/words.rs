//! The words of the document, one table for each language.

mod de;
mod en;
mod fr;
mod zh_cn;

use tillroll_escpos::compose::Locale;

/// The words of one language. `{...}` stands for what is put there.
pub(super) struct Words {
    pub title: &'static str,
    pub adds_up: &'static str,
    pub differs: &'static str,
    pub page: &'static str,
    pub store: &'static str,
    pub register: &'static str,
    pub day: &'static str,
    pub currency: &'static str,
    pub zone: &'static str,

    pub side_by_side: &'static str,
    pub currency_note: &'static str,
    pub pos: &'static str,
    pub register_column: &'static str,
    pub cloud: &'static str,
    pub receipts: &'static str,
    pub gross: &'static str,
    pub refunds: &'static str,
    pub refunded: &'static str,
    pub net: &'static str,
    pub unsent: &'static str,
    pub not_declared: &'static str,
    pub not_set_up: &'static str,
    pub as_acknowledged: &'static str,

    pub paper: &'static str,
    pub recorded: &'static str,
    pub printed: &'static str,
    pub assumed: &'static str,
    pub by_clerk: &'static str,
    pub skipped: &'static str,
    pub unconfirmed: &'static str,
    pub failed: &'static str,
    pub waiting: &'static str,
    pub reprinted: &'static str,
    pub copies: &'static str,
    pub all_settled: &'static str,
    pub some_open: &'static str,

    pub differences: &'static str,
    pub no_differences: &'static str,
    pub difference_what: &'static str,
    pub difference_cure: &'static str,
    pub differs_pos: &'static str,
    pub differs_paper: &'static str,
    pub differs_unaccounted: &'static str,
    pub differs_number: &'static str,
    pub differs_numbers: &'static str,
    pub differs_cash: &'static str,
    pub differs_unsent: &'static str,
    pub differs_refused: &'static str,
    pub differs_cloud: &'static str,
    pub differs_clock: &'static str,
    pub cure_answer_todo: &'static str,
    pub cure_look_at_printer: &'static str,
    pub cure_compare_with_pos: &'static str,
    pub cure_find_flow_number: &'static str,
    pub cure_recount: &'static str,
    pub cure_set_clock: &'static str,
    pub cure_wait_for_network: &'static str,
    pub cure_answer_records: &'static str,
    pub cure_compare_with_cloud: &'static str,

    pub cash: &'static str,
    pub cash_float: &'static str,
    pub cash_sales: &'static str,
    pub paid_in: &'static str,
    pub paid_out: &'static str,
    pub expected: &'static str,
    pub counted: &'static str,
    pub difference: &'static str,
    pub reason: &'static str,

    pub sessions: &'static str,
    pub no_session: &'static str,
    pub session: &'static str,
    pub opened: &'static str,
    pub closed: &'static str,
    pub still_open: &'static str,
    pub signed_by: &'static str,
    pub owner: &'static str,
    pub manager: &'static str,
    pub cashier: &'static str,

    pub corrections: &'static str,
    pub when: &'static str,
    pub job: &'static str,
    pub change: &'static str,
    pub pending: &'static str,
    pub held: &'static str,
    pub printing: &'static str,
    pub on_paper: &'static str,
    pub sent: &'static str,

    pub openings: &'static str,
    pub printer: &'static str,
    pub opened_by: &'static str,
    pub opening_reason: &'static str,
    pub outcome: &'static str,
    pub drawer_opened: &'static str,
    pub drawer_dropped: &'static str,
    pub drawer_due: &'static str,
    pub drawer_unconfirmed: &'static str,
}

/// The words of a language.
pub(super) fn of(locale: Locale) -> &'static Words {
    match locale {
        Locale::ZhCn => &zh_cn::WORDS,
        Locale::En => &en::WORDS,
        Locale::Fr => &fr::WORDS,
        Locale::De => &de::WORDS,
    }
}
