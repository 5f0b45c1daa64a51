//! The fields of a record → the extensions of its message, by the names of the document.

use serde_json::{Map, Value};

use super::field::ODD;
use super::{MessageExtensions, Object};

/// Names that mean something else in the document than they would in a record.
const OURS: [&str; 8] =
    ["messageId", "model", "stop_reason", "usage", "queued", "hidden", "original_content", "continued"];

pub(super) fn extensions(fields: Object) -> MessageExtensions {
    let mut fields = Remaining { fields, odd: Map::new() };
    if let Some(Value::Object(odd)) = fields.fields.shift_remove(ODD) {
        fields.odd = odd;
    }
    let mut extensions = MessageExtensions {
        uuid: fields.text("uuid"),
        parent_uuid: fields.text("parentUuid"),
        logical_parent_uuid: fields.text("logicalParentUuid"),
        request_id: fields.text("requestId"),
        slug: fields.text("slug"),
        user_type: fields.text("userType"),
        is_sidechain: fields.flag("isSidechain"),
        is_meta: fields.flag("isMeta"),
        is_compact_summary: fields.flag("isCompactSummary"),
        is_api_error_message: fields.flag("isApiErrorMessage"),
        thinking_metadata: fields.fields.shift_remove("thinkingMetadata"),
        tool_use_result: fields.fields.shift_remove("toolUseResult"),
        message: fields.object("message"),
        ..MessageExtensions::default()
    };
    for name in OURS {
        fields.set_aside(name);
    }
    extensions.odd_fields = fields.odd;
    extensions.other = fields.fields;
    extensions
}

/// What no field of the document has taken yet.
struct Remaining {
    fields: Object,
    odd: Object,
}

impl Remaining {
    fn text(&mut self, key: &str) -> Option<String> {
        match self.fields.get(key) {
            Some(Value::String(_)) => self.fields.shift_remove(key)?.as_str().map(str::to_owned),
            _ => {
                self.set_aside(key);
                None
            }
        }
    }

    fn flag(&mut self, key: &str) -> Option<bool> {
        match self.fields.get(key) {
            Some(Value::Bool(_)) => self.fields.shift_remove(key)?.as_bool(),
            _ => {
                self.set_aside(key);
                None
            }
        }
    }

    fn object(&mut self, key: &str) -> Object {
        match self.fields.shift_remove(key) {
            Some(Value::Object(object)) => object,
            odd => {
                self.odd.extend(odd.map(|odd| (key.to_owned(), odd)));
                Object::new()
            }
        }
    }

    fn set_aside(&mut self, key: &str) {
        if let Some(odd) = self.fields.shift_remove(key) {
            self.odd.insert(key.to_owned(), odd);
        }
    }
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
