//! What a printer can prove is found out by asking it.

use tillroll_domain::printer::{ConfirmationLevel, StopReason};
use tillroll_paper::{Behaviour, Paper, Personality, VirtualPrinter};
use tillroll_spooler::device::VirtualPrinters;
use tillroll_spooler::{Probed, Timings, probe};

use tokio::task::JoinSet;

use crate::bench::{ms, paper, timings};

/// A device that moves paper as fast as a thermal printer does.
fn real_speed(personality: Personality) -> Behaviour {
    Behaviour { dots_per_second: Some(1_600), cut_time: ms(20), ..Behaviour::new(personality) }
}

async fn probed(paper: VirtualPrinter) -> Probed {
    let virtuals = VirtualPrinters::default();
    virtuals.insert("new", paper);
    let uri = "virtual:new".parse().expect("a device URI");
    let timings = Timings { answer: ms(300), ..timings() };
    probe(&uri, &timings, &virtuals).await.expect("probed")
}

#[tokio::test]
async fn each_personality_is_recognised() {
    let mut probes = JoinSet::new();
    for personality in Personality::ALL {
        probes.spawn(async move {
            (personality, probed(paper::virtual_printer(real_speed(personality))).await)
        });
    }
    for (personality, found) in probes.join_all().await {
        assert_eq!(found.level, paper::level_of(personality), "{found:?}");
        assert_eq!(found.realtime, personality != Personality::Silent);
        let counts = matches!(personality, Personality::Token | Personality::Counter);
        assert_eq!((found.counts, found.blocked), (counts, None));
    }
}

#[tokio::test]
async fn maker_and_model_are_asked_where_they_are_told() {
    let found = probed(paper::virtual_printer(real_speed(Personality::Token))).await;
    assert_eq!(
        (found.maker.as_deref(), found.model.as_deref()),
        (Some("Tillroll"), Some("virtual"))
    );
    let mute = probed(paper::virtual_printer(real_speed(Personality::Silent))).await;
    assert_eq!((mute.maker, mute.model), (None, None));
}

#[tokio::test]
async fn device_that_answers_before_it_can_have_printed_is_not_in_order() {
    let hasty = Behaviour { print_ahead: 64, ..real_speed(Personality::InOrder) };
    let found = probed(paper::virtual_printer(hasty)).await;
    assert!(found.answers_too_soon);
    assert_eq!(found.level, ConfirmationLevel::Realtime);
}

#[tokio::test]
async fn device_that_counts_its_cuts_is_believed_whatever_its_speed() {
    let instant = Behaviour::new(Personality::Counter);
    let found = probed(paper::virtual_printer(instant)).await;
    assert_eq!((found.level, found.answers_too_soon), (ConfirmationLevel::Counter, true));
}

#[tokio::test]
async fn printer_without_paper_says_so_and_is_left_as_it_is() {
    let device = paper::virtual_printer(real_speed(Personality::Token));
    device.set_paper(Paper::End);
    let found = probed(device.clone()).await;
    assert_eq!(found.blocked, Some(StopReason::PaperEnd));
    device.set_paper(Paper::Ok);
    assert_eq!(device.counters().lines, 0, "nothing was left in its buffer");
}
