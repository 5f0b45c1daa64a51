//! A kept transcript → the files that belong to it, and the original path of each.

use std::collections::{BTreeSet, HashSet};

use steno_vault::Stream;

use super::index::{Index, KeptSession, recency};

/// A file that belongs to a session.
#[derive(Debug, Clone)]
pub struct KeptPart<'a> {
    pub stream: &'a Stream,
    /// As in the header of its segment.
    pub path: String,
}

impl<'a> KeptPart<'a> {
    pub fn of(stream: &'a Stream) -> Self {
        Self { stream, path: stream.path.clone() }
    }
}

impl<'a> Index<'a> {
    /// Everything but the transcript and plans, in the order of their paths.
    pub fn parts(&self, kept: &KeptSession<'a>) -> Vec<KeptPart<'a>> {
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
    pub fn parts_in_place(&self, kept: &KeptSession<'a>) -> Vec<KeptPart<'a>> {
        let own = directory(&kept.stream.path);
        let elsewhere: HashSet<&str> =
            self.twins(kept).filter_map(|twin| directory(&twin.stream.path)).collect();
        let order = |kept: &KeptSession<'_>| (recency(kept.stream), kept.name.to_owned());
        let is_latest = self.twins(kept).all(|twin| order(twin) < order(kept));
        let is_taken = |part: &KeptPart<'_>| {
            let place = directory(&part.path);
            place == own || is_latest && place.is_none_or(|place| !elsewhere.contains(place))
        };
        self.sorted_parts(kept).into_iter().filter(is_taken).collect()
    }

    fn sorted_parts(&self, kept: &KeptSession<'a>) -> Vec<KeptPart<'a>> {
        let streams =
            self.parts.get(&(kept.machine, kept.id.as_str())).map(Vec::as_slice).unwrap_or_default();
        let mut parts: Vec<KeptPart<'a>> = streams.iter().map(|stream| KeptPart::of(stream)).collect();
        parts.sort_by(|one, two| one.path.cmp(&two.path));
        parts.dedup_by(|later, first| later.path == first.path);
        parts
    }

    /// The plans of a machine with one of these slugs.
    pub fn plans(&self, machine: &str, slugs: &BTreeSet<String>) -> Vec<KeptPart<'a>> {
        let plans = self.plans.get(machine).map(Vec::as_slice).unwrap_or_default();
        let is_meant = |stream: &&&Stream| slug_of(&stream.path).is_some_and(|slug| slugs.contains(slug));
        plans.iter().filter(is_meant).map(|stream| KeptPart::of(stream)).collect()
    }

    /// The file beside a transcript with the title that the user gave the session.
    pub(super) fn custom_title(&self, kept: &KeptSession<'a>) -> Option<&'a Stream> {
        let streams = self.parts.get(&(kept.machine, kept.id.as_str()))?;
        let is_title = |path: &str| path.starts_with("projects/") && path.ends_with("/custom-title.json");
        streams.iter().copied().find(|stream| is_title(&stream.path))
    }

    /// The file beside a transcript that names the session it was cloned from.
    pub(super) fn lineage(&self, kept: &KeptSession<'a>) -> Option<&'a Stream> {
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
fn brought_home<'a>(parts: Vec<KeptPart<'a>>, own: &str, elsewhere: &HashSet<&str>) -> Vec<KeptPart<'a>> {
    let is_elsewhere =
        |part: &KeptPart<'_>| directory(&part.path).is_some_and(|place| elsewhere.contains(place));
    let (away, mut home): (Vec<_>, Vec<_>) = parts.into_iter().partition(is_elsewhere);
    let known: HashSet<String> = home.iter().map(|part| part.path.clone()).collect();
    for part in away {
        let path = moved(&part.path, own);
        if !known.contains(&path) {
            home.push(KeptPart { path, ..part });
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
