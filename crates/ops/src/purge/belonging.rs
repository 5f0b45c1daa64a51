//! A session's id → every kept file of this machine that is the session's.
//!
//! More than a restore takes: all generations, and files whose header is damaged, which only their place tells.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use memchr::memmem::Finder;
use rayon::prelude::*;
use steno_conversation::Warning;
use steno_vault::{Catalog, Generation, Store, Stream, Volume, text_of};

use super::live::Live;
use crate::candidate::transcript;
use crate::kept::Slugs;
use crate::warning;
use crate::workspace::Vault;

#[derive(Debug, Default)]
pub(super) struct Belongings {
    /// The names of the streams, by machine.
    pub(super) streams: BTreeMap<String, Vec<String>>,
    /// Of the vault.
    pub(super) files: Vec<String>,
    /// Of the latest generations, unpacked.
    pub(super) bytes: u64,
    /// Below the Claude directory.
    pub(super) paths: BTreeSet<String>,
    /// Of its plans; those that another session names, too, are not among them.
    pub(super) slugs: BTreeSet<String>,
    pub(super) warnings: Vec<Warning>,
}

impl Belongings {
    fn add(&mut self, machine: &str, name: &str, stream: &Stream) {
        self.streams.entry(machine.to_owned()).or_default().push(name.to_owned());
        self.files.extend(stream.files().map(str::to_owned));
        self.bytes += stream.latest().map_or(0, Generation::len);
        self.paths.insert(stream.path.clone());
    }
}

/// `known` are slugs of its plans that were found before.
pub(super) fn gather(
    store: &dyn Store,
    catalog: &Catalog,
    vault: &Vault,
    id: &str,
    live: &Live,
    known: &[String],
) -> Belongings {
    let mut belongings = Belongings { slugs: live.slugs.clone(), ..Belongings::default() };
    let own = || catalog.streams().filter(|(machine, _, _)| vault.is_own(machine));
    for (machine, name, stream) in own().filter(|(_, _, stream)| is_of(stream, id)) {
        belongings.add(machine, name, stream);
        if stream.path.ends_with(".jsonl") {
            let slugs = slugs_of(store, machine, stream, &mut belongings.warnings);
            belongings.slugs.extend(slugs);
        }
    }
    let has_plan =
        |slug: &String| live.has_plan(slug) || own().any(|(_, _, stream)| is_plan(&stream.path, slug));
    belongings.slugs.extend(known.iter().cloned());
    belongings.slugs.retain(has_plan);
    if belongings.slugs.is_empty() {
        return belongings;
    }
    // Another session may name the same plan, so all have to be read.
    let others = own().filter(|(_, _, stream)| !is_of(stream, id) && transcript(&stream.path).is_some());
    let mut named = named_by(store, &others.collect::<Vec<_>>());
    named.extend(live.named_by_others());
    belongings.slugs.retain(|slug| !named.contains(slug));
    let slugs = belongings.slugs.clone();
    for (machine, name, stream) in
        own().filter(|(_, _, stream)| slugs.iter().any(|slug| is_plan(&stream.path, slug)))
    {
        belongings.add(machine, name, stream);
    }
    belongings
}

/// Every machine that keeps something of it.
pub(super) fn machines_of(catalog: &Catalog, id: &str) -> BTreeSet<String> {
    let theirs = catalog.streams().filter(|(_, _, stream)| is_of(stream, id));
    theirs.map(|(machine, _, _)| machine.to_owned()).collect()
}

fn is_of(stream: &Stream, id: &str) -> bool {
    stream.session.as_deref() == Some(id) || is_place_of(&stream.path, id)
}

/// Whether a path names the session, as the client builds such paths.
fn is_place_of(path: &str, id: &str) -> bool {
    let Some(name) = text_of(Path::new(id)) else { return false };
    let parts: Vec<&str> = path.split('/').collect();
    match parts.as_slice() {
        ["projects", _, file] => file.strip_suffix(".jsonl") == Some(&name),
        ["projects", _, directory, _, ..] | ["file-history" | "tasks", directory, _, ..] => {
            *directory == name
        }
        ["todos", file] => {
            let rest = file.strip_suffix(".json").and_then(|stem| stem.strip_prefix(&name));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("-agent-"))
        }
        _ => false,
    }
}

