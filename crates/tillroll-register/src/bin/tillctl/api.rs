//! The API of the running register, as the commands call it.
//!
//! Every call has a limit: 2 s to connect, 40 s for the whole, since the register itself answers within 30.
//! No proxy is asked: the register listens on this machine.

use std::borrow::Cow;
use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use reqwest::{Method, Response, Url};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tillroll_register::http::ProblemDocument;
use tillroll_register::problem::FaultView;

use crate::data_folder::DataFolder;
use crate::failure::{Failure, Unreachable};

const CONNECT_WITHIN: Duration = Duration::from_secs(2);
const ANSWER_WITHIN: Duration = Duration::from_secs(40);
/// The largest answer that is read, in bytes; the picture of a long receipt stays far below.
const ANSWER_MOST: usize = 64 * 1024 * 1024;

/// The API of a running register.
#[derive(Debug)]
pub struct Api {
    client: reqwest::Client,
    address: SocketAddr,
    token: String,
    folder: DataFolder,
}

/// What the register answered.
#[derive(Debug)]
pub struct Answer(Vec<u8>);

/// What the register refused, and why.
#[derive(Debug)]
pub struct Refusal(ProblemDocument);

impl Api {
    /// The API of the register that runs on the folder.
    ///
    /// # Errors
    /// [`Failure::Unreachable`] when none says where it listens.
    pub fn of(folder: &DataFolder) -> Result<Self, Failure> {
        let client = reqwest::Client::builder()
            .connect_timeout(CONNECT_WITHIN)
            .timeout(ANSWER_WITHIN)
            .no_proxy()
            .build()
            .map_err(|error| Failure::Usage(error.to_string()))?;
        Ok(Self {
            client,
            address: folder.endpoint()?,
            token: folder.token()?,
            folder: folder.clone(),
        })
    }

    /// Asks for what stands at the path.
    ///
    /// # Errors
    /// [`Failure::Refused`] or [`Failure::Unreachable`].
    pub async fn get(&self, path: &[&str]) -> Result<Answer, Failure> {
        self.send(Method::GET, self.url(path)?, None).await
    }

    /// Asks with a query.
    ///
    /// # Errors
    /// As [`Api::get`].
    pub async fn query(&self, path: &[&str], pairs: &[(&str, &str)]) -> Result<Answer, Failure> {
        let mut url = self.url(path)?;
        url.query_pairs_mut().extend_pairs(pairs);
        self.send(Method::GET, url, None).await
    }

    /// Asks for something to be done.
    ///
    /// # Errors
    /// As [`Api::get`].
    pub async fn post(&self, path: &[&str], body: &impl Serialize) -> Result<Answer, Failure> {
        self.call(Method::POST, path, body).await
    }

    /// Calls with a body.
    ///
    /// # Errors
    /// As [`Api::get`].
    pub async fn call(
        &self,
        method: Method,
        path: &[&str],
        body: &impl Serialize,
    ) -> Result<Answer, Failure> {
        self.call_raw(method, path, serde_json::to_vec(body)?).await
    }

    /// Calls with a body that is JSON already.
    ///
    /// # Errors
    /// As [`Api::get`].
    pub async fn call_raw(
        &self,
        method: Method,
        path: &[&str],
        body: Vec<u8>,
    ) -> Result<Answer, Failure> {
        self.send(method, self.url(path)?, Some(body)).await
    }

    /// Calls without a body.
    ///
    /// # Errors
    /// As [`Api::get`].
    pub async fn act(&self, method: Method, path: &[&str]) -> Result<Answer, Failure> {
        self.send(method, self.url(path)?, None).await
    }

    /// The address of a path below `/v1`; its parts may hold any character.
    fn url(&self, path: &[&str]) -> Result<Url, Failure> {
        let unusable = || Failure::Usage(format!("{} is no address", self.address));
        let base = format!("http://{}/v1", self.address);
        let mut url = Url::parse(&base).map_err(|_| unusable())?;
        url.path_segments_mut().map_err(|()| unusable())?.extend(path);
        Ok(url)
    }

    async fn send(
        &self,
        method: Method,
        url: Url,
        body: Option<Vec<u8>>,
    ) -> Result<Answer, Failure> {
        let mut request = self.client.request(method, url).bearer_auth(&self.token);
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body);
        }
        let response = request.send().await.map_err(|error| self.unreachable(&error))?;
        let refused = !response.status().is_success();
        let body = self.read(response).await?;
        if refused { Err(self.problem(&body)) } else { Ok(Answer(body)) }
    }

    async fn read(&self, mut response: Response) -> Result<Vec<u8>, Failure> {
        let mut body = Vec::new();
        loop {
            match response.chunk().await.map_err(|error| self.unreachable(&error))? {
                None => return Ok(body),
                Some(chunk) if body.len() + chunk.len() <= ANSWER_MOST => {
                    body.extend_from_slice(&chunk);
                }
                Some(_) => return Err(Unreachable::Stranger(self.address).into()),
            }
        }
    }

    fn unreachable(&self, error: &reqwest::Error) -> Failure {
        if error.is_connect() {
            return Unreachable::NotRunning(self.folder.path().to_owned()).into();
        }
        let cause = if error.is_timeout() { "it took too long" } else { "the connection broke" };
        Unreachable::NoAnswer { address: self.address, cause: cause.to_owned() }.into()
    }

    fn problem(&self, body: &[u8]) -> Failure {
        match serde_json::from_slice(body) {
            Ok(document) => Failure::Refused(Box::new(Refusal(document))),
            Err(_) => Unreachable::Stranger(self.address).into(),
        }
    }
}

impl Answer {
    /// The text as it came.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// Its body.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// What it says.
    ///
    /// # Errors
    /// [`Failure::Answer`] when it has another shape.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        Ok(serde_json::from_slice(&self.0)?)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ProblemDocument { title, code, detail, faults, .. } = &self.0;
        write!(f, "{title} ({code})")?;
        if faults.is_empty() {
            return write!(f, "\n  {detail}");
        }
        for FaultView { field, message, .. } in faults {
            // Many messages name their field themselves.
            let named = message.contains(field.as_str());
            let field = if named { String::new() } else { format!("{field} ") };
            write!(f, "\n  {field}{message}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Refusal {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusal_is_shown_with_each_fault_on_its_line() {
        let text = r#"{"type": "urn:tillroll:problem:invalid_receipt", "title": "The receipt is not right",
            "status": 422, "code": "invalid_receipt", "detail": "two things", "request_id": "7", "faults": [
            {"field": "total_minor", "message": "total_minor is 5, the sums make 6", "computed_minor": 6},
            {"field": "lines[0].name", "message": "must not be empty"}]}"#;
        let refusal = Refusal(serde_json::from_str(text).unwrap());
        let lines = [
            "The receipt is not right (invalid_receipt)",
            "  total_minor is 5, the sums make 6",
            "  lines[0].name must not be empty",
        ];
        assert_eq!(refusal.to_string(), lines.join("\n"));
    }
}
