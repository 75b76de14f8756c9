//! The people at the register: cashier, manager, and whoever guesses.

use std::sync::Arc;
use std::time::Duration;

use tillroll_domain::clock::Clock as _;
use tillroll_register::Register;
use tillroll_register::problem::Code;
use tillroll_testkit::{Attack, ManualClock};

use crate::support::{init, start};

struct Guarded {
    register: Register,
    clock: ManualClock,
    _folder: tempfile::TempDir,
}

async fn guarded() -> Guarded {
    let folder = tempfile::tempdir().unwrap();
    init(folder.path(), "UTC", "00:00").await;
    let clock = ManualClock::reading("2026-10-12T10:00:00Z");
    let register = start(folder.path(), Arc::new(clock.clone())).await.unwrap();
    let cashier = register.cashier().await.unwrap();
    register.set_pin(&cashier, "2468").await.unwrap();
    Guarded { register, clock, _folder: folder }
}

impl Guarded {
    async fn code_of(&self, pin: &str) -> Option<Code> {
        self.register.manager(pin).await.err().map(|problem| problem.code)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pin_makes_a_manager_who_may_do_everything() {
    let guarded = guarded().await;
    let cashier = guarded.register.cashier().await.unwrap();
    assert_eq!(cashier.manages().unwrap_err().code, Code::Forbidden);
    let manager = guarded.register.manager("2468").await.unwrap();
    manager.manages().unwrap();
    assert_eq!((cashier.name(), manager.name()), ("cashier", "manager"));
    guarded.register.set_pin(&manager, "13579").await.unwrap();
    let problem = guarded.register.set_pin(&cashier, "0000").await.unwrap_err();
    assert_eq!(problem.code, Code::Forbidden, "only the first PIN is anyone's to set");
    assert_eq!(guarded.code_of("2468").await, Some(Code::WrongPin));
    assert_eq!(guarded.code_of("13579").await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn lock_out_ends_and_doubles_with_the_next_wrong_pin() {
    let guarded = guarded().await;
    for _ in 0..5 {
        assert_eq!(guarded.code_of("0000").await, Some(Code::WrongPin));
    }
    let problem = guarded.register.manager("2468").await.unwrap_err();
    assert_eq!(problem.code, Code::PinLocked);
    let until = problem.retry_at.unwrap();
    assert_eq!(until, guarded.clock.now() + Duration::from_secs(30));
    guarded.clock.advance(Duration::from_secs(31));
    assert_eq!(guarded.code_of("0000").await, Some(Code::WrongPin));
    guarded.clock.advance(Duration::from_secs(31));
    assert_eq!(guarded.code_of("2468").await, Some(Code::PinLocked), "60 s by now");
    guarded.clock.advance(Duration::from_secs(30));
    assert_eq!(guarded.code_of("2468").await, None);
    assert_eq!(guarded.code_of("0000").await, Some(Code::WrongPin), "and all is forgotten");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_tries_at_once_are_no_more_than_five() {
    let guarded = guarded().await;
    let tries = (0..20).map(|_| guarded.code_of("0000"));
    let codes = futures_util::future::join_all(tries).await;
    let mut attack = Attack::on_all("PINs guessed at once, of which five are looked at");
    let mut looked_at = 0;
    for code in codes {
        looked_at += usize::from(code == Some(Code::WrongPin));
        let is_refused = looked_at <= 5 && matches!(code, Some(Code::WrongPin | Code::PinLocked));
        attack.holds(is_refused, || format!("{code:?}"));
    }
    assert_eq!(looked_at, 5);
    attack.end();
}

#[tokio::test(flavor = "multi_thread")]
async fn names_of_the_people_are_no_names_for_programs() {
    let guarded = guarded().await;
    for name in ["cashier", "manager", "owner"] {
        let body = tillroll_register::view::ClientBody {
            name: name.to_owned(),
            order_scope: tillroll_domain::ids::OrderScope::Store,
            may_open_drawer: false,
            may_manage: false,
        };
        let problem = guarded.register.make_client(&body).await.unwrap_err();
        assert_eq!(problem.code, Code::NotAllowed, "{name}");
    }
}
