//! A plain name → what its object is called: a keyed hash, so that a remote neither learns names nor makes any.

use std::fmt::{self, Debug, Formatter};

use age::secrecy::{ExposeSecret, SecretBox};
use data_encoding::HEXLOWER;

const MACHINES: &str = "machines/";
const OLDER: &str = "older";
const ENDING: &str = ".age";
/// Documents that say what the vault is, and what git reads itself.
const PLAIN: [&str; 4] = ["vault.json", "manifest.json", ".gitignore", ".gitattributes"];
const DOCUMENTS: &str = "documents";
const DIRECTORY_DIGITS: usize = 16;
const NAME_DIGITS: usize = 40;
const PREFIX_DIGITS: usize = 2;

/// Whether a name is never encrypted.
pub fn stays_plain(name: &str) -> bool {
    PLAIN.contains(&name)
}

/// The key that hashes the names of one vault. With it alone one can confirm a guessed name, but read nothing.
pub struct NameKey(SecretBox<[u8; 32]>);

impl NameKey {
    pub fn random() -> Self {
        // A new secret key is the one source of randomness that the crate hands out.
        let seed = age::x25519::Identity::generate().to_string();
        Self::new(blake3::derive_key("steno 2026 name key of a vault", seed.expose_secret().as_bytes()))
    }

    pub(super) fn new(bytes: [u8; 32]) -> Self {
        Self(SecretBox::new(Box::new(bytes)))
    }

    pub fn from_hex(text: &str) -> Option<Self> {
        blake3::Hash::from_hex(text).ok().map(|hash| Self::new(*hash.as_bytes()))
    }

    pub fn to_hex(&self) -> String {
        HEXLOWER.encode(self.bytes())
    }

    pub(super) fn bytes(&self) -> &[u8; 32] {
        self.0.expose_secret()
    }

    /// Keyed, for one purpose.
    pub(super) fn hasher(&self, purpose: &str) -> blake3::Hasher {
        let mut hasher = blake3::Hasher::new_keyed(self.bytes());
        hasher.update(purpose.as_bytes());
        hasher
    }

    pub(super) fn directory_of(&self, slug: &str) -> String {
        let hash = self.hasher("machine/").update(slug.as_bytes()).finalize().to_hex();
        hash.get(..DIRECTORY_DIGITS).unwrap_or_default().to_owned()
    }

    pub(super) fn object_of(&self, name: &str) -> String {
        if stays_plain(name) {
            return name.to_owned();
        }
        let hash = self.hasher("name/").update(name.as_bytes()).finalize().to_hex();
        if let Some(slug) = machine_of(name).filter(|_| is_document(name)) {
            let stem = hash.get(..NAME_DIGITS).unwrap_or_default();
            return format!("{MACHINES}{}/{DOCUMENTS}/{stem}{ENDING}", self.directory_of(slug));
        }
        let prefix = hash.get(..PREFIX_DIGITS).unwrap_or_default();
        let rest = hash.get(PREFIX_DIGITS..NAME_DIGITS).unwrap_or_default();
        match machine_of(name) {
            Some(slug) => format!("{MACHINES}{}/{prefix}/{rest}{ENDING}", self.directory_of(slug)),
            None => format!("{OLDER}/{prefix}/{rest}{ENDING}"),
        }
    }

    /// The directory that the objects of all names below this one are in.
    pub(crate) fn place_of(&self, below: &str) -> String {
        match machine_of(below) {
            Some(slug) if holds_documents(below) => {
                format!("{MACHINES}{}/{DOCUMENTS}", self.directory_of(slug))
            }
            Some(slug) => format!("{MACHINES}{}", self.directory_of(slug)),
            None if below.is_empty() || below == MACHINES.trim_end_matches('/') => below.to_owned(),
            None => OLDER.to_owned(),
        }
    }
}

impl Clone for NameKey {
    fn clone(&self) -> Self {
        Self::new(*self.bytes())
    }
}

impl PartialEq for NameKey {
    fn eq(&self, other: &Self) -> bool {
        // Hashes are compared in constant time.
        blake3::Hash::from_bytes(*self.bytes()) == blake3::Hash::from_bytes(*other.bytes())
    }
}

impl Eq for NameKey {}

impl Debug for NameKey {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("NameKey")
    }
}

fn machine_of(name: &str) -> Option<&str> {
    name.strip_prefix(MACHINES)?.split('/').next()
}

