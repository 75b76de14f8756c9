use std::collections::BTreeSet;

use super::SplitState::*;
use super::*;

const EVENTS: [Event; 17] = [
    Event::Confirm,
    Event::Claim,
    Event::NotThere,
    Event::Paid,
    Event::Queued,
    Event::Refused(ChannelRefusal::Frozen),
    Event::Refused(ChannelRefusal::NoBalance),
    Event::Refused(ChannelRefusal::Rejected),
    Event::Faulted(ChannelFault::Unanswered),
    Event::Faulted(ChannelFault::Unreached),
    Event::Faulted(ChannelFault::Busy),
    Event::GiveUp,
    Event::Differs,
    Event::Missing,
    Event::Asked(Verb::Retry),
    Event::Asked(Verb::Settle),
    Event::Asked(Verb::Cancel),
];

fn facts(state: SplitState) -> Facts {
    Facts { state, confirmed: true, tries: 1, doubtful: false, by_hand: false }
}

/// Every combination of the facts.
fn every_facts() -> Vec<Facts> {
    let mut all = Vec::new();
    for state in SplitState::ALL {
        for bits in 0..8 {
            let (confirmed, doubtful, by_hand) = (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0);
            all.push(Facts { confirmed, doubtful, by_hand, ..facts(state) });
        }
    }
    all
}

fn target(facts: Facts, event: Event) -> Option<SplitState> {
    transition(facts, event).ok().map(|change| change.facts.state)
}

/// The table of every (state, event) pair, one row a state, columns as [`EVENTS`].
#[test]
fn every_pair_of_state_and_event_has_its_written_outcome() {
    let o = None;
    let p = Some(Processing);
    let (s, r, f, m) = (Some(Succeeded), Some(RetryableFailed), Some(Failed), Some(Manual));
    // confirm, claim, not there, paid, queued, 3 refusals, 3 faults, give up, differs, missing, retry, settle, cancel
    let table = [
        (Init, [o, p, o, s, o, o, o, o, o, o, o, m, m, o, o, o, f]),
        (Processing, [o, p, p, s, p, m, m, m, r, r, r, m, m, o, o, o, o]),
        (Succeeded, [o, o, o, o, o, o, o, o, o, o, o, o, m, r, o, o, o]),
        (RetryableFailed, [o, p, o, s, o, o, o, o, o, o, o, m, m, o, r, o, f]),
        (Failed, [o, o, o, s, o, o, o, o, o, o, o, o, m, o, o, o, o]),
        (Manual, [o, o, o, s, o, o, o, o, o, o, o, o, o, o, r, s, f]),
    ];
    for (state, row) in table {
        for (event, expected) in EVENTS.into_iter().zip(row) {
            assert_eq!(target(facts(state), event), expected, "{state} on {event:?}");
        }
    }
}

#[test]
fn no_money_moves_before_it_is_confirmed() {
    let recorded = Facts { confirmed: false, tries: 0, ..facts(Init) };
    assert_eq!(target(recorded, Event::Claim), None);
    assert_eq!(target(recorded, Event::GiveUp), None);
    let confirmed = transition(recorded, Event::Confirm).unwrap();
    assert_eq!((confirmed.due, confirmed.window_begins), (Due::Now, true));
    assert!(transition(confirmed.facts, Event::Confirm).is_err(), "once");
    let claimed = transition(confirmed.facts, Event::Claim).unwrap();
    assert_eq!((claimed.call, claimed.facts.tries), (Some(Call::Pay), 1));
}

#[test]
fn call_that_may_have_arrived_is_asked_about_before_it_is_made_again() {
    for facts in every_facts() {
        let may_be_paid = facts.doubtful || facts.state == Processing;
        for event in [Event::Claim, Event::Asked(Verb::Retry)] {
            let Ok(change) = transition(facts, event) else { continue };
            assert!(!may_be_paid || change.call != Some(Call::Pay), "{facts:?} on {event:?}");
        }
    }
    let unanswered = Event::Faulted(ChannelFault::Unanswered);
    let lost = transition(facts(Processing), unanswered).unwrap();
    assert_eq!(lost.due, Due::AfterTries(1));
    let asks = transition(lost.facts, Event::Claim).unwrap();
    assert_eq!((asks.call, asks.facts.tries), (Some(Call::Ask), 2));
    let pays = transition(asks.facts, Event::NotThere).unwrap();
    assert_eq!((pays.call, pays.facts.tries), (Some(Call::Pay), 2));
    assert!(pays.facts.doubtful, "the first call may still arrive");
}

#[test]
fn call_that_certainly_did_not_arrive_is_made_again() {
    for fault in [ChannelFault::Unreached, ChannelFault::Busy] {
        let failed = transition(facts(Processing), Event::Faulted(fault)).unwrap();
        assert_eq!(transition(failed.facts, Event::Claim).unwrap().call, Some(Call::Pay));
    }
}

#[test]
fn what_may_be_paid_is_never_taken_back() {
    for facts in every_facts() {
        if let Ok(change) = transition(facts, Event::Asked(Verb::Cancel)) {
            assert!(!facts.doubtful && change.facts.state == Failed, "{facts:?}");
        }
    }
}

#[test]
fn person_gives_a_split_its_whole_time_again_and_the_channel_is_asked_first() {
    let refused = Facts { tries: 9, ..facts(Manual) };
    let again = transition(refused, Event::Asked(Verb::Retry)).unwrap();
    assert_eq!((again.due, again.window_begins, again.facts.tries), (Due::Now, true, 0));
    assert_eq!(transition(again.facts, Event::Claim).unwrap().call, Some(Call::Ask));
}

#[test]
fn what_a_person_settled_is_not_questioned_by_the_channel() {
    let settled = transition(facts(Manual), Event::Asked(Verb::Settle)).unwrap().facts;
    assert!(settled.by_hand);
    for event in [Event::Differs, Event::Missing] {
        assert_eq!(target(settled, event), None, "{event:?}");
    }
}

#[test]
fn diagram_has_exactly_the_arrows_of_the_machine() {
    let mut arrows = BTreeSet::new();
    for facts in every_facts() {
        for event in EVENTS {
            if let Some(to) = target(facts, event) {
                arrows.insert((facts.state.to_string(), to.to_string()));
            }
        }
    }
    let drawn: BTreeSet<_> = include_str!("../states.md")
        .lines()
        .filter_map(|line| line.trim().split_once(" --> "))
        .map(|(from, rest)| {
            (from.to_owned(), rest.split(':').next().unwrap_or_default().to_owned())
        })
        .filter(|(from, to)| from != "[*]" && to != "[*]")
        .collect();
    assert_eq!(arrows, drawn);
}

#[test]
fn words_read_back() {
    for state in SplitState::ALL {
        assert_eq!(state.as_str().parse::<SplitState>(), Ok(state));
    }
    for verb in Verb::ALL {
        assert_eq!(verb.as_str().parse::<Verb>(), Ok(verb));
    }
}
