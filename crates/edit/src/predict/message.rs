//! A message that more is joined to.

use serde_json::Value;

use super::block;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    User,
    Assistant,
    System,
}

impl Role {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::System => "system",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        [Self::User, Self::System].into_iter().find(|role| role.name() == name)
    }
}

/// A message as it is sent.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) role: Role,
    pub(super) id: Option<String>,
    pub(super) content: Vec<Value>,
}

/// Parted, so that joining a million records is no work of a million times a million: results of calls before the
/// rest, or what is said before the calls.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) role: Role,
    pub(super) id: Option<String>,
    front: Vec<Value>,
    back: Vec<Value>,
    is_parted: bool,
    /// Texts of white space that may yet have to go. All others stand between two thoughts, and stay.
    has_white: bool,
    /// Whether there is more than thoughts, and white space that may have to go.
    says_something: bool,
    /// Whether the block that ends the message takes what is joined to it, once that was asked.
    is_open: Option<bool>,
}

impl Draft {
    fn new(role: Role, id: Option<String>, back: Vec<Value>) -> Self {
        let (has_white, says_something) = (back.iter().any(is_white), !back.iter().all(block::is_thinking));
        let front = Vec::new();
        Self { role, id, front, back, is_parted: false, has_white, says_something, is_open: None }
    }

    pub(super) fn user(content: Vec<Value>) -> Self {
        Self::new(Role::User, None, content)
    }

    pub(super) fn system(text: String) -> Self {
        Self::new(Role::System, None, vec![block::text(text)])
    }

    pub(super) fn assistant(id: Option<String>, content: Vec<Value>) -> Self {
        Self::new(Role::Assistant, id, content)
    }

    /// Whether a user's message answers a call.
    pub(super) fn has_result(&self) -> bool {
        self.front.iter().chain(&self.back).any(block::is_result)
    }

    /// Whether the last block may be added to. It is looked at once, however often that is asked.
    pub(super) fn is_open(&mut self, is_open: impl FnOnce(&Value) -> bool) -> bool {
        let last = if self.back.is_empty() { self.front.last() } else { self.back.last() };
        *self.is_open.get_or_insert_with(|| last.is_some_and(is_open))
    }

    pub(super) fn last_mut(&mut self) -> Option<&mut Value> {
        if self.back.is_empty() { self.front.last_mut() } else { self.back.last_mut() }
    }

    /// What another user's record says, results first; the newest client ends a text with a new line where one follows.
    pub(super) fn join(&mut self, blocks: Vec<Value>, breaks_lines: bool) {
        if breaks_lines && blocks.first().is_some_and(block::is_text) {
            self.break_line();
        }
        if !self.is_parted || !blocks.is_empty() {
            self.is_open = None;
        }
        self.part(block::is_result);
        let (results, rest): (Vec<_>, Vec<_>) = blocks.into_iter().partition(block::is_result);
        self.front.extend(results);
        self.back.extend(rest);
    }

    fn break_line(&mut self) {
        if let Some(last) = self.last_mut()
            && block::is_text(last)
            && let Some(Value::String(text)) = last.get_mut("text")
        {
            text.push('\n');
        }
    }

    fn part(&mut self, is_front: impl Fn(&Value) -> bool) {
        if !self.is_parted {
            self.is_parted = true;
            let blocks = std::mem::take(&mut self.front).into_iter().chain(std::mem::take(&mut self.back));
            (self.front, self.back) = blocks.partition(is_front);
        }
    }

    /// What another record of the same message says, as it stands.
    pub(super) fn append(&mut self, blocks: Vec<Value>) {
        self.back.extend(blocks);
    }

    /// The same with calls behind everything else, and without texts of white space. What has been said is looked at
    /// again only once: when it turns out that there is something besides thoughts.
    pub(super) fn append_said(&mut self, blocks: Vec<Value>) {
        self.part_calls();
        if self.has_white && (self.says_something || self.decides(&blocks)) {
            let mut all = std::mem::take(&mut self.front);
            all.append(&mut self.back);
            all.extend(blocks);
            let (kept, says_something) = without_white(None, all);
            (self.has_white, self.says_something) = (!says_something, says_something);
            return self.push_parted(kept);
        }
        if self.has_white || !blocks.iter().any(is_white) {
            self.says_something |= !self.has_white && !blocks.iter().all(block::is_thinking);
            return self.push_parted(blocks);
        }
        let before = self.back.last().or(self.front.last());
        if self.says_something {
            let kept = kept_of(before, &blocks);
            return self.push_parted(kept);
        }
        let (kept, says_something) = without_white(before, blocks);
        (self.has_white, self.says_something) = (!says_something, says_something);
        self.push_parted(kept);
    }

