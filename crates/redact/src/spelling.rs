//! A secret → how else it is spelled: in the name of a directory, in a URL, in base64.

use data_encoding::BASE64_NOPAD;

/// Longer ones are seldom encoded by hand.
const LONGEST: usize = 64;
/// Shorter ones are words in base64 too.
const SHORTEST: usize = 8;

pub(crate) fn spellings(secret: &str) -> Vec<String> {
    let mut all = vec![in_directory_name(secret)];
    if (SHORTEST..=LONGEST).contains(&secret.len()) {
        // `echo` puts a new line behind it.
        all.extend([
            in_url(secret),
            BASE64_NOPAD.encode(secret.as_bytes()),
            BASE64_NOPAD.encode(format!("{secret}\n").as_bytes()),
        ]);
    }
    all
}

/// As the client spells it in the name of a project's directory, which occurs in paths and results.
pub(crate) fn in_directory_name(secret: &str) -> String {
    secret.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect()
}

fn in_url(secret: &str) -> String {
    let mut url = String::with_capacity(secret.len());
    for byte in secret.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            url.push(char::from(byte));
        } else {
            url.push_str(&format!("%{byte:02X}"));
        }
    }
    url
}

#[cfg(test)]
mod tests {
    use super::spellings;

    #[test]
    fn urls_and_base64_spell_a_secret_otherwise() {
        let all = spellings("p@ss/w0rd+9x");
        for spelling in ["p-ss-w0rd-9x", "p%40ss%2Fw0rd%2B9x", "cEBzcy93MHJkKzl4", "cEBzcy93MHJkKzl4Cg"] {
            assert!(all.iter().any(|one| one == spelling), "{spelling}: {all:?}");
        }
    }
}
