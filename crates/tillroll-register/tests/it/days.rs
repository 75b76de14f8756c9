//! The day: its border, its three columns, its cash and its differences.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use serde_json::{Value, json};
use tillroll_paper::fonts::DocumentFonts;
use tillroll_register::problem::Code;
use tillroll_register::view::ExportFormat;
use tillroll_register::{Register, RegisterOptions};
use tillroll_testkit::ManualClock;

use crate::support::{Plan, Shop, init, receipt, refused};

async fn shop_at(time: &str, zone: &'static str, cutoff: &'static str) -> Shop {
    let clock = Arc::new(ManualClock::reading(time));
    let shop = Shop::open(Plan { clock, zone, cutoff, ..Plan::default() }).await;
    shop.add_virtual("front").await;
    shop
}

/// A sale of one line with those tenders.
fn sale(n: u32, total: i64, tenders: Value, change: i64) -> Value {
    let mut sale = receipt(n);
    sale["lines"] = json!([{"name": "Dish", "amount_minor": total}]);
    sale["total_minor"] = json!(total);
    sale["tenders"] = tenders;
    sale["change_minor"] = json!(change);
    sale
}

#[tokio::test(flavor = "multi_thread")]
async fn sale_before_midnight_belongs_to_the_shops_own_day() {
    let shop = shop_at("2026-03-15T02:30:00Z", "America/Sao_Paulo", "00:00").await;
    assert_eq!(shop.submit(&receipt(1)).await.status(), 201);
    shop.wait_for_state("S1:R1-000001:receipt:v1", "printed").await;
    let own = shop.read("/v1/days/2026-03-14").await;
    let next = shop.read("/v1/days/2026-03-15").await;
    assert_eq!(own["register"]["gross_minor"], 1_250);
    assert_eq!(next["register"]["gross_minor"], 0);
    assert_eq!(own["paper"]["printed"], 1);
}

/// A line is rounded once, and whole units of money are counted from there on (erpnet/ErpNet.FP#70).
#[tokio::test(flavor = "multi_thread")]
async fn weighed_goods_are_paid_and_counted_in_whole_units() {
    let shop = shop_at("2026-10-09T10:00:00+08:00", "Asia/Shanghai", "04:00").await;
    let mut weighed = sale(1, 499, json!([{"type": "cash", "amount_minor": 499}]), 0);
    weighed["lines"] =
        json!([{"name": "Gouda", "quantity": "0.375", "unit": "kg", "unit_price_minor": 1_330}]);
    assert_eq!(shop.submit(&weighed).await.status(), 201);
    let day = shop.read("/v1/days/2026-10-09").await;
    let counted = [&day["register"]["gross_minor"], &day["register"]["tenders"]["cash"]];
    assert_eq!(counted, [&json!(499); 2]);
    let mut fraction = weighed.clone();
    fraction["order_no"] = json!("R1-000002");
    fraction["total_minor"] = json!(498.75);
    refused(shop.submit(&fraction).await, 400, "invalid_body").await;
}

