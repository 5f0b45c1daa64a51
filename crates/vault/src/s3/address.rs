//! `s3://bucket/prefix` → a bucket and what the names in it begin with.

use std::fmt::{self, Display, Formatter};

use crate::error::Error;
use crate::name::is_relative;

const SCHEME: &str = "s3://";

/// Whether an address means an object store, whatever else may be wrong with it.
pub fn is_object_address(text: &str) -> bool {
    text.get(..SCHEME.len()).is_some_and(|scheme| scheme.eq_ignore_ascii_case(SCHEME))
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    pub(super) bucket: String,
    /// Without `/` at its ends; empty for the whole bucket.
    pub(super) prefix: String,
}

impl Address {
    pub fn parse(text: &str) -> Result<Self, Error> {
        let rest = text.get(SCHEME.len()..).filter(|_| is_object_address(text)).unwrap_or_default();
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let prefix = prefix.trim_end_matches('/');
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
        let is_bucket = bucket.bytes().all(is_letter) && bucket.starts_with(|first: char| first != '.');
        if !is_bucket || !(prefix.is_empty() || is_relative(prefix)) {
            // The text may hold a secret, so it is not repeated.
            return Err(Error::Refused {
                reason: "the address is none: s3://BUCKET/PREFIX is one".to_owned(),
            });
        }
        Ok(Self { bucket: bucket.to_owned(), prefix: prefix.to_owned() })
    }

    pub fn bucket(&self) -> &str {
        &self.bucket
    }

    pub fn prefix(&self) -> &str {
        &self.prefix
    }
}

impl Display for Address {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let Self { bucket, prefix } = self;
        let slash = if prefix.is_empty() { "" } else { "/" };
        write!(formatter, "{SCHEME}{bucket}{slash}{prefix}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_bucket_and_a_prefix() {
        for (text, bucket, prefix) in [
            ("s3://bucket", "bucket", ""),
            ("s3://bucket/", "bucket", ""),
            ("S3://my.bucket-1/a/b/", "my.bucket-1", "a/b"),
            ("s3://bucket/with space", "bucket", "with space"),
        ] {
            let address = Address::parse(text).unwrap();
            assert_eq!((address.bucket(), address.prefix()), (bucket, prefix), "{text}");
            assert_eq!(Address::parse(&address.to_string()).unwrap(), address);
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in [
            "",
            "s3:/",
            "s3://",
            "s3:///a",
            "s3://key:secret@bucket",
            "s3://b//a",
            "s3://b/../a",
            "https://b",
        ] {
            let refused = Address::parse(text);
            assert!(
                matches!(&refused, Err(Error::Refused { reason }) if !reason.contains("secret")),
                "{text}"
            );
        }
        assert!(is_object_address("s3://key:secret@bucket"));
        assert!(!is_object_address("file:///bucket") && !is_object_address("ü3://"));
    }
}
