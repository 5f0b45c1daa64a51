//! The files beside the original transcript → those that the clone needs, and their new paths.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use steno_conversation::Warning;
use steno_edit::Outline;
use steno_edit::outline::Id;
use steno_sessions::session::{Belonging, OpenSession, Tree};
use steno_source::{AgentFile, LINEAGE, SessionFiles};

use super::mention::{Mentions, Names};
use super::stage::Spot;
use super::transcription::Written;
use crate::warning;

/// The client's directory for results that are too long for a record.
const TOOL_RESULTS: &str = "tool-results";

/// A file that is copied along.
#[derive(Debug)]
pub(super) struct Beside {
    pub(super) source: PathBuf,
    pub(super) spot: Spot,
    pub(super) form: Form,
}

/// How the names in a file change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Records,
    /// One JSON value.
    Document,
    /// As they are.
    Bytes,
}

/// Which calls a clone keeps.
#[derive(Debug)]
pub(super) struct Calls<'a> {
    outline: &'a Outline,
    kept: HashSet<Id>,
}

impl<'a> Calls<'a> {
    pub(super) fn of(outline: &'a Outline, plan: &steno_edit::Plan) -> Self {
        Self { outline, kept: plan.calls.iter().copied().collect() }
    }
}

/// The files that records may mention.
#[derive(Debug)]
pub(super) struct Surroundings<'a> {
    original: &'a OpenSession,
    pub(super) agents: Names,
    pub(super) results: Names,
    known: Vec<Known<'a>>,
    /// Results in the directories of other sessions whose records are in the same file.
    foreign: Vec<PathBuf>,
}

/// An agent, and the names that records have for it.
#[derive(Debug)]
struct Known<'a> {
    agent: &'a AgentFile,
    /// The call that started it.
    call: Option<String>,
}

impl<'a> Surroundings<'a> {
    /// `names` are the session ids in its records. If everything is copied, nothing has to be looked for.
    pub(super) fn of(
        original: &'a OpenSession,
        names: &[String],
        is_whole: bool,
        warnings: &mut Vec<Warning>,
    ) -> Self {
        let files = &original.files;
        let known: Vec<Known<'_>> = files.agents.iter().map(|agent| Known::of(original, agent)).collect();
        let agents = known.iter().flat_map(Known::names).filter(|_| !is_whole).map(str::to_owned);
        let results = files.tool_results.iter().map(|path| name_of(path)).filter(|_| !is_whole);
        // Paths to them change like paths to the session's own, so they are copied along.
        let others = names.iter().map(String::as_str).filter(|name| *name != files.id.as_str());
        let foreign = original.results_of(&others.collect::<Vec<_>>(), warnings);
        let results = results.chain(foreign.iter().map(|path| name_of(path)));
        let (agents, results) = (Names::new(agents.collect()), Names::new(results.collect()));
        Self { original, agents, results, known, foreign }
    }

    /// The files that the clone needs; without calls, all of them. A directory that cannot be listed is a warning.
    pub(super) fn needed(
        &self,
        calls: Option<Calls<'_>>,
        written: &mut Written,
        id: &str,
        warnings: &mut Vec<Warning>,
    ) -> Vec<Beside> {
        let is_whole = calls.is_none();
        let agents = self.needed_agents(calls.as_ref(), written, warnings);
        let files = &self.original.files;
        let mut needed: Vec<Beside> = Vec::new();
        for agent in &agents {
            needed.push(Beside {
                source: agent.path.clone(),
                spot: spot_of(files, agent),
                form: Form::Records,
            });
        }
        let results = files.tool_results.iter();
        let results = results.filter(|path| is_whole || written.results.has(&name_of(path)));
        let results = results.filter_map(|path| beside(files, path));
        needed.extend(results.map(|result| Beside { form: Form::Bytes, ..result }));
        let foreign = self.foreign.iter().filter(|path| written.results.has(&name_of(path)));
        needed.extend(foreign.map(|path| {
            let spot = Spot::Session(Path::new(TOOL_RESULTS).join(name_of(path)));
            Beside { source: path.clone(), spot, form: Form::Bytes }
        }));
        let metas: BTreeSet<&Path> = agents.iter().filter_map(|agent| agent.meta.as_deref()).collect();
        let is_other = |path: &&PathBuf| {
            let is_agents = below(files, path).is_some_and(|below| below.starts_with("subagents"));
            is_whole || !is_agents || metas.contains(path.as_path())
        };
        needed.extend(files.sidecars.iter().filter(is_other).filter_map(|path| beside(files, path)));
        needed.retain(|beside| beside.spot != Spot::Session(PathBuf::from(LINEAGE)));
        needed.extend(self.elsewhere(is_whole, &agents, id, warnings));
        let mut taken = BTreeSet::new();
        needed.retain(|beside| taken.insert(beside.spot.clone()));
        needed
    }

