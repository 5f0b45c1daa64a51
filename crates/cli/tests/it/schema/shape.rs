//! A JSON Schema → every object in it with its keys, and every place where only certain words may stand, with these.
//!
//! Found by walking it, so that nothing has to be listed for somebody to notice that it came or went.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// By place: a definition (`Warning`), its key (`Chunk.kind`), one of its variants (`Step.thinking`), or nothing, for
/// the answer itself.
pub(crate) type Words = BTreeMap<String, BTreeSet<String>>;

#[derive(Debug, Default)]
pub(crate) struct Shape {
    pub(crate) objects: Words,
    pub(crate) values: Words,
}

impl Shape {
    pub(crate) fn of(schema: &Value) -> Self {
        let mut shape = Self::default();
        shape.walk(schema, "");
        for (name, defined) in schema["$defs"].as_object().into_iter().flatten() {
            shape.walk(defined, name);
        }
        shape
    }

    fn walk(&mut self, schema: &Value, place: &str) {
        let (constant, several) = (schema.get("const"), schema["enum"].as_array());
        for word in constant.into_iter().chain(several.into_iter().flatten()).filter_map(Value::as_str) {
            self.values.entry(place.to_owned()).or_default().insert(word.to_owned());
        }
        if let Some(properties) = schema["properties"].as_object() {
            let variant = properties.values().find_map(|inside| inside["const"].as_str());
            // With nothing but its name, a variant is another definition, which is joined with it.
            if variant.is_none() || properties.len() > 1 {
                let object = below(place, variant.unwrap_or_default());
                self.objects.entry(object).or_default().extend(properties.keys().cloned());
            }
            properties.iter().for_each(|(key, inside)| self.walk(inside, &below(place, key)));
        }
        for inside in ["items", "additionalProperties"].iter().filter_map(|word| schema.get(word)) {
            self.walk(inside, place);
        }
        for inside in ["anyOf", "oneOf", "allOf"].iter().filter_map(|word| schema[word].as_array()).flatten()
        {
            self.walk(inside, place);
        }
    }
}

fn below(place: &str, name: &str) -> String {
    [place, name].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".")
}
