//! Whatever a file says: names change, and nothing else.

use std::collections::HashMap;

use proptest::prelude::*;

use super::*;

fn ids() -> impl Strategy<Value = String> {
    prop_oneof!["0a000000-0000-4000-8000-00000000000[abcd]", Just(OLD.to_owned()), "u[12]"]
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        ids().prop_map(Value::from),
        "[a-z\"\\\\/é\n]{0,6}".prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        Just(Value::Null)
    ];
    leaf.prop_recursive(4, 30, 4, |inner| {
        let key = "uuid|parentUuid|sessionId|message|content|data|toolUseResult|leafUuid|type|[a-z\"]{0,3}";
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(key, inner, 0..5)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// A record under a uuid, with whatever else it says.
fn record() -> impl Strategy<Value = Value> {
    (ids(), proptest::option::of(ids()), values()).prop_map(|(uuid, parent, more)| {
        let mut record = json!({"type": "user", "sessionId": OLD, "uuid": uuid, "parentUuid": parent});
        for (key, value) in more.as_object().into_iter().flatten().filter(|(key, _)| *key != "sessionId") {
            record[key] = value.clone();
        }
        record
    })
}

/// The strings of a value, and the value without them.
pub(super) fn taken(value: &Value, strings: &mut Vec<String>) -> Value {
    match value {
        Value::String(text) => {
            strings.push(text.clone());
            Value::from("")
        }
        Value::Array(list) => list.iter().map(|value| taken(value, strings)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(key, value)| (key.clone(), taken(value, strings))).collect()
        }
        other => other.clone(),
    }
}

proptest! {
    #[test]
    fn a_whole_clone_is_the_same_but_for_names(records in proptest::collection::vec(record(), 1..6), is_spaced: bool) {
        let spell = |record: &Value| {
            let text = record.to_string();
            if is_spaced { text.replace("\":", "\" : ") } else { text }
        };
        let file: String = records.iter().map(|record| spell(record) + "\n").collect();
        let records = super::records(file.as_bytes());
        let new = super::records(&written(file.as_bytes(), |_| {}));
        prop_assert_eq!(new.len(), records.len());
        let (mut names, mut back) = (HashMap::new(), HashMap::new());
        for (old, new) in records.iter().zip(&new) {
            let (mut before, mut after) = (Vec::new(), Vec::new());
            prop_assert_eq!(taken(old, &mut before), taken(new, &mut after));
            for (before, after) in before.into_iter().zip(after).filter(|(before, after)| before != after) {
                prop_assert_eq!(names.entry(before.clone()).or_insert_with(|| after.clone()), &after);
                if after != NEW {
                    prop_assert_eq!(back.entry(after).or_insert_with(|| before.clone()), &before);
                }
            }
            prop_assert_eq!(&new["sessionId"], NEW);
        }
    }

    #[test]
    fn any_bytes_become_whole_lines(file in proptest::collection::vec(prop_oneof![any::<u8>(), Just(b'\n'), Just(b'{'), Just(b'}')], 0..80)) {
        for line in written(&file, |_| {}).split_inclusive(|byte| *byte == b'\n') {
            let ends = (line.first().copied(), line.last().copied());
            prop_assert_eq!(ends, (Some(b'{'), Some(b'\n')));
        }
    }
}