    /// The records of an agent mention the agents that it started.
    fn needed_agents(
        &self,
        calls: Option<&Calls<'_>>,
        written: &mut Written,
        warnings: &mut Vec<Warning>,
    ) -> Vec<&'a AgentFile> {
        let (mut needed, mut rest): (Vec<&AgentFile>, Vec<_>) = (Vec::new(), self.known.iter().collect());
        loop {
            let is_meant =
                |known: &&Known<'_>| calls.is_none_or(|calls| known.is_meant(calls, &written.agents));
            let (found, others): (Vec<_>, Vec<_>) = rest.into_iter().partition(is_meant);
            if found.is_empty() {
                return needed;
            }
            for known in found.iter().filter(|_| calls.is_some() || !self.foreign.is_empty()) {
                self.listen(known.agent, &mut written.agents, &mut written.results, warnings);
            }
            needed.extend(found.into_iter().map(|known| known.agent));
            rest = others;
        }
    }

    fn listen(
        &self,
        agent: &AgentFile,
        agents: &mut Mentions,
        results: &mut Mentions,
        warnings: &mut Vec<Warning>,
    ) {
        let file = self.original.file(&agent.path);
        let heard = file.and_then(|file| {
            file.lines(|line| {
                self.agents.look(line.bytes, agents);
                self.results.look(line.bytes, results);
            })
        });
        warnings.extend(heard.err().map(|error| warning::unreadable(&agent.path, &error)));
    }

    /// Files with the session's id in other directories of the Claude directory. Backups of files are only of use to the
    /// snapshots that name them, and only a whole clone keeps those.
    fn elsewhere(
        &self,
        is_whole: bool,
        agents: &[&AgentFile],
        new: &str,
        warnings: &mut Vec<Warning>,
    ) -> Vec<Beside> {
        let old = self.original.id();
        let belongings = self.original.belongings(warnings).into_iter();
        let beside = |Belonging { tree, path }| {
            let spot = match tree {
                Tree::Todos => Spot::Todos(todo(&name_of(&path), (old.as_str(), new), agents)?),
                Tree::FileHistory if !is_whole => return None,
                Tree::FileHistory => Spot::History(PathBuf::from(path.file_name()?)),
                Tree::Tasks => Spot::Tasks(PathBuf::from(path.file_name()?)),
            };
            Some(Beside { source: path, spot, form: Form::Bytes })
        };
        belongings.filter_map(beside).collect()
    }
}

impl<'a> Known<'a> {
    fn of(original: &OpenSession, agent: &'a AgentFile) -> Self {
        let call = original.meta(agent, &mut Vec::new()).and_then(|meta| meta.tool_use_id);
        Self { agent, call }
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        [self.agent.id.as_str()].into_iter().chain(self.call.as_deref())
    }

    /// If its call is one of the session's, the clone must keep that call; otherwise a mention is enough.
    fn is_meant(&self, calls: &Calls<'_>, mentions: &Mentions) -> bool {
        match self.call.as_deref().and_then(|call| calls.outline.find(call)) {
            Some(call) => calls.kept.contains(&call),
            None => self.names().any(|name| mentions.has(name)),
        }
    }
}

/// The new path of an agent's file. A file beside the transcript goes to the directory that newer clients use.
fn spot_of(files: &SessionFiles, agent: &AgentFile) -> Spot {
    let own = below(files, &agent.path).filter(|_| !agent.old_layout);
    Spot::Session(own.unwrap_or_else(|| Path::new("subagents").join(name_of(&agent.path))))
}

fn beside(files: &SessionFiles, path: &Path) -> Option<Beside> {
    let spot = Spot::Session(below(files, path)?);
    let is_document = path.extension().is_some_and(|end| end == "json");
    let form = if is_document { Form::Document } else { Form::Bytes };
    Some(Beside { source: path.to_owned(), spot, form })
}

/// The path below the directory that is named like the session.
fn below(files: &SessionFiles, path: &Path) -> Option<PathBuf> {
    if let Some(directory) = &files.directory
        && let Ok(below) = path.strip_prefix(directory)
    {
        return Some(below.to_owned());
    }
    let named =
        path.ancestors().find(|above| above.file_name().is_some_and(|name| name == files.id.as_str()))?;
    path.strip_prefix(named).ok().map(Path::to_owned)
}

/// The new name of `<old>.json`, `<old>-agent-<old>.json`, and `<old>-agent-<agent>.json` of agents that come along.
fn todo(name: &str, (old, new): (&str, &str), agents: &[&AgentFile]) -> Option<PathBuf> {
    let rest = name.strip_prefix(old)?;
    let agent = rest.strip_prefix("-agent-").and_then(|rest| rest.strip_suffix(".json"));
    let name = match agent {
        None => format!("{new}{rest}"),
        Some(agent) if agent == old => format!("{new}-agent-{new}.json"),
        Some(agent) => {
            let is_there = agents.iter().any(|known| known.id.as_str() == agent);
            is_there.then(|| format!("{new}{rest}"))?
        }
    };
    Some(PathBuf::from(name))
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
