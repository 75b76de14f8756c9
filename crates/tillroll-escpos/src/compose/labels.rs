//! The words on paper, one table for all locales.

use tillroll_domain::ids::JobKind;

use super::Locale;

/// The words of one locale.
pub(super) struct Labels {
    pub(super) number: &'static str,
    pub(super) subtotal: &'static str,
    pub(super) rounding: &'static str,
    pub(super) total: &'static str,
    pub(super) included: &'static str,
    pub(super) change: &'static str,
    pub(super) copy: &'static str,
    pub(super) reprint: &'static str,
    refund: &'static str,
    prebill: &'static str,
    kitchen: &'static str,
    report: &'static str,
    cash: &'static str,
    card: &'static str,
    voucher: &'static str,
    wechat: &'static str,
    alipay: &'static str,
}

impl Labels {
    /// The title of a kind of paper; a receipt needs none.
    pub(super) fn title(&self, kind: JobKind) -> Option<&'static str> {
        match kind {
            JobKind::Receipt => None,
            JobKind::Refund => Some(self.refund),
            JobKind::Prebill => Some(self.prebill),
            JobKind::Kitchen => Some(self.kitchen),
            JobKind::Report => Some(self.report),
        }
    }

    /// The word for a tender type; one that is not in the table is printed as the POS calls it.
    pub(super) fn tender<'a>(&self, tender: &'a str) -> &'a str {
        match tender {
            "cash" => self.cash,
            "card" => self.card,
            "voucher" => self.voucher,
            "wechat" => self.wechat,
            "alipay" => self.alipay,
            other => other,
        }
    }
}

pub(super) fn of(locale: Locale) -> &'static Labels {
    match locale {
        Locale::ZhCn => &ZH_CN,
        Locale::En => &EN,
        Locale::Fr => &FR,
        Locale::De => &DE,
    }
}

static ZH_CN: Labels = Labels {
    number: "单号",
    subtotal: "小计",
    rounding: "抹零",
    total: "合计",
    included: "含",
    change: "找零",
    copy: "补打",
    reprint: "重打",
    refund: "退款",
    prebill: "预结单",
    kitchen: "厨房单",
    report: "报表",
    cash: "现金",
    card: "刷卡",
    voucher: "代金券",
    wechat: "微信支付",
    alipay: "支付宝",
};

static EN: Labels = Labels {
    number: "No.",
    subtotal: "Subtotal",
    rounding: "Rounding",
    total: "TOTAL",
    included: "incl.",
    change: "Change",
    copy: "COPY",
    reprint: "REPRINT",
    refund: "REFUND",
    prebill: "PREBILL",
    kitchen: "KITCHEN",
    report: "REPORT",
    cash: "Cash",
    card: "Card",
    voucher: "Voucher",
    wechat: "WeChat Pay",
    alipay: "Alipay",
};

static FR: Labels = Labels {
    number: "N°",
    subtotal: "Sous-total",
    rounding: "Arrondi",
    total: "TOTAL",
    included: "dont",
    change: "Monnaie rendue",
    copy: "DUPLICATA",
    reprint: "RÉIMPRESSION",
    refund: "REMBOURSEMENT",
    prebill: "NOTE",
    kitchen: "CUISINE",
    report: "RAPPORT",
    cash: "Espèces",
    card: "Carte bancaire",
    voucher: "Bon d'achat",
    wechat: "WeChat Pay",
    alipay: "Alipay",
};

static DE: Labels = Labels {
    number: "Nr.",
    subtotal: "Zwischensumme",
    rounding: "Rundung",
    total: "SUMME",
    included: "enth.",
    change: "Rückgeld",
    copy: "KOPIE",
    reprint: "NACHDRUCK",
    refund: "RÜCKZAHLUNG",
    prebill: "ZWISCHENRECHNUNG",
    kitchen: "KÜCHE",
    report: "BERICHT",
    cash: "Bar",
    card: "Karte",
    voucher: "Gutschein",
    wechat: "WeChat Pay",
    alipay: "Alipay",
};
