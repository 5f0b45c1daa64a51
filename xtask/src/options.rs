//! `--name value` and `--flag`, as a chore allows them.

use std::collections::BTreeMap;
use std::str::FromStr;

use crate::failure::Failure;

#[derive(Debug)]
pub(crate) struct Options(BTreeMap<String, String>);

impl Options {
    /// `allowed` names flags, and with a `=` behind them those that take a value.
    pub(crate) fn parse(arguments: Vec<String>, allowed: &[&str]) -> Result<Self, Failure> {
        let mut found = BTreeMap::new();
        let mut rest = arguments.into_iter();
        while let Some(argument) = rest.next() {
            let (name, value) = match argument.split_once('=') {
                Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
                None => (argument, None),
            };
            let takes_value = allowed.contains(&format!("{name}=").as_str());
            if !takes_value && (value.is_some() || !allowed.contains(&name.as_str())) {
                return Err(Failure::new(format!("`{name}` means nothing here; see `cargo xtask help`")));
            }
            let value = if takes_value { value.or_else(|| rest.next()) } else { Some(String::new()) };
            let value = value.ok_or_else(|| Failure::new(format!("`{name}` needs a value")))?;
            found.insert(name, value);
        }
        Ok(Self(found))
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The value of an option, or what is usual.
    pub(crate) fn number<T: FromStr>(&self, name: &str, usual: T) -> Result<T, Failure> {
        let Some(text) = self.text(name) else {
            return Ok(usual);
        };
        text.parse().map_err(|_| Failure::new(format!("`{name} {text}` is not a number")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str, allowed: &[&str]) -> Result<Options, Failure> {
        Options::parse(line.split_whitespace().map(str::to_owned).collect(), allowed)
    }

    #[test]
    fn values_stand_behind_a_space_or_a_sign() {
        for line in ["--seconds 5 --fast", "--fast --seconds=5"] {
            let options = parse(line, &["--seconds=", "--fast"]).unwrap();
            assert_eq!(options.number("--seconds", 30_u64).unwrap(), 5);
            assert!(options.has("--fast"));
        }
    }

    #[test]
    fn what_is_not_allowed_is_refused() {
        assert!(parse("--slow", &["--fast"]).is_err());
        assert!(parse("--fast=1", &["--fast"]).is_err());
        assert!(parse("--seconds", &["--seconds="]).is_err());
        assert!(parse("--seconds x", &["--seconds="]).unwrap().number("--seconds", 1_u64).is_err());
    }
}
