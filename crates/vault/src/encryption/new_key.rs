//! A new secret key, in the words of age's own programs; and one put under a passphrase.

use std::io::Write;

use age::armor::{ArmoredWriter, Format};
use age::secrecy::{ExposeSecret, SecretString};
use age::{Encryptor, scrypt, x25519};
use jiff::Timestamp;

use super::age_file::FIRST_LINE;
use crate::error::Error;

/// How an age file begins that is text.
const ARMOR: &[u8] = b"-----BEGIN AGE ENCRYPTED FILE-----";
/// As age's own programs choose it: about a second.
const WORK: u8 = 18;

/// A new secret key.
#[derive(Debug)]
pub struct NewKey {
    text: SecretString,
    recipient: String,
}

impl NewKey {
    pub fn generate(now: Timestamp) -> Self {
        let key = x25519::Identity::generate();
        let recipient = key.to_public().to_string();
        let created = now.strftime("%Y-%m-%dT%H:%M:%SZ");
        let secret = key.to_string();
        let secret = secret.expose_secret();
        let text = format!("# created: {created}\n# public key: {recipient}\n{secret}\n");
        Self { text: text.into(), recipient }
    }

    /// The content of an identity file.
    pub fn text(&self) -> &str {
        self.text.expose_secret()
    }

    pub fn recipient(&self) -> &str {
        &self.recipient
    }
}

/// Whether a file of keys is itself encrypted.
pub fn is_protected(bytes: &[u8]) -> bool {
    let bytes = bytes.trim_ascii_start();
    bytes.starts_with(FIRST_LINE) || bytes.starts_with(ARMOR)
}

/// An identity file under a passphrase: an age file, and text, as `age -p -a` writes it.
pub fn protect(text: &str, passphrase: String) -> Result<Vec<u8>, Error> {
    let mut recipient = scrypt::Recipient::new(passphrase.into());
    recipient.set_work_factor(WORK);
    let protect = || {
        let keys = std::iter::once(&recipient as &dyn age::Recipient);
        let encryptor = Encryptor::with_recipients(keys).map_err(std::io::Error::other)?;
        let armor = ArmoredWriter::wrap_output(Vec::new(), Format::AsciiArmor)?;
        let mut encrypted = encryptor.wrap_output(armor)?;
        encrypted.write_all(text.as_bytes())?;
        encrypted.finish()?.finish()
    };
    protect().map_err(Error::write("identity"))
}
