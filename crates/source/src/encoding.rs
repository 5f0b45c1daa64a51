//! A working directory's path → the name of its directory below `projects/`, as the client builds it.
//!
//! The way back does not exist: the name is lossy, and the true path is the `cwd` of the records.

use std::path::Path;

const LIMIT: usize = 200;

/// The path has to be the real one, links resolved: that is what the client encodes.
pub fn project_directory_name(path: &Path) -> String {
    let units: Vec<u16> = path.to_string_lossy().encode_utf16().collect();
    let mut name: String = units.iter().take(LIMIT).map(|unit| plain(*unit)).collect();
    if units.len() > LIMIT {
        name.push('-');
        name.push_str(&base36(hash(&units)));
    }
    name
}

/// The client replaces UTF-16 units, not characters: an emoji becomes two dashes.
fn plain(unit: u16) -> char {
    match u8::try_from(unit) {
        Ok(byte) if byte.is_ascii_alphanumeric() => char::from(byte),
        _ => '-',
    }
}

/// Java's string hash, made positive as the client's `Math.abs` does: the least integer has a positive twin there.
fn hash(units: &[u16]) -> u32 {
    units.iter().fold(0_i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(*unit))).unsigned_abs()
}

fn base36(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit(number % 36, 36).unwrap_or('0'));
        number /= 36;
        if number == 0 {
            return digits.iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(path: &str) -> String {
        project_directory_name(Path::new(path))
    }

    #[test]
    fn letters_and_digits_stay_and_everything_else_is_a_dash() {
        assert_eq!(name("/home/ann/Web2"), "-home-ann-Web2");
        assert_eq!(name("/home/ann/my.site"), "-home-ann-my-site");
        assert_eq!(name("/home/ann/.config"), "-home-ann--config");
        assert_eq!(name("/home/ann/two words_(1)"), "-home-ann-two-words--1-");
        assert_eq!(name("C:\\Users\\ann"), "C--Users-ann");
        assert_eq!(name("/"), "-");
    }

    #[test]
    fn units_are_counted_not_characters() {
        assert_eq!(name("/é"), "--");
        assert_eq!(name("/e\u{301}"), "-e-");
        assert_eq!(name("/🦀x"), "---x");
    }

    #[test]
    fn two_hundred_units_are_the_longest_plain_name() {
        let path = format!("/{}", "a".repeat(199));
        assert_eq!(name(&path), format!("-{}", "a".repeat(199)));
    }

    #[test]
    fn a_longer_path_is_cut_and_ends_in_its_hash() {
        let path = format!("/{}", "a".repeat(200));
        assert_eq!(name(&path), format!("-{}-b6ymvl", "a".repeat(199)));
        let crabs = format!("/{}", "🦀".repeat(100));
        assert_eq!(name(&crabs), format!("{}-h4b9jd", "-".repeat(200)));
    }

    #[test]
    fn hashes_are_those_of_java() {
        assert_eq!(hash(&"hello".encode_utf16().collect::<Vec<_>>()), 99_162_322);
        assert_eq!(hash(&"polygenelubricants".encode_utf16().collect::<Vec<_>>()), 2_147_483_648);
        assert_eq!(base36(0), "0");
        assert_eq!(base36(35), "z");
        assert_eq!(base36(2_147_483_648), "zik0zk");
    }
}
