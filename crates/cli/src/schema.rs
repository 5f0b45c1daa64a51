//! JSON Schemas of what commands print with `--json`, derived from the types that are printed.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Serialize;

use crate::next::Step;

/// The name of each command with the schema of its answer.
pub fn schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("list", answered::<steno_ops::list::Report>()),
        ("search", answered::<steno_ops::search::Report>()),
        ("show", answered::<steno_ops::show::Report>()),
        ("resume", answered::<steno_ops::resume::Report>()),
        ("diff", answered::<steno_ops::diff::Report>()),
        ("dump", answered::<steno_ops::dump::Report>()),
        ("share", answered::<steno_ops::dump::Report>()),
        ("portable", printed::<steno_ops::dump::Portable>()),
        ("stats", answered::<steno_ops::stats::Report>()),
        ("doctor", answered::<steno_ops::doctor::Report>()),
        ("clone", answered::<steno_ops::clone::Report>()),
        ("check", answered::<steno_ops::check::Report>()),
        ("move", answered::<steno_ops::relocate::Report>()),
        ("watch", answered::<steno_ops::watch::Report>()),
        ("watch-change", printed::<steno_ops::watch::Change>()),
        ("init", answered::<steno_ops::init::Report>()),
        ("sync", answered::<steno_ops::sync::Report>()),
        ("status", answered::<steno_ops::status::Report>()),
        ("restore-list", answered::<steno_ops::restore::list::Report>()),
        ("restore", answered::<steno_ops::restore::one::Report>()),
        ("restore-all", answered::<steno_ops::restore::all::Report>()),
        ("peek", answered::<steno_ops::peek::Report>()),
        ("verify", answered::<steno_ops::verify::Report>()),
        ("remote", answered::<steno_ops::remote::Report>()),
        ("key", answered::<steno_ops::key::Report>()),
        ("schedule", answered::<steno_ops::schedule::Report>()),
        ("export-config", answered::<steno_ops::export_config::Report>()),
        ("import-config", answered::<steno_ops::import_config::Report>()),
        ("purge", answered::<steno_ops::purge::Report>()),
        ("uninstall", answered::<steno_ops::uninstall::Report>()),
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

/// A report with the steps that are printed along with it.
fn answered<T: JsonSchema>() -> Schema {
    let mut schema = printed::<T>();
    let mut steps = printed::<Steps>();
    for part in ["properties", "$defs"] {
        let added = steps.get_mut(part).and_then(|added| added.as_object_mut().map(std::mem::take));
        let known = schema.ensure_object().entry(part).or_insert_with(|| serde_json::json!({}));
        known.as_object_mut().into_iter().for_each(|known| known.extend(added.clone().unwrap_or_default()));
    }
    schema
}

#[derive(Serialize, JsonSchema)]
struct Steps {
    /// What to do next, where that is obvious.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    next: Vec<Step>,
}
