//! Files, wherever they lie → accounts, on all cores.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::PathBuf;

use foldhash::fast::RandomState;
use jiff::Timestamp;
use rayon::prelude::*;
use steno_conversation::{Account, Accountant, Warnings};
use steno_sessions::session::OpenSession;
use steno_transcript::read_types;

use crate::cache::{Accounts, Cache, Learnt};
use crate::error::Error;
use crate::reading;
use crate::reading::Stretch;
use crate::sessions::{Copies, ListedFile, Sessions};
use crate::workspace::Workspace;

/// The account of one file, and whose file that is.
#[derive(Debug, Default)]
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
    /// What happened to the index, where anybody should know.
    pub(super) note: Option<String>,
}

/// With `repeats`, every account tells how records repeat their messages; that is not remembered.
pub(super) fn all(workspace: &Workspace, repeats: bool) -> Result<Gathered, Error> {
    let all_sessions = Sessions::take(workspace)?;
    let mut cache = Cache::open(workspace);
    let index = all_sessions.index();
    let mut items = all_sessions.live();
    if let Some(index) = &index {
        let kept = all_sessions.kept(workspace, index, &items, Copies::All);
        items.extend(kept);
    }
    let warnings = all_sessions.live_sessions.warnings.len() + usize::from(all_sessions.is_vault_unread);
    let mut gathered = Gathered { warnings: warnings as u64, ..Gathered::default() };
    let learnt = if repeats { recount(&items) } else { cache.learn::<Accounts>(&items) };
    for (item, learnt) in items.iter().zip(learnt) {
        match learnt {
            Ok(learnt) => gathered.take(item, learnt),
            Err(_) => gathered.warnings += 1,
        }
    }
    gathered.sort();
    gathered.note = cache.note.filter(|_| !repeats);
    Ok(gathered)
}

/// The transcript of a session, and then its subagents'.
pub(super) fn of_session(session: &OpenSession) -> Result<Vec<Book>, Error> {
    let files = &session.files;
    let agents = files.agents.iter().map(|agent| (&agent.path, true));
    let read = |(path, is_agent): (&PathBuf, bool)| {
        let name = path.display().to_string();
        let (mut accountant, mut warnings) = (Accountant::default(), Warnings::new(name.clone()));
        session.file(path)?.read(Stretch::WHOLE, |lines| {
            read_types(lines, &reading::ANSWERS, |piece| {
                accountant.observe(&piece, &mut warnings);
                ControlFlow::Continue(())
            })
        })?;
        let account = accountant.finish();
        Ok(Book { session: files.id.to_string(), is_agent, is_kept: session.is_kept(), name, account })
    };
    std::iter::once((&files.transcript, false)).chain(agents).map(read).collect()
}

type AllLearnt = Vec<Result<Learnt<Account>, Error>>;

/// Reads every file, whatever is remembered.
fn recount(items: &[ListedFile<'_>]) -> AllLearnt {
    let read = |item: &ListedFile<'_>| {
        let mut accountant = Accountant::counting_repeats(true);
        let mut warnings = Warnings::new(item.place());
        item.read(Stretch::WHOLE, |lines| {
            read_types(lines, &reading::ANSWERS, |piece| {
                accountant.observe(&piece, &mut warnings);
                ControlFlow::Continue(())
            })
        })?;
        Ok(Learnt { value: accountant.finish(), warnings: warnings.into_list().len() as u64 })
    };
    items.par_iter().with_max_len(1).map(read).collect()
}

impl Gathered {
    fn take(&mut self, item: &ListedFile<'_>, learnt: Learnt<Account>) {
        let Learnt { value: account, warnings } = learnt;
        self.warnings += warnings;
        let named = account.session.as_ref().map(|session| session.as_str().to_owned());
        let name = item.name();
        self.books.push(Book {
            session: item.session.as_deref().map(str::to_owned).or(named).unwrap_or_else(|| name.clone()),
            is_agent: item.is_agent,
            is_kept: item.is_kept(),
            name,
            account,
        });
    }

    /// By the session's first message, then by its id; of a session, the transcript before its subagents, and of several
    /// transcripts the one that began first, wherever it lies.
    fn sort(&mut self) {
        let own: Vec<Option<Timestamp>> = self.books.iter().map(|book| book.account.start).collect();
        let mut starts: HashMap<&str, Option<Timestamp>, RandomState> = HashMap::default();
        for (book, own) in self.books.iter().zip(&own) {
            let start = starts.entry(&book.session).or_default();
            *start = [*start, *own].into_iter().flatten().min();
        }
        let mut order: Vec<(bool, Option<Timestamp>, usize)> = Vec::with_capacity(self.books.len());
        for (place, book) in self.books.iter().enumerate() {
            let start = starts.get(book.session.as_str()).copied().flatten();
            order.push((start.is_none(), start, place));
        }
        let book = |place: usize| {
            let book = self.books.get(place)?;
            Some((&book.session, book.is_agent, own.get(place), book.is_kept, &book.name))
        };
        order.sort_by(|one, two| (one.0, one.1, book(one.2)).cmp(&(two.0, two.1, book(two.2))));
        let mut books: Vec<Option<Book>> = std::mem::take(&mut self.books).into_iter().map(Some).collect();
        self.books = order.iter().filter_map(|(.., place)| books.get_mut(*place)?.take()).collect();
    }
}
