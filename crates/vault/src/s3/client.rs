//! One request → an answer that is whole, asked for as often as it takes.
//!
//! Stands between the library that knows S3 and the one that knows HTTP, because only here every request can be
//! counted, and only here it is known whether one that seems to have failed may have been carried out.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use http::response::Parts;
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpRequest, HttpResponse, HttpResponseBody, HttpService,
};
use tokio::time::{sleep, timeout};

use super::failure::RequestError;
use super::listing;
use super::response::Response;
use super::retry::RetryPolicy;

mod attempt;
mod connection;

pub(super) use attempt::{Failure, FailureKind};

/// No object of a vault is larger.
const LARGEST: usize = 2 << 30;
/// How much of an answer is read: so many bytes, and one that tells that there is more.
#[derive(Debug, Clone, Copy)]
pub(super) struct Most(pub(super) u64);

/// Reserved ahead because a server promises it.
const RESERVED: usize = 64 << 20;

#[derive(Debug, Clone)]
pub(super) struct Client {
    client: HttpClient,
    server: String,
    retry: RetryPolicy,
    tally: Arc<Tally>,
}

#[derive(Debug, Default)]
struct Tally {
    requests: AtomicU64,
    /// Bytes that are being sent at this moment.
    under_way: AtomicU64,
    has_answered: AtomicBool,
    /// Keys of pages that were passed over.
    strange: Mutex<BTreeSet<String>>,
}

#[derive(Debug)]
struct Answer {
    parts: Parts,
    bytes: Vec<u8>,
}

impl Client {
    pub(super) fn new(server: &str, proxy: Option<&str>, retry: RetryPolicy) -> Result<Self, RequestError> {
        let client = HttpClient::new(connection::make(proxy, retry.answer)?);
        Ok(Self { client, server: server.to_owned(), retry, tally: Arc::default() })
    }

    pub(super) fn requests(&self) -> u64 {
        self.tally.requests.load(Ordering::Relaxed)
    }

