//! A kept transcript → the files that belong to it, and the original path of each.

use std::collections::{BTreeSet, HashSet};

use steno_vault::Stream;

use super::index::{Index, Kept, recency};

/// A file that belongs to a session.
#[derive(Debug, Clone)]
pub struct Part<'a> {
    pub stream: &'a Stream,
    /// As in the header of its segment.
    pub path: String,
}

impl<'a> Part<'a> {
    pub fn of(stream: &'a Stream) -> Self {
        Self { stream, path: stream.path.clone() }
    }
}

impl<'a> Index<'a> {
    /// Everything but the transcript and plans, in the order of their paths.
    pub fn parts(&self, kept: &Kept<'a>) -> Vec<Part<'a>> {
        let elsewhere: HashSet<&str> =
            self.twins(kept).filter_map(|twin| directory(&twin.stream.path)).collect();
        let parts = self.sorted_parts(kept);
        match directory(&kept.stream.path).filter(|own| !elsewhere.is_empty() && !elsewhere.contains(own)) {
            Some(own) => brought_home(parts, own, &elsewhere),
            None => parts,
        }
    }

    /// The same if all transcripts of the session are restored: each file with the transcript beside it, others with the
    /// latest.
    pub fn parts_in_place(&self, kept: &Kept<'a>) -> Vec<Part<'a>> {
        let own = directory(&kept.stream.path);
        let elsewhere: HashSet<&str> =
            self.twins(kept).filter_map(|twin| directory(&twin.stream.path)).collect();
        let order = |kept: &Kept<'_>| (recency(kept.stream), kept.name.to_owned());
        let is_latest = self.twins(kept).all(|twin| order(twin) < order(kept));
        let is_taken = |part: &Part<'_>| {
            let place = directory(&part.path);
            place == own || is_latest && place.is_none_or(|place| !elsewhere.contains(place))
        };
        self.sorted_parts(kept).into_iter().filter(is_taken).collect()
    }

    fn sorted_parts(&self, kept: &Kept<'a>) -> Vec<Part<'a>> {
        let streams =
            self.parts.get(&(kept.machine, kept.id.as_str())).map(Vec::as_slice).unwrap_or_default();
        let mut parts: Vec<Part<'a>> = streams.iter().map(|stream| Part::of(stream)).collect();
        parts.sort_by(|one, two| one.path.cmp(&two.path));
        parts.dedup_by(|later, first| later.path == first.path);
        parts
    }

    /// The plans of a machine with one of these slugs.
    pub fn plans(&self, machine: &str, slugs: &BTreeSet<String>) -> Vec<Part<'a>> {
        let plans = self.plans.get(machine).map(Vec::as_slice).unwrap_or_default();
        let is_meant = |stream: &&&Stream| slug_of(&stream.path).is_some_and(|slug| slugs.contains(slug));
        plans.iter().filter(is_meant).map(|stream| Part::of(stream)).collect()
    }

    /// The file beside a transcript with the title that the user gave the session.
    pub(super) fn custom_title(&self, kept: &Kept<'a>) -> Option<&'a Stream> {
        let streams = self.parts.get(&(kept.machine, kept.id.as_str()))?;
        let is_title = |path: &str| path.starts_with("projects/") && path.ends_with("/custom-title.json");
        streams.iter().copied().find(|stream| is_title(&stream.path))
    }

    /// The file beside a transcript that names the session it was cloned from.
    pub(super) fn lineage(&self, kept: &Kept<'a>) -> Option<&'a Stream> {
        let streams = self.parts.get(&(kept.machine, kept.id.as_str()))?;
        let is_lineage = |path: &str| path.starts_with("projects/") && path.ends_with("/steno-lineage.json");
        streams.iter().copied().find(|stream| is_lineage(&stream.path))
    }

    pub fn has_plans(&self, machine: &str) -> bool {
        self.plans.contains_key(machine)
    }
}

/// A session that was kept from two projects has one set of files: those beside the other transcript are included, unless
/// there is one of the same name beside this one.
fn brought_home<'a>(parts: Vec<Part<'a>>, own: &str, elsewhere: &HashSet<&str>) -> Vec<Part<'a>> {
    let is_elsewhere = |part: &Part<'_>| directory(&part.path).is_some_and(|place| elsewhere.contains(place));
    let (away, mut home): (Vec<_>, Vec<_>) = parts.into_iter().partition(is_elsewhere);
    let known: HashSet<String> = home.iter().map(|part| part.path.clone()).collect();
    for part in away {
        let path = moved(&part.path, own);
        if !known.contains(&path) {
            home.push(Part { path, ..part });
        }
    }
    home
}

/// The project's directory that contains a path.
fn directory(path: &str) -> Option<&str> {
    path.strip_prefix("projects/")?.split_once('/').map(|(directory, _)| directory)
}

/// The same path in another project's directory; a path outside projects stays.
pub fn moved(path: &str, directory: &str) -> String {
    match path.strip_prefix("projects/").and_then(|rest| rest.split_once('/')) {
        Some((_, rest)) => format!("projects/{directory}/{rest}"),
        None => path.to_owned(),
    }
}

/// `plans/<slug>.md` and `plans/<slug>-agent-<id>.md`.
fn slug_of(path: &str) -> Option<&str> {
    let stem = path.strip_prefix("plans/")?.strip_suffix(".md")?;
    Some(stem.split_once("-agent-").map_or(stem, |(slug, _)| slug))
}
