//! The bytes of an identity file → secret keys.
//!
//! Several formats go by that name: lines of age's keys, an ssh key, and an age file under a passphrase of either. No
//! message repeats anything of what was read.

use std::io::Read;

use age::armor::ArmoredReader;
use age::secrecy::{ExposeSecret, SecretSlice, SecretString};
use age::{DecryptError, Decryptor, scrypt, ssh, x25519};

use super::keyring::Key;
use super::new_key::is_protected;

const LARGEST: u64 = 1 << 20;
/// Takes a gigabyte of memory and some seconds. age's own programs write 18, seldom more.
const MOST_WORK: u8 = 20;

type Ask<'a> = &'a dyn Fn() -> Option<SecretString>;

/// At least one. `place` is what messages call the file.
pub(super) fn keys(bytes: &[u8], place: &str, ask: Ask<'_>) -> Result<Vec<Key>, String> {
    let bytes = bytes.trim_ascii_start();
    if is_protected(bytes) {
        let opened = unlock(bytes, place, ask)?;
        return plain_keys(opened.expose_secret(), place, ask);
    }
    plain_keys(bytes, place, ask)
}

fn unlock(bytes: &[u8], place: &str, ask: Ask<'_>) -> Result<SecretSlice<u8>, String> {
    let damaged = || format!("{place} is a damaged age file");
    let decryptor = Decryptor::new_buffered(ArmoredReader::new(bytes)).map_err(|_| damaged())?;
    if !decryptor.is_scrypt() {
        return Err(format!("{place} is encrypted for another key, not with a passphrase"));
    }
    let mut passphrase = scrypt::Identity::new(passphrase(place, ask)?);
    passphrase.set_max_work_factor(MOST_WORK);
    let opened = decryptor.decrypt(std::iter::once(&passphrase as &dyn age::Identity));
    let opened = opened.map_err(|error| match error {
        DecryptError::DecryptionFailed => wrong_passphrase(place),
        DecryptError::ExcessiveWork { .. } => format!("{place} asks for more work than a passphrase needs"),
        _ => damaged(),
    })?;
    let mut bytes = Vec::new();
    opened.take(LARGEST).read_to_end(&mut bytes).map_err(|_| damaged())?;
    Ok(bytes.into())
}

fn passphrase(place: &str, ask: Ask<'_>) -> Result<SecretString, String> {
    ask().ok_or_else(|| format!("{place} is protected by a passphrase, and none was given"))
}

fn wrong_passphrase(place: &str) -> String {
    format!("the passphrase does not open {place}")
}

fn plain_keys(bytes: &[u8], place: &str, ask: Ask<'_>) -> Result<Vec<Key>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| format!("{place} is no text, and no age file"))?;
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with("-----BEGIN ") {
        return ssh_key(text, place, ask).map(|key| vec![key]);
    }
    let keys = age_keys(text, place)?;
    if keys.is_empty() { Err(format!("there is no key in {place}")) } else { Ok(keys) }
}

fn age_keys(text: &str, place: &str) -> Result<Vec<Key>, String> {
    let lines = text.lines().map(str::trim).zip(1..);
    let lines = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|(line, number)| age_key(line).map_err(|reason| format!("{place}, line {number}: {reason}")))
        .collect()
}

fn age_key(line: &str) -> Result<Key, &'static str> {
    if line.starts_with("AGE-PLUGIN-") {
        return Err("keys of age's plugins are not supported");
    }
    if line.starts_with("age1") || line.starts_with("ssh-") {
        return Err("this is a public key; the secret one opens the vault");
    }
    let key: x25519::Identity = line.parse().map_err(|_| "this is no key (AGE-SECRET-KEY-1…)")?;
    let recipient = key.to_public().to_string();
    Ok(Key::new(Box::new(key), Some(recipient)))
}

fn ssh_key(text: &str, place: &str, ask: Ask<'_>) -> Result<Key, String> {
    // The crate knows only the line ends of its own system.
    let text = SecretString::from(text.replace("\r\n", "\n"));
    // Some damaged keys are more than the crate bears.
    let read = std::panic::catch_unwind(|| ssh::Identity::from_buffer(text.expose_secret().as_bytes(), None));
    let Ok(Ok(key)) = read else {
        return Err(format!("{place} holds no ssh key that can be read (ssh-ed25519 or ssh-rsa)"));
    };
    let recipient = ssh::Recipient::try_from(key.clone()).ok().map(|recipient| recipient.to_string());
    let key = match key {
        ssh::Identity::Encrypted(key) => {
            let opened = key.decrypt(passphrase(place, ask)?).map_err(|_| wrong_passphrase(place))?;
            ssh::Identity::from(opened)
        }
        ssh::Identity::Unsupported(_) => {
            return Err(format!(
                "{place} holds an ssh key of a kind that cannot decrypt; ssh-ed25519 and ssh-rsa can"
            ));
        }
        key @ ssh::Identity::Unencrypted(_) => key,
    };
    Ok(Key::new(Box::new(key), recipient))
}
