//! The HTTP client: TLS with the certificates that the system trusts, and nothing read from the environment.

use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, Proxy};

use crate::s3::failure::RequestError;

const CONNECT: Duration = Duration::from_secs(5);

pub(super) fn make(proxy: Option<&str>, answer: Duration) -> Result<Client, RequestError> {
    // Taken by the HTTP client as the one of the process; that another one came first is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = Client::builder()
        .user_agent(concat!("steno/", env!("CARGO_PKG_VERSION")))
        .no_proxy()
        // One connection for each transfer: they do not wait for each other.
        .http1_only()
        // A signature is for one host only.
        .redirect(Policy::none())
        .connect_timeout(CONNECT.min(answer));
    let builder = match proxy {
        Some(proxy) => builder.proxy(Proxy::all(proxy).map_err(refused)?),
        None => builder,
    };
    builder.build().map_err(refused)
}

fn refused(error: reqwest::Error) -> RequestError {
    RequestError::Refused { reason: error.without_url().to_string() }
}
