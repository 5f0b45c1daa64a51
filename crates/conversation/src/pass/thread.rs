//! Thread: the tree over parents → the line that the client goes on with, and the branches it left behind.
//!
//! Only a rewind abandons anything: at a fork, the active line goes on with a new prompt, and the other side has
//! a prompt as well. Every other fork is the client's own doing (results of parallel tools, a prompt from the
//! queue, notes of hooks) and belongs to the line, in file order.

use std::collections::{BTreeMap, HashMap, HashSet};

use steno_transcript::RecordId;

use crate::entry::Entry;
use crate::model::Branch;
use crate::usage::MessageKey;
use crate::warning::Warnings;

/// Where each entry belongs.
#[derive(Debug)]
pub(crate) struct Threads {
    /// For each entry: is it on the line that is shown?
    pub(crate) on_line: Vec<bool>,
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
    let on_line = (0..entries.len())
        .map(|index| {
            tree.is_main(index) && !abandoned.contains_key(&index) && !tree.repeated.contains(&index)
        })
        .collect();
    let branches = tree.branches(&path, &abandoned);
    Threads { on_line, sidechains: tree.sidechains(), branches }
}

struct Tree<'a> {
    entries: &'a [Entry],
    /// Every record is a sidechain record: the file is an agent's.
    is_agents: bool,
    parents: Vec<Option<usize>>,
    /// Entries that repeat a record that stood before.
    repeated: HashSet<usize>,
    real_prompt: Vec<bool>,
}

