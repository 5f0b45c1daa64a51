//! Addresses of remotes: what of them may be shown, and what kind they are.

use std::path::{Path, PathBuf};

use super::error::Error;

/// The address without what signs in: `https://***@host/path`.
pub fn display_url(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let path = path.split_once('?').map_or_else(|| path.to_owned(), |(path, _)| format!("{path}?***"));
    let Some((user, host)) = authority.rsplit_once('@') else {
        return format!("{scheme}://{authority}{path}");
    };
    let user = match user.split_once(':') {
        Some((user, _)) if scheme.contains("ssh") => format!("{user}:***"),
        None if scheme.contains("ssh") => user.to_owned(),
        // A token is often given in place of the user's name.
        _ => "***".to_owned(),
    };
    format!("{scheme}://{user}@{host}{path}")
}

/// Masks every address in a text.
pub(super) fn mask(text: &str) -> String {
    let ends = |letter: char| letter.is_whitespace() || matches!(letter, '\'' | '"' | '<' | '>');
    text.split_inclusive(ends)
        .map(|word| {
            let (word, end) = word.split_at(word.trim_end_matches(ends).len());
            format!("{}{end}", if word.contains("://") { display_url(word) } else { word.to_owned() })
        })
        .collect()
}

/// A directory of this machine, mounted or not.
pub(super) fn local_path(root: &Path, url: &str) -> Option<PathBuf> {
    path_in(url, cfg!(windows)).map(|path| root.join(path))
}

fn path_in(url: &str, has_drives: bool) -> Option<&str> {
    let is_drive = |path: &str| has_drives && path.get(1..2) == Some(":");
    if let Some(path) = url.strip_prefix("file://") {
        // A drive follows a slash: `file:///C:/a.git`.
        let below = path.strip_prefix('/')?;
        return Some(if is_drive(below) { below } else { path });
    }
    let colon = url.find(':').filter(|_| !is_drive(url));
    let slash = url.find(['/', '\\']);
    // `host:path` is ssh, `./host:path` is not.
    let remote = matches!((colon, slash), (Some(_), None))
        || colon.zip(slash).is_some_and(|(colon, slash)| colon < slash);
    (!remote).then_some(url)
}

pub(super) fn is_github(url: &str) -> bool {
    let Some(rest) = url.strip_prefix("https://") else { return false };
    let authority = rest.split('/').next().unwrap_or_default();
    authority.rsplit('@').next().is_some_and(|host| host.eq_ignore_ascii_case("github.com"))
}

/// Whether a vault can be sent there, as far as the address itself tells.
pub fn check(url: &str) -> Result<(), Error> {
    if is_usable(url) { Ok(()) } else { Err(Error::BadAddress { url: display_url(url) }) }
}

/// Refuses addresses that git would take for an option or a command.
fn is_usable(url: &str) -> bool {
    let helper = url.split_once("::").is_some_and(|(name, _)| !name.contains(['/', ':', '.']));
    !url.trim().is_empty() && !url.starts_with('-') && !helper && !url.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_signs_in_is_not_shown() {
        let shown = |url| display_url(url);
        assert_eq!(shown("https://me:token@host.org/a.git"), "https://***@host.org/a.git");
        assert_eq!(shown("https://ghp_abc@github.com/a/b"), "https://***@github.com/a/b");
        assert_eq!(shown("https://u:p@ss@host/x?token=1"), "https://***@host/x?***");
        assert_eq!(shown("ssh://git:word@host:22/x"), "ssh://git:***@host:22/x");
        assert_eq!(shown("ssh://git@host/x"), "ssh://git@host/x");
        assert_eq!(shown("git@host:x/y.git"), "git@host:x/y.git");
        assert_eq!(shown("https://host/a@b"), "https://host/a@b");
    }

    #[test]
    fn addresses_inside_a_text_are_masked() {
        let text = "fatal: unable to access 'https://me:secret@host/': no\nssh://git@host";
        assert_eq!(mask(text), "fatal: unable to access 'https://***@host/': no\nssh://git@host");
    }

    #[test]
    fn a_drive_is_no_host_where_there_are_drives() {
        assert_eq!(path_in("C:/a.git", true), Some("C:/a.git"));
        assert_eq!(path_in(r"D:\a b.git", true), Some(r"D:\a b.git"));
        assert_eq!(path_in("file:///C:/a.git", true), Some("C:/a.git"));
        assert_eq!(path_in("host:a.git", true), None);
        assert_eq!(path_in("C:/a.git", false), None);
        assert_eq!(path_in("file:///C:/a.git", false), Some("/C:/a.git"));
    }

    #[test]
    fn kinds_of_addresses() {
        let root = Path::new("/vault");
        assert_eq!(local_path(root, "/srv/a.git"), Some("/srv/a.git".into()));
        assert_eq!(local_path(root, "../a.git"), Some("/vault/../a.git".into()));
        assert_eq!(local_path(root, "file:///srv/a"), Some("/srv/a".into()));
        assert_eq!(local_path(root, "host:a.git"), None);
        assert_eq!(local_path(root, "git@host:a/b.git"), None);
        assert_eq!(local_path(root, "https://host/a"), None);
        assert_eq!(local_path(root, "./host:a"), Some("/vault/./host:a".into()));
        assert!(is_github("https://x@GitHub.com/a/b") && !is_github("https://github.com.evil.org/a"));
        assert!(!is_usable("--upload-pack=x") && !is_usable("ext::sh -c id") && is_usable("ssh://[::1]/a"));
        assert!(!is_usable("") && !is_usable(" "));
    }
}
