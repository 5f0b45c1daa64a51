//! Names → files never kept, in any directory.

use std::ffi::OsStr;

const SECRET_NAMES: [&str; 2] = [".credentials.json", ".encryption_key"];
const SECRET_ENDINGS: [&str; 5] = [".key", ".pem", ".p12", ".pfx", ".ppk"];
const SSH_KEYS: [&str; 6] = ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk"];
/// Their tools rebuild them, and they are often larger than all else.
const CLUTTER: [&str; 6] = [".git", "node_modules", ".cache", "__pycache__", ".venv", ".trash"];

/// What a name alone tells: keys and credentials, and copies of them. Case makes no difference, as it makes none
/// to some file systems.
pub(super) fn is_secret(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    SECRET_NAMES.iter().any(|secret| after(name, secret).is_some())
        || SECRET_ENDINGS.iter().any(|ending| ends_with(name, ending))
        || SSH_KEYS.iter().any(|key| after(name, key).is_some_and(is_private_half))
}

fn is_private_half(rest: &[u8]) -> bool {
    matches!(rest, [] | b"~") || (rest.starts_with(b".") && rest != b".pub")
}

fn after<'a>(name: &'a [u8], start: &str) -> Option<&'a [u8]> {
    let (head, rest) = name.split_at_checked(start.len())?;
    head.eq_ignore_ascii_case(start.as_bytes()).then_some(rest)
}

fn ends_with(name: &[u8], ending: &str) -> bool {
    let tail = name.len().checked_sub(ending.len()).and_then(|start| name.get(start..));
    tail.is_some_and(|tail| tail.eq_ignore_ascii_case(ending.as_bytes()))
}

/// Our own files on their way to their names.
pub(super) fn is_temporary(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".steno-")
}

/// What comes along with skills, hooks and other people's repositories among the config.
pub(super) fn is_clutter(name: &OsStr) -> bool {
    CLUTTER.iter().any(|clutter| name == *clutter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_credentials_are_secrets() {
        for name in [
            ".credentials.json",
            ".credentials.json.tmp.77",
            ".Credentials.json",
            ".encryption_key",
            "12345.key",
            ".key",
            "server.PEM",
            "client.p12",
            "client.pfx",
            "putty.ppk",
            "id_rsa",
            "id_rsa.old",
            "id_ed25519",
            "id_ed25519~",
            "id_ed25519_sk",
            "id_ecdsa",
            "id_dsa",
        ] {
            assert!(is_secret(OsStr::new(name)), "{name}");
        }
    }

    #[test]
    fn names_that_only_sound_like_it_are_not() {
        for name in
            ["id_rsa.pub", "id_rsa_rotation.md", "keys.md", "key", "credentials.md", "monkey", "a.keys"]
        {
            assert!(!is_secret(OsStr::new(name)), "{name}");
        }
    }

    #[test]
    fn skills_about_caches_and_sessions_are_config() {
        for name in ["cache", "sessions", "statsig", ".github", ".gitignore"] {
            assert!(!is_clutter(OsStr::new(name)), "{name}");
        }
    }
}