impl<'a> Tree<'a> {
    fn new(entries: &'a [Entry], is_agents: bool, warnings: &mut Warnings) -> Self {
        let mut by_id: HashMap<&RecordId, usize> = HashMap::new();
        let mut repeated = HashSet::new();
        for (index, entry) in entries.iter().enumerate() {
            let Some(uuid) = &entry.at.uuid else { continue };
            if let Some(first) = by_id.get(uuid) {
                warnings.add("duplicate-uuid", Some(entry.at.line), format!("uuid {uuid} was already used"));
                if entries.get(*first).is_some_and(|first| is_same(first, entry)) {
                    repeated.insert(index);
                }
            } else {
                by_id.insert(uuid, index);
            }
        }
        let real_prompt = entries.iter().map(Entry::is_real_prompt).collect();
        let mut tree = Self { entries, is_agents, parents: Vec::new(), repeated, real_prompt };
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

    fn is_prompt(&self, index: usize) -> bool {
        self.real_prompt.get(index).copied().unwrap_or(false)
    }

    fn is_main(&self, index: usize) -> bool {
        self.is_agents || self.entry(index).is_some_and(|entry| !entry.is_sidechain)
    }

    /// Each entry's parent. Where the chain has a gap, the record before it in the file takes the place.
    fn link(&self, by_id: &HashMap<&RecordId, usize>, warnings: &mut Warnings) -> Vec<Option<usize>> {
        let mut parents: Vec<Option<usize>> = Vec::with_capacity(self.entries.len());
        let mut previous: Option<usize> = None;
        let mut has_links = false;
        let mut prompted: HashSet<Option<&str>> = HashSet::new();
        for (index, entry) in self.entries.iter().enumerate() {
            let wanted = entry.parent.as_ref().or(entry.logical_parent.as_ref());
            let found = wanted.and_then(|id| by_id.get(id).copied()).filter(|parent| *parent != index);
            let is_gap = wanted.is_some() && found.is_none();
            // An agent's first record, and a fork's, name records of other files.
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
            let is_fresh_start = wanted.is_none() && has_links && !is_first_of_session;
            let joined =
                previous.filter(|_| self.is_main(index) && !is_fresh_start && entry.at.uuid.is_some());
            parents.push(found.or(joined));
            has_links |= found.is_some();
            if self.is_main(index) && entry.at.uuid.is_some() {
                previous = Some(index);
            }
        }
        parents
    }

    fn cut_cycles(&mut self, warnings: &mut Warnings) {
        // 0: not visited, 1: on the current walk, 2: known to end.
        let mut state = vec![0u8; self.parents.len()];
        for start in 0..self.parents.len() {
            let mut walk = Vec::new();
            let mut at = Some(start);
            while let Some(index) = at {
                match state.get(index).copied() {
                    Some(0) => {}
                    Some(1) => {
                        // The first record of the circle in the file is the one that cannot have its parent.
                        let circle = walk.iter().skip_while(|member| **member != index);
                        self.cut(circle.min().copied().unwrap_or(index), warnings);
                        break;
                    }
                    _ => break,
                }
                set(&mut state, index, 1);
                walk.push(index);
                at = self.parent(index);
            }
            for index in walk {
                set(&mut state, index, 2);
            }
        }
    }

    fn cut(&mut self, index: usize, warnings: &mut Warnings) {
        if let Some(parent) = self.parents.get_mut(index) {
            *parent = None;
        }
        let line = self.entry(index).map(|entry| entry.at.line);
        warnings.add("parent-cycle", line, "the chain of parents runs in a circle");
    }

    /// Where the line ends: what the user chose last, unless the conversation went on after that.
    fn leaf(&self) -> Option<usize> {
        self.chosen().or_else(|| self.last())
    }

    fn last(&self) -> Option<usize> {
        let is_message = |index: &usize| {
            self.is_main(*index)
                && self.entry(*index).is_some_and(|entry| entry.is_message() || entry.is_queued)
        };
        (0..self.entries.len()).rev().find(is_message)
    }

    fn chosen(&self) -> Option<usize> {
        let choices = self.entries.iter().enumerate().rev();
        let (at, chosen) =
            choices.filter_map(|(at, entry)| entry.chosen_leaf.as_ref().map(|leaf| (at, leaf))).next()?;
        let chosen = self.entries.iter().position(|entry| entry.at.uuid.as_ref() == Some(chosen));
        chosen.filter(|_| self.last().is_none_or(|last| last < at))
    }

    /// From the root down to `leaf`.
    fn path_from(&self, leaf: Option<usize>) -> Vec<usize> {
        let mut path: Vec<usize> = std::iter::successors(leaf, |index| self.parent(*index)).collect();
        path.reverse();
        path
    }

    /// Entries that a rewind left behind, each with the entry at which its branch starts.
    fn abandoned(&self, path: &[usize]) -> HashMap<usize, usize> {
        let on_path: HashSet<usize> = path.iter().copied().collect();
        let ends_by_choice = self.chosen().is_some();
        let mut branch_of: HashMap<usize, usize> = HashMap::new();
        let mut members: HashMap<usize, Vec<usize>> = HashMap::new();
        for index in 0..self.entries.len() {
            let has_place = self.entry(index).is_some_and(|entry| entry.at.uuid.is_some());
            if !has_place || !self.is_main(index) || on_path.contains(&index) {
                continue;
            }
            let root = self.branch_root(index, &on_path, &branch_of);
            branch_of.insert(index, root);
            members.entry(root).or_default().push(index);
        }
        let rewinds: HashSet<usize> = members
            .iter()
            .filter(|(root, members)| {
                let goes_on = self.goes_on_with_prompt(**root, path);
                members.iter().any(|index| self.is_prompt(*index)) && goes_on.unwrap_or(ends_by_choice)
            })
            .map(|(root, _)| *root)
            .collect();
        branch_of.retain(|_, root| rewinds.contains(root));
        branch_of
    }

    /// The topmost ancestor that is not on the path.
    fn branch_root(&self, index: usize, on_path: &HashSet<usize>, known: &HashMap<usize, usize>) -> usize {
        let mut at = index;
        loop {
            if let Some(root) = known.get(&at) {
                return *root;
            }
            match self.parent(at) {
                Some(parent) if !on_path.contains(&parent) => at = parent,
                _ => return at,
            }
        }
    }

    /// Whether the active line, where the branch leaves it, goes on with a prompt: the sign of a rewind. None where
    /// the line ends there.
    fn goes_on_with_prompt(&self, root: usize, path: &[usize]) -> Option<bool> {
        let after_fork = match self.parent(root) {
            Some(fork) => path.iter().position(|index| *index == fork).map_or(0, |place| place + 1),
            None => 0,
        };
        let speaks = |index: &&usize| {
            self.entry(**index)
                .is_some_and(|entry| entry.is_message() && !entry.is_meta || self.is_prompt(**index))
        };
        path.iter().skip(after_fork).find(speaks).map(|index| self.is_prompt(*index))
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
            (0..self.entries.len()).filter(|index| self.is_main(*index) && !abandoned.contains_key(index));
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

/// Whether two entries of one uuid say the same; a few writers reuse uuids for different records.
fn is_same(first: &Entry, second: &Entry) -> bool {
    first.kind == second.kind
        && first.timestamp == second.timestamp
        && (second.blocks.is_empty()
            || first.blocks.len() == second.blocks.len()
                && first.blocks.iter().zip(&second.blocks).all(|(one, two)| one.repeats(two)))
}

fn set(state: &mut [u8], index: usize, value: u8) {
    if let Some(slot) = state.get_mut(index) {
        *slot = value;
    }
}