/// Change is no part of the takings (frappe/erpnext#23125).
#[tokio::test(flavor = "multi_thread")]
async fn change_is_no_takings() {
    let shop = shop_at("2026-10-09T10:00:00+08:00", "Asia/Shanghai", "04:00").await;
    let cash = json!({"kind": "float", "amount_minor": 20_000});
    assert_eq!(shop.post("/v1/days/2026-10-09/cash", &cash).await.status(), 204);
    shop.submit(&sale(1, 6_000, json!([{"type": "cash", "amount_minor": 10_000}]), 4_000)).await;
    let drawer = async || {
        let day = shop.read("/v1/days/2026-10-09").await;
        let cash = day["sessions"][0]["cash"].clone();
        assert_eq!(day["register"]["tenders"]["cash"], cash["sales_minor"]);
        (cash["expected_minor"].as_i64().unwrap(), cash["sales_minor"].as_i64().unwrap())
    };
    assert_eq!(drawer().await, (26_000, 6_000));
    let mixed =
        json!([{"type": "card", "amount_minor": 3_000}, {"type": "cash", "amount_minor": 2_500}]);
    shop.submit(&sale(2, 5_000, mixed, 500)).await;
    assert_eq!(drawer().await, (28_000, 8_000));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_pos_says_otherwise_is_a_difference_with_its_cure() {
    let shop = shop_at("2026-10-09T10:00:00+08:00", "Asia/Shanghai", "04:00").await;
    shop.submit(&receipt(1)).await;
    shop.wait_for_state("S1:R1-000001:receipt:v1", "printed").await;
    let path = "/v1/days/2026-10-09/pos-totals";
    let agreed = json!({"receipts": 1, "gross_minor": 1_250, "tenders": {"cash": 1_250}});
    assert_eq!(shop.put(path, &agreed).await.status(), 204);
    assert_eq!(shop.read("/v1/days/2026-10-09").await["differences"], json!([]));

    let other =
        json!({"receipts": 2, "gross_minor": 2_500, "tenders": {"cash": 1_250, "card": 1_250}});
    assert_eq!(shop.put(path, &other).await.status(), 204);
    let day = shop.read("/v1/days/2026-10-09").await;
    let figures: Vec<_> = day["differences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["figure"].as_str().unwrap(), row["cure"].as_str().unwrap()))
        .collect();
    let cure = "compare_with_pos";
    assert_eq!(figures, [("receipts", cure), ("gross_minor", cure), ("tenders.card", cure)]);
    for (wrong, field) in [
        (json!({"receipts": -1, "gross_minor": 0}), "receipts"),
        (json!({"receipts": 0, "gross_minor": 0, "tenders": {"\u{12}": 1}}), "tenders"),
    ] {
        let problem = refused(shop.put(path, &wrong).await, 422, "invalid_value").await;
        assert_eq!(problem["faults"][0]["field"], field);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn day_is_exported_as_csv() {
    let shop = shop_at("2026-10-09T10:00:00+08:00", "Asia/Shanghai", "04:00").await;
    shop.submit(&receipt(1)).await;
    shop.wait_for_state("S1:R1-000001:receipt:v1", "printed").await;
    let answered = shop.get("/v1/days/2026-10-09?format=csv").await;
    assert_eq!(answered.headers()["content-type"], "text/csv; charset=utf-8");
    let csv = answered.text().await.unwrap();
    assert!(csv.starts_with("\"column\",\"item\",\"figure\",\"value\"\r\n"));
    for row in [
        "\"register\",\"\",\"gross_minor\",\"1250\"\r\n",
        "\"register\",\"\",\"tender cash\",\"1250\"\r\n",
        "\"paper\",\"\",\"printed\",\"1\"\r\n",
        "\"cash\",\"z1\",\"expected_minor\",\"1250\"\r\n",
    ] {
        assert!(csv.contains(row), "{row} is not in\n{csv}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn day_is_a_document_to_file() {
    let shop = shop_at("2026-10-09T10:00:00+08:00", "Asia/Shanghai", "04:00").await;
    shop.submit(&receipt(1)).await;
    shop.wait_for_state("S1:R1-000001:receipt:v1", "printed").await;
    let counted = json!({"counted_minor": 1_200, "reason": "a coin rolled away"});
    assert_eq!(shop.post("/v1/days/2026-10-09/close", &counted).await.status(), 200);
    shop.wait_for_state("S1:R1~20261009~z1:report:v1", "printed").await;
    let answered = shop.get("/v1/days/2026-10-09?format=pdf").await;
    assert_eq!(answered.headers()["content-type"], "application/pdf");
    let name = "inline; filename=\"S1-R1-2026-10-09.pdf\"";
    assert_eq!(answered.headers()["content-disposition"], name);
    let pdf = answered.bytes().await.unwrap();
    let again = shop.get("/v1/days/2026-10-09?format=pdf").await.bytes().await.unwrap();
    assert!(pdf == again, "nothing of the moment is in it");
    let day = "2026-10-09".parse().unwrap();
    let folder = shop.folder.path().join("exports");
    let path = shop.register.export_day(day, ExportFormat::Pdf, &folder).await.unwrap();
    assert_eq!(path, folder.join("S1-R1-2026-10-09.pdf"));
    let text = text_of(&path);
    for told in ["12.50", "-0.50", "Reason: a coin rolled away", "Owner"] {
        assert!(text.contains(told), "{told} is not in\n{text}");
    }
}

/// What `pdftotext` of poppler-utils reads.
fn text_of(pdf: &Path) -> String {
    let read = Command::new("pdftotext").arg(pdf).arg("-").output().unwrap();
    assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
    String::from_utf8(read.stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn document_without_fonts_is_refused_and_the_rest_of_the_day_answered() {
    let folder = tempfile::tempdir().unwrap();
    init(folder.path(), "Asia/Shanghai", "04:00").await;
    let options = RegisterOptions {
        fonts: Vec::new(),
        document_fonts: DocumentFonts::default(),
        ..RegisterOptions::default()
    };
    let register = Register::start(folder.path(), options).await.unwrap();
    let (day, exports) = ("2026-10-09".parse().unwrap(), folder.path().join("exports"));
    let refused = register.export_day(day, ExportFormat::Pdf, &exports).await.unwrap_err();
    assert_eq!(refused.code, Code::FontsMissing);
    assert!(refused.detail.contains("fonts-noto-cjk"), "{refused}");
    assert!(!exports.exists(), "nothing was begun");
    assert!(register.export_day(day, ExportFormat::Csv, &exports).await.is_ok());
    register.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_days_and_movements_are_named() {
    let shop = shop_at("2026-10-09T10:00:00+08:00", "Asia/Shanghai", "04:00").await;
    for date in ["today", "2026-13-01", "2026-1-1", "20261009", "2026-10-09T10:00"] {
        let problem =
            refused(shop.get(&format!("/v1/days/{date}")).await, 422, "invalid_value").await;
        assert_eq!(problem["faults"][0]["field"], "date", "{date}");
    }
    let path = "/v1/days/2026-10-09/cash";
    for (body, field) in [
        (json!({"kind": "paid_out", "amount_minor": 100}), "reason"),
        (json!({"kind": "float", "amount_minor": -1}), "amount_minor"),
    ] {
        let problem = refused(shop.post(path, &body).await, 422, "invalid_value").await;
        assert_eq!(problem["faults"][0]["field"], field);
    }
    let stolen = json!({"kind": "stolen", "amount_minor": 1});
    refused(shop.post(path, &stolen).await, 400, "invalid_body").await;
}
