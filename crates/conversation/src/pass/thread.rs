//! Thread: the tree over parents → the thread that the client goes on with, and the branches that rewinds left.
//!
//! Only a rewind abandons records: at a fork, the active thread goes on with a new prompt, and the other side has a prompt
//! as well. The client makes all other forks itself (results of parallel tools, a prompt from the queue, notes of hooks),
//! and they belong to the active thread, in file order.

use std::collections::{BTreeMap, HashMap, HashSet};

use steno_transcript::{Kind, RecordId};

use crate::circle::circles;
use crate::entry::{Entry, Speech};
use crate::model::{Branch, Thread};
use crate::usage::MessageKey;
use crate::warning::Warnings;

/// The thread of each entry.
#[derive(Debug)]
pub(crate) struct Threads {
    /// The thread of each entry, in their order.
    pub(crate) of_entries: Vec<Thread>,
    /// Sidechain conversations inside the file, in the order of their first records.
    pub(crate) sidechains: Vec<Vec<usize>>,
    pub(crate) branches: Vec<Branch>,
}

pub(crate) fn thread(entries: &[Entry], warnings: &mut Warnings) -> Threads {
    let speaks = |entry: &Entry| entry.is_message() || entry.is_queued;
    let is_agents = !entries.iter().any(|entry| speaks(entry) && !entry.is_sidechain);
    let tree = Tree::new(entries, is_agents, warnings);
    let path = tree.path_from(tree.leaf());
    let abandoned = tree.abandoned(&path);
    let of_entries = (0..entries.len()).map(|index| tree.thread_of(index, &abandoned)).collect();
    let branches = tree.branches(&path, &abandoned);
    Threads { of_entries, sidechains: tree.sidechains(), branches }
}

struct Tree<'a> {
    entries: &'a [Entry],
    /// Every message is a sidechain record: the file is an agent's.
    is_agents: bool,
    parents: Vec<Option<usize>>,
    /// Entries that repeat an earlier record.
    repeated: HashSet<usize>,
    speech: Vec<Speech>,
}

impl<'a> Tree<'a> {
    fn new(entries: &'a [Entry], is_agents: bool, warnings: &mut Warnings) -> Self {
        let mut by_id: HashMap<&RecordId, usize> = HashMap::new();
        let mut repeated = HashSet::new();
        for (index, entry) in entries.iter().enumerate() {
            let Some(uuid) = &entry.at.uuid else { continue };
            if let Some(first) = by_id.get(uuid) {
                warnings.add("duplicate-uuid", Some(entry.at.line), format!("uuid {uuid} was already used"));
                if entries.get(*first).is_some_and(|first| is_replay(first, entry)) {
                    repeated.insert(index);
                }
            } else {
                by_id.insert(uuid, index);
            }
        }
        let speech = entries.iter().map(Entry::speech).collect();
        let mut tree = Self { entries, is_agents, parents: Vec::new(), repeated, speech };
        tree.parents = tree.link(&by_id, warnings);
        tree.cut_cycles(warnings);
        tree
    }

