//! Raw JSON → values that can be written and read again. Nesting is limited to what common JSON readers accept.

use serde_json::Value;
use serde_json::value::RawValue;
use steno_transcript::understood;
use steno_transcript::wire::Fields;

use super::Object;

/// serde_json refuses more than 128 levels, and the document and nested agents around a value need some.
const DEEPEST: usize = 64;

/// What nests deeper stays text.
pub(super) fn value(raw: &RawValue) -> Value {
    let text = || Value::String(raw.get().to_owned());
    if is_too_deep(raw.get()) { text() } else { understood(raw).unwrap_or_else(text) }
}

/// A record unchanged. Of a key that is there twice, the last counts.
pub(super) fn object(json: &str) -> Object {
    let Ok(fields) = serde_json::from_str::<Fields>(json) else { return Object::new() };
    fields.iter().map(|(name, raw)| (name.to_owned(), value(raw))).collect()
}

pub(super) fn is_too_deep(json: &str) -> bool {
    depth(json) > DEEPEST
}

fn depth(json: &str) -> usize {
    let (mut open, mut deepest) = (0_usize, 0);
    let mut bytes = json.bytes();
    let mut is_string = false;
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => is_string = !is_string,
            b'\\' if is_string => drop(bytes.next()),
            _ if is_string => {}
            b'[' | b'{' => {
                open += 1;
                deepest = deepest.max(open);
            }
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_in_strings_do_not_nest() {
        assert_eq!(depth(r#"{"a":["[[[","\"[["],"b":{"c":1}}"#), 2);
    }

    #[test]
    fn what_nests_too_deep_stays_text_and_spares_its_neighbours() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        let record = object(&format!(r#"{{"type":"novel","deep":{deep},"a":1}}"#));
        assert_eq!((record["deep"].as_str().map(str::len), &record["a"]), (Some(200_000), &Value::from(1)));
    }
}
