//! Sizes as people write them: `825K`, `1G`; a kilobyte has 1000 bytes, as in the targets.

use crate::Error;

pub fn parse_size(text: &str) -> Result<u64, Error> {
    let bad = || Error::Size(text.to_owned());
    let (digits, factor) = match text.char_indices().last() {
        Some((at, 'K' | 'k')) => (text.get(..at), 1_000),
        Some((at, 'M' | 'm')) => (text.get(..at), 1_000_000),
        Some((at, 'G' | 'g')) => (text.get(..at), 1_000_000_000),
        _ => (Some(text), 1),
    };
    let number: u64 = digits.and_then(|digits| digits.parse().ok()).ok_or_else(bad)?;
    number.checked_mul(factor).ok_or_else(bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(parse_size("512").unwrap(), 512);
        assert_eq!(parse_size("825K").unwrap(), 825_000);
        assert_eq!(parse_size("2G").unwrap(), 2_000_000_000);
        assert!(parse_size("G").is_err() && parse_size("").is_err() && parse_size("1T").is_err());
    }
}