/// Documents may be replaced; segments are written once. A look for new or lost
/// segments can skip these.
fn is_document(name: &str) -> bool {
    let is_segment = name.ends_with(".zst") || name.ends_with(".gz");
    !is_segment || name.contains("/config/")
}

/// Whether nothing but documents is below a name.
fn holds_documents(below: &str) -> bool {
    let mut parts = below.split('/').skip(2);
    let first = match parts.next() {
        Some("homes") => parts.nth(1),
        first => first,
    };
    matches!(first, Some("config" | "tombstones"))
}

/// Whether an encrypted object could be called so.
pub fn is_object(name: &str) -> bool {
    let is_hex = |text: &str, digits: usize| {
        text.len() == digits && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    let is_stem = |stem: &str| {
        let parts = stem.split_once('/');
        parts.is_some_and(|(prefix, rest)| match prefix {
            DOCUMENTS => is_hex(rest, NAME_DIGITS),
            prefix => is_hex(prefix, PREFIX_DIGITS) && is_hex(rest, NAME_DIGITS - PREFIX_DIGITS),
        })
    };
    let Some((place, stem)) = name.strip_suffix(ENDING).and_then(|stem| stem.split_once('/')) else {
        return false;
    };
    if place == OLDER {
        return is_stem(stem);
    }
    let machine = stem.split_once('/').filter(|_| format!("{place}/") == MACHINES);
    machine.is_some_and(|(directory, stem)| is_hex(directory, DIRECTORY_DIGITS) && is_stem(stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_hashed_with_its_machine_in_front() {
        let key = NameKey::from_hex(&"07".repeat(32)).unwrap();
        let object = key.object_of("machines/laptop/homes/work/projects/-a/s.jsonl.g1.000001.zst");
        let directory = format!("machines/{}/", key.directory_of("laptop"));
        assert!(object.starts_with(&directory) && is_object(&object), "{object}");
        assert_eq!(key.place_of("machines/laptop/projects"), directory.trim_end_matches('/'));
        let older = key.object_of("config/settings.json");
        assert!(older.starts_with("older/") && is_object(&older), "{older}");
        assert_eq!(key.place_of("config"), "older");
        for plain in PLAIN {
            assert_eq!(key.object_of(plain), plain);
        }
        assert_ne!(NameKey::random().object_of("a"), NameKey::random().object_of("a"));
    }

    /// Every vault that was ever encrypted depends on it.
    #[test]
    fn names_stay_what_they_are() {
        let key = NameKey::from_hex(&"07".repeat(32)).unwrap();
        assert_eq!(
            key.object_of("machines/laptop/manifest.json"),
            "machines/c126b3d5bc3ffb47/documents/b3c8f61acca896b318faf5936bd837c010800da0.age"
        );
        let segment = key.object_of("machines/laptop/projects/-a/s.jsonl.g1.000001.zst");
        assert!(
            segment.starts_with("machines/c126b3d5bc3ffb47/") && !segment.contains("documents"),
            "{segment}"
        );
        assert_eq!(key.object_of("history.jsonl.gz"), "older/18/9a21f6912afd98430b39c99ab63c6616dd8572.age");
    }

    #[test]
    fn other_files_are_no_objects() {
        let hex = "0123456789abcdef0123456789abcdef01234567";
        for other in [
            "",
            ".age",
            "older",
            "older/ab",
            &format!("older/ab/{}", &hex[..38]),
            &format!("older/AB/{}.age", &hex[..38]),
            &format!("older/ab/{hex}.age"),
            &format!("older/ab/c/{}.age", &hex[..36]),
            &format!("machines/laptop/ab/{}.age", &hex[..38]),
            &format!("elsewhere/{}/ab/{}.age", &hex[..16], &hex[..38]),
        ] {
            assert!(!is_object(other), "{other}");
        }
        assert!(is_object(&format!("machines/{}/ab/{}.age", &hex[..16], &hex[..38])));
    }

    #[test]
    fn a_name_key_shows_itself_only_when_asked() {
        let key = NameKey::random();
        assert_eq!(NameKey::from_hex(&key.to_hex()), Some(key.clone()));
        assert!(!format!("{key:?}").contains(&key.to_hex()[..8]));
        assert_eq!(NameKey::from_hex("7"), None);
        assert_eq!(NameKey::from_hex(&"z".repeat(64)), None);
    }
}
