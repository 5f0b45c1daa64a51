//! Results in files of their own → the records of their sessions that refer to them.
//!
//! A file says neither whose it is nor when it was made; the record does, and names the call, which names the tool.

use std::collections::{HashMap, HashSet};
use std::io;
use std::ops::ControlFlow;

use jiff::Timestamp;
use memchr::memmem::Finder;
use rayon::prelude::*;
use regex::bytes::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use steno_conversation::{persisted_name, time_of};
use steno_index::{Extractor, Passage, Role};
use steno_transcript::content::{self, Block};
use steno_transcript::{Line, Place, Record, Shape, Troubles, split};

use crate::file::Lines;
use crate::reading::Stretch;
use crate::sessions::{Form, ListedFile};

/// The directory of such files, which every record names that refers to one.
const MARK: &str = "tool-results";
/// For the ids of all calls of a session that are looked for.
const LARGEST: usize = 64 * 1024 * 1024;

/// The place of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spot {
    /// The name of its file, which tells the transcripts of a session apart.
    pub name: String,
    pub line: u64,
    pub offset: u64,
}

/// What the record tells of the file.
#[derive(Debug, Clone)]
pub struct Reference {
    pub spot: Spot,
    pub time: Option<Timestamp>,
    pub tools: Vec<String>,
    branch: Option<String>,
    files: Vec<String>,
}

/// A stretch of such a file, as a record would say it.
pub fn passage<'p>(reference: Option<&'p Reference>, offset: u64, text: &'p str) -> Passage<'p> {
    let borrowed = |names: &'p [String]| names.iter().map(|name| name.as_str().into()).collect();
    Passage {
        place: Place { line: reference.map_or(0, |reference| reference.spot.line), offset },
        role: Role::Result,
        time: reference.and_then(|reference| reference.time),
        tools: reference.map(|reference| borrowed(&reference.tools)).unwrap_or_default(),
        model: None,
        branch: reference.and_then(|reference| Some(reference.branch.as_deref()?.into())),
        files: reference.map(|reference| borrowed(&reference.files)).unwrap_or_default(),
        text: text.into(),
    }
}

/// What refers to some files.
#[derive(Debug, Default)]
pub struct References {
    /// By the keys of the files' items.
    pub found: HashMap<String, Reference>,
    /// Sessions with a transcript that could not be read to its end: it may refer to more.
    pub unread: HashSet<String>,
}

/// The references to these files; each session is looked through once.
pub fn references(items: &[ListedFile<'_>], wanted: &[&ListedFile<'_>]) -> References {
    let mut sessions: HashMap<&str, Search<'_>> = HashMap::new();
    for item in wanted.iter().filter(|item| item.form == Form::Persisted) {
        if let Some(session) = item.session.as_deref() {
            sessions.entry(session).or_default().wanted.push(item);
        }
    }
    if sessions.is_empty() {
        return References::default();
    }
    for item in items.iter().filter(|item| item.is_transcript()) {
        if let Some(search) = item.session.as_deref().and_then(|session| sessions.get_mut(session)) {
            search.transcripts.push(item);
        }
    }
    let searches: Vec<Search<'_>> = sessions.into_values().collect();
    let mut references = References::default();
    let found: Vec<_> = searches.par_iter().with_max_len(1).map(Search::run).collect();
    for (search, (found, is_whole)) in searches.iter().zip(found) {
        references.found.extend(found);
        let session = search.wanted.first().and_then(|item| item.session.as_deref());
        references.unread.extend(session.filter(|_| !is_whole).map(str::to_owned));
    }
    references
}

/// Whether a record refers to a file of this name.
pub fn refers_to(record: &Record<'_>, name: &str) -> bool {
    pointers(record).iter().any(|pointer| pointer.name == name)
}

/// A session's transcripts and wanted files.
#[derive(Default)]
struct Search<'s> {
    transcripts: Vec<&'s ListedFile<'s>>,
    wanted: Vec<&'s ListedFile<'s>>,
}

/// A result in a file of its own, and the call that it answers.
#[derive(Debug, Clone)]
struct Pointer {
    name: String,
    call: String,
}

impl Search<'_> {
    /// A transcript that cannot be read to its end refers to what it does up to there. And whether all could be read.
    fn run(&self) -> (HashMap<String, Reference>, bool) {
        let mut transcripts = self.transcripts.clone();
        // The same order for live and for kept ones: the first reference counts.
        transcripts.sort_by_key(|item| (item.is_agent, item.name()));
        let mut names: HashSet<String> = self.wanted.iter().map(|item| item.name()).collect();
        let mut found: HashMap<String, Reference> = HashMap::new();
        let mut is_whole = true;
        for item in transcripts {
            if names.is_empty() {
                break;
            }
            let (own, is_read) = of_transcript(item, &names);
            is_whole &= is_read;
            for (pointer, reference) in own {
                names.remove(&pointer.name);
                found.entry(pointer.name).or_insert(reference);
            }
        }
        let known = self
            .wanted
            .iter()
            .filter_map(|item| Some((item.key().into_owned(), found.get(&item.name())?.clone())));
        (known.collect(), is_whole)
    }
}

