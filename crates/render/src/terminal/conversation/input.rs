//! What a tool was called with, field by field.

use serde_json::Value;

/// Each as `name: value`, but those that a line about the call says already.
pub(super) fn fields(input: &Value, said: &str) -> Vec<String> {
    let Some(fields) = input.as_object() else {
        return if input.is_null() { Vec::new() } else { vec![text(input)] };
    };
    let fields = fields.iter().map(|(name, value)| (name, text(value)));
    fields
        .filter(|(_, text)| !said.contains(text.as_str()))
        .map(|(name, text)| format!("{name}: {text}"))
        .collect()
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_said_is_not_said_again() {
        let input = json!({"command": "ls\ncargo test", "timeout": 5, "description": "tests"});
        assert_eq!(fields(&input, "ls (tests)"), ["command: ls\ncargo test", "timeout: 5"]);
        assert_eq!(fields(&Value::Null, ""), [""; 0]);
    }
}