/// `plans/<slug>.md` and `plans/<slug>-agent-<id>.md`.
pub(super) fn is_plan(path: &str, slug: &str) -> bool {
    let stem = path.strip_prefix("plans/").and_then(|name| name.strip_suffix(".md"));
    let rest = stem.and_then(|stem| stem.strip_prefix(slug));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("-agent-"))
}

fn slugs_of(
    store: &dyn Store,
    machine: &str,
    stream: &Stream,
    warnings: &mut Vec<Warning>,
) -> BTreeSet<String> {
    let mut slugs = Slugs::default();
    for generation in &stream.generations {
        let volume = Volume { store, machine, stream, generation };
        if let Err(error) = volume.copy(&mut slugs.writing(std::io::sink())) {
            let message = format!("its plans may not all be known: {error}");
            warnings.push(warning::at(Path::new(&stream.path), "damaged", message));
        }
    }
    slugs.found()
}

/// What cannot be read names nothing; its own damage is verify's business.
fn named_by(store: &dyn Store, streams: &[(&str, &str, &Stream)]) -> BTreeSet<String> {
    let slugs =
        |(machine, _, stream): &(&str, &str, &Stream)| slugs_of(store, machine, stream, &mut Vec::new());
    let found: Vec<BTreeSet<String>> = streams.par_iter().map(slugs).collect();
    found.into_iter().flatten().collect()
}

/// The paths of kept files that belong to no session and name this one. The list of prompts is looked at apart.
pub(super) fn naming(store: &dyn Store, catalog: &Catalog, vault: &Vault, id: &str) -> BTreeSet<String> {
    let own = catalog.streams().filter(|(machine, _, _)| vault.is_own(machine));
    let loose: Vec<_> = own.filter(|(_, _, stream)| is_list(stream)).collect();
    let id = Finder::new(id);
    let is_naming = |(machine, _, stream): &&(&str, &str, &Stream)| {
        let mut bytes = Vec::new();
        stream.generations.iter().any(|generation| {
            bytes.clear();
            let _ = Volume { store, machine, stream, generation }.copy(&mut bytes);
            id.find(&bytes).is_some()
        })
    };
    loose.par_iter().filter(is_naming).map(|(_, _, stream)| stream.path.clone()).collect()
}

/// Of a project, not what somebody wrote into its memory.
fn is_list(stream: &Stream) -> bool {
    let parts: Vec<&str> = stream.path.split('/').collect();
    stream.session.is_none() && matches!(parts.as_slice(), ["projects", _, name] if !name.ends_with(".jsonl"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_names_its_session_and_no_other() {
        for path in [
            "projects/-a/s1.jsonl",
            "projects/-a/s1/subagents/agent-1.jsonl",
            "file-history/s1/x@v1",
            "tasks/s1/1.json",
            "todos/s1.json",
            "todos/s1-agent-s1.json",
        ] {
            assert!(is_place_of(path, "s1"), "{path}");
            assert!(!is_place_of(&path.replace("s1", "s10"), "s1"), "{path}");
        }
        for path in [
            "projects/s1.jsonl",
            "projects/-a/agent-s1.jsonl",
            "plans/s1.md",
            "todos/s1-x.json",
            "history.jsonl",
        ] {
            assert!(!is_place_of(path, "s1"), "{path}");
        }
        assert!(is_place_of("projects/-a/100%25.jsonl", "100%"));
    }

    #[test]
    fn a_plan_has_its_slug() {
        assert!(
            is_plan("plans/calm-tea.md", "calm-tea") && is_plan("plans/calm-tea-agent-a1.md", "calm-tea")
        );
        assert!(
            !is_plan("plans/calm-tea-two.md", "calm-tea") && !is_plan("projects/calm-tea.md", "calm-tea")
        );
    }
}
