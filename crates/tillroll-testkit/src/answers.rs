//! What an API may answer to hostile input: a refusal that is a problem document, or something harmless.

use reqwest::Response;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use serde_json::Value;

/// Headers that no API of ours sends unless it was talked into it.
const STRANGE: [&str; 3] = ["set-cookie", "x-injected", "access-control-allow-origin"];

/// That hostile input was no fault of the program: it was refused as a problem, or did no harm.
///
/// # Errors
/// What was answered instead.
pub async fn no_fault(asked: &str, answer: Response) -> Result<(), String> {
    let (status, headers) = (answer.status(), answer.headers().clone());
    let said = answer.text().await.map_err(|error| format!("{asked}: {status} {error}"))?;
    let is_injected = STRANGE.iter().any(|name| headers.contains_key(*name));
    let is_told = !status.is_client_error() || is_problem(&headers, &said);
    match !status.is_server_error() && !is_injected && is_told {
        true => Ok(()),
        false => Err(format!("{asked}: {status} {headers:?} {said:.300}")),
    }
}

fn is_problem(headers: &HeaderMap, said: &str) -> bool {
    let problem: Value = serde_json::from_str(said).unwrap_or_default();
    headers.get(CONTENT_TYPE).is_some_and(|kind| kind == "application/problem+json")
        && ["code", "title", "detail"].iter().all(|text| problem[*text].is_string())
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;

    /// What is said of a server that answers this to anything.
    async fn told_of(head: &str, body: &str) -> Result<(), String> {
        let server = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", server.local_addr().unwrap());
        let length = body.len();
        let answer = format!(
            "HTTP/1.1 {head}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
        );
        let answering = async {
            let (mut caller, _) = server.accept().await.unwrap();
            let mut request = [0; 1024];
            assert!(caller.read(&mut request).await.unwrap() > 0);
            caller.write_all(answer.as_bytes()).await.unwrap();
        };
        let (answer, ()) = tokio::join!(reqwest::get(&url), answering);
        no_fault("a request", answer.unwrap()).await
    }

    const PROBLEM: &str = r#"{"code":"bad_request","title":"No","detail":"name: too long"}"#;
    const TYPE: &str = "content-type: application/problem+json";

    #[tokio::test]
    async fn refusal_with_its_reason_and_harmless_answer_are_no_fault() {
        assert_eq!(told_of(&format!("400 Bad Request\r\n{TYPE}"), PROBLEM).await, Ok(()));
        assert_eq!(told_of("200 OK", "{}").await, Ok(()));
    }

    /// The control of the attacks with hostile input.
    #[tokio::test]
    async fn broken_injected_and_unexplained_answers_are_caught() {
        let broken = format!("500 Internal Server Error\r\n{TYPE}");
        let injected = format!("400 Bad Request\r\n{TYPE}\r\nx-injected: yes");
        let bare = "404 Not Found\r\ncontent-type: text/plain".to_owned();
        let no_detail = r#"{"code":"bad_request","title":"No"}"#;
        let unexplained = format!("400 Bad Request\r\n{TYPE}");
        let all =
            [(broken, PROBLEM), (injected, PROBLEM), (bare, PROBLEM), (unexplained, no_detail)];
        for (head, body) in all {
            assert!(told_of(&head, body).await.is_err(), "{head}");
        }
    }
}
