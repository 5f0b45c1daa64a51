//! Files, wherever they lie → accounts, on all cores.

use std::collections::HashMap;
use std::ops::ControlFlow;

use foldhash::fast::RandomState;
use jiff::Timestamp;
use steno_conversation::{Account, Accountant, Warnings};
use steno_transcript::read_types;

use crate::error::Error;
use crate::memory::{Accounts, Lesson, Memory, Novelties};
use crate::reading;
use crate::reading::Stretch;
use crate::stock::{Copies, Item, Stock};
use crate::workspace::Workspace;

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

/// What is to be remembered once it is counted, or meanwhile.
#[derive(Debug)]
pub(super) struct Later {
    memory: Memory,
    /// Nothing where the memory was not asked.
    news: Option<Novelties>,
}

impl Later {
    /// Whether it is worth doing beside something else.
    pub(super) fn is_much(&self) -> bool {
        self.news.as_ref().is_some_and(|news| !news.is_empty())
    }

    /// Says what happened to what was remembered, if anybody should know.
    pub(super) fn remember(mut self) -> Option<String> {
        self.memory.remember(self.news.as_ref()?);
        self.memory.note.take()
    }
}

/// Not sorted yet. With `repeats`, every account tells how records repeat their messages; that is not remembered.
pub(super) fn all(workspace: &Workspace, repeats: bool) -> Result<(Gathered, Later), Error> {
    let (mut memory, stock) =
        Memory::open_beside(workspace, Memory::read_ahead::<Accounts>, || Stock::take(workspace))?;
    let index = stock.index();
    let mut items = stock.live();
    if let Some(index) = &index {
        let kept = stock.kept(workspace, index, &items, Copies::All);
        items.extend(kept);
    }
    let warnings = stock.holdings.warnings.len() + usize::from(stock.is_vault_unread);
    let mut gathered = Gathered { warnings: warnings as u64, ..Gathered::default() };
    let (lessons, news) = if repeats {
        (recount(&items), None)
    } else {
        let (lessons, news) = memory.find_out::<Accounts>(&items);
        (lessons, Some(news))
    };
    for (item, lesson) in items.iter().zip(lessons) {
        match lesson {
            Ok(lesson) => gathered.take(item, lesson),
            Err(_) => gathered.warnings += 1,
        }
    }
    drop(items);
    drop(index);
    stock.discard();
    Ok((gathered, Later { memory, news }))
}

type Lessons = Vec<Result<Lesson<Account>, Error>>;

/// Reads every file, whatever is remembered.
fn recount(items: &[Item<'_>]) -> Lessons {
    steno_cores::map(items, Item::size, |item| {
        let mut accountant = Accountant::counting_repeats(true);
        let mut warnings = Warnings::new(item.place());
        item.read(Stretch::WHOLE, |lines| {
            read_types(lines, &reading::ANSWERS, |piece| {
                accountant.observe(&piece, &mut warnings);
                ControlFlow::Continue(())
            })
        })?;
        Ok(Lesson { value: accountant.finish(), warnings: warnings.into_list().len() as u64 })
    })
}

impl Gathered {
    fn take(&mut self, item: &Item<'_>, lesson: Lesson<Account>) {
        let Lesson { value: account, warnings } = lesson;
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
    pub(super) fn sort(&mut self) {
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
