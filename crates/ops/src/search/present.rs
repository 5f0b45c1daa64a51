//! Hits of the sessions that are shown → their presentation, read from their files.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

use foldhash::fast::RandomState;
use jiff::Timestamp;
use steno_conversation::model::{Profile, RecordRef, TitleSource};
use steno_conversation::{Role, time_of};
use steno_index::{Extractor, Passage, highlights, snippet};
use steno_transcript::{Line, RecordId, Shape, Troubles, split};

use super::group::Group;
use super::query::{ParsedQuery, Probe};
use super::report::{Hit, Session};
use super::{Find, beside};
use crate::cache::{Cache, Profiles};
use crate::file::SessionFile;
use crate::kept::{Index, custom_title};
use crate::reading::{HEAD_STEP, Stretch};
use crate::sessions::{ListedFile, Sessions};

/// Of a snippet, in characters.
pub(super) const WIDTH: usize = 200;
/// Of a subagent's id, as many characters as tell it from others nearly always.
const SHORTEST_AGENT: usize = 8;
/// So far into a file the call is looked for whose result was found.
const LONGEST_WAY: u64 = 32 * 1024 * 1024;

/// Everything that an answer is made of.
pub(super) struct Presenter<'a> {
    pub(super) all_sessions: &'a Sessions,
    pub(super) index: Option<&'a Index<'a>>,
    pub(super) items: &'a [ListedFile<'a>],
    pub(super) shown: Shown<'a>,
    pub(super) parsed: &'a ParsedQuery,
}

/// What there is of a session that is shown.
#[derive(Debug, Default)]
pub(super) struct Files<'a> {
    /// The one that `show` opens.
    transcript: Option<&'a ListedFile<'a>>,
    /// The ids of its subagents.
    agents: Vec<String>,
}

/// By session.
pub(super) type Shown<'a> = HashMap<&'a str, Files<'a>, RandomState>;

