//! An answer, and the one before it → what the fields of the first are, read only where they differ.
//!
//! Nearly all of what stands around the content of an answer is the same from one to the next: the names of fields, the
//! model, the directory. A mould holds that in pieces, and what stands between them. A line that fits is read without
//! finding its fields one by one.

mod cast;

use std::ops::Range;

use crate::text::Text;
use crate::wire::{Body, CacheCreation, Count, Envelope, Flag, Message, ServerTools, Usage};

use super::{message, scan, strict, usage};

/// The shape of the last answer; at first, of none.
#[derive(Debug, Default)]
pub(crate) struct Mould {
    cast: Option<Cast>,
    /// How many answers in a row did not fit.
    misses: u32,
}

/// What is the same in two answers, and what stands between.
#[derive(Debug)]
pub(crate) struct Cast {
    /// All pieces, one after the other, and what they say.
    text: String,
    pieces: Vec<(Extent, Gap)>,
    end: Extent,
    same: Same,
}

/// A part of the text.
type Extent = Range<usize>;

/// What differs from one answer to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gap {
    Uuid,
    Parent,
    Timestamp,
    Request,
    Id,
    StopReason,
    Content,
    Number(Number),
    /// Something at the top of the record that nobody asks for.
    Skipped,
    /// The same within its message, where everything is checked.
    Checked,
}

/// Which of the numbers of a usage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Number {
    Input,
    Output,
    CacheRead,
    CacheCreation,
    FiveMinutes,
    OneHour,
    WebSearches,
}

const NUMBERS: usize = 7;

/// What the pieces say.
#[derive(Debug, Default)]
struct Same {
    session_id: Option<Extent>,
    cwd: Option<Extent>,
    version: Option<Extent>,
    git_branch: Option<Extent>,
    slug: Option<Extent>,
    is_sidechain: bool,
    model: Option<Extent>,
    speed: Option<Extent>,
    region: Option<Extent>,
    has_message: bool,
    has_usage: bool,
    has_lifetimes: bool,
    has_tools: bool,
}

/// What the gaps say.
#[derive(Default)]
struct Different<'a> {
    uuid: Option<&'a str>,
    parent: Option<&'a str>,
    timestamp: Option<&'a str>,
    request: Option<&'a str>,
    id: Option<&'a str>,
    stop_reason: Option<Text<'a>>,
    numbers: [u64; NUMBERS],
}

impl Mould {
    /// Fills the envelope of a line that fits; nothing where it does not.
    pub(super) fn fill<'a>(&'a self, envelope: &mut Envelope<'a>, line: &'a str) -> Option<()> {
        let cast = self.cast.as_ref()?;
        let mut different = Different::default();
        let mut rest = line;
        for (same, gap) in &cast.pieces {
            rest = different.read(*gap, rest.strip_prefix(cast.text(same))?)?;
        }
        if rest != cast.text(&cast.end) {
            return None;
        }
        cast.fill(envelope, different);
        Some(())
    }

    /// A mould of an answer that did not fit. Where one after the other does not, fewer and fewer are tried.
    pub(super) fn recast(&self, line: &str) -> Option<Cast> {
        if (self.misses + 1).is_power_of_two() { Cast::of(line) } else { None }
    }

    pub(super) fn note_fit(&mut self) {
        self.misses = 0;
    }

    pub(super) fn note_miss(&mut self, recast: Option<Cast>) {
        self.misses = self.misses.saturating_add(1);
        if recast.is_some() {
            self.cast = recast;
        }
    }
}

