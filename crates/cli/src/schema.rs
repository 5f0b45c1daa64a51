//! JSON Schemas of what commands print with `--json`, derived from the types that are printed.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};

/// The name of each command with the schema of its answer.
pub fn schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("list", printed::<steno_ops::list::Report>()),
        ("search", printed::<steno_ops::search::Report>()),
        ("show", printed::<steno_ops::show::Report>()),
        ("dump", printed::<steno_ops::dump::Report>()),
        ("share", printed::<steno_ops::dump::Report>()),
        ("portable", printed::<steno_ops::dump::Portable>()),
        ("stats", printed::<steno_ops::stats::Report>()),
        ("doctor", printed::<steno_ops::doctor::Report>()),
        ("clone", printed::<steno_ops::clone::Report>()),
        ("check", printed::<steno_ops::check::Report>()),
        ("move", printed::<steno_ops::relocate::Report>()),
        ("init", printed::<steno_ops::init::Report>()),
        ("sync", printed::<steno_ops::sync::Report>()),
        ("status", printed::<steno_ops::status::Report>()),
        ("restore-list", printed::<steno_ops::restore::list::Report>()),
        ("restore", printed::<steno_ops::restore::one::Report>()),
        ("restore-all", printed::<steno_ops::restore::all::Report>()),
        ("peek", printed::<steno_ops::peek::Report>()),
        ("verify", printed::<steno_ops::verify::Report>()),
        ("remote", printed::<steno_ops::remote::Report>()),
        ("key", printed::<steno_ops::key::Report>()),
        ("schedule", printed::<steno_ops::schedule::Report>()),
        ("export-config", printed::<steno_ops::export_config::Report>()),
        ("import-config", printed::<steno_ops::import_config::Report>()),
        ("purge", printed::<steno_ops::purge::Report>()),
        ("uninstall", printed::<steno_ops::uninstall::Report>()),
        ("help", printed::<crate::describe::Description>()),
        ("completions", printed::<crate::command::completions::Report>()),
        ("man", printed::<crate::command::man::Report>()),
        ("hook", printed::<steno_ops::hook::Report>()),
    ]
}

/// As it is printed: a field that may be null is still always there.
fn printed<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}
