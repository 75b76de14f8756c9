//! `demo`: it comes to its end, and shows what it promises.

use std::fs;
use std::time::{Duration, Instant};

use crate::program::{run_with, tillctl};

/// The restaurant's bill, as it comes out of the printer.
const BILL: &str = "\
┌──────────────────────────────────────────────────┐
│                   老王面馆 一店                  │
│            上海市虹口区四川北路 88 号            │
│ 单号 1001                       2026-10-09 12:03 │
│ ------------------------------------------------ │
│ 红烧牛肉面（大碗）                       ￥56.00 │
│   2 份 x 28.00/份                                │
│   * 少辣，不要香菜                               │
│ 凉拌黄瓜                                 ￥12.00 │
│   1 份 x 12.00/份                                │
│ 酸梅汤                                   ￥12.00 │
│   2 杯 x 6.00/杯                                 │
│ 小计                                     ￥80.00 │
│ 打包费                                    ￥1.00 │
│ 会员折扣                                 -￥3.00 │
│ ------------------------------------------------ │
│ 合计                                     ￥78.00 │
│ 含 增值税 6%                              ￥4.42 │
│ 现金                                    ￥100.00 │
│ 找零                                     ￥22.00 │
│ ------------------------------------------------ │
│                谢谢光临，欢迎再来                │
";

#[test]
fn demonstration_shows_every_receipt_every_fault_and_a_day_that_adds_up() {
    let (begun, out) = (Instant::now(), tempfile::tempdir().unwrap());
    let shown = run_with(tillctl().arg("demo").arg("--out").arg(out.path()), "").done();
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    assert!(shown.contains(BILL), "{shown}");
    for expected in [
        "0.375 kg x 13.30/kg",
        "Merci, à bientôt ! Bon d’achat de 1 € dès 20 €",
        "10,00 €",
        "-￥12.00",
        "[QR: https://example.test/i/S1-1004]",
        "... 381 lines ...",
        "套餐 400 号",
        "S1:1001:receipt:v1  printed, proved by the device (token)  answered after ",
        "printer: paper_end. ",
        "S1:1007:receipt:v1  unconfirmed: link_lost",
        "paper: 1 unconfirmed. Answer what is on the to-do list.",
        "重  打",
        "S1:1007:receipt:v1:c1  printed",
        "On paper: 8 recorded = 8 printed; nothing open",
        "Differences: none. The day adds up.",
        "Z   日  结  单    1",
        "Try next:",
    ] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
    assert!(!shown.contains('\u{1b}'), "no colour beside a terminal");
    let logo = fs::read(out.path().join("S1/0005.png")).unwrap();
    assert!(logo.starts_with(b"\x89PNG"));
}
