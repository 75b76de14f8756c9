use super::*;
use crate::printer::{behaviour::Personality, condition::DeviceError};

const CLEAR_BUFFERS: &[u8] = b"\x10\x14\x08\x01\x03\x14\x01\x06\x02\x08";

fn machine(personality: Personality) -> Machine {
    Machine::new(Behaviour::new(personality))
}

fn said(machine: &mut Machine) -> Vec<u8> {
    machine.take_answers().into_iter().flat_map(|answer| answer.bytes).collect()
}

fn answers(personality: Personality, bytes: &[u8]) -> Vec<u8> {
    let mut machine = machine(personality);
    machine.receive(bytes);
    said(&mut machine)
}

fn printed(machine: &Machine) -> String {
    machine.roll().tickets().map(|ticket| ticket.text()).collect()
}

#[test]
fn personalities_answer_what_they_know() {
    let all = b"\x10\x04\x01\x1da\xff\x1dr1\x1dg2\x00\xb2\x00\x1d(H\x06\x0000abcd\x1dIC";
    let expected: [(Personality, &[u8]); 5] = [
        (Personality::Token, b"\x12\x10\0\0\0\0_0\0\x37\x22abcd\0_VP-80\0"),
        (Personality::Counter, b"\x12\x10\0\0\0\0_0\0_VP-80\0"),
        (Personality::InOrder, b"\x12\x10\0\0\0\0_VP-80\0"),
        (Personality::Realtime, b"\x12\x10\0\0\0"),
        (Personality::Silent, b""),
    ];
    for (personality, bytes) in expected {
        assert_eq!(answers(personality, all), bytes, "{personality:?}");
    }
}

#[test]
fn in_order_status_is_not_answered_while_the_paper_is_out() {
    let mut machine = machine(Personality::Token);
    machine.change(|condition| condition.paper = Paper::End);
    machine.receive(b"text\n\x1dr1\x10\x04\x04");
    assert_eq!(said(&mut machine), [0x7E], "real-time status only");
    assert_eq!(printed(&machine), "");
    machine.change(|condition| condition.paper = Paper::Ok);
    assert_eq!(said(&mut machine), [0x00]);
    assert_eq!(printed(&machine), "text\n");
}

#[test]
fn status_changes_are_reported_until_initialize() {
    let mut machine = machine(Personality::Realtime);
    machine.receive(b"\x1da\xff");
    assert_eq!(said(&mut machine), [0x10, 0, 0, 0]);
    machine.change(|condition| condition.cover_open = true);
    assert_eq!(said(&mut machine), [0x38, 0, 0, 0]);
    machine.change(|condition| condition.cover_open = false);
    said(&mut machine);
    machine.receive(b"\x1b@");
    machine.change(|condition| condition.cover_open = true);
    assert!(said(&mut machine).is_empty());
}

#[test]
fn counters_count_lines_and_cuts_and_survive_the_power() {
    let mut machine = machine(Personality::Counter);
    machine.receive(b"one\n\n\x1bd\x03\x1dV\x00");
    machine.power_off();
    machine.power_on();
    machine.receive(b"\x1dg2\x00\x94\x00\x1dg2\x00\xb2\x00");
    assert_eq!(said(&mut machine), b"_5\0_1\0");
}

#[test]
fn paper_ends_after_the_line_that_was_counted_last() {
    let mut machine = machine(Personality::Token);
    machine.end_paper_after(2);
    machine.receive(b"1\n2\n3\n\x1dV\x00\x1d(H\x06\x0000done");
    assert_eq!(printed(&machine), "1\n2\n");
    assert!(said(&mut machine).is_empty());
    machine.change(|condition| condition.paper = Paper::Ok);
    assert_eq!(printed(&machine), "1\n2\n3\n");
    assert_eq!(said(&mut machine), b"\x37\x22done\0");
}

#[test]
fn paper_may_end_inside_a_picture() {
    let mut machine = machine(Personality::Token);
    machine.end_paper_after(2);
    machine.receive(&[&b"\x1dv0\x00\x01\x00\x60\x00"[..], &[0xFF; 96], b"after\n"].concat());
    assert_eq!(printed(&machine), "[image 8x48]\n");
    machine.change(|condition| condition.paper = Paper::Ok);
    assert_eq!(printed(&machine), "[image 8x96]\nafter\n");
}

