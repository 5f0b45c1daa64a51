//! Names and bytes ↔ the objects of one bucket below one prefix.

use std::fmt::{self, Debug, Formatter};
use std::sync::OnceLock;
use std::time::SystemTime;

use futures_util::{StreamExt, TryStreamExt};
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path;
use object_store::{GetOptions, ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutPayload, RetryConfig};

use super::access::Access;
use super::address::Address;
use super::client::{Client, Most};
use super::failure::{RequestError, about};
use super::key;
use crate::error::Error;
use crate::store::Entry;

const REGION: &str = "us-east-1";
/// No vault has so many objects; a server that never ends a list should not fill our memory.
const MOST: usize = 4_000_000;

pub(super) struct Bucket {
    address: Address,
    /// Of every key, without a `/` at its end.
    prefix: String,
    store: AmazonS3,
    pub(super) client: Client,
    /// Whether the server supports conditional puts; unset before the first try.
    pub(super) knows_conditions: OnceLock<bool>,
}

impl Debug for Bucket {
    /// Not the store: it holds the credentials.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.address)
    }
}

impl Bucket {
    pub(super) fn new(address: &Address, access: Access) -> Result<Self, Error> {
        let region = access.region.as_deref().unwrap_or(REGION);
        let server = access.endpoint.clone().unwrap_or_else(|| format!("https://s3.{region}.amazonaws.com"));
        let server = server.trim_end_matches('/');
        let is_address = server.starts_with("https://") || server.starts_with("http://");
        // It is shown, so it may hold no credentials.
        if !is_address || server.contains('@') {
            return refused("the endpoint is no https://HOST");
        }
        let client = Client::new(server, access.proxy_for(server), access.retry)
            .map_err(|error| Error::Refused { reason: error.to_string() })?;
        let builder = AmazonS3Builder::new()
            .with_bucket_name(&address.bucket)
            .with_region(region)
            .with_allow_http(true)
            .with_disable_bulk_delete(true)
            // The client asks again by itself.
            .with_retry(RetryConfig { max_retries: 0, ..RetryConfig::default() })
            .with_http_connector(client.clone());
        let builder = match access.endpoint {
            Some(_) => builder.with_endpoint(server),
            // A certificate for `*.host` is none for two names before the host.
            None => builder.with_virtual_hosted_style_request(!address.bucket.contains('.')),
        };
        let store = sign(builder, &access)?.build().map_err(about(&address.bucket))?;
        let (address, prefix) = (address.clone(), key::encode(&address.prefix));
        Ok(Self { address, prefix, store, client, knows_conditions: OnceLock::new() })
    }

    pub(super) async fn list(&self, below: &str) -> Result<Vec<Entry>, Error> {
        let below = if below.is_empty() { self.prefix.clone() } else { self.key(below)? };
        let path = Path::parse(&below).map_err(|_| Error::BadName { name: below.clone() })?;
        let listed = self.store.list(Some(&path).filter(|_| !below.is_empty())).take(MOST);
        let found: Result<Vec<ObjectMeta>, object_store::Error> = listed.try_collect().await;
        let found = found.map_err(about(&below)).map_err(|error| self.without_bucket(error))?;
        if found.len() == MOST {
            return refused("the list of objects has no end");
        }
        let mut entries: Vec<Entry> = found.iter().filter_map(|object| self.entry(object)).collect();
        entries.sort_by(|one, two| one.name.cmp(&two.name));
        Ok(entries)
    }

    /// All of it, or one byte more than the most that is wanted.
    pub(super) async fn get(&self, name: &str, most: Option<u64>) -> Result<Vec<u8>, Error> {
        let mut options = GetOptions::default();
        if let Some(most) = most {
            options.extensions.insert(Most(most));
        }
        let object = self.store.get_opts(&self.path(name)?, options).await.map_err(about(name))?;
        let length = object.meta.size;
        let bytes = object.bytes().await.map_err(about(name))?;
        if bytes.len() as u64 != length {
            return refused("an answer has another length than it says");
        }
        Ok(bytes.into())
    }

    pub(super) async fn is_there(&self, name: &str) -> Result<bool, Error> {
        match self.store.head(&self.path(name)?).await.map_err(about(name)) {
            Ok(_) => Ok(true),
            Err(Error::Missing { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    pub(super) async fn replace(&self, name: &str, bytes: &PutPayload) -> Result<(), Error> {
        let put = self.store.put(&self.path(name)?, bytes.clone()).await;
        put.map(drop).map_err(about(name)).map_err(|error| self.without_bucket(error))
    }

    /// Puts where nothing is, as far as the server knows conditions.
    pub(super) async fn create(&self, name: &str, bytes: &PutPayload) -> Result<Created, Error> {
        let path = self.path(name)?;
        let Err(error) = self.store.put_opts(&path, bytes.clone(), PutMode::Create.into()).await else {
            return Ok(Created::New);
        };
        match RequestError::within(&error) {
            Some(RequestError::Unsure) => Ok(Created::Unsure),
            Some(RequestError::Unconditional) => Ok(Created::Unconditional),
            _ => match about(name)(error) {
                Error::Exists { .. } => Ok(Created::Not),
                error => Err(self.without_bucket(error)),
            },
        }
    }

    pub(super) async fn remove(&self, name: &str) -> Result<(), Error> {
        match self.store.delete(&self.path(name)?).await.map_err(about(name)) {
            Err(Error::Missing { .. }) => Ok(()),
            outcome => outcome,
        }
    }

    fn entry(&self, object: &ObjectMeta) -> Option<Entry> {
        let key = object.location.as_ref();
        let key =
            if self.prefix.is_empty() { key } else { key.strip_prefix(&self.prefix)?.strip_prefix('/')? };
        let modified = Some(SystemTime::from(object.last_modified));
        Some(Entry { name: key::to_name(key)?, len: object.size, modified })
    }

    fn key(&self, name: &str) -> Result<String, Error> {
        let key = key::of_name(name)?;
        Ok(if self.prefix.is_empty() { key } else { format!("{}/{key}", self.prefix) })
    }

    fn path(&self, name: &str) -> Result<Path, Error> {
        Path::parse(self.key(name)?).map_err(|_| Error::BadName { name: name.to_owned() })
    }

    /// A list or a put that finds nothing lacks the bucket.
    fn without_bucket(&self, error: Error) -> Error {
        match error {
            Error::Missing { .. } => {
                Error::Refused { reason: format!("there is no bucket {}", self.address.bucket) }
            }
            error => error,
        }
    }
}

/// The outcome of a put that must replace nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Created {
    New,
    Not,
    /// Something is there, after an answer was lost.
    Unsure,
    /// The server does not know conditions.
    Unconditional,
}

fn sign(builder: AmazonS3Builder, access: &Access) -> Result<AmazonS3Builder, Error> {
    if access.is_anonymous {
        return Ok(builder.with_skip_signature(true));
    }
    let Some(credentials) = &access.credentials else { return refused("there are no credentials for it") };
    let builder = builder.with_access_key_id(&credentials.key_id).with_secret_access_key(&credentials.secret);
    Ok(match &credentials.token {
        Some(token) => builder.with_token(token),
        None => builder,
    })
}

fn refused<T>(reason: &str) -> Result<T, Error> {
    Err(Error::Refused { reason: reason.to_owned() })
}
