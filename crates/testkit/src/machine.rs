//! A vault of one machine → a vault in which another machine kept the same.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// Renames a machine of a vault, as if `to` had kept it: this machine remembers nothing of it.
pub fn rename_machine(vault: &Path, from: &str, to: &str) {
    fs::rename(vault.join("machines").join(from), vault.join("machines").join(to)).unwrap();
    fs::remove_dir_all(vault.join(".cache")).unwrap();
    let path = vault.join("manifest.json");
    let mut manifest: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    // It would miss what it has kept under its own name.
    manifest.as_object_mut().unwrap().remove("ledgers");
    fs::write(path, serde_json::to_vec_pretty(&manifest).unwrap()).unwrap();
}
