//! What `vault.json` says of a sealed vault ↔ the key of its names, and whether its recipients are those of who has it.

use std::io::Read;

use data_encoding::BASE64;

use super::file::Sealed;
use super::keyring::Keyring;
use super::name::NameKey;
use super::obstacle::Obstacle;
use super::recipients::Recipients;
use crate::error::Error;

const VAULT: &str = "vault.json";

/// The key of the names, for the recipients only.
pub fn wrap_names(names: &NameKey, recipients: &Recipients) -> Result<String, Error> {
    let sealed = recipients.encrypt(&[names.bytes()]).map_err(Error::write(VAULT))?;
    Ok(BASE64.encode(&sealed))
}

pub fn unwrap_names(text: &str, keyring: &Keyring) -> Result<NameKey, Error> {
    let unwrap = || {
        let sealed = BASE64.decode(text.trim().as_bytes()).map_err(|_| Obstacle::HEADER)?;
        let mut bytes = Vec::new();
        let opened = Sealed::open(sealed.as_slice())?.decrypt(keyring)?;
        opened.take(64).read_to_end(&mut bytes).map_err(Obstacle::of_read)?;
        bytes.try_into().map(NameKey::new).map_err(|_| Obstacle::HEADER)
    };
    unwrap().map_err(|obstacle| obstacle.about(VAULT))
}

/// What only who has the key of the names can write beside the recipients, and beside how often they were changed.
pub fn mac(names: &NameKey, recipients: &Recipients, edition: u64) -> String {
    let mut texts = recipients.to_vec();
    texts.extend((edition > 0).then(|| edition.to_string()));
    let texts = texts.join("\n");
    blake3::keyed_hash(names.bytes(), texts.as_bytes()).to_hex().to_string()
}
