//! `scheme://user:password@host` → whether the password is one that opens something.
//!
//! Apart because no other rule knows hosts: a password for the own machine, or in a manual's example, is no secret.

use crate::hit::Hit;
use crate::random::{entropy, has_word};

/// Parts of passwords that are made up.
const MADE_UP: &str = "pass pwd secret token your user example xxx *** ... redact placeholder changeme dummy fake test \
    admin root guest postgres mysql redis mongo hunter2 letmein 123456";

const OWN_MACHINE: &[&str] = &["localhost", "127.0.0.1", "0.0.0.0", "host.docker.internal"];
const NOWHERE: &[&str] = &[".example", ".test", ".invalid", ".localhost"];
const PRIVATE: &[&str] = &[".local", ".internal"];

pub(crate) fn holds_password(hit: &Hit) -> bool {
    let has_scheme = hit.before.last().is_some_and(u8::is_ascii_alphanumeric);
    let Some((user, host)) = user_and_host(hit) else {
        return false;
    };
    let is_somebody = user != hit.secret && user != b"user" && user != b"username";
    has_scheme && is_somebody && is_password(hit.secret) && opens(&host, hit.secret)
}

fn user_and_host<'a>(hit: &Hit<'a>) -> Option<(&'a [u8], String)> {
    let (login, host) = hit.text.split_at_checked(hit.text.iter().rposition(|byte| *byte == b'@')?)?;
    let user = login.get(..login.len().checked_sub(hit.secret.len() + 1)?)?;
    let start = user.iter().rposition(|byte| *byte == b'/')? + 1;
    let host = String::from_utf8_lossy(host.get(1..)?).to_ascii_lowercase();
    Some((user.get(start..)?, host))
}

fn is_password(secret: &[u8]) -> bool {
    let has = |class: fn(&u8) -> bool| secret.iter().any(class);
    let is_mixed = has(|byte| !byte.is_ascii_alphabetic()) || has(u8::is_ascii_uppercase);
    has(u8::is_ascii_alphabetic) && is_mixed && entropy(secret) > 2.0 && !has_word(secret, MADE_UP)
}

/// A name without a dot is a container or a machine in the room: only a password of some strength counts there.
fn opens(host: &str, secret: &[u8]) -> bool {
    let ends = |names: &[&str]| names.iter().any(|name| host.ends_with(name));
    let is_example = host.starts_with("example.") || host.contains(".example.");
    if is_example || OWN_MACHINE.contains(&host) || ends(NOWHERE) {
        return false;
    }
    let is_strong = secret.len() >= 10 && secret.iter().any(u8::is_ascii_digit);
    is_strong || (host.contains('.') && !ends(PRIVATE))
}
