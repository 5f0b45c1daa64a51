//! A literal or a regular expression → a test of raw lines and of texts.
//!
//! A line of JSON may spell a text with escapes. So a raw line is first tested for a part that every spelling has, and
//! parsed only if it has that part.

mod required;
mod spelling;

use std::ops::Range;
use std::time::Instant;

use memchr::memchr;
use memchr::memmem::Finder;
use regex::bytes::{Regex as Bytes, RegexBuilder as BytesBuilder};
use regex::{Regex, RegexBuilder};
use steno_transcript::patch;

use super::{Mode, Request, is_late};
use crate::error::{Error, ErrorKind};

/// The limit for the memory of a compiled expression while it runs.
const LARGEST: usize = 16 * 1024 * 1024;
/// The limit for a compiled expression itself: a large one may take long for each byte.
const LARGEST_EXPRESSION: usize = 4 * 1024 * 1024;
/// A longer text is searched in parts, so that a slow expression can be stopped at the deadline. A hit that spans two
/// parts is lost; such long hits are rare.
const STRETCH: usize = 1024 * 1024;
/// Nearly every line has any shorter text.
const SHORTEST_SIFTED: usize = 2;

/// A text or an expression to look for without an index.
#[derive(Debug)]
pub(super) struct Pattern {
    sieve: Sieve,
    /// If the raw line has this, it is a hit.
    raw: Option<Bytes>,
    /// Whether a text can have it though the line itself does not.
    is_spelled: bool,
    /// Whether a text that has it without the line is spelled with an escape.
    is_literal: bool,
    /// For decoded texts.
    text: Regex,
    deadline: Option<Instant>,
}

/// The part that every line with a hit has.
#[derive(Debug)]
enum Sieve {
    /// Nothing in particular.
    All,
    One(Box<Finder<'static>>),
    Any(Bytes),
}

impl Pattern {
    pub(super) fn new(request: &Request) -> Result<Self, Error> {
        match request.mode {
            Mode::Regex => Self::expression(&request.query, request.ignore_case),
            Mode::Words | Mode::Literal => Self::literal(&request.query, request.ignore_case),
        }
        .map(|pattern| Self { deadline: request.deadline, ..pattern })
    }

    fn literal(needle: &str, ignore_case: bool) -> Result<Self, Error> {
        let escaped = regex::escape(needle);
        let stretch = spelling::safe_stretch(needle);
        let is_spelled = stretch != needle;
        let needles = match stretch.len() >= SHORTEST_SIFTED || !is_spelled {
            true => vec![stretch.to_owned()],
            false => spelling::forms(needle),
        };
        Ok(Self {
            sieve: Sieve::new(&needles, ignore_case)?,
            // JSON always escapes these characters inside texts; unescaped, they are between texts.
            raw: if spelling::is_always_escaped(needle) { None } else { Some(bytes(&escaped, ignore_case)?) },
            is_spelled,
            is_literal: true,
            text: text(&escaped, ignore_case)?,
            deadline: None,
        })
    }

    fn expression(pattern: &str, ignore_case: bool) -> Result<Self, Error> {
        let text = text(pattern, ignore_case)?;
        let needles = required::literals(pattern).unwrap_or_default();
        Ok(Self {
            sieve: Sieve::new(&needles, ignore_case)?,
            raw: None,
            is_spelled: true,
            is_literal: false,
            text,
            deadline: None,
        })
    }

    /// The first place in some lines that may be a hit.
    pub(super) fn sift(&self, lines: &[u8]) -> Option<usize> {
        match &self.sieve {
            Sieve::All => (!lines.is_empty()).then_some(0),
            Sieve::One(finder) => finder.find(lines),
            Sieve::Any(any) => any.find(lines).map(|found| found.start()),
        }
    }

    /// Whether a line that may have a hit has one.
    pub(super) fn is_in(&self, line: &[u8]) -> bool {
        if self.raw.as_ref().is_some_and(|raw| !self.is_spelled || raw.is_match(line)) {
            return true;
        }
        // A text that has no escape is spelled as it is.
        if self.is_literal && memchr(b'\\', line).is_none() {
            return false;
        }
        self.string_in(line).is_some()
    }

