//! What git last heard of the remote → whether something waits to be sent, without git and without the network.

use std::fs;
use std::path::Path;

/// So many names stand for each other at most.
const DEPTH: u32 = 5;

/// `None` where it cannot be told: another layout of git's files than the usual one.
pub(super) fn is_pending(vault: &Path) -> Option<bool> {
    let git = vault.join(".git");
    let own = commit(&git, "HEAD", DEPTH)?;
    Some(commit(&git, "refs/remotes/origin/HEAD", DEPTH).is_none_or(|sent| sent != own))
}

/// The commit that a name leads to.
fn commit(git: &Path, name: &str, depth: u32) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    let loose = fs::read_to_string(git.join(name)).ok();
    let text = loose.or_else(|| packed(git, name))?;
    match text.trim().strip_prefix("ref: ") {
        Some(other) => commit(git, other, depth),
        None => Some(text.trim().to_owned()),
    }
}

fn packed(git: &Path, name: &str) -> Option<String> {
    let refs = fs::read_to_string(git.join("packed-refs")).ok()?;
    let mut lines = refs.lines().filter_map(|line| line.split_once(' '));
    lines.find(|(_, own)| *own == name).map(|(commit, _)| commit.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_remote_has_is_not_pending() {
        let vault = steno_testkit::Home::new();
        let vault = vault.root();
        let put = |name: &str, text: &str| {
            let path = vault.join(".git").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        assert_eq!(is_pending(vault), None);
        put("HEAD", "ref: refs/heads/main\n");
        assert_eq!(is_pending(vault), None, "nothing was recorded yet");
        put("refs/heads/main", "aa11\n");
        assert_eq!(is_pending(vault), Some(true));
        put("refs/remotes/origin/HEAD", "ref: refs/remotes/origin/main\n");
        put("packed-refs", "# pack-refs with: peeled\naa11 refs/remotes/origin/main\n");
        assert_eq!(is_pending(vault), Some(false));
        put("refs/heads/main", "bb22\n");
        assert_eq!(is_pending(vault), Some(true));
        put("refs/heads/main", "ref: refs/heads/main\n");
        assert_eq!(is_pending(vault), None);
    }
}
