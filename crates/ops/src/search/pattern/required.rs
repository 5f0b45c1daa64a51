//! A regular expression → texts of which every match has one, as far as that can be told.

use regex_syntax::hir::{Hir, HirKind};

use super::SHORTEST_SIFTED;
use super::spelling::safe_stretch;

/// More of them are no faster than reading every line.
const MOST: usize = 32;

/// Nothing where no text is sure. The parser limits how deep expressions nest.
pub(super) fn literals(pattern: &str) -> Option<Vec<String>> {
    let mut builder = regex_syntax::ParserBuilder::new();
    let hir = builder.multi_line(true).build().parse(pattern).ok()?;
    required(&hir)
}

fn required(hir: &Hir) -> Option<Vec<String>> {
    match hir.kind() {
        HirKind::Literal(literal) => {
            let stretch = safe_stretch(std::str::from_utf8(&literal.0).ok()?);
            (stretch.len() >= SHORTEST_SIFTED).then(|| vec![stretch.to_owned()])
        }
        HirKind::Capture(capture) => required(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => required(&repetition.sub),
        HirKind::Concat(parts) => parts.iter().filter_map(required).max_by_key(|found| worth(found)),
        HirKind::Alternation(parts) => {
            let every: Option<Vec<Vec<String>>> = parts.iter().map(required).collect();
            Some(every?.concat()).filter(|all| all.len() <= MOST)
        }
        _ => None,
    }
}

/// Few long ones are best.
fn worth(literals: &[String]) -> (usize, usize) {
    let shortest = literals.iter().map(String::len).min().unwrap_or_default();
    (shortest, MOST.saturating_sub(literals.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_every_match_has() {
        let of = |pattern: &str| literals(pattern).map(|found| found.join(" "));
        for (pattern, expected) in [
            ("needle", Some("needle")),
            (r"fn \w+needle\(", Some("needle(")),
            ("(?:foo)+x*", Some("foo")),
            ("(foo)?bar", Some("bar")),
            ("foo|barn", Some("foo barn")),
            ("foo|x", None),
            ("(?i)foo", None),
            ("[a-z]+", None),
            ("src/main", Some("main")),
            ("日本", None),
            ("^$", None),
        ] {
            assert_eq!(of(pattern).as_deref(), expected, "{pattern}");
        }
    }
}
