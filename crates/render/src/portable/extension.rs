//! The fields of a record → the extensions of its message, by the names of the document.

use serde_json::Value;

use super::field::ODD;
use super::{MessageExtensions, Object};

/// Names that mean something else in the document than they would in a record.
const OURS: [&str; 8] =
    ["messageId", "model", "stop_reason", "usage", "queued", "hidden", "original_content", "continued"];

/// Whether a value is of the type that the document expects.
type Expectation = fn(&Value) -> bool;

/// The types of the fields that the document has a place for.
const EXPECTED: [(&str, Expectation); 11] = [
    ("uuid", Value::is_string),
    ("parentUuid", Value::is_string),
    ("logicalParentUuid", Value::is_string),
    ("requestId", Value::is_string),
    ("slug", Value::is_string),
    ("userType", Value::is_string),
    ("isSidechain", Value::is_boolean),
    ("isMeta", Value::is_boolean),
    ("isCompactSummary", Value::is_boolean),
    ("isApiErrorMessage", Value::is_boolean),
    ("message", Value::is_object),
];

/// Fields of another type than expected, and those that bear a name of the document's own, are set aside.
pub(super) fn extensions(mut fields: Object) -> MessageExtensions {
    let mut odd = match fields.shift_remove(ODD) {
        Some(Value::Object(odd)) => odd,
        _ => Object::new(),
    };
    let never: Expectation = |_| false;
    for (name, is_right) in EXPECTED.into_iter().chain(OURS.map(|name| (name, never))) {
        if fields.get(name).is_some_and(|value| !is_right(value)) {
            odd.extend(fields.shift_remove(name).map(|value| (name.to_owned(), value)));
        }
    }
    let extensions = serde_json::from_value(Value::Object(fields)).unwrap_or_default();
    MessageExtensions { odd_fields: odd, ..extensions }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_of_the_wrong_type_and_names_of_ours_are_set_aside() {
        let Value::Object(fields) =
            json!({"uuid": 7, "isMeta": "yes", "hidden": 1, "slug": "s", "todos": []})
        else {
            panic!("an object")
        };
        let extensions = extensions(fields);
        assert_eq!(
            Value::Object(extensions.odd_fields.clone()),
            json!({"uuid": 7, "isMeta": "yes", "hidden": 1})
        );
        assert_eq!((extensions.slug.as_deref(), extensions.uuid.as_deref()), (Some("s"), None));
        assert_eq!(Value::Object(extensions.other), json!({"todos": []}));
    }
}
