//! Files, wherever they lie → accounts, on all cores.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use steno_conversation::{Account, Warnings};

use super::kept;
use crate::custody::Custody;
use crate::error::Error;
use crate::holdings::Holdings;
use crate::{parallel, reading};

/// The account of one file, and whose file that is.
#[derive(Debug)]
pub(super) struct Book {
    pub(super) session: String,
    /// A subagent's file.
    pub(super) is_agent: bool,
    /// Only the vault still has it.
    pub(super) is_kept: bool,
    /// Tells the files of a session apart.
    pub(super) name: String,
    pub(super) account: Account,
}

/// All accounts, those of the session that began first first.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) books: Vec<Book>,
    pub(super) warnings: u64,
}

/// A live file that is to be read.
struct Live {
    /// None for a subagent whose session is gone: its records name it.
    session: Option<String>,
    is_agent: bool,
    path: PathBuf,
    len: u64,
}

/// What was read without the vault.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub(super) sessions: HashSet<String>,
    /// Sessions and names of subagents' files.
    agents: HashSet<(String, String)>,
    agent_names: HashSet<String>,
}

impl Known {
    fn of(books: &[Book]) -> Self {
        let mut known = Self::default();
        for book in books {
            if book.is_agent {
                known.agents.insert((book.session.clone(), book.name.clone()));
                known.agent_names.insert(book.name.clone());
            } else {
                known.sessions.insert(book.session.clone());
            }
        }
        known
    }

    /// By its name alone, where nobody knows whose it is.
    pub(super) fn has_agent(&self, session: Option<&str>, name: &str) -> bool {
        match session {
            Some(session) => self.agents.contains(&(session.to_owned(), name.to_owned())),
            None => self.agent_names.contains(name),
        }
    }
}

/// With `repeats`, every account tells how records repeat their messages.
pub(super) fn all(custody: &Custody, repeats: bool) -> Result<Gathered, Error> {
    let holdings = custody.library.holdings()?;
    let files = files(&holdings);
    let mut gathered = Gathered { warnings: holdings.warnings.len() as u64, books: Vec::new() };
    for (file, read) in files.iter().zip(parallel::map(&files, |file| file.len, |file| read(file, repeats))) {
        match read {
            Ok((account, warnings)) => gathered.take(book(file, account), warnings),
            Err(_) => gathered.warnings += 1,
        }
    }
    let known = Known::of(&gathered.books);
    kept::join(custody, &known, repeats, &mut gathered);
    gathered.sort();
    Ok(gathered)
}

impl Gathered {
    pub(super) fn take(&mut self, book: Book, warnings: Warnings) {
        self.warnings += warnings.into_list().len() as u64;
        self.books.push(book);
    }

    /// By the session's first message, then by its id; of a session, the transcript before its subagents.
    fn sort(&mut self) {
        let mut starts: HashMap<&str, Option<Timestamp>> = HashMap::new();
        for book in &self.books {
            let start = starts.entry(&book.session).or_default();
            *start = [*start, book.account.start()].into_iter().flatten().min();
        }
        let mut order: Vec<(bool, Option<Timestamp>, usize)> = Vec::with_capacity(self.books.len());
        for (place, book) in self.books.iter().enumerate() {
            let start = starts.get(book.session.as_str()).copied().flatten();
            order.push((start.is_none(), start, place));
        }
        let book = |place: usize| {
            self.books.get(place).map(|book| (&book.session, book.is_agent, book.is_kept, &book.name))
        };
        order.sort_by(|one, two| (one.0, one.1, book(one.2)).cmp(&(two.0, two.1, book(two.2))));
        let mut books: Vec<Option<Book>> = std::mem::take(&mut self.books).into_iter().map(Some).collect();
        self.books = order.iter().filter_map(|(.., place)| books.get_mut(*place)?.take()).collect();
    }
}

/// Everything that is live: transcripts, others of the same session, subagents.
fn files(holdings: &Holdings) -> Vec<Live> {
    let mut files = Vec::new();
    for session in &holdings.sessions {
        let id = Some(session.id.as_str().to_owned());
        let (path, len) = (session.transcript.clone(), session.len);
        files.push(Live { session: id.clone(), is_agent: false, path, len });
        files.extend(session.agents.iter().map(|agent| Live {
            session: id.clone(),
            is_agent: true,
            path: agent.path.clone(),
            len: agent.len,
        }));
    }
    files.extend(holdings.twins.iter().map(|twin| Live {
        session: Some(twin.id.as_str().to_owned()),
        is_agent: twin.is_agent,
        path: twin.path.clone(),
        len: twin.len,
    }));
    files.extend(holdings.orphans.iter().map(|agent| Live {
        session: None,
        is_agent: true,
        path: agent.path.clone(),
        len: agent.len,
    }));
    files
}

fn read(file: &Live, repeats: bool) -> Result<(Account, Warnings), Error> {
    reading::account(&file.path, repeats)
}

fn book(file: &Live, account: Account) -> Book {
    let named = account.session.as_ref().map(|session| session.as_str().to_owned());
    Book {
        session: file.session.clone().or(named).unwrap_or_else(|| file_name(&file.path)),
        is_agent: file.is_agent,
        is_kept: false,
        name: file_name(&file.path),
        account,
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
