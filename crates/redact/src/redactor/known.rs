//! Secrets that their surroundings gave away once → the same ones, where nothing around tells.
//!
//! Apart from the ledger because only some of them may be looked for: `postgres` is a password, and a word.

use std::collections::HashSet;
use std::ops::Range;

use aho_corasick::AhoCorasick;
use memchr::memmem::Finder;

use crate::random::Classes;

use super::find::{Find, Rank};

/// Shorter ones occur by chance.
const SHORTEST: usize = 8;
/// Longer ones have a form of their own, or are whole files.
const LONGEST: usize = 512;
/// Beyond that a session is a test of secrets, and every text would be searched for too many.
const MOST: usize = 2000;

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
        let classes = Classes::of(secret.as_bytes());
        let is_varied = classes.digits > 0 && classes.letters() > 0;
        let fits = (SHORTEST..=LONGEST).contains(&secret.len()) && is_varied && self.secrets.len() < MOST;
        if fits && self.learned.insert(secret.to_owned()) {
            self.secrets.push((secret.to_owned(), kind));
            self.recent.push((Finder::new(secret).into_owned(), kind));
            self.refresh();
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

fn push(text: &[u8], range: Range<usize>, kind: &'static str, finds: &mut Vec<Find>) {
    let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let before = text.get(..range.start).unwrap_or_default();
    let is_escaped = matches!(before, [.., b'\\', b'n' | b'r' | b't']);
    if (is_escaped || !is_letter(before.last())) && !is_letter(text.get(range.end)) {
        finds.push(Find { range, kind, rank: Rank::Known });
    }
}
