//! Numbered lines, as tools print files → the numbers and the code.

/// A file as it was read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Listing<'t> {
    /// One on each line.
    pub(super) numbers: String,
    pub(super) code: String,
    /// What the client says below it.
    pub(super) rest: &'t str,
}

impl<'t> Listing<'t> {
    /// Nothing where lines have no numbers.
    pub(super) fn of(text: &'t str) -> Option<Self> {
        let mut listing = Self { numbers: String::new(), code: String::new(), rest: "" };
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let Some((number, code)) = parts(line) else { break };
            listing.numbers.push_str(number);
            listing.numbers.push('\n');
            listing.code.push_str(code);
            at += line.len();
        }
        listing.rest = text.get(at..).unwrap_or_default();
        (at > 0).then_some(listing)
    }
}

/// `   12→code`, or with a tab.
fn parts(line: &str) -> Option<(&str, &str)> {
    let (number, code) = line.split_once(['→', '\t'])?;
    let number = number.trim_start_matches(' ');
    let is_number = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then_some((number, code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_beside_the_code() {
        let text = "     9→fn a() {\n    10→\tb→c\n\n<system-reminder>\nx\n</system-reminder>";
        let listing = Listing::of(text).unwrap();
        assert_eq!((listing.numbers.as_str(), listing.code.as_str()), ("9\n10\n", "fn a() {\n\tb→c\n"));
        assert_eq!(listing.rest, "\n<system-reminder>\nx\n</system-reminder>");
        assert_eq!(Listing::of("1\ta\n2\tb").unwrap().code, "a\nb");
        for other in ["no numbers", "", "a\tb\n1\tc"] {
            assert_eq!(Listing::of(other), None);
        }
    }
}
