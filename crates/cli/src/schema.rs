//! JSON Schemas of what commands print with `--json`, derived from the types that are printed.

use schemars::{Schema, schema_for};

/// The name of each command with the schema of its answer.
pub fn schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("list", schema_for!(steno_ops::list::Report)),
        ("show", schema_for!(steno_ops::show::Report)),
        ("doctor", schema_for!(steno_ops::census::Report)),
    ]
}
