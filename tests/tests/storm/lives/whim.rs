//! What may happen next.

use std::time::Duration;

use jiff::SignedDuration;
use tillroll_domain::receipt::Receipt;
use tillroll_paper::printer::{Fault, Paper};
use tillroll_register::problem::Code;
use tillroll_testkit::{Noticed, receipts};
use tokio::time::{sleep, timeout};

use super::Life;

/// A ticket has some 700 bytes: a fault after so many falls into the next one or the one after it.
const BYTES: u64 = 1_200;
/// Wall clocks jump by at most so many seconds: further, and an old sale sent again is one of another day.
const JUMP_S: u64 = 300;

impl Life<'_> {
    /// One thing happens.
    pub async fn whim(&mut self) {
        match self.dice.below(100) {
            0..40 => self.sells_next().await,
            40..47 => self.sells_again().await,
            47..50 => self.sells_another_under_a_known_number().await,
            50..60 => self.printer_lacks_something(),
            60..68 => self.line_to_the_printer_fails(),
            68..75 => self.is_killed().await,
            75..78 => self.is_ended_in_order().await,
            78..83 => self.head_office_goes_or_comes_back(),
            83..95 => self.clerk_answers().await,
            _ => self.clock_jumps(),
        }
    }

    async fn sells_next(&mut self) {
        self.sold += 1;
        self.sells(self.sold).await;
    }

    /// The POS hands a sale over until it is acknowledged.
    pub async fn sells(&mut self, number: u32) {
        let accepted = self.shop.submits(&receipts::simple(number)).await.unwrap();
        self.model.acknowledged(&accepted);
    }

    async fn sells_again(&mut self) {
        if self.sold > 0 {
            let number = 1 + self.dice.below(u64::from(self.sold)) as u32;
            self.sells(number).await;
        }
    }

    async fn sells_another_under_a_known_number(&mut self) {
        if self.sold == 0 {
            return;
        }
        let other = receipts::simple(1 + self.dice.below(u64::from(self.sold)) as u32);
        let other = Receipt { header: vec!["another one".to_owned()], ..other };
        let refused = self.shop.submits(&other).await.unwrap_err();
        assert_eq!(refused.code, Code::Conflict);
    }

    fn printer_lacks_something(&mut self) {
        let printer = &self.shop.printer;
        match self.dice.below(8) {
            0 => printer.set_paper(Paper::End),
            1 => printer.set_cover(true),
            2 => printer.power_off(),
            3 => printer.set_offline(true),
            _ => self.printer_is_well_again(),
        }
    }

    /// Paper in, cover closed, power on, cable in.
    pub fn printer_is_well_again(&self) {
        let printer = &self.shop.printer;
        printer.clear_faults();
        printer.set_paper(Paper::Ok);
        printer.set_cover(false);
        printer.set_offline(false);
        printer.power_on();
    }

    fn line_to_the_printer_fails(&mut self) {
        let after = self.dice.below(BYTES);
        self.shop.printer.fault(match self.dice.below(6) {
            0 => Fault::CutLinkAfterBytes(after),
            1 => Fault::ResetAfterBytes(after),
            2 => Fault::CloseAfterBytes(after),
            3 => Fault::StopReadingAfter(after),
            4 => Fault::PaperEndAfterBytes(after),
            _ => Fault::MuteReplies,
        });
    }

    /// Perhaps in the middle of a sale, whose answer is lost then.
    async fn is_killed(&mut self) {
        if self.dice.per_mille(500) {
            self.sold += 1;
            let sale = receipts::simple(self.sold);
            match timeout(Duration::ZERO, self.shop.submits(&sale)).await {
                Ok(accepted) => self.model.acknowledged(&accepted.unwrap()),
                Err(_) => self.unsure.push(self.sold),
            }
        }
        self.shop.kill();
        self.shop.line.break_calls(Noticed::default());
        self.comes_back().await;
    }

    async fn is_ended_in_order(&mut self) {
        self.shop.stop().await;
        self.comes_back().await;
    }

    async fn comes_back(&mut self) {
        sleep(Duration::from_millis(self.dice.below(3_000))).await;
        self.shop.start(self.world.link(&self.shop)).await;
        for number in std::mem::take(&mut self.unsure) {
            self.sells(number).await;
        }
    }

    fn head_office_goes_or_comes_back(&mut self) {
        if self.dice.per_mille(500) {
            self.shop.line.cut(Noticed::default());
        } else {
            self.shop.line.restore();
        }
    }

    /// Looks at the paper, and at the list.
    pub async fn clerk_answers(&mut self) {
        let (register, token) = self.shop.at_the_counter();
        let history = self.world.history();
        self.clerk.answer_all(&register, &token, history, &mut self.model).await;
    }

    fn clock_jumps(&mut self) {
        let by = self.dice.below(2 * JUMP_S) as i64 - JUMP_S as i64;
        self.world.clock().jump(SignedDuration::from_secs(by));
    }
}
