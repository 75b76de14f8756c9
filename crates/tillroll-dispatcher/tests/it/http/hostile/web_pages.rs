//! Pages in a browser: nobody there is a business system, so no page is told anything.

use reqwest::Method;

use super::routes::{all, begin, end, request};
use crate::http::support::Cloud;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_route_lets_a_web_page_read_its_answer() {
    let cloud = Cloud::start().await;
    let (caller, mut attack) = begin(&cloud, "a web page at every route").await;
    for operation in all() {
        let path = operation.filled(|name| caller.value(&operation, name));
        let asked = request(&cloud, &operation, &path, caller.secret(&operation));
        let preflight = cloud
            .request(Method::OPTIONS, &path)
            .header("access-control-request-method", &operation.method)
            .header("access-control-request-headers", "authorization,content-type");
        for asked in [asked, preflight] {
            let answer = asked.header("origin", "https://evil.example").send().await.unwrap();
            let told = answer.headers().keys().find(|name| name.as_str().starts_with("access-"));
            attack.holds(told.is_none(), || format!("{} {path}: {told:?}", operation.method));
        }
    }
    end(attack, &cloud, &caller).await;
}