    fn entry(&self, index: usize) -> Option<&'a Entry> {
        self.entries.get(index)
    }

    fn parent(&self, index: usize) -> Option<usize> {
        self.parents.get(index).copied().flatten()
    }

    fn speech(&self, index: usize) -> Speech {
        self.speech.get(index).copied().unwrap_or(Speech::None)
    }

    fn is_prompt(&self, index: usize) -> bool {
        self.speech(index) == Speech::Prompt
    }

    fn is_main(&self, index: usize) -> bool {
        self.is_agents || self.entry(index).is_some_and(|entry| !entry.is_sidechain)
    }

    /// Whether an entry is not a sidechain's, and does not repeat an earlier one.
    fn counts(&self, index: usize) -> bool {
        self.is_main(index) && !self.repeated.contains(&index)
    }

    fn thread_of(&self, index: usize, abandoned: &HashMap<usize, usize>) -> Thread {
        if !self.is_main(index) {
            Thread::Sidechain
        } else if self.repeated.contains(&index) {
            Thread::Repeated
        } else if abandoned.contains_key(&index) {
            Thread::Abandoned
        } else {
            Thread::Active
        }
    }

    /// The parent of each entry. If the parent is missing, the record before it in the file takes its place.
    fn link(&self, by_id: &HashMap<&RecordId, usize>, warnings: &mut Warnings) -> Vec<Option<usize>> {
        let mut parents: Vec<Option<usize>> = Vec::with_capacity(self.entries.len());
        let mut previous: Option<usize> = None;
        let mut has_links = false;
        let mut prompted: HashSet<Option<&str>> = HashSet::new();
        for (index, entry) in self.entries.iter().enumerate() {
            let wanted = entry.parent.as_ref().or(entry.logical_parent.as_ref());
            let found = wanted.and_then(|id| by_id.get(id).copied()).filter(|parent| *parent != index);
            let is_gap = wanted.is_some() && found.is_none();
            // The first record of an agent, and of a fork, names a record of another file.
            if is_gap && previous.is_some() {
                let id = wanted.map(RecordId::as_str).unwrap_or_default();
                warnings.add(
                    "missing-parent",
                    Some(entry.at.line),
                    format!("parent {id} is not in the file"),
                );
            }
            // A rewind to the very beginning: a prompt without a parent, in a session that had one before.
            let is_prompt = self.is_main(index) && self.is_prompt(index);
            let is_first_of_session = !is_prompt || prompted.insert(entry.session_id.as_deref());
            // Accepting a plan with a cleared context has no parent either, but is no rewind.
            let is_fresh_start =
                wanted.is_none() && has_links && !is_first_of_session && !entry.implements_plan();
            let joined =
                previous.filter(|_| self.is_main(index) && !is_fresh_start && entry.at.uuid.is_some());
            parents.push(found.or(joined));
            has_links |= found.is_some();
            if self.counts(index) && entry.at.uuid.is_some() {
                previous = Some(index);
            }
        }
        parents
    }

    /// Of a circle, the record that comes first in the file loses its parent.
    fn cut_cycles(&mut self, warnings: &mut Warnings) {
        for circle in circles(self.parents.len(), |index| self.parent(index)) {
            self.cut(circle.into_iter().min().unwrap_or_default(), warnings);
        }
    }

    fn cut(&mut self, index: usize, warnings: &mut Warnings) {
        if let Some(parent) = self.parents.get_mut(index) {
            *parent = None;
        }
        let line = self.entry(index).map(|entry| entry.at.line);
        warnings.add("parent-cycle", line, "the chain of parents runs in a circle");
    }

    /// The end of the active thread: the leaf that the user chose last, unless the conversation went on after that.
    fn leaf(&self) -> Option<usize> {
        self.chosen().or_else(|| self.last())
    }

    fn last(&self) -> Option<usize> {
        let is_message = |index: &usize| {
            self.counts(*index)
                && self.entry(*index).is_some_and(|entry| entry.is_message() || entry.is_queued)
        };
        (0..self.entries.len()).rev().find(is_message)
    }

    /// The leaf in the last `last-prompt` record, if the user chose it and no message follows.
    fn chosen(&self) -> Option<usize> {
        let (at, word) =
            self.entries.iter().enumerate().rev().find(|(_, entry)| entry.kind == Kind::LastPrompt)?;
        let chosen = word.chosen_leaf.as_ref()?;
        let chosen = self.entries.iter().position(|entry| entry.at.uuid.as_ref() == Some(chosen));
        chosen.filter(|_| self.last().is_none_or(|last| last < at))
    }

    /// From the root down to `leaf`.
    fn path_from(&self, leaf: Option<usize>) -> Vec<usize> {
        let mut path: Vec<usize> = std::iter::successors(leaf, |index| self.parent(*index)).collect();
        path.reverse();
        path
    }

    /// Entries that a rewind left, each with the entry at which its branch starts.
    fn abandoned(&self, path: &[usize]) -> HashMap<usize, usize> {
        let line = Path::new(self, path);
        let mut root_of: HashMap<usize, usize> = HashMap::new();
        let mut with_prompt: HashSet<usize> = HashSet::new();
        let mut with_command: HashSet<usize> = HashSet::new();
        let mut with_answer: HashSet<usize> = HashSet::new();
        for index in 0..self.entries.len() {
            let has_place = self.entry(index).is_some_and(|entry| entry.at.uuid.is_some());
            if has_place && self.counts(index) && !line.contains(index) {
                let root = self.branch_root(index, &line, &mut root_of);
                match self.speech(index) {
                    Speech::Prompt => drop(with_prompt.insert(root)),
                    Speech::Slash | Speech::Shell => drop(with_command.insert(root)),
                    Speech::None => {}
                }
                if self.entry(index).is_some_and(|entry| entry.kind == Kind::Assistant) {
                    with_answer.insert(root);
                }
            }
        }
        // A command without an answer was no turn: the client attaches those anywhere.
        with_prompt.extend(with_command.intersection(&with_answer));
        let ends_by_choice = self.chosen().is_some();
        let is_rewind = |root: &usize| line.goes_on_with_prompt(self.parent(*root)).unwrap_or(ends_by_choice);
        with_prompt.retain(is_rewind);
        root_of.retain(|index, root| with_prompt.contains(root) && self.counts(*index));
        root_of
    }

    /// The topmost ancestor that is not on the active thread, remembered for all entries on the way.
    fn branch_root(&self, index: usize, line: &Path, root_of: &mut HashMap<usize, usize>) -> usize {
        let mut walked = Vec::new();
        let mut at = index;
        let root = loop {
            if let Some(root) = root_of.get(&at) {
                break *root;
            }
            walked.push(at);
            match self.parent(at) {
                Some(parent) if !line.contains(parent) => at = parent,
                _ => break at,
            }
        };
        root_of.extend(walked.into_iter().map(|passed| (passed, root)));
        root
    }

    fn branches(&self, path: &[usize], abandoned: &HashMap<usize, usize>) -> Vec<Branch> {
        let Some(leaf) = path.last().and_then(|leaf| self.entry(*leaf)) else { return Vec::new() };
        let mut roots: Vec<usize> = abandoned.values().copied().collect();
        roots.sort_unstable();
        roots.dedup();
        let fork_of = |root: usize| {
            self.parent(root).and_then(|parent| self.entry(parent)).map(|entry| entry.at.clone())
        };
        let last_fork = roots.iter().filter_map(|root| self.parent(*root)).max();
        let line =
            (0..self.entries.len()).filter(|index| self.counts(*index) && !abandoned.contains_key(index));
        let mut branches = vec![Branch {
            leaf: leaf.at.clone(),
            forked_at: last_fork.and_then(|fork| self.entry(fork)).map(|entry| entry.at.clone()),
            messages: self.count_messages(line),
            active: true,
        }];
        let mut members: HashMap<usize, Vec<usize>> = HashMap::new();
        for (index, root) in abandoned {
            members.entry(*root).or_default().push(*index);
        }
        for root in roots {
            let members = members.remove(&root).unwrap_or_default();
            let Some(leaf) = members.iter().max().and_then(|last| self.entry(*last)) else { continue };
            let (leaf, messages) = (leaf.at.clone(), self.count_messages(members.into_iter()));
            branches.push(Branch { leaf, forked_at: fork_of(root), messages, active: false });
        }
        branches
    }

    fn count_messages(&self, indices: impl Iterator<Item = usize>) -> u64 {
        let mut keys: HashSet<MessageKey> = HashSet::new();
        let messages = indices.filter_map(|index| self.entry(index)).filter(|entry| entry.is_message());
        messages.filter(|entry| entry.key.is_none_or(|key| keys.insert(key))).count() as u64
    }

    /// Sidechain records of a main transcript, by the root they hang from.
    fn sidechains(&self) -> Vec<Vec<usize>> {
        if self.is_agents {
            return Vec::new();
        }
        // By its root, and the roots in file order.
        let mut by_root: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut root_of: HashMap<usize, usize> = HashMap::new();
        for index in (0..self.entries.len()).filter(|index| !self.is_main(*index)) {
            let parent = self.parent(index).filter(|parent| !self.is_main(*parent));
            let root = parent.and_then(|parent| root_of.get(&parent).copied()).unwrap_or(index);
            root_of.insert(index, root);
            by_root.entry(root).or_default().push(index);
        }
        by_root.into_values().collect()
    }
}