/// Two looks: at records that refer to files, and then at the calls that they answer. And whether both came to the end.
fn of_transcript(item: &ListedFile<'_>, names: &HashSet<String>) -> (Vec<(Pointer, Reference)>, bool) {
    let mut found: Vec<(Pointer, Reference)> = Vec::new();
    let mark = Finder::new(MARK);
    let mut read = item.read(Stretch::WHOLE, |lines| {
        while let Some(line) = lines.next_with(|bytes| mark.find(bytes))? {
            each_record(line, |record, place| {
                let new = pointers(record).into_iter().filter(|pointer| names.contains(&pointer.name));
                found.extend(new.map(|pointer| (pointer, Reference::at(item, record, place))));
            });
        }
        Ok(())
    });
    if let Some(calls) = any_of(&found) {
        read = read.and(item.read(Stretch::WHOLE, |lines| complete(&mut found, &calls, lines)));
    }
    (found, read.is_ok())
}

fn complete(found: &mut [(Pointer, Reference)], calls: &Regex, lines: &mut Lines<'_>) -> io::Result<()> {
    let last = found.last().map_or(0, |(_, reference)| reference.spot.line);
    let mut extractor = Extractor::default();
    while let Some(line) = lines.next_with(|bytes| calls.find(bytes).map(|call| call.start()))? {
        if line.number > last {
            break;
        }
        let _ = split(line, &mut |piece| {
            extractor.observe(&piece, |passage| {
                if passage.role != Role::Result {
                    return;
                }
                let is_at = |reference: &Reference| reference.spot.offset == passage.place.offset;
                let own = found.iter_mut().filter(|(_, reference)| is_at(reference));
                own.for_each(|(_, reference)| reference.take(&passage));
            });
            ControlFlow::Continue(())
        });
    }
    Ok(())
}

/// Lines that have the id of one of the calls; nothing where there is none, or too much of them.
fn any_of(found: &[(Pointer, Reference)]) -> Option<Regex> {
    let calls: Vec<String> = found
        .iter()
        .filter(|(pointer, _)| !pointer.call.is_empty())
        .map(|(pointer, _)| regex::escape(&pointer.call))
        .collect();
    let mut builder = RegexBuilder::new(&calls.join("|"));
    (!calls.is_empty()).then(|| builder.unicode(false).size_limit(LARGEST).build().ok()).flatten()
}

impl Reference {
    fn at(item: &ListedFile<'_>, record: &Record<'_>, place: Place) -> Self {
        let spot = Spot { name: item.name(), line: place.line, offset: place.offset };
        let time = time_of(&record.envelope, &mut Troubles::default());
        Self { spot, time, tools: Vec::new(), branch: None, files: Vec::new() }
    }

    fn take(&mut self, passage: &Passage<'_>) {
        let owned = |names: &[std::borrow::Cow<'_, str>]| names.iter().map(|name| name.to_string()).collect();
        self.time = passage.time;
        self.tools = owned(&passage.tools);
        self.branch = passage.branch.as_deref().map(str::to_owned);
        self.files = owned(&passage.files);
    }
}

fn each_record(line: Line<'_>, mut visit: impl FnMut(&Record<'_>, Place)) {
    let _ = split(line, &mut |piece| {
        if let Shape::Record(record) = &piece.shape {
            visit(record, piece.place);
        }
        ControlFlow::Continue(())
    });
}

/// The results of a record that lie in files.
fn pointers(record: &Record<'_>) -> Vec<Pointer> {
    let blocks = record.blocks(&mut Troubles::default());
    let results: Vec<_> = blocks
        .iter()
        .filter_map(|block| match block {
            Block::ToolResult(result) => Some(result),
            _ => None,
        })
        .collect();
    // A structured result does not say which of several results in its record it is about.
    let structured = record.envelope.tool_use_result.filter(|_| results.len() == 1);
    let of_result = |result: &&content::ToolResult<'_>| {
        let text = text_of(result.content);
        let told = persisted_name(&text, structured);
        let names: Vec<String> = told.into_iter().chain(mentioned(&text)).collect();
        let call = result.tool_use_id.to_string();
        names.into_iter().map(move |name| Pointer { name, call: call.clone() })
    };
    results.iter().flat_map(of_result).collect()
}

/// The names of files that a text says lie there: some tools tell it in words of their own.
fn mentioned(text: &str) -> impl Iterator<Item = String> {
    let behind = text.split(MARK).skip(1).filter_map(|rest| rest.strip_prefix(['/', '\\']));
    let is_over = |letter: char| letter.is_whitespace() || "\"'`<>()[]/\\".contains(letter);
    let names = behind.filter_map(move |rest| rest.split(is_over).next());
    names.map(|name| name.trim_end_matches(['.', ',', ':', ';']).to_owned())
}

fn text_of(content: Option<&RawValue>) -> String {
    let texts = content::blocks(content, &mut Troubles::default()).into_iter();
    let mut texts = texts.filter_map(|block| match block {
        Block::Text(text) => Some(text.get().into_owned()),
        _ => None,
    });
    texts.next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_names_files_in_whatever_words() {
        let names = |text| mentioned(text).collect::<Vec<_>>();
        assert_eq!(names("Full output saved to: /a/tool-results/b1.txt\n\nPreview"), ["b1.txt"]);
        assert_eq!(
            names("saved to C:\\a\\tool-results\\b1.txt. And (/a/tool-results/c.json)"),
            ["b1.txt", "c.json"]
        );
        assert!(names("the tool-results are here").is_empty());
    }
}
