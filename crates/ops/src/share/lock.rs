//! A page and a passphrase → a page that holds the other one encrypted, and opens it in the browser.
//!
//! PBKDF2-HMAC-SHA-256 and AES-256-GCM, because browsers have them built in. It is packed first, because what is
//! encrypted cannot be packed any more; the text that says how to open it is authenticated with it.

use std::io::Write;

use aes_gcm::aead::{Aead, KeyInit, Payload};
use aes_gcm::{Aes256Gcm, Nonce};
use data_encoding::BASE64;
use flate2::Compression;
use flate2::write::GzEncoder;
use pbkdf2::pbkdf2_hmac_array;
use serde::Serialize;
use sha2::Sha256;
use steno_render::html::{self, EncryptedPage};

use super::Passphrase;
use crate::error::{Error, ErrorKind};

/// What OWASP asks of PBKDF2 with this hash; a browser needs less than a second for it.
const ROUNDS: u32 = 600_000;
/// What the cipher adds, in bytes.
const TAG: usize = 16;

/// How to open a page; its script reads this.
#[derive(Debug, Serialize)]
struct Terms {
    format: u32,
    derivation: &'static str,
    rounds: u32,
    salt: String,
    cipher: &'static str,
    nonce: String,
    packed: &'static str,
    /// Of what is encrypted: a file that breaks off is told from a wrong passphrase.
    length: usize,
}

pub(super) fn lock(page: &str, passphrase: &Passphrase) -> Result<String, Error> {
    lock_by(page, passphrase, ROUNDS)
}

fn lock_by(page: &str, passphrase: &Passphrase, rounds: u32) -> Result<String, Error> {
    let (salt, nonce) = (random::<16>()?, random::<12>()?);
    let packed = pack(page)?;
    let terms = Terms {
        format: 1,
        derivation: "PBKDF2-HMAC-SHA-256",
        rounds,
        salt: BASE64.encode(&salt),
        cipher: "AES-256-GCM",
        nonce: BASE64.encode(&nonce),
        packed: "gzip",
        length: packed.len() + TAG,
    };
    let terms = serde_json::to_string(&terms).map_err(|error| failed(&error))?;
    let key = pbkdf2_hmac_array::<Sha256, 32>(passphrase.as_bytes(), &salt, rounds);
    let payload = Payload { msg: &packed, aad: terms.as_bytes() };
    let sealed = Aes256Gcm::new(&key.into()).encrypt(Nonce::from_slice(&nonce), payload);
    let content = BASE64.encode(&sealed.map_err(|error| failed(&error))?);
    Ok(html::locked(EncryptedPage { terms: &terms, content: &content }))
}

fn pack(page: &str) -> Result<Vec<u8>, Error> {
    let mut packer = GzEncoder::new(Vec::with_capacity(page.len() / 4), Compression::default());
    packer.write_all(page.as_bytes()).and_then(|()| packer.finish()).map_err(|error| failed(&error))
}

/// From the system.
pub(super) fn random<const LENGTH: usize>() -> Result<[u8; LENGTH], Error> {
    let mut bytes = [0; LENGTH];
    getrandom::fill(&mut bytes).map_err(|error| {
        Error::new(ErrorKind::Io, format!("the system gives no random numbers: {error}"))
            .hint("nothing was written; without them nothing can be encrypted")
    })?;
    Ok(bytes)
}

fn failed(error: &impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::Io, format!("the page cannot be encrypted: {error}")).hint("nothing was written")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that fails should say where")]

    use std::io::Read;

    use flate2::read::GzDecoder;
    use serde_json::{Value, json};

    use super::*;

    const PAGE: &str = "<!doctype html><title>The plan for Project Heron</title><p>Prompt: grüße</p>";

    const PASSPHRASE: &str = "correct horse battery";

    /// With few rounds: test builds are not optimised.
    fn locked() -> String {
        lock_by(PAGE, &Passphrase::new(PASSPHRASE).unwrap(), 1000).unwrap()
    }

    fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
        text.split_once(before).unwrap().1.split_once(after).unwrap().0
    }

    fn terms(page: &str) -> String {
        between(page, "data-terms=\"", "\"").replace("&quot;", "\"")
    }

    fn content(page: &str) -> Vec<u8> {
        BASE64.decode(between(page, "}\">", "</template>").as_bytes()).unwrap()
    }

    /// As the page's script does it, by what the page says.
    fn opened(terms: &str, content: &[u8], passphrase: &str) -> Option<String> {
        let way: Value = serde_json::from_str(terms).unwrap();
        let bytes = |key: &str| BASE64.decode(way[key].as_str().unwrap().as_bytes()).unwrap();
        let rounds = u32::try_from(way["rounds"].as_u64().unwrap()).unwrap();
        let key = pbkdf2_hmac_array::<Sha256, 32>(passphrase.as_bytes(), &bytes("salt"), rounds);
        let payload = Payload { msg: content, aad: terms.as_bytes() };
        let packed = Aes256Gcm::new(&key.into()).decrypt(Nonce::from_slice(&bytes("nonce")), payload).ok()?;
        let mut page = String::new();
        GzDecoder::new(packed.as_slice()).read_to_string(&mut page).unwrap();
        Some(page)
    }

    #[test]
    fn the_right_passphrase_gives_the_page_back_and_no_other_does() {
        let locked = locked();
        let (terms, content) = (terms(&locked), content(&locked));
        assert_eq!(opened(&terms, &content, PASSPHRASE).unwrap(), PAGE);
        assert_eq!(opened(&terms, &content, "Correct horse battery"), None);
    }

    #[test]
    fn it_is_bound_to_every_sign_of_its_terms() {
        let locked = locked();
        let (terms, mut content) = (terms(&locked), content(&locked));
        let other = terms.replace("\"format\":1", "\"format\":2");
        assert!(opened(&other, &content, PASSPHRASE).is_none());
        content[20] ^= 1;
        assert!(opened(&terms, &content, PASSPHRASE).is_none());
    }

    #[test]
    fn its_terms_are_strong_and_its_salt_and_nonce_are_its_own() {
        let read = |page: &str| serde_json::from_str::<Value>(&terms(page)).unwrap();
        let pages = [locked(), locked()];
        let [one, other] = [read(&pages[0]), read(&pages[1])];
        assert_eq!(one["derivation"], "PBKDF2-HMAC-SHA-256");
        assert_eq!((&one["cipher"], &one["rounds"]), (&json!("AES-256-GCM"), &json!(1000)));
        const { assert!(ROUNDS >= 600_000) };
        let length = |key: &str| BASE64.decode(one[key].as_str().unwrap().as_bytes()).unwrap().len();
        assert_eq!((length("salt"), length("nonce")), (16, 12));
        assert_eq!(one["length"], content(&pages[0]).len());
        assert!(one["salt"] != other["salt"] && one["nonce"] != other["nonce"]);
        assert_ne!(content(&pages[0]), content(&pages[1]));
    }

    #[test]
    fn nothing_of_the_page_can_be_read() {
        let locked = locked();
        for word in ["Heron", "grüße", "horse", "battery"] {
            assert!(!locked.contains(word) && !locked.contains(&BASE64.encode(word.as_bytes())), "{word}");
        }
    }
}
