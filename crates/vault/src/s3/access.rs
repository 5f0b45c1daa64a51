//! Server, credentials and proxy: what the user's environment says about an object store, as values.

use std::fmt::{self, Debug, Formatter};
use std::net::IpAddr;

use super::RetryPolicy;

#[derive(Clone, Default)]
pub struct Access {
    /// `https://host:port` of another provider than AWS; `http://` is taken where the user says so.
    pub endpoint: Option<String>,
    pub region: Option<String>,
    pub credentials: Option<Credentials>,
    /// Asks unsigned, which public buckets answer.
    pub is_anonymous: bool,
    /// `http://host:port` that requests to `https://` go through.
    pub proxy: Option<String>,
    /// Hosts that are asked without it, as `NO_PROXY` names them.
    pub no_proxy: Option<String>,
    pub retry: RetryPolicy,
}

impl Access {
    /// The proxy for a server: none for this machine, for one without TLS, or for one that is excepted.
    pub(super) fn proxy_for(&self, server: &str) -> Option<&str> {
        let proxy = self.proxy.as_deref()?;
        let authority = server.strip_prefix("https://")?.split('/').next()?;
        let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
        let host = match authority.rsplit_once(':') {
            Some((host, port)) if is_port(port) => host,
            _ => authority,
        };
        let host = host.trim_matches(['[', ']']).to_ascii_lowercase();
        let number: Option<IpAddr> = host.parse().ok();
        let is_here = host == "localhost" || number.is_some_and(|number| number.is_loopback());
        let excepted = self.no_proxy.as_deref().unwrap_or_default();
        let mut excepted = excepted.split([',', ' ']).map(str::trim).filter(|one| !one.is_empty());
        let is_excepted = excepted.any(|one| is_meant(&one.to_ascii_lowercase(), &host, authority, number));
        (!is_here && !is_excepted).then_some(proxy)
    }
}

/// Whether an exception is about a host: `*`, its name or the end of it, its number, or a net that it is in.
fn is_meant(one: &str, host: &str, authority: &str, number: Option<IpAddr>) -> bool {
    if let (Some((net, bits)), Some(number)) = (one.split_once('/'), number) {
        return is_within(net, bits, number);
    }
    let name = one.trim_start_matches('*').trim_start_matches('.');
    let ends = || host.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'));
    one == "*" || one.eq_ignore_ascii_case(authority) || !name.is_empty() && (host == name || ends())
}

fn is_within(net: &str, bits: &str, number: IpAddr) -> bool {
    let (Ok(net), Ok(bits)) = (net.parse::<IpAddr>(), bits.parse::<u32>()) else { return false };
    match (net, number) {
        (IpAddr::V4(net), IpAddr::V4(number)) => {
            bits <= 32 && (net.to_bits() ^ number.to_bits()).leading_zeros() >= bits
        }
        (IpAddr::V6(net), IpAddr::V6(number)) => {
            bits <= 128 && (net.to_bits() ^ number.to_bits()).leading_zeros() >= bits
        }
        _ => false,
    }
}

impl Debug for Access {
    /// Not the proxy: its address may hold a password.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Access")
            .field("endpoint", &self.endpoint)
            .field("region", &self.region)
            .field("credentials", &self.credentials)
            .field("is_anonymous", &self.is_anonymous)
            .field("retry", &self.retry)
            .finish_non_exhaustive()
    }
}

#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    pub key_id: String,
    pub secret: String,
    /// Of credentials that end after some hours.
    pub token: Option<String>,
}

impl Debug for Credentials {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Credentials").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_is_asked_for_far_hosts_only() {
        let proxy = Some("http://proxy:3128".to_owned());
        let no_proxy = Some("localhost, .corp.example,store.example:9000,10.0.0.0/8,fd00::/8".to_owned());
        let access = Access { proxy, no_proxy, ..Access::default() };
        let far =
            ["https://s3.us-east-1.amazonaws.com", "https://store.example", "https://notcorp.example/x"];
        let far = far.into_iter().chain(["https://11.0.0.1:9000", "https://[fe80::1]"]);
        far.for_each(|server| assert!(access.proxy_for(server).is_some(), "{server}"));
        let near =
            ["http://s3.example", "https://localhost:9000", "https://127.0.0.1:9000", "https://[::1]:9000"];
        let near = near.into_iter().chain(["https://S3.corp.example", "https://corp.example:1/x"]);
        let near = near.chain(["https://store.example:9000", "https://10.1.2.3", "https://[fd00::5]:9000"]);
        near.for_each(|server| assert_eq!(access.proxy_for(server), None, "{server}"));
        let all = Access { no_proxy: Some("*".to_owned()), ..access };
        assert_eq!(all.proxy_for("https://s3.us-east-1.amazonaws.com"), None);
    }

    #[test]
    fn no_secret_is_shown() {
        let [key_id, secret, token] = ["the key", "the secret", "the token"].map(str::to_owned);
        let credentials = Some(Credentials { key_id, secret, token: Some(token) });
        let proxy = Some("http://me:the-password@host".to_owned());
        let shown = format!("{:?}", Access { credentials, proxy, ..Access::default() });
        assert!(shown.contains("Credentials { .. }") && !shown.contains("the"), "{shown}");
    }
}
