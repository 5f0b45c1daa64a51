//! The output of a failed git or gh → offline, refused, or neither, in one line that holds no credentials.
//!
//! git has one exit status for everything, so the words decide; they are in English because we ask for them so.

use super::address;
use super::error::Error;
use super::process::Finished;

const LONGEST: usize = 400;

const REFUSED: &[&str] = &[
    "permission denied",
    "permission to ",
    "authentication failed",
    "authentication required",
    "could not read username",
    "could not read password",
    "terminal prompts disabled",
    "access denied",
    "access rights",
    "invalid credentials",
    "invalid username",
    "repository not found",
    "not found",
    "host key verification failed",
    "remote rejected",
    "hook declined",
    "protected branch",
    "file size limit",
    "too large",
    "no space left",
    "unpack failed",
    "dubious ownership",
    "does not appear to be a git repository",
    "returned error: 401",
    "returned error: 403",
    "returned error: 404",
    "returned error: 413",
    "not authorized",
    "unauthorized",
    "certificate",
];

const OFFLINE: &[&str] = &[
    "could not resolve",
    "couldn't resolve",
    "name or service not known",
    "nodename nor servname",
    "temporary failure in name resolution",
    "unable to look up",
    "no address associated",
    "connection refused",
    "connection timed out",
    "connection reset",
    "connection closed",
    "operation timed out",
    "timed out",
    "timeout",
    "network is unreachable",
    "network is down",
    "no route to host",
    "host is down",
    "failed to connect",
    "couldn't connect",
    "could not connect",
    "unable to connect",
    "error connecting",
    "hung up",
    "early eof",
    "unexpected disconnect",
    "broken pipe",
    "returned error: 5",
    "returned error: 429",
    "rpc failed",
];

/// A failed call that had to do with a remote.
pub(super) fn of_remote(what: &str, finished: &Finished) -> Error {
    let reason = summary(finished);
    let said = String::from_utf8_lossy(&finished.stderr).to_lowercase();
    let heard = String::from_utf8_lossy(&finished.stdout).to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| said.contains(word) || heard.contains(word));
    // ssh says why before git says that it could not read, and a server that refuses hangs up: refusals first.
    // But a host that is not found is not a repository that is not found.
    let unresolved = says(&["could not resolve host", "couldn't resolve host", "name or service not known"]);
    if finished.silent.is_some() || unresolved {
        return Error::Offline { reason };
    }
    if says(REFUSED) {
        return Error::Refused { reason };
    }
    if says(OFFLINE) {
        return Error::Offline { reason };
    }
    Error::Failed { what: what.to_owned(), stderr: reason }
}

/// Its error messages in one line.
pub(super) fn summary(finished: &Finished) -> String {
    if let Some(timeout) = finished.silent {
        return format!("no answer for {} seconds", timeout.as_secs_f32().ceil());
    }
    let rejected = String::from_utf8_lossy(&finished.stdout);
    let rejected =
        rejected.lines().filter(|line| line.starts_with("!\t")).map(|line| line.replace('\t', " "));
    let said = String::from_utf8_lossy(&finished.stderr);
    let said = said.split(['\r', '\n']).map(str::trim).filter(|line| is_telling(line)).map(str::to_owned);
    let line = address::mask(&said.chain(rejected).collect::<Vec<_>>().join("; "));
    match (line.is_empty(), finished.code) {
        (false, _) => shorten(line),
        (true, Some(code)) => format!("status {code}"),
        (true, None) => "ended by a signal".to_owned(),
    }
}

fn is_telling(line: &str) -> bool {
    let line = line.strip_prefix("remote: ").unwrap_or(line).trim();
    let progress = line.contains("% (") || line.starts_with("Enumerating objects");
    let talk = ["hint:", "Delta compression", "Total ", "Pushing to ", "To ", "From ", "remote:"];
    !line.is_empty() && !progress && !talk.iter().any(|start| line.starts_with(start))
}

fn shorten(mut line: String) -> String {
    line.retain(|letter| !letter.is_control());
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(stderr: &str) -> Finished {
        Finished { code: Some(128), stdout: Vec::new(), stderr: stderr.as_bytes().to_vec(), silent: None }
    }

    #[test]
    fn offline_is_told_from_refused() {
        for said in [
            "fatal: unable to access 'https://x.invalid/': Could not resolve host: x.invalid",
            "ssh: Could not resolve hostname nowhere: Name or service not known\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights",
            "fatal: unable to connect to 127.0.0.1:\n127.0.0.1[0: 127.0.0.1]: errno=Connection refused",
            "fatal: unable to access 'https://h/': The requested URL returned error: 503",
            "fatal: the remote end hung up unexpectedly",
        ] {
            assert!(matches!(of_remote("git push", &failed(said)), Error::Offline { .. }), "{said}");
        }
        for said in [
            "git@github.com: Permission denied (publickey).\nfatal: Could not read from remote repository.",
            "fatal: could not read Username for 'https://github.com': terminal prompts disabled",
            "remote: error: GH001: Large files detected.\n ! [remote rejected] main -> main (pre-receive hook declined)",
            "fatal: remote error: access denied or repository not exported: /x",
            "remote: Repository not found.\nfatal: repository 'https://github.com/a/b/' not found",
        ] {
            assert!(matches!(of_remote("git push", &failed(said)), Error::Refused { .. }), "{said}");
        }
        assert!(matches!(of_remote("git push", &failed("fatal: bad object")), Error::Failed { .. }));
    }

    #[test]
    fn one_line_without_progress_or_credentials() {
        let said = "Counting objects:  50% (1/2)\rCounting objects: 100% (2/2), done.\nremote: no\nfatal: 'https://a:b@c/d' is \x1b[1mbad\nhint: try\n";
        assert_eq!(summary(&failed(said)), "remote: no; fatal: 'https://***@c/d' is [1mbad");
    }
}
