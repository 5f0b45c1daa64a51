//! Text → all that anybody finds in it, one over another: one search for every literal, then who wants to look there.
//!
//! Apart from the redactor because it remembers nothing, so one serves all.

use std::sync::LazyLock;

use crate::form::Form;
use crate::hit::Hit;
use crate::rule::RULES;
use crate::sieve::Sieve;

use super::example::is_example;
use super::find::{Find, Rank};
use super::services::SERVICES;
use super::{
    around, command, cookie, credential, given, glued, home, hook, login, notation, pem, phrase, piped,
    prose, session,
};

type Read = fn(&[u8], usize, &mut Vec<Find>);

const READERS: &[(&[&str], Read)] = &[
    (notation::LITERALS, given::read),
    (login::LITERALS, login::read),
    (around::LITERALS, around::read),
    (cookie::LITERALS, cookie::read),
    (command::LITERALS, command::read),
    (pem::LITERALS, pem::read),
    (credential::LITERALS, credential::read),
    (piped::LITERALS, piped::read),
    (session::NAMES, session::read),
    (session::PARAMETERS, session::read_parameter),
    (session::LINES, session::read_line),
    (prose::PASSWORDS, prose::read_password),
    (prose::TOKENS, prose::read_token),
    (prose::LOGINS, prose::read_login),
    (prose::ROLES, prose::read_role),
    (hook::LITERALS, hook::read),
    (phrase::LITERALS, phrase::read),
    (home::LITERALS, home::read),
];

/// How far a token may reach from its literal.
const REACH: usize = 2048;
/// Keys in lines, and web tokens with many claims.
const FAR: usize = 16 * 1024;

pub(crate) static SEEKER: LazyLock<Seeker> = LazyLock::new(Seeker::new);

#[derive(Debug)]
pub(crate) struct Seeker {
    sieve: Sieve,
    forms: Vec<Form>,
}

impl Seeker {
    fn new() -> Self {
        let rules = || RULES.iter().chain(SERVICES);
        let readers = READERS.iter().map(|(literals, _)| *literals);
        let literals: Vec<&[&str]> = rules().map(|rule| rule.literals).chain(readers).collect();
        Self { sieve: Sieve::new(&literals), forms: rules().map(Form::new).collect() }
    }

    pub(crate) fn read(&self, text: &[u8], finds: &mut Vec<Find>) {
        let mut next = 0;
        let mut candidates = self.sieve.candidates(text, 0..text.len());
        while let Some(candidate) = candidates.next_from(next) {
            next = candidate.at + 1;
            for &number in self.sieve.wanted_by(&candidate) {
                match self.forms.get(number) {
                    Some(form) => {
                        if let Some(find) = find(form, text, candidate.at) {
                            next = next.max(find.range.end);
                            if find.kind == "aws-access-key-id" {
                                credential::read_behind_id(text, find.range.end, finds);
                            }
                            finds.push(find);
                            break;
                        }
                    }
                    None => {
                        let reader = READERS.get(number - self.forms.len());
                        reader.into_iter().for_each(|(_, read)| read(text, candidate.at, finds));
                    }
                }
            }
        }
    }
}

fn find(form: &Form, text: &[u8], at: usize) -> Option<Find> {
    let reach = if matches!(form.rule.kind, "private-key" | "json-web-token") { FAR } else { REACH };
    let mut window = text.get(..text.len().min(at + reach))?;
    if form.rule.kind == "private-key" {
        // One key ends where the next begins.
        let next = memchr::memmem::find(window.get(at + 1..)?, b"BEGIN ");
        window = next.and_then(|next| window.get(..at + 1 + next)).unwrap_or(window);
    }
    let range = form.secret(window, at, fits)?;
    Some(Find { range, kind: form.rule.kind, rank: Rank::Form })
}

/// Alone or glued to others, and no example.
fn fits(form: &Form, hit: &Hit) -> bool {
    let is_web_token = form.rule.kind == "json-web-token";
    let is_made_up = if is_web_token { (form.rule.is_made_up)(hit) } else { is_example(hit.secret) };
    !is_made_up && ((form.rule.fits)(hit) || glued::fits(form.rule, hit))
}

#[cfg(test)]
mod tests {
    use super::SERVICES;

    #[test]
    fn every_pattern_compiles_and_begins_with_a_literal() {
        for rule in SERVICES {
            let pattern = regex::bytes::RegexBuilder::new(rule.pattern).unicode(false).build();
            assert!(pattern.is_ok(), "{}", rule.kind);
            assert!(!rule.literals.is_empty(), "{}", rule.kind);
        }
    }
}