/// The active thread, from its root to its leaf.
struct Path {
    places: HashMap<usize, usize>,
    /// For each place: is the next message from there on a prompt? None after the last message.
    prompt_follows: Vec<Option<bool>>,
}

impl Path {
    fn new(tree: &Tree<'_>, path: &[usize]) -> Self {
        let mut prompt_follows = vec![None; path.len() + 1];
        let mut next = None;
        let mut is_answered = false;
        for (place, index) in path.iter().enumerate().rev() {
            let says = |entry: &&Entry| entry.is_message() && !entry.is_meta;
            let said = tree.entry(*index).filter(says);
            if said.is_some() || tree.is_prompt(*index) {
                next = Some(match tree.speech(*index) {
                    Speech::Prompt => true,
                    // Commands of the client's own get no answer, and start no turn.
                    Speech::Slash => is_answered,
                    Speech::Shell | Speech::None => false,
                });
                is_answered = said.is_some_and(|entry| entry.kind == Kind::Assistant);
            }
            if let Some(slot) = prompt_follows.get_mut(place) {
                *slot = next;
            }
        }
        Self {
            places: path.iter().enumerate().map(|(place, index)| (*index, place)).collect(),
            prompt_follows,
        }
    }

    fn contains(&self, index: usize) -> bool {
        self.places.contains_key(&index)
    }

    /// Whether a prompt follows on the thread after a fork: the sign of a rewind. None if the thread ends there.
    fn goes_on_with_prompt(&self, fork: Option<usize>) -> Option<bool> {
        let after = fork.and_then(|fork| self.places.get(&fork)).map_or(0, |place| place + 1);
        self.prompt_follows.get(after).copied().flatten()
    }
}

/// Whether a fork or a compaction wrote the first record again. A few writers reuse uuids for different records, but not
/// with the same time.
fn is_replay(first: &Entry, second: &Entry) -> bool {
    first.kind == second.kind && first.timestamp.is_some() && first.timestamp == second.timestamp
}
