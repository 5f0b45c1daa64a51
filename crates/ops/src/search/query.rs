//! A request → what is looked for, where, and since when: flags and words inside the query mean the same.

use jiff::Timestamp;
use steno_index::{Clause, Field, Filter, Passage, Query, Role, Term, highlights};

use super::advice::left_out;
use super::pattern::Pattern;
use super::{Mode, Request};
use crate::error::{Error, ErrorKind};
use crate::moment::moment;
use crate::workspace::Workspace;

/// A request that was understood.
#[derive(Debug)]
pub(super) struct ParsedQuery {
    pub(super) probe: Probe,
    /// Filters by project.
    pub(super) projects: Conditions,
    /// Filters by session.
    pub(super) sessions: Conditions,
    /// Filters that a passage answers.
    pub(super) passages: Vec<Filter>,
    pub(super) since: Option<Timestamp>,
    pub(super) until: Option<Timestamp>,
}

/// How it is looked for.
#[derive(Debug)]
pub(super) enum Probe {
    /// By an index; with the filters that it applies itself.
    Words(Query),
    /// In the text itself.
    Text(Box<Pattern>),
}

/// Texts of which one has to fit, and others that must not.
#[derive(Debug, Default)]
pub(super) struct Conditions {
    any: Vec<String>,
    none: Vec<String>,
}

impl Conditions {
    fn take(&mut self, filter: Filter) {
        let values = if filter.is_negated { &mut self.none } else { &mut self.any };
        values.push(filter.value);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.any.is_empty() && self.none.is_empty()
    }

    pub(super) fn hold(&self, fits: impl Fn(&str) -> bool) -> bool {
        (self.any.is_empty() || self.any.iter().any(|value| fits(value)))
            && !self.none.iter().any(|value| fits(value))
    }

    /// What has to fit.
    pub(super) fn wanted(&self) -> &[String] {
        &self.any
    }
}

impl ParsedQuery {
    pub(super) fn of(workspace: &Workspace, request: &Request) -> Result<Self, Error> {
        let mut query = match request.mode {
            Mode::Words => Query::parse(&request.query),
            Mode::Literal | Mode::Regex => Query::default(),
        };
        let mut filters = std::mem::take(&mut query.filters);
        filters.extend(flags(request));
        check(request, &query, &filters)?;
        let probe = match request.mode {
            Mode::Words => Probe::Words(query),
            Mode::Literal | Mode::Regex => Probe::Text(Box::new(Pattern::new(request)?)),
        };
        let mut parsed =
            Self { probe, since: request.since, until: request.until, ..Self::of_query(Query::default()) };
        filters.into_iter().try_for_each(|filter| parsed.take(workspace, filter))?;
        if let Probe::Words(query) = &mut parsed.probe {
            query.filters.clone_from(&parsed.passages);
        }
        Ok(parsed)
    }

    /// Words alone, wherever and whenever.
    pub(super) fn of_query(query: Query) -> Self {
        Self {
            passages: query.filters.clone(),
            probe: Probe::Words(query),
            projects: Conditions::default(),
            sessions: Conditions::default(),
            since: None,
            until: None,
        }
    }

    fn take(&mut self, workspace: &Workspace, filter: Filter) -> Result<(), Error> {
        match (filter.field, filter.is_negated) {
            (Field::Project, _) => self.projects.take(filter),
            (Field::Session, _) => self.sessions.take(filter),
            // Not since then is until then.
            (Field::Since, is_negated) | (Field::Until, is_negated) => {
                let is_until = filter.field == Field::Until;
                let time = moment(&filter.value, workspace.dirs.now, &workspace.zone, is_until)?;
                match is_until == is_negated {
                    true => self.since = Some(self.since.map_or(time, |since| since.max(time))),
                    false => self.until = Some(self.until.map_or(time, |until| until.min(time))),
                }
            }
            (Field::Role, _) => {
                known_role(&filter.value)?;
                self.passages.push(filter);
            }
            _ => self.passages.push(filter),
        }
        Ok(())
    }

    /// Whether some of the text is out of the question, whatever it says.
    pub(super) fn has_filters(&self) -> bool {
        !self.passages.is_empty() || self.since.is_some() || self.until.is_some()
    }

