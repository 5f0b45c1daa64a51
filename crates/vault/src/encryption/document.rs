//! The fields of `vault.json` about encryption ↔ the name key, and the proof that a holder of it wrote the recipients.

use std::io::Read;

use data_encoding::BASE64;

use super::age_file::AgeFile;
use super::failure::OpenFailure;
use super::keyring::Keyring;
use super::name::NameKey;
use super::recipients::Recipients;
use crate::error::Error;

const VAULT: &str = "vault.json";
/// Of four digits, in a fingerprint.
const GROUPS: usize = 6;
/// Far more former keys than a vault ever has at a time.
const LONGEST: u64 = 32 * 1024;

/// The name key, encrypted for the recipients.
pub fn wrap_names(names: &NameKey, recipients: &Recipients) -> Result<String, Error> {
    let encrypted = recipients.encrypt(&[names.bytes()]).map_err(Error::write(VAULT))?;
    Ok(BASE64.encode(&encrypted))
}

pub fn unwrap_names(text: &str, keyring: &Keyring) -> Result<NameKey, Error> {
    let names = unwrap(text, keyring).and_then(|bytes| match bytes.try_into() {
        Ok(bytes) => Ok(NameKey::new(bytes)),
        Err(_) => Err(OpenFailure::HEADER),
    });
    names.map_err(|failure| failure.about(VAULT))
}

/// The former name keys, one after the other, and a proof that only a holder of the present one can make; `None` where
/// there are no former ones.
pub fn wrap_former(
    names: &NameKey,
    former: &[NameKey],
    recipients: &Recipients,
) -> Result<Option<String>, Error> {
    if former.is_empty() {
        return Ok(None);
    }
    let mut parts: Vec<&[u8]> = former.iter().map(|key| key.bytes().as_slice()).collect();
    let proof = proof_of(names, &parts);
    parts.push(proof.as_bytes());
    let encrypted = recipients.encrypt(&parts).map_err(Error::write(VAULT))?;
    Ok(Some(BASE64.encode(&encrypted)))
}

/// Checks the proof: anyone can encrypt keys of their own for the recipients, and so make files in any machine's name.
pub fn unwrap_former(text: &str, names: &NameKey, keyring: &Keyring) -> Result<Vec<NameKey>, Error> {
    let bytes = unwrap(text, keyring).map_err(|failure| failure.about(VAULT))?;
    let (keys, proof) = bytes.split_last_chunk::<32>().ok_or_else(|| OpenFailure::HEADER.about(VAULT))?;
    if proof_of(names, &[keys]) != *proof {
        return Err(OpenFailure::HEADER.about(VAULT));
    }
    let (keys, _) = keys.as_chunks::<32>();
    Ok(keys.iter().copied().map(NameKey::new).collect())
}

fn proof_of(names: &NameKey, former: &[&[u8]]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new_keyed(names.bytes());
    hasher.update(b"former/");
    for part in former {
        hasher.update(part);
    }
    hasher.finalize()
}

fn unwrap(text: &str, keyring: &Keyring) -> Result<Vec<u8>, OpenFailure> {
    let encrypted = BASE64.decode(text.trim().as_bytes()).map_err(|_| OpenFailure::HEADER)?;
    let mut bytes = Vec::new();
    let opened = AgeFile::open(encrypted.as_slice())?.decrypt(keyring)?;
    opened.take(LONGEST).read_to_end(&mut bytes).map_err(OpenFailure::of_read)?;
    Ok(bytes)
}

/// The proof that a holder of the name key wrote these recipients and this edition.
pub fn mac(names: &NameKey, recipients: &Recipients, edition: u64) -> String {
    let mut texts = recipients.to_vec();
    texts.extend((edition > 0).then(|| edition.to_string()));
    let texts = texts.join("\n");
    blake3::keyed_hash(names.bytes(), texts.as_bytes()).to_hex().to_string()
}

/// For people to compare on two machines: it differs where the name key or the recipients differ.
pub fn fingerprint(names: &NameKey, recipients: &Recipients, edition: u64) -> String {
    let digits = mac(names, recipients, edition);
    let groups = digits.as_bytes().chunks(4).take(GROUPS).map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join("-")
}