    /// Whether blocks, behind nothing but thoughts and white space, bring something that is neither, or stand so that
    /// white space is between two thoughts.
    fn decides(&self, blocks: &[Value]) -> bool {
        let known = self.front.iter().rev().take(2).rev();
        let near: Vec<&Value> = known.chain(blocks).collect();
        let says_something = |block: &Value| !block::is_thinking(block) && !is_white(block);
        let is_between = |near: &[&Value]| match near {
            [before, white, behind] => {
                is_white(white) && block::is_thinking(before) && block::is_thinking(behind)
            }
            _ => false,
        };
        blocks.iter().any(says_something) || near.windows(3).any(is_between)
    }

    fn push_parted(&mut self, blocks: Vec<Value>) {
        let (calls, rest): (Vec<_>, Vec<_>) = blocks.into_iter().partition(block::is_call);
        self.front.extend(rest);
        self.back.extend(calls);
    }

    pub(super) fn part_calls(&mut self) {
        self.part(|block| !block::is_call(block));
    }

    pub(super) fn push_text(&mut self, text: &str) {
        if let Some(Value::String(known)) = self.last_mut().and_then(|last| last.get_mut("text")) {
            known.push_str(text);
        }
    }

    pub(super) fn finish(self) -> Message {
        let mut content = self.front;
        content.extend(self.back);
        Message { role: self.role, id: self.id, content }
    }
}

fn is_white(block: &Value) -> bool {
    block::is_blank(block) && !block::words(block).is_empty()
}

/// Blocks without white space, and whether something besides thoughts is left; if not, all of them.
fn without_white(before: Option<&Value>, blocks: Vec<Value>) -> (Vec<Value>, bool) {
    let kept = kept_of(before, &blocks);
    if kept.iter().all(block::is_thinking) { (blocks, false) } else { (kept, true) }
}

/// White space between two thoughts stays.
fn kept_of(before: Option<&Value>, blocks: &[Value]) -> Vec<Value> {
    let is_thought = |block: Option<&Value>| block.is_some_and(block::is_thinking);
    let before = std::iter::once(before).chain(blocks.iter().map(Some));
    let behind = blocks.iter().skip(1).map(Some).chain([None]);
    let around = blocks.iter().zip(before.zip(behind));
    let kept = around
        .filter(|(block, (before, behind))| !is_white(block) || is_thought(*before) && is_thought(*behind));
    kept.map(|(block, _)| block.clone()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    /// As the client does it: all of it, each time.
    fn plainly(records: &[Vec<Value>]) -> Vec<Value> {
        let mut said = records[0].clone();
        for record in &records[1..] {
            let (calls, rest): (Vec<_>, Vec<_>) = said.into_iter().partition(block::is_call);
            let all: Vec<_> = rest.into_iter().chain(calls).chain(record.clone()).collect();
            said = if all.iter().any(is_white) { without_white(None, all).0 } else { all };
        }
        let (calls, rest): (Vec<_>, Vec<_>) = said.into_iter().partition(block::is_call);
        rest.into_iter().chain(calls).collect()
    }

    fn blocks() -> impl Strategy<Value = Value> {
        let thought = json!({"type": "thinking", "thinking": "hm"});
        let call = json!({"type": "tool_use", "id": "t"});
        prop_oneof![
            4 => Just(thought),
            4 => Just(block::text(" \n")),
            1 => Just(block::text("")),
            1 => Just(call),
            1 => "[ab]".prop_map(block::text)
        ]
    }

    proptest! {
        #[test]
        fn records_of_a_message_are_joined_as_if_all_were_looked_at(
            records in prop::collection::vec(prop::collection::vec(blocks(), 0..3), 1..9)
        ) {
            let mut draft = Draft::assistant(None, records[0].clone());
            draft.part_calls();
            records.iter().skip(1).for_each(|record| draft.append_said(record.clone()));
            prop_assert_eq!(draft.finish().content, plainly(&records));
        }
    }
}