    /// Keys that no vault has, and that were passed over.
    pub(super) fn strange(&self) -> BTreeSet<String> {
        self.tally.strange.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn without_strange(&self, bytes: Vec<u8>) -> Vec<u8> {
        let mut strange = self.tally.strange.lock().unwrap_or_else(PoisonError::into_inner);
        listing::without_strange(bytes, &mut strange)
    }

    async fn once(&self, request: HttpRequest) -> Result<Answer, Failure> {
        self.tally.requests.fetch_add(1, Ordering::Relaxed);
        crate::fault::point();
        let has_body = request.method() != "HEAD";
        let is_page = listing::is_asked_for(request.method(), request.uri().query());
        let most = request.extensions().get::<Most>().map(|most| most.0);
        let most = most.and_then(|most| usize::try_from(most).ok()).unwrap_or(LARGEST);
        let sending = Sending::start(&self.tally.under_way, request.body().content_length() as u64);
        let answer = timeout(self.retry.for_sending(sending.together), self.client.execute(request));
        let answer = answer.await.map_err(|_| Failure::silent())?.map_err(|error| Failure::of(&error))?;
        self.tally.has_answered.store(true, Ordering::Relaxed);
        let (mut parts, body) = answer.into_parts();
        let length =
            parts.headers.get("content-length").and_then(|length| length.to_str().ok()?.parse().ok());
        let bytes = self.collect(body, length.filter(|_| has_body), most).await?;
        let bytes = if is_page { self.without_strange(bytes) } else { bytes };
        if is_page || bytes.len() > most {
            parts.headers.insert("content-length", bytes.len().into());
        }
        Ok(Answer { parts, bytes })
    }

    async fn collect(
        &self,
        body: HttpResponseBody,
        length: Option<usize>,
        most: usize,
    ) -> Result<Vec<u8>, Failure> {
        let reserved = length.unwrap_or_default().min(RESERVED).min(most.saturating_add(1));
        let mut bytes = Vec::with_capacity(reserved);
        let mut pieces = body.bytes_stream();
        while let Some(piece) =
            timeout(self.retry.answer, pieces.next()).await.map_err(|_| Failure::silent())?
        {
            bytes.extend_from_slice(&piece.map_err(|error| Failure::of(&error))?);
            if bytes.len() > most && most < LARGEST {
                bytes.truncate(most + 1);
                return Ok(bytes);
            }
            if bytes.len() > LARGEST {
                return Err(Failure { kind: FailureKind::Final, reason: "the answer has no end".to_owned() });
            }
        }
        match length {
            Some(length) if length != bytes.len() => Err(Failure::cut(length, bytes.len())),
            _ => Ok(bytes),
        }
    }

    /// How long to wait before attempts again, if that is still of use.
    fn pause(&self, attempts: &mut Attempts, failure: Failure) -> Result<Duration, RequestError> {
        let pause = self.retry.pause_after(attempts.failures);
        attempts.failures += 1;
        attempts.may_be_done |= failure.kind != FailureKind::Unsent;
        let is_reached =
            failure.kind != FailureKind::Unsent || self.tally.has_answered.load(Ordering::Relaxed);
        let limit = if is_reached { self.retry.whole } else { self.retry.unreached };
        let reason = format!("{}: {}", self.server, failure.reason);
        match failure.kind {
            FailureKind::Unknown if attempts.is_conditional => Err(RequestError::Unconditional),
            FailureKind::Unknown | FailureKind::Final => Err(RequestError::Refused { reason }),
            _ if attempts.started.elapsed() + pause > limit => Err(RequestError::Offline { reason }),
            _ => Ok(pause),
        }
    }
}

#[async_trait::async_trait]
impl HttpService for Client {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let mut attempts = Attempts::new(&request);
        loop {
            let outcome = self.once(request.clone()).await;
            match outcome.and_then(|answer| attempts.judge(answer)) {
                Ok(answer) if answer.status() == 412 && attempts.may_be_done => {
                    return Err(RequestError::Unsure.into());
                }
                Ok(answer) => return Ok(answer),
                Err(failure) => sleep(self.pause(&mut attempts, failure)?).await,
            }
        }
    }
}

impl HttpConnector for Client {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.clone()))
    }
}

/// One request over all of its attempts.
#[derive(Debug)]
struct Attempts {
    started: Instant,
    is_conditional: bool,
    failures: u32,
    /// An attempt got through to the server, which may have done what it was asked.
    may_be_done: bool,
}

impl Attempts {
    fn new(request: &HttpRequest) -> Self {
        let is_conditional = request.headers().contains_key("if-none-match");
        Self { started: Instant::now(), is_conditional, failures: 0, may_be_done: false }
    }

    fn judge(&self, answer: Answer) -> Result<HttpResponse, Failure> {
        let header = |name: &str| answer.parts.headers.get(name).and_then(|value| value.to_str().ok());
        let reply = Response {
            status: answer.parts.status.as_u16(),
            body: &answer.bytes,
            region: header("x-amz-bucket-region"),
            is_conditional: self.is_conditional,
        };
        match reply.failure() {
            Some(failure) => Err(failure),
            None => Ok(HttpResponse::from_parts(answer.parts, HttpResponseBody::from(answer.bytes))),
        }
    }
}

/// Bytes on their way, until it is dropped.
#[derive(Debug)]
struct Sending<'a> {
    under_way: &'a AtomicU64,
    bytes: u64,
    /// With all others that share the line.
    together: u64,
}

impl<'a> Sending<'a> {
    fn start(under_way: &'a AtomicU64, bytes: u64) -> Self {
        let together = under_way.fetch_add(bytes, Ordering::Relaxed) + bytes;
        Self { under_way, bytes, together }
    }
}

impl Drop for Sending<'_> {
    fn drop(&mut self) {
        self.under_way.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}
