//! The currencies of ISO 4217 a shop can take, by the decimals of their minor unit.
//!
//! Source: ISO 4217 list one as published on 2026-01-01 by its maintenance agency, SIX
//! (<https://www.six-group.com/en/products-services/financial-information/data-standards.html>). Funds, precious
//! metals, units of account and the codes for tests are left out: nobody pays with them.

/// Without a minor unit.
pub(super) const WITHOUT_DECIMALS: [&str; 16] = [
    "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV",
    "XAF", "XOF", "XPF",
];

/// With two decimals.
pub(super) const TWO_DECIMALS: [&str; 132] = [
    "AED", "AFN", "ALL", "AMD", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD", "BDT", "BMD",
    "BND", "BOB", "BRL", "BSD", "BTN", "BWP", "BYN", "BZD", "CAD", "CDF", "CHF", "CNY", "COP",
    "CRC", "CUP", "CVE", "CZK", "DKK", "DOP", "DZD", "EGP", "ERN", "ETB", "EUR", "FJD", "FKP",
    "GBP", "GEL", "GHS", "GIP", "GMD", "GTQ", "GYD", "HKD", "HNL", "HTG", "HUF", "IDR", "ILS",
    "INR", "IRR", "JMD", "KES", "KGS", "KHR", "KPW", "KYD", "KZT", "LAK", "LBP", "LKR", "LRD",
    "LSL", "MAD", "MDL", "MGA", "MKD", "MMK", "MNT", "MOP", "MRU", "MUR", "MVR", "MWK", "MXN",
    "MYR", "MZN", "NAD", "NGN", "NIO", "NOK", "NPR", "NZD", "PAB", "PEN", "PGK", "PHP", "PKR",
    "PLN", "QAR", "RON", "RSD", "RUB", "SAR", "SBD", "SCR", "SDG", "SEK", "SGD", "SHP", "SLE",
    "SOS", "SRD", "SSP", "STN", "SVC", "SYP", "SZL", "THB", "TJS", "TMT", "TOP", "TRY", "TTD",
    "TWD", "TZS", "UAH", "USD", "UYU", "UZS", "VED", "VES", "WST", "XCD", "XCG", "YER", "ZAR",
    "ZMW", "ZWG",
];

/// With three decimals.
pub(super) const THREE_DECIMALS: [&str; 7] = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"];

/// The decimals of a currency; `None` for a code that is none.
pub(super) fn decimals(code: &str) -> Option<u8> {
    let lists: [(&[&str], u8); 3] =
        [(&TWO_DECIMALS, 2), (&WITHOUT_DECIMALS, 0), (&THREE_DECIMALS, 3)];
    lists.into_iter().find(|(codes, _)| codes.contains(&code)).map(|(_, decimals)| decimals)
}