/// Of the sessions that are shown.
pub(super) fn shown<'a>(items: &'a [ListedFile<'a>], groups: &'a [Group<'_>]) -> Shown<'a> {
    let mut shown: Shown<'a> =
        groups.iter().map(|group| (group.session.as_ref(), Files::default())).collect();
    for item in items.iter().filter(|item| item.is_transcript()) {
        let Some(files) = item.session.as_deref().and_then(|session| shown.get_mut(session)) else {
            continue;
        };
        if item.is_agent {
            files.agents.push(agent_of(item));
        } else {
            files.transcript.get_or_insert(item);
        }
    }
    shown
}

/// A record, read again.
#[derive(Default)]
struct Reread {
    uuid: Option<RecordId>,
    time: Option<Timestamp>,
    passages: Vec<Passage<'static>>,
    bytes: Vec<u8>,
}

impl Presenter<'_> {
    /// What is known of the sessions that are shown, in their order.
    pub(super) fn sessions(&self, cache: &mut Cache, groups: &[Group<'_>]) -> Vec<Session> {
        let own: Vec<Option<&ListedFile<'_>>> =
            groups.iter().map(|group| self.transcript(&group.session)).collect();
        let items: Vec<ListedFile<'_>> = own.iter().copied().flatten().cloned().collect();
        let mut learnt = cache.learn::<Profiles>(&items).into_iter();
        let mut profile = |own: &Option<&ListedFile<'_>>| {
            own.and_then(|_| learnt.next()?.ok()).map(|learnt| learnt.value.profile)
        };
        let profiles: Vec<Option<Profile>> = own.iter().map(&mut profile).collect();
        let rows = groups.iter().zip(own).zip(profiles);
        rows.map(|((group, own), profile)| self.session(group, own, profile)).collect()
    }

    fn session(&self, group: &Group<'_>, own: Option<&ListedFile<'_>>, profile: Option<Profile>) -> Session {
        let id = group.session.as_ref();
        let title = self.custom_title(id);
        let profile = profile.as_ref();
        let told = |profile: &Profile| {
            profile
                .title
                .clone()
                .filter(|_| title.is_none() || profile.title_source == Some(TitleSource::Custom))
        };
        let kept = self.index.is_some_and(|index| index.sessions.iter().any(|kept| kept.id == id));
        let (is_kept, machine) = match own.map(|item| item.file) {
            Some(SessionFile::Kept(kept)) => {
                (true, (!kept.kept_sessions.vault.is_own(kept.machine)).then(|| kept.machine.to_owned()))
            }
            _ => (false, None),
        };
        let alone = group.finds.first().and_then(|(place, _)| self.items.get(*place));
        Session {
            id: id.to_owned(),
            title: profile.and_then(told).or(title),
            cwd: profile.and_then(|profile| profile.cwd.clone()),
            git_branch: profile.and_then(|profile| profile.git_branch.clone()),
            ended_at: profile.and_then(|profile| profile.ended_at),
            live: own.is_some() && !is_kept,
            kept,
            machine,
            path: alone.filter(|_| own.is_none()).map(|item| item.place()),
            hits: group.count,
        }
    }

    fn transcript(&self, session: &str) -> Option<&ListedFile<'_>> {
        self.shown.get(session)?.transcript
    }

    /// What the user called it, where that stands beside the transcript.
    fn custom_title(&self, id: &str) -> Option<String> {
        let mut live = self.all_sessions.live_sessions.sessions.iter();
        if let Some(session) = live.find(|session| session.id.as_str() == id) {
            return session.custom_title.clone();
        }
        let (kept_sessions, index) = (self.all_sessions.kept_sessions.as_ref()?, self.index?);
        let kept = index.sessions.iter().find(|kept| kept.id == id)?;
        custom_title(kept_sessions, index, kept)
    }

    /// The best of a session.
    pub(super) fn hits(&self, group: &Group<'_>, each: usize) -> Vec<Hit> {
        let session = group.session.as_ref();
        let mut hits: Vec<(bool, Hit)> = Vec::new();
        for (place, find) in &group.finds {
            let Some(item) = self.items.get(*place).filter(|_| hits.len() < each) else { break };
            let (is_beside, hit) = (!item.is_transcript(), self.hit(session, item, find));
            // The record of a result repeats the beginning of what its file has.
            let is_same = |(was_beside, known): &(bool, Hit)| {
                (is_beside || *was_beside) && beside::is_of_one_result(known, &hit)
            };
            if !hits.iter().any(is_same) {
                hits.push((is_beside, hit));
            }
        }
        hits.into_iter().map(|(_, hit)| hit).collect()
    }

    fn hit(&self, session: &str, item: &ListedFile<'_>, find: &Find) -> Hit {
        if !item.is_transcript() {
            return self.beside(session, item, find);
        }
        let reread = self.reread(item, find);
        let is_it = |passage: &&Passage<'_>| match find.role {
            Some(role) => passage.role == role,
            None => !self.places(&passage.text).is_empty(),
        };
        let passage = reread.passages.iter().find(is_it);
        let (text, role) = match passage {
            Some(passage) => (passage.text.clone().into_owned(), passage.role),
            None => (self.elsewhere(&reread.bytes), find.role.unwrap_or(Role::Record)),
        };
        let shown = snippet(&text, &self.places(&text), WIDTH);
        let agent = item.is_agent.then(|| agent_of(item));
        let tool = || passage?.tools.first().map(|tool| tool.clone().into_owned());
        let record = RecordRef { uuid: reread.uuid, line: find.line, index: 0 };
        Hit {
            session: session.to_owned(),
            at: self.at(session, item, agent.as_deref(), &record),
            agent,
            record,
            timestamp: reread.time.or(find.time),
            role,
            tool: find.tool.as_deref().map(str::to_owned).or_else(tool),
            snippet: shown.text,
            highlights: shown.highlights.into_iter().map(|place| (place.start, place.end)).collect(),
            score: find.score,
        }
    }

    /// Lines are those of the file that is shown; other files of the session have their own.
    pub(super) fn at(
        &self,
        session: &str,
        item: &ListedFile<'_>,
        agent: Option<&str>,
        record: &RecordRef,
    ) -> String {
        let own = self.transcript(session);
        let is_shown = || own.is_some_and(|own| own.key() == item.key());
        match (agent, &record.uuid) {
            // The subagent's file is shown.
            (Some(_), _) if own.is_none() => record.line.to_string(),
            (Some(agent), _) => format!("{}:{}", self.short(session, agent), record.line),
            (None, Some(uuid)) if !is_shown() => uuid.to_string(),
            (None, _) => record.line.to_string(),
        }
    }

    /// Enough of a subagent's id to tell it from the others of its session.
    fn short<'i>(&self, session: &str, agent: &'i str) -> &'i str {
        let others = self.shown.get(session).map(|files| files.agents.as_slice()).unwrap_or_default();
        let is_told_by =
            |start: &&str| others.iter().all(|other| other == agent || !other.starts_with(start));
        let starts = (SHORTEST_AGENT..agent.len()).filter_map(|end| agent.get(..end));
        starts.into_iter().find(is_told_by).unwrap_or(agent)
    }

    fn reread(&self, item: &ListedFile<'_>, find: &Find) -> Reread {
        let mut extractor = self.informed(item, find);
        let mut reread = Reread::default();
        let stretch = Stretch { from: find.offset, lines: find.line.saturating_sub(1), to: u64::MAX };
        let _ = item.read(stretch, |lines| {
            lines.step_by(HEAD_STEP);
            if let Some(line) = lines.next_line()? {
                reread.take(line, find.role.is_some(), &mut extractor);
            }
            Ok(())
        });
        reread
    }

    /// One that knows the calls before, where a result may be what was found and nobody else can tell whose.
    fn informed(&self, item: &ListedFile<'_>, find: &Find) -> Extractor {
        let mut extractor = Extractor::default();
        let is_known = find.tool.is_some() || matches!(self.parsed.probe, Probe::Words(_));
        if is_known || find.offset > LONGEST_WAY {
            return extractor;
        }
        let call = memchr::memmem::Finder::new("tool_use");
        let before = Stretch { to: find.offset, ..Stretch::WHOLE };
        let _ = item.read(before, |lines| {
            while let Some(line) = lines.next_with(|bytes| call.find(bytes))? {
                let _ = split(line, &mut |piece| {
                    extractor.observe(&piece, |_| {});
                    ControlFlow::Continue(())
                });
            }
            Ok(())
        });
        extractor
    }

    pub(super) fn places(&self, text: &str) -> Vec<Range<usize>> {
        match &self.parsed.probe {
            Probe::Words(query) => highlights(query, text),
            Probe::Text(pattern) => pattern.places(text),
        }
    }

    /// Some string of the record that nobody says, else the line itself.
    fn elsewhere(&self, bytes: &[u8]) -> String {
        let string = match &self.parsed.probe {
            Probe::Words(_) => None,
            Probe::Text(pattern) => pattern.string_in(bytes),
        };
        string.unwrap_or_else(|| String::from_utf8_lossy(bytes).into_owned())
    }
}

pub(super) fn agent_of(item: &ListedFile<'_>) -> String {
    let stem = item.stem();
    stem.strip_prefix("agent-").map(str::to_owned).unwrap_or(stem)
}

impl Reread {
    /// With a role, the record at the very place; without, whatever stands on the line.
    fn take(&mut self, line: Line<'_>, is_one: bool, extractor: &mut Extractor) {
        self.bytes = line.bytes.to_vec();
        let _ = split(line, &mut |piece| {
            let Shape::Record(record) = &piece.shape else { return ControlFlow::Continue(()) };
            if self.uuid.is_none() {
                self.uuid = record.envelope.uuid.as_deref().map(RecordId::from);
            }
            if self.time.is_none() {
                self.time = time_of(&record.envelope, &mut Troubles::default());
            }
            extractor.observe(&piece, |passage| self.passages.push(passage.into_owned()));
            if is_one { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    }
}