    /// The first decoded string of a line that has it.
    pub(super) fn string_in(&self, line: &[u8]) -> Option<String> {
        let mut found = None;
        let _ = patch::strings(line, true, &mut |spot| {
            let is_text = !spot.is_key && !spot.is_number && !spot.is_media;
            if found.is_none() && is_text && self.is_match(spot.text) {
                found = Some(spot.text.to_owned());
            }
            Vec::new()
        });
        found
    }

    /// False once the deadline has passed.
    pub(super) fn is_match(&self, text: &str) -> bool {
        if self.is_literal || text.len() <= STRETCH {
            return !is_late(self.deadline) && self.text.is_match(text);
        }
        let mut rest = text;
        while !rest.is_empty() && !is_late(self.deadline) {
            let Some((stretch, behind)) = rest.split_at_checked(stretch_of(rest)) else { break };
            if self.text.is_match(stretch) {
                return true;
            }
            rest = behind;
        }
        false
    }

    /// The hits in a text.
    pub(super) fn places(&self, text: &str) -> Vec<Range<usize>> {
        self.text.find_iter(text).map(|found| found.range()).filter(|place| !place.is_empty()).collect()
    }
}

/// The end of the first part of a text: behind a line if it has one, else behind a character.
fn stretch_of(text: &str) -> usize {
    let longest = text.floor_char_boundary(STRETCH);
    let line = text.get(..longest).and_then(|stretch| stretch.rfind('\n'));
    line.map_or(longest, |line| line + 1)
}

impl Sieve {
    fn new(needles: &[String], ignore_case: bool) -> Result<Self, Error> {
        Ok(match needles {
            [] => Self::All,
            [needle] if !ignore_case => Self::One(Box::new(Finder::new(needle.as_bytes()).into_owned())),
            several => {
                let several: Vec<String> = several.iter().map(|needle| regex::escape(needle)).collect();
                Self::Any(bytes(&several.join("|"), ignore_case)?)
            }
        })
    }
}

fn text(pattern: &str, ignore_case: bool) -> Result<Regex, Error> {
    let mut builder = RegexBuilder::new(pattern);
    let builder = builder.multi_line(true).case_insensitive(ignore_case);
    builder.size_limit(LARGEST_EXPRESSION).dfa_size_limit(LARGEST).build().map_err(|error| refused(&error))
}

fn bytes(pattern: &str, ignore_case: bool) -> Result<Bytes, Error> {
    let mut builder = BytesBuilder::new(pattern);
    let builder = builder.case_insensitive(ignore_case);
    builder.size_limit(LARGEST).dfa_size_limit(LARGEST).build().map_err(|error| refused(&error))
}

fn refused(error: &regex::Error) -> Error {
    let (message, hint) = match error {
        regex::Error::CompiledTooBig(_) => {
            ("this regular expression is too large", "shorten it, or repeat less of it".to_owned())
        }
        error => {
            let said = error.to_string();
            let reason = said.lines().last().unwrap_or_default().trim().trim_start_matches("error: ");
            ("this is not a regular expression", reason.to_owned())
        }
    };
    Error::new(ErrorKind::Invalid, message).hint(hint).hint("--literal finds a text as it is written")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(mode: Mode, query: &str, ignore_case: bool) -> Pattern {
        Pattern::new(&Request { query: query.into(), mode, ignore_case, ..Request::default() }).unwrap()
    }

    /// As a search does it.
    fn finds(pattern: &Pattern, line: &str) -> bool {
        pattern.sift(line.as_bytes()).is_some() && pattern.is_in(line.as_bytes())
    }

    fn literal(needle: &str, line: &str) -> bool {
        finds(&pattern(Mode::Literal, needle, false), line)
    }

    fn expression(expression: &str, line: &str) -> bool {
        finds(&pattern(Mode::Regex, expression, false), line)
    }

    #[test]
    fn a_literal_is_found_however_it_is_spelled() {
        for (needle, text) in [
            ("say \"hello\"", r#"say \"hello\""#),
            ("say \"hello\"", r#"say \u0022hello\u0022"#),
            ("\"", r#"a \" b"#),
            ("\"\"", r#"\u0022\u0022"#),
            ("C:\\work", r"C:\\work"),
            ("\\", r"a\\b"),
            ("one\ntwo", r"one\ntwo"),
            ("\n\n", r"a\n\nb"),
            ("\t", r"a\tb"),
            ("\u{1b}[31m", r"\u001b[31m"),
            ("\u{1b}[31m", r"\u001B[31m"),
            ("src/main.rs", "src/main.rs"),
            ("src/main.rs", r"src\/main.rs"),
            ("//", r"\/\/"),
            ("é", "é"),
            ("é", r"\u00e9"),
            ("日本", r"\u65e5\u672c"),
            ("日本", r"\u65E5\u672C"),
            ("naïve café", r"na\u00efve café"),
            ("😀", r"\ud83d\ude00"),
            ("a😀b", "a😀b"),
        ] {
            let line = format!("{{\"type\":\"user\",\"message\":{{\"content\":\"x {text} y\"}}}}\n");
            assert!(literal(needle, &line), "{needle:?} in {line}");
            assert!(finds(&pattern(Mode::Literal, needle, true), &line), "{needle:?} in any case in {line}");
            let other = r#"{"type":"user","message":{"content":"x y"}}"#;
            assert!(!literal(needle, other), "{needle:?} in {other}");
        }
    }

    #[test]
    fn a_literal_is_not_found_where_only_pieces_of_escapes_look_like_it() {
        let line = |text: &str| format!("{{\"a\":\"{text}\"}}");
        assert!(!literal("\"x", &line(r"a\\")), "the end of a string is no quote");
        assert!(!literal("one\ntwo", &line(r"one\\ntwo")));
        assert!(literal("one\\ntwo", &line(r"one\\ntwo")));
        assert!(!literal("Word", &line("word")) && literal("wor", &line("word")));
        assert!(finds(&pattern(Mode::Literal, "WORD é", true), &line("word É")));
    }

    #[test]
    fn an_expression_is_about_decoded_texts() {
        let line =
            r#"{"type":"user","text":"// start\nfn main() {\n\tprintln!(\"done\");\n}","path":"src\/a.rs"}"#;
        for found in [
            "^fn main",
            r#""done""#,
            r"^\tprint",
            r"\bmain\b",
            "src/a\\.rs",
            "(foo|main)",
            "mai[a-z]+",
            "(?i)FN MAIN",
            r"fn\s+\w+\(\) \{$",
        ] {
            assert!(expression(found, line), "{found}");
        }
        for absent in ["^main", r#"\\"done"#, "^type", "user$x", "fn.main.*done", "(foo|bar)baz"] {
            assert!(!expression(absent, line), "{absent}");
        }
        assert!(finds(&pattern(Mode::Regex, "FN MAIN", true), line));
    }

    #[test]
    fn a_long_text_is_looked_at_in_stretches() {
        let found = pattern(Mode::Regex, "^end$", false);
        for text in ["line\n".repeat(STRETCH / 2) + "end", "é".repeat(STRETCH) + "\nend\nmore"] {
            assert!(found.is_match(&text));
        }
        assert!(!found.is_match(&"the end\n".repeat(STRETCH / 2)));
        let past = Some(Instant::now());
        let late = Request { query: "end".into(), mode: Mode::Regex, deadline: past, ..Request::default() };
        assert!(!Pattern::new(&late).unwrap().is_match("end"));
    }

    #[test]
    fn what_is_no_expression_or_too_large_is_said() {
        let refused = |query: &str| {
            let request = Request { query: query.into(), mode: Mode::Regex, ..Request::default() };
            Pattern::new(&request).unwrap_err()
        };
        assert_eq!(refused("(a").hints.first().unwrap(), "unclosed group");
        assert!(refused(r"(\w{500}){500}").to_string().contains("too large"));
    }
}
