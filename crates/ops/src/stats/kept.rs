//! What only the vault still has → accounts beside those of the live files.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use steno_conversation::{Account, Accountant, Warnings};
use steno_transcript::{LineReader, skim_types};
use steno_vault::{Generation, Stream};

use super::gather::{Book, Gathered, Known};
use crate::custody::Custody;
use crate::error::Error;
use crate::list::kept::{homes, is_agent, is_listed};
use crate::shelf::{Index, Shelf, recency};
use crate::{parallel, reading};

/// A kept file that is to be read.
struct Kept<'a> {
    machine: &'a str,
    stream: &'a Stream,
    session: Option<String>,
    is_agent: bool,
}

/// A vault that cannot be read takes nothing from the live files.
pub(super) fn join(custody: &Custody, known: &Known, repeats: bool, gathered: &mut Gathered) {
    let joined = match custody.look() {
        Ok(None) => return,
        Ok(Some(_)) => try_join(custody, known, repeats, gathered),
        Err(error) => Err(error),
    };
    gathered.warnings += u64::from(joined.is_err());
}

fn try_join(custody: &Custody, known: &Known, repeats: bool, gathered: &mut Gathered) -> Result<(), Error> {
    let shelf = Shelf::open(custody)?;
    let index = shelf.index();
    let mut files = agents(custody, &shelf, &index, known);
    files.extend(transcripts(custody, &shelf, &index, known));
    let len = |kept: &Kept<'_>| kept.stream.latest().map_or(0, Generation::len);
    let accounts = parallel::map(&files, len, |kept| read(&shelf, kept, repeats));
    for (kept, account) in files.iter().zip(accounts) {
        match account {
            Some((account, warnings)) => gathered.take(book(kept, account), warnings),
            None => gathered.warnings += 1,
        }
    }
    Ok(())
}

/// Transcripts that are gone here, and every one of another machine: a session may have gone on there.
fn transcripts<'a>(custody: &Custody, shelf: &Shelf, index: &Index<'a>, known: &Known) -> Vec<Kept<'a>> {
    let homes = homes(custody, shelf);
    let is_wanted = |machine: &str, id: &str| {
        let is_live = homes.contains(machine) && known.sessions.contains(id);
        !is_live && is_listed(shelf, &homes, machine)
    };
    let wanted = index.sessions.iter().filter(|kept| is_wanted(kept.machine, &kept.id));
    let kept = wanted.map(|kept| Kept {
        machine: kept.machine,
        stream: kept.stream,
        session: Some(kept.id.clone()),
        is_agent: false,
    });
    kept.collect()
}

/// Subagents whose files are gone, each as this machine keeps it, else as another one does.
fn agents<'a>(custody: &Custody, shelf: &Shelf, index: &Index<'a>, known: &Known) -> Vec<Kept<'a>> {
    let homes = homes(custody, shelf);
    let mut latest: BTreeMap<(Option<&str>, &str), (&str, &Stream)> = BTreeMap::new();
    for (machine, session, stream) in index.others() {
        let name = file_name(&stream.path);
        let is_gone = is_agent(&stream.path) && !known.has_agent(session, name);
        if !is_gone || !is_listed(shelf, &homes, machine) {
            continue;
        }
        let rank =
            |(machine, stream): (&'a str, &'a Stream)| (homes.contains(machine), recency(stream), machine);
        let kept = latest.entry((session, name)).or_insert((machine, stream));
        if rank(*kept) < rank((machine, stream)) {
            *kept = (machine, stream);
        }
    }
    let kept = latest.into_iter().map(|((session, _), (machine, stream))| Kept {
        machine,
        stream,
        session: session.map(str::to_owned),
        is_agent: true,
    });
    kept.collect()
}

fn read(shelf: &Shelf, kept: &Kept<'_>, repeats: bool) -> Option<(Account, Warnings)> {
    let volume = shelf.latest(kept.machine, kept.stream)?;
    let mut accountant = Accountant::counting_repeats(repeats);
    let mut warnings = Warnings::new(&kept.stream.path);
    let visited = skim_types(&mut LineReader::new(volume.reader()), &reading::ANSWERS, |piece| {
        accountant.observe(&piece, &mut warnings);
        ControlFlow::Continue(())
    });
    visited.ok().map(|()| (accountant.finish(), warnings))
}

fn book(kept: &Kept<'_>, account: Account) -> Book {
    let name = file_name(&kept.stream.path).to_owned();
    let named = account.session.as_ref().map(|session| session.as_str().to_owned());
    Book {
        session: kept.session.clone().or(named).unwrap_or_else(|| name.clone()),
        is_agent: kept.is_agent,
        is_kept: true,
        name,
        account,
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
