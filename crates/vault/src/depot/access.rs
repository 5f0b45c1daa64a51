//! Who asks which server: everything that a user's environment says about an object store, as values.

use std::fmt::{self, Debug, Formatter};

use super::Patience;

#[derive(Clone, Default)]
pub struct Access {
    /// `https://host:port` of another provider than AWS; `http://` is taken where the user says so.
    pub endpoint: Option<String>,
    pub region: Option<String>,
    pub credentials: Option<Credentials>,
    /// Asks unsigned, which public buckets answer.
    pub is_anonymous: bool,
    /// `http://host:port` that requests go through.
    pub proxy: Option<String>,
    pub patience: Patience,
}

impl Debug for Access {
    /// Not the proxy: a password may stand in its address.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Access")
            .field("endpoint", &self.endpoint)
            .field("region", &self.region)
            .field("credentials", &self.credentials)
            .field("is_anonymous", &self.is_anonymous)
            .field("patience", &self.patience)
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
    fn no_secret_is_shown() {
        let [key_id, secret, token] = ["the key", "the secret", "the token"].map(str::to_owned);
        let credentials = Some(Credentials { key_id, secret, token: Some(token) });
        let proxy = Some("http://me:the-password@host".to_owned());
        let shown = format!("{:?}", Access { credentials, proxy, ..Access::default() });
        assert!(shown.contains("Credentials { .. }") && !shown.contains("the"), "{shown}");
    }
}
