use super::*;
use crate::effect::Cut;

fn print(roll: &mut Roll, bytes: &[u8]) {
    for effect in Interpreter::new(Device::mm80()).feed(bytes) {
        roll.apply(effect);
    }
}

#[test]
fn half_a_ticket_is_visible_and_incomplete() {
    let roll = Roll::preview(Device::mm80(), b"one\n\x1dV\x00half\ntext not yet printed");
    let tickets: Vec<_> = roll.tickets().collect();
    assert_eq!(tickets.len(), 2);
    assert_eq!(tickets[0].cut, Some(Cut::Full));
    assert!(!tickets[1].complete());
    assert_eq!(tickets[1].text(), "half\n");
}

#[test]
fn blank_paper_after_a_cut_is_no_ticket() {
    let roll = Roll::preview(Device::mm80(), b"one\n\x1dVB\x00\n\n");
    assert_eq!(roll.tickets().count(), 1);
}

#[test]
fn oldest_tickets_are_forgotten_and_still_counted() {
    let limit = RollLimit { tickets: 2, bytes: 1 << 20 };
    let mut roll = Roll::new(&Device::mm80(), limit);
    print(&mut roll, b"1\n\x1dV\x002\n\x1dV\x003\n\x1dV\x00");
    assert_eq!(roll.cut_count(), 3);
    let numbers: Vec<_> = roll.tickets().map(|ticket| ticket.number).collect();
    assert_eq!(numbers, [2, 3]);
}

#[test]
fn endless_ticket_stays_within_the_limit() {
    let limit = RollLimit { tickets: 100, bytes: 64 << 10 };
    let mut roll = Roll::new(&Device::mm80(), limit);
    for _ in 0..20_000 {
        print(&mut roll, b"line\n");
    }
    let kept: usize = roll.tickets().flat_map(|ticket| &ticket.elements).map(Element::size).sum();
    assert!(kept <= limit.bytes + limit.bytes / 4, "{kept} bytes kept");
}
