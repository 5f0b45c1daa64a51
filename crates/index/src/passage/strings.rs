//! A nested JSON value → the strings in it.

use serde_json::value::RawValue;
use steno_transcript::Words;
use steno_transcript::wire::Fields;

/// No tool nests deeper on purpose, and every level is read once more.
const DEEPEST: usize = 32;

/// What the key of a string says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    /// It is the path of a file.
    Path,
    /// In what the API gives, it is for machines.
    Sealed,
    Other,
}

impl Key {
    fn of(name: &str) -> Self {
        match name {
            "file_path" | "filePath" | "notebook_path" | "path" => Self::Path,
            "base64" | "data" | "encrypted_content" | "encrypted_index" | "signature" | "type" => {
                Self::Sealed
            }
            _ => Self::Other,
        }
    }
}

/// Hands every string to `each`, in order. Elements of a list have the key of the list.
pub(super) fn strings(json: &RawValue, each: &mut dyn FnMut(Key, String)) {
    let mut waiting = vec![(json, Key::Other, 0)];
    while let Some((json, key, depth)) = waiting.pop() {
        match json.get().as_bytes().first() {
            Some(b'"') => each(key, Words::Escaped(json).get().into_owned()),
            Some(b'{') if depth < DEEPEST => {
                let Ok(fields) = serde_json::from_str::<Fields>(json.get()) else { continue };
                let start = waiting.len();
                waiting.extend(fields.iter().map(|(name, raw)| (raw, Key::of(name), depth + 1)));
                reverse(&mut waiting, start);
            }
            Some(b'[') if depth < DEEPEST => {
                let Ok(list) = serde_json::from_str::<Vec<&RawValue>>(json.get()) else { continue };
                let start = waiting.len();
                waiting.extend(list.into_iter().map(|raw| (raw, key, depth + 1)));
                reverse(&mut waiting, start);
            }
            _ => {}
        }
    }
}

/// The first one is taken next.
fn reverse<T>(waiting: &mut [T], start: usize) {
    waiting.get_mut(start..).into_iter().for_each(<[T]>::reverse);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(json: &str) -> Vec<(Key, String)> {
        let raw = serde_json::from_str::<&RawValue>(json).unwrap();
        let mut found = Vec::new();
        strings(raw, &mut |key, text| found.push((key, text)));
        found
    }

    #[test]
    fn strings_come_in_order_with_what_their_keys_say() {
        let json =
            r#"{"file_path":"/a","n":4,"edits":[{"old":"x\n"},{"new":"\ud83d"}],"paths":["p"],"data":"d"}"#;
        let [a, b, c, d, e] = &found(json)[..] else { panic!("five strings") };
        assert_eq!((a.0, &*a.1), (Key::Path, "/a"));
        assert_eq!((&*b.1, &*c.1, &*d.1), ("x\n", "\u{fffd}", "p"));
        assert_eq!((e.0, &*e.1), (Key::Sealed, "d"));
    }

    #[test]
    fn what_nests_too_deep_is_left_out() {
        let json = format!(r#"["seen",{}"unseen"{}]"#, "[".repeat(200), "]".repeat(200));
        assert_eq!(found(&json), [(Key::Other, "seen".to_owned())]);
    }
}
