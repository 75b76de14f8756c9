use super::*;

fn at(hour: u8) -> Timestamp {
    format!("2026-11-30T{hour:02}:00:00Z").parse().unwrap()
}

fn share(party: &str, rate_bp: u32) -> Share {
    let party = party.parse().unwrap();
    Share { party, rate_bp, fixed_minor: Minor(0), min_minor: Minor(0), cap_minor: None }
}

fn table(shares: Vec<Share>) -> ShareTable {
    ShareTable { version: 1, valid_from: at(8), valid_until: None, shares }
}

fn plain() -> ShareTable {
    table(vec![share("platform", 500), share("merchant", 9_200), share("agent:A7", 300)])
}

#[test]
fn each_fault_of_a_table_is_named() {
    assert_eq!(plain().check(), Ok(()));
    let faulty = |edit: fn(&mut ShareTable)| {
        let mut table = plain();
        edit(&mut table);
        table.check().unwrap_err()
    };
    assert_eq!(faulty(|table| table.version = 0), InvalidTable::Version);
    assert_eq!(faulty(|table| table.valid_until = Some(at(8))), InvalidTable::NeverValid);
    assert_eq!(faulty(|table| table.shares[0].rate_bp = 499), InvalidTable::Rates(9_999));
    assert_eq!(
        faulty(|table| table.shares[0].rate_bp = u32::MAX),
        InvalidTable::Rates(4_294_976_795)
    );
    assert_eq!(
        faulty(|table| table.shares[0].party = Party::Merchant),
        InvalidTable::Twice(Party::Merchant)
    );
    assert_eq!(
        faulty(|table| table.shares[1].party = "agent:B".parse().unwrap()),
        InvalidTable::NoMerchant
    );
    assert_eq!(faulty(|table| table.shares[1].fixed_minor.0 = 1), InvalidTable::MerchantBound);
    assert_eq!(
        faulty(|table| table.shares[0].fixed_minor.0 = -1),
        InvalidTable::Amount(Party::Platform)
    );
    let crossed = faulty(|table| {
        (table.shares[0].min_minor, table.shares[0].cap_minor) = (Minor(2), Some(Minor(1)));
    });
    assert_eq!(crossed, InvalidTable::MinimumAboveCap(Party::Platform));
    let crowd = (0..17).map(|n| share(&format!("agent:{n}"), 0)).collect();
    assert_eq!(table(crowd).check(), Err(InvalidTable::TooMany));
}

#[test]
fn newest_version_that_is_valid_then_counts() {
    let table = |version, from, until: Option<u8>| ShareTable {
        version,
        valid_from: at(from),
        valid_until: until.map(at),
        ..plain()
    };
    let tables = [table(1, 8, None), table(2, 10, Some(12)), table(3, 20, None)];
    let version = |hour| table_at(&tables, at(hour)).map(|table| table.version);
    assert_eq!(
        [7, 8, 10, 11, 12, 20].map(version),
        [None, Some(1), Some(2), Some(2), Some(1), Some(3)]
    );
}
