//! Text → what the rules and the readers of notations find in it, one over another.
//!
//! One automaton looks for the keywords of all of them in a single pass; a rule's pattern runs only where one of its
//! keywords stands, and over a bounded stretch, so that the cost stays linear.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use crate::find::{Find, Rank};
use crate::pattern::Pattern;
use crate::rules::{CONTEXT, Match, PARTS, Rule, TOKENS};
use crate::{assigned, cookie, home, private_key, url, webhook};

/// Reads the text from the place of its keyword.
type Reader = fn(&[u8], usize, &mut Vec<Find>);

/// Notations that no single pattern covers.
const READERS: &[(&str, Reader)] = &[
    (assigned::KEYWORDS, assigned::read),
    (url::KEYWORDS, url::read),
    (cookie::KEYWORDS, cookie::read),
    (webhook::KEYWORDS, webhook::read),
    (private_key::KEYWORDS, private_key::read),
    (home::KEYWORDS, home::read),
];

/// How far a match may reach from its keyword.
const REACH: usize = 2048;
/// Web tokens carry many claims.
const FAR: usize = 16 * 1024;
/// Commands and sentences are shorter, and their words frequent.
const NEAR: usize = 800;

pub(crate) static SCANNER: LazyLock<Scanner> = LazyLock::new(Scanner::new);

pub(crate) struct Scanner {
    keywords: AhoCorasick,
    /// For each keyword the rules and then the readers that want to look where it occurs.
    users: Vec<Vec<User>>,
}

#[derive(Clone, Copy)]
enum User {
    Rule(&'static Compiled),
    Reader(Reader),
}

struct Compiled {
    rule: &'static Rule,
    pattern: Pattern,
}

static RULES: LazyLock<Vec<Compiled>> = LazyLock::new(|| {
    let rules = TOKENS.iter().chain(CONTEXT);
    let rules = rules
        .map(|rule| Compiled { rule, pattern: Pattern::with_parts(rule.pattern, PARTS, rule.before == 0) });
    rules.collect()
});

impl Scanner {
    /// A keyword that begins like a shorter one is left to it, so that rules are tried in the order of the table.
    #[expect(clippy::expect_used, reason = "a few hundred short keywords never reach the automaton's limits")]
    fn new() -> Self {
        let rules = RULES.iter().map(|rule| (rule.rule.keywords, User::Rule(rule)));
        let readers = READERS.iter().map(|(keywords, reader)| (*keywords, User::Reader(*reader)));
        let wanted: Vec<(&str, User)> = rules.chain(readers).collect();
        let all = wanted.iter().flat_map(|(keywords, _)| keywords.split('|'));
        let mut keywords: Vec<String> = all.map(str::to_ascii_lowercase).collect();
        keywords.sort_unstable();
        keywords.dedup_by(|longer, shorter| longer.starts_with(shorter.as_str()));
        let users_of = |keyword: &String| {
            let starts = |own: &str| own.to_ascii_lowercase().starts_with(keyword);
            let users = wanted.iter().filter(|(own, _)| own.split('|').any(starts));
            users.map(|(_, user)| *user).collect()
        };
        let users = keywords.iter().map(users_of).collect();
        let mut builder = AhoCorasick::builder();
        builder.ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA));
        Self { keywords: builder.build(&keywords).expect("a small automaton"), users }
    }

    pub(crate) fn read(&self, text: &[u8], finds: &mut Vec<Find>) {
        let mut passed = 0;
        for keyword in self.keywords.find_overlapping_iter(text) {
            // Inside of a token nothing else begins.
            if keyword.start() < passed {
                continue;
            }
            for user in self.users.get(keyword.pattern().as_usize()).into_iter().flatten() {
                match user {
                    // The first row of the table that fits is the token's.
                    User::Rule(rule) if rule.is_token() && passed > keyword.start() => {}
                    User::Rule(rule) => {
                        let Some(found) = rule.find(text, keyword.start()) else { continue };
                        if rule.is_token() {
                            passed = found.range.end;
                        }
                        finds.push(found);
                    }
                    User::Reader(read) => read(text, keyword.start(), finds),
                }
            }
        }
    }
}

impl Compiled {
    fn is_token(&self) -> bool {
        self.rule.rank == Rank::Form
    }

    fn find(&self, text: &[u8], keyword: usize) -> Option<Find> {
        let rule = self.rule;
        let reach = match rule.kind {
            "json-web-token" => FAR,
            _ if self.is_token() => REACH,
            _ => NEAR,
        };
        let near = text.get(..text.len().min(keyword + reach))?;
        let mut start = keyword.saturating_sub(rule.before);
        loop {
            // Most keywords begin no match, and finding that out without groups is several times faster.
            let rest = near.get(start..)?;
            let whole = self.pattern.find(rest)?;
            if start + whole.end() <= keyword {
                start += whole.end();
                continue;
            }
            let captures = self.pattern.captures(rest).filter(|_| self.pattern.captures_len() > 1);
            let secret = captures.and_then(|groups| groups.iter().skip(1).flatten().next()).unwrap_or(whole);
            let moved = |range: Range<usize>| start + range.start..start + range.end;
            let found = Match { rule, text, whole: moved(whole.range()), secret: moved(secret.range()) };
            let is_there = found.whole.start <= keyword && (rule.accepts)(&found);
            return is_there.then_some(Find { range: found.secret, kind: rule.kind, rank: rule.rank });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RULES;

    #[test]
    fn every_pattern_compiles() {
        assert!(RULES.iter().all(|rule| rule.pattern.captures_len() > 0));
    }
}
