//! `name@host.domain` → the whole address, but for those that nobody reads or that are a login of a repository.
//!
//! Apart from the secrets because an address is masked only on request.

use std::ops::Range;

use super::find::{Find, Rank};
use super::name::is_one_of;

/// What looks like a domain, but ends a file's name: `icon@2x.png`.
const FILES: &str = "png jpg jpeg gif webp svg js ts mjs css json html md rs py go sh txt yml yaml toml lock";

pub(crate) fn read(text: &[u8], finds: &mut Vec<Find>) {
    for at in memchr::memchr_iter(b'@', text) {
        if let Some(range) = address(text, at) {
            finds.push(Find { range, kind: "email", rank: Rank::Address });
        }
    }
}

fn address(text: &[u8], at: usize) -> Option<Range<usize>> {
    let is_local = |byte: &u8| byte.is_ascii_alphanumeric() || b"._%+-".contains(byte);
    let mut start = at - text.get(..at)?.iter().rev().take(64).take_while(|byte| is_local(byte)).count();
    let is_escaped = start.checked_sub(1).and_then(|at| text.get(at)) == Some(&b'\\');
    start += usize::from(is_escaped && text.get(start).is_some_and(|byte| b"nrt".contains(byte)));
    let is_domain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    let rest = text.get(at + 1..)?;
    let length = rest.iter().take(255).take_while(|byte| is_domain(byte)).count();
    let domain = rest.get(..length)?.trim_ascii_end();
    let domain = std::str::from_utf8(domain).ok()?.trim_end_matches(['.', '-']);
    let local = std::str::from_utf8(text.get(start..at)?).ok()?;
    (is_somebody(local, domain) && is_host(domain)).then_some(start..at + 1 + domain.len())
}

fn is_host(domain: &str) -> bool {
    let last = domain.rsplit_once('.').map(|(host, last)| (host, last.to_ascii_lowercase()));
    let is_top = |last: &str| last.len() >= 2 && last.bytes().all(|byte| byte.is_ascii_alphabetic());
    last.is_some_and(|(host, last)| !host.is_empty() && is_top(&last) && !is_one_of(&last, FILES))
}

fn is_somebody(local: &str, domain: &str) -> bool {
    let local = local.to_ascii_lowercase().replace(['-', '_', '.'], "");
    let is_nobody = local.contains("noreply") || local.contains("donotreply") || domain.contains("noreply");
    local.contains(char::is_alphanumeric) && local != "git" && !is_nobody
}
