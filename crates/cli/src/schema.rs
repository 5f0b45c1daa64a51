//! JSON Schemas of what commands print with `--json`, derived from the types that are printed.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};

/// The name of each command with the schema of its answer.
pub fn schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("list", printed::<steno_ops::list::Report>()),
        ("show", printed::<steno_ops::show::Report>()),
        ("doctor", printed::<steno_ops::census::Report>()),
    ]
}

/// As it is printed: a field that may be null is still always there.
fn printed<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}
