//! A token that the end of a block cut in two → both of its parts.
//!
//! The parts are two strings, so they are learned when all strings are looked through, and known again by where they
//! stand: at the end of one string, at the beginning of the next.

use std::collections::HashMap;

use crate::find::{Find, Rank};
use crate::joined::{is_letter, is_rest};

/// Keys of what is said in pieces.
const SAID: &[&str] = &["text", "content", "thinking", "stdout", "stderr", "output", "partial_json", "data"];
/// Of a string so much is kept for the next.
const KEPT: usize = 320;
const SHORTEST: usize = 16;
/// Less gives nothing away.
const SHORTEST_PART: usize = 4;
const MOST: usize = 200;

#[derive(Default)]
pub(crate) struct Split {
    /// The end of the latest string under each key.
    ends: HashMap<String, (u32, String)>,
    tails: Vec<(String, &'static str)>,
    heads: Vec<(String, &'static str)>,
}

impl Split {
    /// The end of the string before and the beginning of this one, where a token may go across; with the border.
    pub(crate) fn meet(&mut self, file: u32, key: Option<&str>, text: &str) -> Option<(String, usize)> {
        let key = key.filter(|key| SAID.contains(key))?;
        let end = text.get(text.ceil_char_boundary(text.len().saturating_sub(KEPT))..).unwrap_or_default();
        let last = self.ends.insert(key.to_owned(), (file, end.to_owned()));
        let (_, before) = last.filter(|(own, _)| *own == file)?;
        let head = text.bytes().take(KEPT).take_while(|byte| is_letter(*byte)).count();
        let tail = before.bytes().rev().take_while(|byte| is_letter(*byte)).count();
        if head == 0 || tail == 0 || head + tail < SHORTEST {
            return None;
        }
        Some((format!("{before}{}", text.get(..head)?), before.len()))
    }

    /// A find of those two, by its own form: whatever else stands across may be two words.
    pub(crate) fn learn(&mut self, joined: &str, border: usize, finds: &[Find]) {
        for find in finds.iter().filter(|find| find.rank == Rank::Form) {
            let (tail, head) = (joined.get(find.range.start..border), joined.get(border..find.range.end));
            let (Some(tail), Some(head)) = (tail, head) else { continue };
            let is_across = !tail.is_empty() && !head.is_empty() && is_rest(head.as_bytes());
            if !is_across || self.tails.len() >= MOST {
                continue;
            }
            for (parts, part) in [(&mut self.tails, tail), (&mut self.heads, head)] {
                if part.len() >= SHORTEST_PART && !parts.iter().any(|(known, _)| known == part) {
                    parts.push((part.to_owned(), find.kind));
                }
            }
        }
    }

    pub(crate) fn read(&self, text: &str, finds: &mut Vec<Find>) {
        let tails = self.tails.iter().filter(|(tail, _)| text.ends_with(tail.as_str()));
        let tails = tails.map(|(tail, kind)| (text.len() - tail.len()..text.len(), *kind));
        let heads = self.heads.iter().filter(|(head, _)| text.starts_with(head.as_str()));
        let heads = heads.map(|(head, kind)| (0..head.len(), *kind));
        finds.extend(tails.chain(heads).map(|(range, kind)| Find { range, kind, rank: Rank::Context }));
    }
}