impl<'a> Different<'a> {
    /// Reads what stands here, and gives what follows it.
    fn read(&mut self, gap: Gap, json: &'a str) -> Option<&'a str> {
        match gap {
            Gap::Uuid => keep(&mut self.uuid, json),
            Gap::Parent => {
                let (parent, rest) = short(json).filter(|(parent, _)| parent.is_ascii())?;
                self.parent = Some(parent);
                Some(rest)
            }
            Gap::Timestamp => keep(&mut self.timestamp, json),
            Gap::Request => keep(&mut self.request, json),
            Gap::Id => keep(&mut self.id, json),
            Gap::StopReason => {
                let (stop_reason, rest) = strict::text(json)?;
                self.stop_reason = stop_reason;
                Some(rest)
            }
            Gap::Number(number) => {
                let (count, rest) = usage::count(json)?;
                *self.numbers.get_mut(number as usize)? = count.0;
                Some(rest)
            }
            Gap::Content => message::after_content(json),
            Gap::Skipped => after_skipped(json),
            Gap::Checked => strict::checked(json).map(|(_, rest)| rest),
        }
    }

    fn number(&self, number: Number) -> Count<'a> {
        Count::from(self.numbers.get(number as usize).copied().unwrap_or_default())
    }
}

impl Cast {
    fn text(&self, extent: &Extent) -> &str {
        self.text.get(extent.clone()).unwrap_or_default()
    }

    fn fill<'a>(&'a self, envelope: &mut Envelope<'a>, different: Different<'a>) {
        let same = &self.same;
        let text = |extent: &Option<Extent>| extent.as_ref().map(|extent| Text::from(self.text(extent)));
        envelope.kind = Some(Text::from("assistant"));
        envelope.uuid = different.uuid.map(Text::from);
        envelope.parent_uuid = different.parent.filter(|_| same.is_sidechain).map(Text::from);
        envelope.timestamp = different.timestamp.map(Text::from);
        envelope.request_id = different.request.map(Text::from);
        envelope.session_id = text(&same.session_id);
        envelope.cwd = text(&same.cwd);
        envelope.version = text(&same.version);
        envelope.git_branch = text(&same.git_branch);
        envelope.slug = text(&same.slug);
        envelope.is_sidechain = Flag::from(same.is_sidechain);
        if same.has_message {
            envelope.message = Some(Body::Message(Message {
                id: different.id.map(Text::from),
                model: text(&same.model),
                usage: same.has_usage.then(|| self.usage(&different)),
                stop_reason: different.stop_reason,
                ..Message::default()
            }));
        }
    }

    fn usage<'a>(&'a self, different: &Different<'a>) -> Usage<'a> {
        let by_lifetime = CacheCreation {
            five_minutes: different.number(Number::FiveMinutes),
            one_hour: different.number(Number::OneHour),
        };
        let server_tools = ServerTools { web_searches: different.number(Number::WebSearches) };
        Usage {
            input: different.number(Number::Input),
            output: different.number(Number::Output),
            cache_read: different.number(Number::CacheRead),
            cache_creation: different.number(Number::CacheCreation),
            by_lifetime: self.same.has_lifetimes.then_some(by_lifetime),
            server_tools: self.same.has_tools.then_some(server_tools),
            speed: self.same.speed.as_ref().map(|extent| Text::from(self.text(extent))),
            region: self.same.region.as_ref().map(|extent| Text::from(self.text(extent))),
        }
    }
}

/// A text without escapes, and what follows it.
fn plain(json: &str) -> Option<(&str, &str)> {
    // Or it is long, or the line ends behind it.
    short(json).or_else(|| {
        let (text, rest) = strict::string(json).filter(|(text, _)| !text.has_escapes)?;
        Some((text.inside()?, rest))
    })
}

fn short(json: &str) -> Option<(&str, &str)> {
    let inside = json.strip_prefix('"')?;
    let length = scan::plain_length(inside.as_bytes())?;
    Some((inside.get(..length)?, inside.get(length + 1..)?))
}

fn keep<'a>(slot: &mut Option<&'a str>, json: &'a str) -> Option<&'a str> {
    let (text, rest) = plain(json)?;
    *slot = Some(text);
    Some(rest)
}

fn after_skipped(json: &str) -> Option<&str> {
    let (_, rest) = scan::value(json.as_bytes())?;
    json.get(json.len() - rest.len()..)
}

#[cfg(test)]
mod tests;