    /// Whether the filters let a passage pass, as the index does it.
    pub(super) fn admits(&self, passage: &Passage<'_>) -> bool {
        let time = passage.time;
        let fields = [Field::Role, Field::Tool, Field::File, Field::Branch, Field::Model];
        self.since.is_none_or(|since| time.is_some_and(|time| time >= since))
            && self.until.is_none_or(|until| time.is_some_and(|time| time < until))
            && fields.into_iter().all(|field| self.admits_by(field, passage))
    }

    fn admits_by(&self, field: Field, passage: &Passage<'_>) -> bool {
        let own = || self.passages.iter().filter(move |filter| filter.field == field);
        let mut wanted = own().filter(|filter| !filter.is_negated).peekable();
        (wanted.peek().is_none() || wanted.any(|filter| fits(filter, passage)))
            && !own().filter(|filter| filter.is_negated).any(|filter| fits(filter, passage))
    }
}

/// By whole words of a file's path, a branch or a model, as the index does it.
fn fits(filter: &Filter, passage: &Passage<'_>) -> bool {
    let value = filter.value.trim();
    let (value, is_beginning) = value.strip_suffix('*').map_or((value, false), |value| (value, true));
    let term = if is_beginning { Term::Prefix(value.to_owned()) } else { Term::Word(value.to_owned()) };
    let query = Query { clauses: vec![Clause { any: vec![term], is_negated: false }], ..Query::default() };
    let has = |text: &str| !highlights(&query, text).is_empty();
    let is_called = |name: &str| match is_beginning {
        true => name.to_lowercase().starts_with(&value.to_lowercase()),
        false => name.to_lowercase() == value.to_lowercase(),
    };
    match filter.field {
        Field::Role => Role::from_name(value) == Some(passage.role),
        Field::Tool => passage.tools.iter().any(|tool| is_called(tool)),
        Field::File => passage.files.iter().any(|file| has(file)),
        Field::Branch => passage.branch.as_deref().is_some_and(has),
        Field::Model => passage.model.as_deref().is_some_and(has),
        Field::Project | Field::Session | Field::Since | Field::Until => true,
    }
}

/// What flags say, as if it had been typed.
fn flags(request: &Request) -> Vec<Filter> {
    let roles = request.roles.iter().map(|role| (Field::Role, role.name().to_owned()));
    let tools = request.tools.iter().map(|tool| (Field::Tool, tool.clone()));
    let single = [
        (Field::Project, &request.project),
        (Field::Model, &request.model),
        (Field::Branch, &request.branch),
        (Field::File, &request.file),
    ];
    let single = single.into_iter().filter_map(|(field, value)| Some((field, value.clone()?)));
    let all = roles.chain(tools).chain(single);
    all.map(|(field, value)| Filter { field, value, is_negated: false }).collect()
}

fn check(request: &Request, query: &Query, filters: &[Filter]) -> Result<(), Error> {
    let is_nothing = match request.mode {
        Mode::Words => {
            let has_wanted = query.clauses.iter().any(|clause| !clause.is_negated);
            let is_limited = request.since.is_some() || request.until.is_some();
            !has_wanted && filters.is_empty() && !is_limited
        }
        Mode::Literal | Mode::Regex => request.query.is_empty(),
    };
    if !is_nothing {
        return Ok(());
    }
    if let Some(term) = query.clauses.iter().flat_map(|clause| &clause.any).next() {
        let error = Error::new(ErrorKind::Invalid, "this query only says what to leave out");
        return Err(error.hint(left_out(term)));
    }
    let error = Error::new(ErrorKind::Invalid, "this query has nothing to search for");
    Err(match request.mode {
        Mode::Words if !request.query.trim().is_empty() => {
            error.hint("it has no words; --literal finds signs, too")
        }
        _ => error.hint("give words, a \"phrase\", or the beginning of a word: `steno search 'parser fix*'`"),
    })
}

fn known_role(name: &str) -> Result<Role, Error> {
    Role::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Role::SPOKEN.iter().map(|role| role.name()).collect();
        Error::new(ErrorKind::Invalid, format!("'{name}' is not a role"))
            .hint(format!("roles are {}", names.join(", ")))
    })
}
