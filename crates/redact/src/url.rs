//! `scheme://name:password@host` → the password, whatever the scheme and the host; and the name, where it is a token.

use std::ops::Range;

use crate::entropy::is_random;
use crate::example::is_example;
use crate::find::{Find, Rank};
use crate::mark::is_marked;
use crate::name::is_one_of;
use crate::pattern::Pattern;
use crate::value::is_chosen_tail;

pub(crate) const KEYWORDS: &str = r"://|:\";

const LONGEST: usize = 512;

/// Names are not as long.
const SHORTEST_TOKEN: usize = 20;

/// Signs that end a login, as they begin a path or stand in templates and prose; passwords that were not encoded have them
/// all the same.
const ELSEWHERE: &[u8] = b"/\\?#<>{}()|^";

/// What services want in the place of the password where the token is the name.
const EMPTY: &[&[u8]] = &[b"", b"x", b"x-oauth-basic", b"x-token-auth"];

/// Passwords that are none.
const WORDS: &str =
    "password passwd pass pwd pw secret token changeme user username mypassword your_password yourpassword";

pub(crate) fn read(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    static SLASHES: Pattern = Pattern::new(r"\A:\\{0,8}/\\{0,8}/");
    let Some(slashes) = SLASHES.find(text.get(at..).unwrap_or_default()) else { return };
    let start = at + slashes.end();
    let rest = text.get(start..).unwrap_or_default();
    let length =
        rest.iter().take(LONGEST).position(|byte| byte.is_ascii_whitespace() || b"\"'`".contains(byte));
    let address = rest.get(..length.unwrap_or(rest.len().min(LONGEST))).unwrap_or_default();
    for range in secrets(address) {
        let range = start + range.start..start + range.end;
        finds.push(Find { range, kind: "url-password", rank: Rank::Context });
    }
}

fn secrets(address: &[u8]) -> Vec<Range<usize>> {
    let authority = address.split(|byte| ELSEWHERE.contains(byte)).next().unwrap_or_default();
    let end = authority.iter().rposition(|byte| *byte == b'@').filter(|at| has_host(address, *at));
    let end = end.or_else(|| unencoded(address));
    let Some(login) = end.and_then(|end| address.get(..end)) else { return Vec::new() };
    let colon = memchr::memchr(b':', login);
    let name = 0..colon.unwrap_or(login.len());
    let password = colon.map_or(0..0, |colon| colon + 1..login.len());
    let part = |range: &Range<usize>| login.get(range.clone()).unwrap_or_default();
    // A name alone is a name, unless it is random: then it is a token.
    let is_token = name.len() >= SHORTEST_TOKEN && is_random(part(&name)) && !is_marked(part(&name));
    let is_filled = (is_token || is_marked(part(&name))) && EMPTY.contains(&part(&password));
    let is_other = is_port(login, part(&password)) || is_word(part(&name), part(&password));
    let holds = is_password(part(&password)) && !is_filled && !is_other && !is_marked(part(&password));
    [(name, is_token), (password, holds)]
        .into_iter()
        .filter(|(_, holds)| *holds)
        .map(|(range, _)| range)
        .collect()
}

/// Whether this `@` has the name of a host behind it.
fn has_host(address: &[u8], at: usize) -> bool {
    static HOST: Pattern =
        Pattern::new(r"\A(?:[\[$%]|[\w.-]{1,255}(?:$|[:/?#\\,;&\]$%]|[^\w.-](?:$|[^A-Za-z0-9])))");
    static DIGEST: Pattern = Pattern::new(r"\Asha(?:256|512)(?:\W|$)");
    let host = address.get(at + 1..).unwrap_or_default();
    HOST.is_match(host) && !DIGEST.is_match(host)
}

/// The `@` behind a password with signs that should have been encoded: mixed as only passwords are.
fn unencoded(address: &[u8]) -> Option<usize> {
    static NAME: Pattern = Pattern::new(r"\A[\w+%-]{1,64}:");
    static PORT: Pattern = Pattern::new(r"\A[0-9]{2,5}(?:[/?#)>}|]|$)");
    let start = NAME.find(address)?.end();
    let is_port = PORT.is_match(address.get(start..)?);
    memchr::memchr_iter(b'@', address).filter(|at| *at > start && !is_port).find(|at| {
        let password = address.get(start..*at).unwrap_or_default();
        has_host(address, *at) && is_chosen_tail(password) && !password.ends_with(b"/")
    })
}

/// `localhost:3000@v2`: a host, its port, and a version.
fn is_port(login: &[u8], password: &[u8]) -> bool {
    let host = login.split(|byte| *byte == b':').next().unwrap_or_default();
    let is_host = host == b"localhost" || host.contains(&b'.');
    is_host && password.len() <= 5 && password.iter().all(u8::is_ascii_digit)
}

/// `user:password`, `postgres:postgres`: what manuals have.
fn is_word(name: &[u8], password: &[u8]) -> bool {
    let lower = password.to_ascii_lowercase();
    let is_said = std::str::from_utf8(&lower).is_ok_and(|word| is_one_of(word, WORDS));
    is_said || password == name || is_example(password)
}

fn is_password(secret: &[u8]) -> bool {
    static REFERENCE: Pattern = Pattern::new(
        r"(?s)\A(?:\$(?:[A-Za-z0-9_]*\z|[{(])|%(?:.?\z|\()|\{.*\}\z|<.*>\z|\(.*\)\z|\[.*\]\z|#\{|\{\{|<%|[*xX.]*\z)",
    );
    !REFERENCE.is_match(secret)
}
