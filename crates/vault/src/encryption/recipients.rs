//! Lines that name public keys → whom everything is encrypted for.

use std::fmt::{self, Debug, Formatter};
use std::io::{self, Write};

use age::ssh::ParseRecipientKeyError;
use age::{Encryptor, Recipient};
use data_encoding::BASE64;

use crate::error::Error;

/// Each recipient takes room in every object.
const MOST: usize = 64;

/// Public keys, as age's and ssh's programs write them, without comments. None: nothing is encrypted.
#[derive(Clone, Default)]
pub struct Recipients(Vec<One>);

#[derive(Clone)]
struct One {
    text: String,
    key: PublicKey,
}

#[derive(Clone)]
enum PublicKey {
    Age(age::x25519::Recipient),
    Ssh(age::ssh::Recipient),
}

impl Recipients {
    /// In the order that is given, each once.
    pub fn parse(texts: &[String]) -> Result<Self, Error> {
        let mut recipients = Self::default();
        for text in texts {
            let one = One::parse(text.trim()).map_err(|reason| refusal(text, reason))?;
            if !recipients.contains(&one.text) {
                recipients.0.push(one);
            }
        }
        match texts.get(MOST) {
            Some(text) => Err(refusal(text, "there are more than 64 already")),
            None => Ok(recipients),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn contains(&self, text: &str) -> bool {
        self.texts().any(|one| one == text)
    }

    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|one| one.text.as_str())
    }

    pub fn to_vec(&self) -> Vec<String> {
        self.texts().map(str::to_owned).collect()
    }

    /// The age file of these bytes, one after the other.
    pub(super) fn encrypt(&self, parts: &[&[u8]]) -> io::Result<Vec<u8>> {
        let keys = self.0.iter().map(|one| one.key.recipient());
        let encryptor = Encryptor::with_recipients(keys).map_err(io::Error::other)?;
        let length: usize = parts.iter().map(|part| part.len()).sum();
        // With room for the header and a tag for each chunk.
        let mut encrypted = encryptor.wrap_output(Vec::with_capacity(length + length / 4096 + 1024))?;
        parts.iter().try_for_each(|part| encrypted.write_all(part))?;
        encrypted.finish()
    }
}

impl PartialEq for Recipients {
    fn eq(&self, other: &Self) -> bool {
        self.texts().eq(other.texts())
    }
}

impl Eq for Recipients {}

impl Debug for Recipients {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.texts()).finish()
    }
}

impl PublicKey {
    fn recipient(&self) -> &dyn Recipient {
        match self {
            Self::Age(key) => key,
            Self::Ssh(key) => key,
        }
    }
}

impl One {
    fn parse(text: &str) -> Result<Self, &'static str> {
        if text.starts_with("ssh-") { Self::ssh(text) } else { Self::age(text) }
    }

    fn age(text: &str) -> Result<Self, &'static str> {
        let text = text.split_whitespace().next().unwrap_or_default();
        let key: age::x25519::Recipient = text.parse().map_err(|_| {
            let is_plugin = text.starts_with("age1") && text.matches('1').count() > 1;
            if is_plugin { "it may be for a plugin of age, and those are not supported" } else { EXPECTED }
        })?;
        Ok(Self { text: key.to_string(), key: PublicKey::Age(key) })
    }

    fn ssh(text: &str) -> Result<Self, &'static str> {
        if !is_well_formed(text) {
            return Err(EXPECTED);
        }
        let key: age::ssh::Recipient = text.parse().map_err(|error| match error {
            ParseRecipientKeyError::RsaModulusTooSmall => "an RSA key needs 2048 bits at least",
            ParseRecipientKeyError::RsaModulusTooLarge => "an RSA key may have 4096 bits at most",
            _ => "only ssh-ed25519 and ssh-rsa keys can be encrypted for",
        })?;
        Ok(Self { text: key.to_string(), key: PublicKey::Ssh(key) })
    }
}

const EXPECTED: &str = "expected age1…, ssh-ed25519 AAAA… or ssh-rsa AAAA…";

/// A number of nothing but zero bytes is more than the crate bears.
fn is_well_formed(text: &str) -> bool {
    let blob = text.split_whitespace().nth(1).and_then(|blob| BASE64.decode(blob.as_bytes()).ok());
    let Some(blob) = blob else { return false };
    let mut rest = blob.as_slice();
    while !rest.is_empty() {
        let Some((length, after)) = rest.split_first_chunk::<4>() else { return false };
        let length = usize::try_from(u32::from_be_bytes(*length)).unwrap_or(usize::MAX);
        let Some((part, after)) = after.split_at_checked(length) else { return false };
        if part.iter().all(|byte| *byte == 0) {
            return false;
        }
        rest = after;
    }
    true
}

/// Never repeats text that is no public key: it may be a secret one.
fn refusal(text: &str, reason: &'static str) -> Error {
    let is_public = text.starts_with("age1") || text.starts_with("ssh-");
    let recipient: String = if is_public { text.chars().take(80).collect() } else { "this".to_owned() };
    Error::BadRecipient { recipient, reason }
}
