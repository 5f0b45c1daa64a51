//! A tool that is called about a secret (`cat config/master.key`, `openssl rand -hex 32`) → its answer, where that is
//! nothing but random letters.
//!
//! Call and answer stand in two records; the id that both carry joins them.

use std::collections::VecDeque;
use std::ops::Range;

use crate::entropy::is_random;
use crate::find::{Find, Rank};
use crate::pattern::Pattern;
use crate::{Spot, line};

const LONGEST_ID: usize = 100;
const LONGEST_CALL: usize = 4096;
/// Calls that are not answered yet, and then some.
const MOST: usize = 64;
const LONGEST_ANSWER: usize = 2048;
const MOST_LINES: usize = 4;
const SHORTEST: usize = 16;
/// The number before a line.
const LONGEST_MARGIN: usize = 24;

/// Keys of what a tool is given.
const GIVEN: &[&str] = &["command", "file_path", "filePath", "path", "notebook_path", "cmd", "script", "uri"];
/// Keys of what it gives back.
const ANSWERED: &[&str] = &["content", "text", "stdout", "stderr", "output", "result"];
/// Keys of what joins an answer to its call.
const JOINING: &[&str] = &["tool_use_id", "toolUseID", "sourceToolUseID", "call_id"];

#[derive(Default)]
pub(crate) struct ToolAnswers {
    place: (u32, u64),
    /// The latest id in this record.
    id: Option<String>,
    calls: VecDeque<String>,
    is_answer: bool,
}

impl ToolAnswers {
    /// Takes the strings in their order.
    pub(crate) fn read(&mut self, spot: &Spot<'_>, finds: &mut Vec<Find>) {
        if self.place != (spot.file, spot.line) {
            (self.place, self.id, self.is_answer) = ((spot.file, spot.line), None, false);
        }
        let is_id = spot.text.len() <= LONGEST_ID;
        match spot.key {
            Some("id") if is_id => self.id = Some(spot.text.to_owned()),
            Some(key) if is_id && JOINING.contains(&key) => {
                self.is_answer |= self.calls.iter().any(|call| call == spot.text);
            }
            Some(key) if GIVEN.contains(&key) => self.hear(spot.text),
            None if is_master_key(spot.text) => finds.extend(bare(spot.text)),
            Some(key) if self.is_answer && ANSWERED.contains(&key) => finds.extend(bare(spot.text)),
            _ => {}
        }
    }

    fn hear(&mut self, call: &str) {
        if call.len() > LONGEST_CALL || !is_about(call) {
            return;
        }
        // What a tool was given may stand beside what it answered.
        self.is_answer = true;
        if let Some(id) = self.id.take() {
            self.calls.push_back(id);
            self.calls.truncate(MOST);
        }
    }
}

/// A file that holds nothing but thirty-two digits, as frameworks keep the key of all others.
fn is_master_key(text: &str) -> bool {
    let text = text.trim_end();
    text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

fn is_about(call: &str) -> bool {
    static SECRET: Pattern = Pattern::new(
        r"(?i)secret|token|passw|passphrase|credential|[._-]key|apikey|private|rand -|pwgen|op read|op item|pass show|gopass|vault kv|bw get|print-access",
    );
    // Commands whose random answer is no secret.
    static DIGEST: Pattern =
        Pattern::new(r"(?i)git |sha1|sha256|sha512|shasum|md5|b3sum|docker|podman|cksum");
    SECRET.is_match(call.as_bytes()) && !DIGEST.is_match(call.as_bytes())
}

/// The lines of a text that is nothing but random words, one on each.
fn bare(text: &str) -> Vec<Find> {
    let fits = text.len() <= LONGEST_ANSWER && text.trim_end().lines().count() <= MOST_LINES;
    let mut at = 0;
    let lines = text.split_inclusive('\n').filter(|_| fits).map(|own| {
        at += own.len();
        word(text.as_bytes(), at - own.len()..at)
    });
    let words: Option<Vec<Option<Range<usize>>>> = lines.collect();
    let words = words.unwrap_or_default().into_iter().flatten();
    words.map(|range| Find { range, kind: "secret", rank: Rank::Context }).collect()
}

/// The word that is all of a line, if any; nothing where the line is something else.
fn word(text: &[u8], range: Range<usize>) -> Option<Option<Range<usize>>> {
    let own = text.get(range.clone())?;
    let head = own.get(..own.len().min(LONGEST_MARGIN))?;
    let margin = head.len() - line::before(head, head.len()).len();
    let start = if own.starts_with(b" ") { range.start + margin } else { range.start };
    let own = text.get(start..range.end)?.trim_ascii_end();
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=_-~".contains(byte);
    let is_word = own.len() >= SHORTEST && own.iter().all(is_letter) && is_random(own);
    match own {
        [] => Some(None),
        _ if is_word && is_key(own) => Some(Some(start..start + own.len())),
        _ => None,
    }
}

/// No commit has as many digits, and no file is called so.
fn is_key(word: &[u8]) -> bool {
    let is_hex = word.iter().all(u8::is_ascii_hexdigit);
    let is_path = word.iter().filter(|byte| **byte == b'/').count() * 8 > word.len();
    !is_path && (!is_hex || word.len() != 40)
}
