//! Secrets that their surroundings gave away once → every further occurrence, whatever surrounds it.
//!
//! Only some can be looked for: `postgres` is a password, and a word.

use std::collections::HashSet;
use std::ops::Range;

use aho_corasick::AhoCorasick;
use memchr::memmem::Finder;

use crate::entropy::{Classes, is_random};

use crate::find::{Find, Rank};
use crate::name::is_one_of;
use crate::spelling::spellings;

/// Shorter ones occur by chance.
const SHORTEST: usize = 6;
/// Below that they are looked for only where nothing touches them.
const SHORT: usize = 8;
/// A random value of this length is the secret even inside of another word.
const SURE: usize = 10;
/// No word is as long.
const LONG: usize = 24;
/// Longer ones have a form of their own, or are whole files.
const LONGEST: usize = 512;
/// Of a private key.
const SHORTEST_LINE: usize = 16;
/// Beyond that a session is a test of secrets, and every text would be searched for too many.
const MOST: usize = 2000;

/// Short passwords that texts have for other reasons.
const TERMS: &str = "sha256 sha512 base64 base32 python2 python3 oauth2 utf8mb4 ubuntu amd64 arm64 mysql8 node18 node20 \
    http2 latin1 ipv4 ipv6 argon2 bcrypt2";

#[derive(Default)]
pub(crate) struct Known {
    secrets: Vec<(String, &'static str)>,
    learned: HashSet<String>,
    searcher: Option<AhoCorasick>,
    /// Those that the searcher does not know yet.
    recent: Vec<(Finder<'static>, &'static str)>,
}

impl Known {
    pub(crate) fn learn(&mut self, secret: &str, kind: &'static str) {
        if kind != "private-key" {
            return self.learn_one(secret, kind);
        }
        // A diff has its lines apart, and no line of dashes around each.
        let lines = secret.replace("\\n", "\n");
        let is_between =
            |letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '+' | '/' | '='));
        for line in lines.split(is_between).filter(|line| line.len() >= SHORTEST_LINE) {
            self.learn_one(line, kind);
        }
    }

    fn learn_one(&mut self, secret: &str, kind: &'static str) {
        let fits = secret.len() <= LONGEST && is_own(secret, kind) && self.learned.len() < MOST;
        if fits && !self.learned.contains(secret) {
            self.remember(secret.to_owned(), kind);
            let is_told = |spelling: &String| Classes::of(spelling.as_bytes()).others * 2 <= spelling.len();
            spellings(secret).into_iter().filter(is_told).for_each(|spelling| self.remember(spelling, kind));
            self.refresh();
        }
    }

    fn remember(&mut self, secret: String, kind: &'static str) {
        if self.learned.insert(secret.clone()) {
            self.recent.push((Finder::new(&secret).into_owned(), kind));
            self.secrets.push((secret, kind));
        }
    }

    pub(crate) fn read(&self, text: &[u8], finds: &mut Vec<Find>) {
        if text.len() < SHORTEST {
            return;
        }
        if let Some(searcher) = &self.searcher {
            for found in searcher.find_iter(text) {
                let kind = self.secrets.get(found.pattern().as_usize()).map_or("secret", |(_, kind)| kind);
                push(text, found.range(), kind, finds);
            }
        }
        for (finder, kind) in &self.recent {
            for start in finder.find_iter(text) {
                push(text, start..start + finder.needle().len(), kind, finds);
            }
        }
    }

    /// A new searcher is made when there are many more secrets than the last one knows, so that the cost stays small.
    fn refresh(&mut self) {
        if self.recent.len() > 4 + self.secrets.len() / 5 {
            let secrets = self.secrets.iter().map(|(secret, _)| secret);
            let longest = aho_corasick::MatchKind::LeftmostLongest;
            self.searcher = AhoCorasick::builder().match_kind(longest).build(secrets).ok();
            self.recent.clear();
        }
    }
}

/// Whether the same letters hardly occur by chance.
fn is_own(secret: &str, kind: &str) -> bool {
    let classes = Classes::of(secret.as_bytes());
    let is_password = matches!(kind, "password" | "url-password");
    let is_term = is_one_of(&secret.to_ascii_lowercase(), TERMS);
    match secret.len() {
        0..SHORTEST => false,
        SHORTEST..SHORT => is_password && classes.digits > 0 && classes.letters() > 2 && !is_term,
        LONG.. => true,
        length => {
            let is_mixed = classes.upper > 1 && classes.lower > 1 && classes.others > 0;
            classes.digits > 0 && classes.letters() > 0 || is_password && length >= SURE && is_mixed
        }
    }
}

fn push(text: &[u8], range: Range<usize>, kind: &'static str, finds: &mut Vec<Find>) {
    let secret = text.get(range.clone()).unwrap_or_default();
    let before = text.get(..range.start).unwrap_or_default();
    let after = text.get(range.end..).unwrap_or_default();
    let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let is_escaped = matches!(before, [.., b'\\', b'n' | b'r' | b't']);
    // `-px`
    let is_flag = matches!(before, [.., b'-', letter] if letter.is_ascii_alphabetic());
    let is_apart = (is_escaped || is_flag || !is_letter(before.last())) && !is_letter(after.first());
    let is_joined = matches!(before.last(), Some(b'_' | b'-' | b'.'))
        || matches!(after, [b'_' | b'-' | b'.', next, ..] if next.is_ascii_alphanumeric());
    let is_sure = secret.len() >= SURE && is_random(secret);
    if is_sure || is_apart && (secret.len() >= SHORT || !is_joined) {
        finds.push(Find { range, kind, rank: Rank::Known });
    }
}
