//! The objects of a repository → those that can be read without the vault's key.
//!
//! Unreachable blobs count: git keeps them for weeks.

use serde_json::{Map, Value};

use super::blobs::Blobs;
use super::commit::ObjectId;
use super::error::Error;
use super::repository::Repository;
use super::root_file::has_our_lines;
use super::tree::unexpected;
use crate::encryption::begins_encrypted;

/// Root files are shorter.
const LONGEST: usize = 256 << 10;

impl Repository {
    /// The blobs of a encrypted vault's repository that are neither encrypted nor one of the files that stay plain.
    pub fn readable(&self) -> Result<Vec<ObjectId>, Error> {
        let listed =
            self.call(["cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)"]);
        let listed = listed.text()?;
        let blobs: Vec<ObjectId> =
            listed.lines().filter_map(|line| ObjectId::parse(line.strip_suffix(" blob")?)).collect();
        let mut readable = Vec::new();
        if blobs.is_empty() {
            return Ok(readable);
        }
        let mut batch = Blobs::start(self)?;
        for blob in blobs {
            let bytes = batch
                .read(&blob)
                .map_err(|error| unexpected("git cat-file", error.to_string().as_bytes()))?;
            if !is_closed(&bytes) {
                readable.push(blob);
            }
        }
        Ok(readable)
    }
}

/// Whether a blob tells nothing without the key.
fn is_closed(bytes: &[u8]) -> bool {
    begins_encrypted(bytes) || bytes.len() < LONGEST && (is_vault(bytes) || has_our_lines(bytes))
}

/// Any version of `vault.json`.
fn is_vault(bytes: &[u8]) -> bool {
    let object: Option<Map<String, Value>> = serde_json::from_slice(bytes).ok();
    object.is_some_and(|object| ["format", "id", "created"].iter().all(|key| object.contains_key(*key)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sealed_files_and_root_files_tell_nothing() {
        assert!(is_closed(b"age-encryption.org/v1\n-> X25519 abc\n"));
        assert!(is_closed(br#"{"format":1,"id":"0","created":"2026-01-01T00:00:00Z","recipients":[]}"#));
        assert!(is_closed(b"*.swp\n/.cache/\n/.lock\n/manifest.json\n/exchange.json\n"));
        assert!(is_closed(b"* -text\n*.zst -delta\n*.gz -delta\n*.age -delta\n"));
        for readable in [&b"Think of the harbour.\n"[..], b"{\"env\":{}}", b"\x28\xb5\x2f\xfd", b"/.cache/\n"]
        {
            assert!(!is_closed(readable), "{readable:?}");
        }
    }
}
