//! A term → the words of the index that answer it, however a name is written: `user_name`, `userName`, `username`.

use std::ops::Range;

use super::{MOST, Term};
use crate::token::{LONGEST_WORD, PART, is_dense, tokens};

/// Words that have to stand in a text, as the index holds them: parts of names as [`crate::Token`] tells.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Wanted {
    Word(String),
    /// One behind the other.
    Phrase(Vec<String>),
    /// One behind the other, and then a word that begins so.
    Prefix {
        before: Vec<String>,
        last: String,
    },
}

/// A word that was typed.
#[derive(Debug)]
struct Typed {
    word: String,
    place: Range<usize>,
    /// None where the word has no capitals to tell them.
    parts: Vec<String>,
    is_dense: bool,
}

impl Term {
    /// The ways to answer it, of which one is enough; none where it holds no word. The first is as it was typed.
    ///
    /// A quoted phrase is what it says. Anything else may be written with other joints, and be inside a longer name:
    /// `userName` is also in `user_name`, `user_name` in `getUserName`.
    pub fn wanted(&self) -> Vec<Wanted> {
        let text = self.text();
        let mut typed = typed(text);
        let is_open = settle_end(text, &mut typed, matches!(self, Self::Prefix(_)));
        let readings = match (self, typed.as_slice()) {
            (Self::Phrase(_), [_, _, ..]) => vec![words(&typed)],
            _ => readings(text, &typed),
        };
        let mut ways = Vec::new();
        for way in readings.into_iter().filter_map(|words| wanted(words, is_open)) {
            if !ways.contains(&way) {
                ways.push(way);
            }
        }
        ways
    }
}

/// The first words of a text.
fn typed(text: &str) -> Vec<Typed> {
    let mut typed: Vec<Typed> = Vec::new();
    tokens(text, |token| match (token.word.strip_prefix(PART), typed.last_mut()) {
        (Some(part), Some(name)) => name.parts.push(part.to_owned()),
        (Some(_), None) => {}
        (None, _) => {
            // One too many takes the parts of all that follow along when it is dropped.
            if typed.len() > MOST {
                return;
            }
            let standing = text.get(token.place.clone()).unwrap_or_default();
            let is_dense = standing.starts_with(is_dense);
            let word = token.word.to_owned();
            typed.push(Typed { word, place: token.place, parts: Vec::new(), is_dense });
        }
    });
    typed.truncate(MOST);
    typed
}

/// Whether the last word may go on.
fn settle_end(text: &str, typed: &mut Vec<Typed>, is_prefix: bool) -> bool {
    match typed.as_slice() {
        // The last character is in the pair before it already, and in the text it may have a pair of its own.
        [.., pair, last] if last.is_dense && pair.place.end == last.place.end => {
            typed.pop();
            false
        }
        [.., last] => last.is_dense || is_prefix && last.place.end == text.len(),
        [] => false,
    }
}

/// As typed; with names in parts; with `_` and `-` left out; and all of it inside a longer name.
fn readings(text: &str, typed: &[Typed]) -> Vec<Vec<String>> {
    let joined = joined(text, typed);
    let is_name = joined.len() == 1 && !typed.iter().any(|word| word.is_dense);
    // Others begin with the same characters, and the parts tell them apart.
    let is_cut_name = matches!(typed, [name] if is_cut(&name.word) && name.parts.len() > 1);
    let mut readings = if is_cut_name { Vec::new() } else { vec![words(typed)] };
    readings.push(parts(typed));
    let as_part = |word: &String| format!("{PART}{word}");
    let inside = readings.iter().map(|words| words.iter().map(as_part).collect());
    let inside: Vec<_> = if is_name { inside.collect() } else { Vec::new() };
    if !joined.iter().any(|word| is_cut(word)) {
        readings.push(joined);
    }
    readings.extend(inside);
    readings
}

fn words(typed: &[Typed]) -> Vec<String> {
    typed.iter().map(|typed| typed.word.clone()).collect()
}

fn parts(typed: &[Typed]) -> Vec<String> {
    let each = typed.iter().map(|typed| match typed.parts.as_slice() {
        [] => std::slice::from_ref(&typed.word),
        parts => parts,
    });
    each.flatten().cloned().collect()
}

fn joined(text: &str, typed: &[Typed]) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    let mut before: Option<&Typed> = None;
    for next in typed {
        match (joined.last_mut(), before) {
            (Some(name), Some(before)) if is_joint(text, before, next) => name.push_str(&next.word),
            _ => joined.push(next.word.clone()),
        }
        before = Some(next);
    }
    joined
}

/// Whether two words are so joined that they may be one name. Numbers are none: `4-5` is not 45.
fn is_joint(text: &str, before: &Typed, next: &Typed) -> bool {
    let between = text.get(before.place.end..next.place.start).unwrap_or_default();
    let are_numbers = before.word.ends_with(char::is_numeric) && next.word.starts_with(char::is_numeric);
    let is_dense = before.is_dense || next.is_dense;
    let is_sign = |character: char| matches!(character, '_' | '-');
    !(between.is_empty() || is_dense || are_numbers) && between.chars().all(is_sign)
}

fn is_cut(word: &str) -> bool {
    word.chars().count() >= LONGEST_WORD
}

fn wanted(mut words: Vec<String>, is_open: bool) -> Option<Wanted> {
    let is_open = is_open && words.len() <= MOST;
    words.truncate(MOST);
    let last = words.pop()?;
    Some(if is_open {
        Wanted::Prefix { before: words, last }
    } else if words.is_empty() {
        Wanted::Word(last)
    } else {
        words.push(last);
        Wanted::Phrase(words)
    })
}