#[test]
fn clear_buffers_erases_what_is_not_printed_and_ends_a_command() {
    let mut machine = machine(Personality::Token);
    machine.receive(b"printed\nwaiting\x1dv0\x00\x48\x00\xff\x00half");
    machine.receive(CLEAR_BUFFERS);
    assert_eq!(said(&mut machine), [0x37, 0x25, 0x00]);
    machine.receive(b"next\n");
    assert_eq!(printed(&machine), "printed\nnext\n");
}

#[test]
fn clear_buffers_works_while_the_paper_is_out() {
    let mut machine = machine(Personality::Token);
    machine.change(|condition| condition.paper = Paper::End);
    machine.receive(b"held\n");
    machine.receive(CLEAR_BUFFERS);
    machine.change(|condition| condition.paper = Paper::Ok);
    assert_eq!(printed(&machine), "");
    assert!(machine.is_idle());
}

#[test]
fn printer_without_clear_buffers_stays_in_the_half_image() {
    let mut machine = machine(Personality::InOrder);
    machine.receive(b"\x1dv0\x00\x01\x00\x40\x00half");
    machine.receive(CLEAR_BUFFERS);
    machine.receive(b"swallowed\n");
    assert!(said(&mut machine).is_empty());
    assert_eq!(printed(&machine), "");
}

#[test]
fn pulse_inside_image_data_opens_the_drawer() {
    let mut machine = machine(Personality::Silent);
    machine.receive(b"\x1dv0\x00\x05\x00\x01\x00\x10\x14\x01\x00\x01");
    assert_eq!(machine.pulses().len(), 1);
    machine.receive(b"\x1d(D\x03\x00\x14\x01\x00\x1dv0\x00\x05\x00\x01\x00\x10\x14\x01\x00\x01");
    assert_eq!(machine.pulses().len(), 1, "GS ( D forbids it");
}

#[test]
fn buffer_fills_while_nothing_can_be_printed() {
    let mut machine = machine(Personality::Token);
    machine.change(|condition| condition.cover_open = true);
    machine.receive(&[b'x'; 4000]);
    assert_eq!(machine.room(), 96);
}

#[test]
fn power_off_loses_buffers_and_modes() {
    let mut machine = machine(Personality::Token);
    machine.receive(b"printed\nbuffered");
    machine.power_off();
    machine.receive(b"nobody listens\n");
    machine.power_on();
    machine.receive(b"fresh\n");
    assert_eq!(printed(&machine), "printed\nfresh\n");
}

#[test]
fn printing_takes_its_time_and_answers_wait_for_it() {
    let behaviour = Behaviour { dots_per_second: Some(300), ..Behaviour::new(Personality::Token) };
    let mut machine = Machine::new(behaviour);
    machine.receive(b"1\n2\n\x1d(H\x06\x0000done\x1dr1");
    assert_eq!(machine.motion_time(), Some(Duration::from_millis(100)));
    assert_eq!(printed(&machine), "1\n");
    machine.end_motion();
    assert!(said(&mut machine).is_empty());
    machine.end_motion();
    assert_eq!(said(&mut machine), b"\x37\x22done\0\0");
    assert!(machine.is_idle());
}

#[test]
fn printer_that_interprets_ahead_answers_status_before_it_prints() {
    let behaviour = Behaviour {
        dots_per_second: Some(300),
        print_ahead: 8,
        ..Behaviour::new(Personality::Token)
    };
    let mut machine = Machine::new(behaviour);
    machine.receive(b"1\n2\n\x1dr1\x1d(H\x06\x0000done");
    assert_eq!(said(&mut machine), [0x00]);
    assert_eq!(printed(&machine), "1\n");
    machine.end_motion();
    machine.end_motion();
    assert_eq!(said(&mut machine), b"\x37\x22done\0");
}

#[test]
fn recovery_by_reprinting_repeats_the_last_line() {
    let mut machine = machine(Personality::Token);
    machine.receive(b"line\n");
    machine.change(|condition| condition.error = Some(DeviceError::Cutter));
    machine.receive(b"rest\n\x10\x05\x01");
    assert_eq!(printed(&machine), "line\nline\nrest\n");
}

#[test]
fn recovery_by_clearing_drops_what_waited() {
    let mut machine = machine(Personality::Token);
    machine.change(|condition| condition.error = Some(DeviceError::Recoverable));
    machine.receive(b"rest\n\x10\x05\x02new\n");
    assert_eq!(printed(&machine), "new\n");
    machine.change(|condition| condition.error = Some(DeviceError::Unrecoverable));
    machine.receive(b"\x10\x05\x02more\n");
    assert_eq!(printed(&machine), "new\n");
}
