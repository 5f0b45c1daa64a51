//! The list of prompts, of all sessions → the same list without those of one session, live and kept.
//!
//! What is kept of it is written anew, durably, before the old copies go: the prompts of other sessions are never in
//! one place less than before.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use memchr::memmem::Finder;
use steno_vault::{
    Candidate, Generation, Keep, Outcome, Replaced, Role, Store, Stream, Volume, Writer, fault, private,
};

use super::live::Live;
use super::{AGAIN, Remaining, Request, vault};
use crate::aside::{Aside, Print, wait_until_unwritten};
use crate::draft;
use crate::error::{Error, ErrorKind};
use crate::workspace::{Vault, Workspace};

pub(super) const HISTORY: &str = "history.jsonl";
const ATTEMPTS: u32 = 5;

/// How many lines are the session's.
pub(super) fn count(bytes: &[u8], id: &str) -> u64 {
    let line = Line::of(id);
    bytes.split(|byte| *byte == b'\n').filter(|bytes| line.is(bytes)).count() as u64
}

/// Everything but the session's lines.
fn without(bytes: &[u8], id: &str) -> Vec<u8> {
    let line = Line::of(id);
    let others = bytes.split_inclusive(|byte| *byte == b'\n').filter(|bytes| !line.is(bytes));
    others.flatten().copied().collect()
}

/// A line of a session has the id as the value of a field; inside a text, quotes are escaped.
struct Line {
    quoted: Finder<'static>,
}

impl Line {
    fn of(id: &str) -> Self {
        let quoted = serde_json::Value::from(id).to_string();
        Self { quoted: Finder::new(quoted.as_bytes()).into_owned() }
    }

    fn is(&self, line: &[u8]) -> bool {
        self.quoted.find_iter(line).any(|at| {
            let before = line.get(..at).unwrap_or_default().trim_ascii_end();
            before.strip_suffix(b":").is_some_and(|key| key.trim_ascii_end().ends_with(b"\"sessionId\""))
        })
    }
}

/// Again where a client wrote meanwhile.
pub(super) fn filter_live(path: &Path, id: &str) -> Result<(), Error> {
    let Ok(path) = path.canonicalize() else { return Ok(()) };
    let failed = |error: io::Error| {
        Error::new(ErrorKind::Io, format!("cannot rewrite {}: {error}", path.display())).hint(AGAIN)
    };
    for _ in 0..ATTEMPTS {
        let bytes = fs::read(&path).map_err(failed)?;
        let left = without(&bytes, id);
        if left.len() == bytes.len() {
            return Ok(());
        }
        replace(&path, &bytes, &left, id).map_err(failed)?;
    }
    Err(failed(io::Error::other("the client keeps writing to it")))
}

/// What a client appended to the old list since it was read goes to the end of the new one. A list that changed
/// otherwise comes back.
fn replace(path: &Path, bytes: &[u8], left: &[u8], id: &str) -> io::Result<()> {
    let (draft, mut file) = draft::create(path.parent().unwrap_or(Path::new(".")), &mut None)?;
    file.write_all(left)?;
    file.sync_all()?;
    let Some(aside) = Aside::replace(&draft, path)? else { return Ok(()) };
    let old = aside.file();
    // A program that keeps it open may write to it for ever; then the next look finds what it wrote.
    let is_quiet = wait_until_unwritten(std::iter::once((old.as_path(), path))).is_ok();
    let now = fs::read(&old)?;
    match now.strip_prefix(bytes).filter(|_| is_quiet) {
        Some(appended) => {
            let appended = without(appended, id);
            fault::point();
            fs::File::options().append(true).open(path)?.write_all(&appended)?;
            aside.forget();
            Ok(())
        }
        None => aside.put_back(Some(Print::of(path)?)),
    }
}

pub(super) fn untouched(live: &Live) -> Remaining {
    let detail = format!(
        "{} of the prompts in the client's list, and in kept copies of it, which --live removes",
        live.prompts
    );
    Remaining::new(HISTORY, detail)
}

#[derive(Debug, Default)]
pub(super) struct Erased {
    /// Files of the vault that are gone.
    pub(super) files: Vec<String>,
    pub(super) remaining: Vec<Remaining>,
}

/// The kept lists are rewritten as soon as no live one would bring the prompts back.
pub(super) fn erase(
    workspace: &Workspace,
    vault: &mut Vault,
    writer: &mut Writer,
    request: &Request,
    id: &str,
    live: &Live,
) -> Result<Erased, Error> {
    let mut erased = Erased::default();
    // Of those that a killed purge began to remove.
    for Replaced { machine, stream, generations } in replaced(vault, id) {
        writer.remove_generations(&machine, &stream, &generations, workspace.dirs.now)?;
        vault::recount(writer, &machine)?;
    }
    if live.prompts > 0 && !request.live {
        erased.remaining.push(untouched(live));
        return Ok(erased);
    }
    let store = writer.store().clone();
    let catalog = writer.catalog()?.clone();
    for (machine, name, stream) in catalog.streams() {
        if !vault.is_own(machine) || stream.path != HISTORY {
            continue;
        }
        let rewriting = Rewriting { workspace, store: &store, machine, name, stream, id };
        match rewriting.run(vault, writer) {
            Ok(files) => erased.files.extend(files),
            Err(error) => {
                let detail = format!("the kept copy could not be rewritten: {error}");
                erased.remaining.push(Remaining::new(HISTORY, detail));
            }
        }
        vault::recount(writer, machine)?;
    }
    Ok(erased)
}

/// What the manifest says is being removed.
fn replaced(vault: &Vault, id: &str) -> Vec<Replaced> {
    let own = vault.manifest.purging.iter().filter(|one| one.session == id);
    own.flat_map(|one| &one.replaced).cloned().collect()
}

struct Rewriting<'a> {
    workspace: &'a Workspace,
    store: &'a dyn Store,
    machine: &'a str,
    name: &'a str,
    stream: &'a Stream,
    id: &'a str,
}

impl Rewriting<'_> {
    /// From the first list on that holds a prompt of the session, so that their order stays.
    fn run(&self, vault: &mut Vault, writer: &mut Writer) -> Result<Vec<String>, Error> {
        let mut old: Vec<(&Generation, Vec<u8>)> = Vec::new();
        for generation in &self.stream.generations {
            let volume = Volume { store: self.store, machine: self.machine, stream: self.stream, generation };
            let bytes = read(&volume)?;
            if !old.is_empty() || count(&bytes, self.id) > 0 {
                old.push((generation, bytes));
            }
        }
        let left = old.iter().map(|(generation, bytes)| (*generation, without(bytes, self.id)));
        let mut left: Vec<(&Generation, Vec<u8>)> = left.collect();
        // Of nothing one stays: otherwise the next list would get the name of one that other machines still have.
        let last = left.pop();
        left.retain(|(_, bytes)| !bytes.is_empty());
        left.extend(last.filter(|(_, bytes)| left.is_empty() || !bytes.is_empty()));
        for (generation, bytes) in left {
            self.keep(writer, generation, &bytes)?;
        }
        self.remove(vault, writer, &old)
    }

    fn keep(&self, writer: &mut Writer, generation: &Generation, bytes: &[u8]) -> Result<(), Error> {
        let path = self.workspace.local().join("prompts");
        let failed = |error: io::Error| {
            Error::new(ErrorKind::Io, format!("cannot write {}: {error}", path.display())).hint(AGAIN)
        };
        private::replace(&path, bytes).map_err(failed)?;
        let modified = SystemTime::from(generation.modified().unwrap_or(self.workspace.dirs.now));
        fs::File::options()
            .append(true)
            .open(&path)
            .and_then(|file| file.set_modified(modified))
            .map_err(failed)?;
        let kept = self.keep_file(writer, path.clone(), (bytes.len() as u64, modified));
        fs::remove_file(&path).map_err(failed)?;
        kept
    }

    fn keep_file(&self, writer: &mut Writer, path: PathBuf, stat: (u64, SystemTime)) -> Result<(), Error> {
        let candidate = Candidate {
            path: HISTORY.to_owned(),
            absolute: path,
            len: stat.0,
            modified: stat.1,
            inode: None,
            session: None,
            role: Role::Other,
        };
        let nobody = HashSet::new();
        let keep = Keep { merge: false, ..Keep::new(self.machine, self.workspace.dirs.now, &nobody) };
        let kept = writer.keep(&keep, &[candidate])?;
        match kept.outcomes.first() {
            Some(Outcome::Failed(trouble)) => {
                Err(Error::new(ErrorKind::Io, format!("the list of prompts was not kept: {trouble:?}"))
                    .hint(AGAIN))
            }
            _ => Ok(()),
        }
    }

    /// One that goes on in what was just kept is free of them, and stays.
    fn remove(
        &self,
        vault: &mut Vault,
        writer: &mut Writer,
        old: &[(&Generation, Vec<u8>)],
    ) -> Result<Vec<String>, Error> {
        if old.is_empty() {
            return Ok(Vec::new());
        }
        let now = writer
            .catalog()?
            .machines
            .get(self.machine)
            .and_then(|kept| kept.streams.get(self.name))
            .cloned();
        let has_grown = |before: &Generation| {
            let after = now.as_ref().and_then(|now| now.generation(before.number));
            after.is_some_and(|after| after.segments.len() > before.segments.len())
        };
        let gone: Vec<&Generation> =
            old.iter().map(|(generation, _)| *generation).filter(|one| !has_grown(one)).collect();
        let numbers: Vec<u32> = gone.iter().map(|generation| generation.number).collect();
        if let Some(own) = vault.manifest.purging.iter_mut().find(|one| one.session == self.id) {
            let (machine, stream) = (self.machine.to_owned(), self.name.to_owned());
            own.replaced.push(Replaced { machine, stream, generations: numbers.clone() });
            vault.manifest.write(&self.workspace.vault)?;
        }
        writer.remove_generations(self.machine, self.name, &numbers, self.workspace.dirs.now)?;
        let segments = gone.iter().flat_map(|generation| &generation.segments);
        Ok(segments.map(|segment| segment.file.clone()).collect())
    }
}

fn read(volume: &Volume<'_>) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    volume.copy(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_of_the_session_go() {
        let lines = [
            r#"{"display":"mine","sessionId":"s1"}"#,
            r#"{"display":"\"sessionId\":\"s1\"","sessionId":"s2"}"#,
            r#"{"display":"also mine","sessionId" : "s1","x":1}"#,
            r#"{"display":"s1","project":"s1"}"#,
            "not JSON \"s1\"",
        ];
        let text = lines.join("\n");
        assert_eq!(count(text.as_bytes(), "s1"), 2);
        let left = String::from_utf8(without(text.as_bytes(), "s1")).unwrap();
        assert_eq!(left.lines().collect::<Vec<_>>(), [lines[1], lines[3], lines[4]]);
        assert!(!left.ends_with('\n'), "a list without a final newline stays one");
    }

    #[test]
    fn prompts_that_are_appended_meanwhile_stay() {
        use std::sync::atomic::{AtomicBool, Ordering};
        let home = steno_testkit::Home::new();
        let path = home.file("history.jsonl", "");
        let line = |session: &str, number: u32| {
            format!("{{\"display\":\"{number:06}\",\"sessionId\":\"{session}\"}}\n")
        };
        let is_done = AtomicBool::new(false);
        let count = std::thread::scope(|scope| {
            let client = scope.spawn(|| {
                let mut number = 0;
                while !is_done.load(Ordering::SeqCst) {
                    let mut file = fs::File::options().append(true).open(&path).unwrap();
                    file.write_all(
                        line(if u32::is_multiple_of(number, 3) { "s1" } else { "s2" }, number).as_bytes(),
                    )
                    .unwrap();
                    number += 1;
                    // Slower than the list is rewritten, on whatever machine.
                    std::thread::sleep(std::time::Duration::from_micros(200));
                }
                number
            });
            for _ in 0..50 {
                let _ = filter_live(&path, "s1");
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            is_done.store(true, Ordering::SeqCst);
            client.join().unwrap()
        });
        filter_live(&path, "s1").unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let there: HashSet<&str> = text.split_inclusive('\n').collect();
        let is_lost = |number: &u32| !number.is_multiple_of(3) && !there.contains(&*line("s2", *number));
        let lost: Vec<u32> = (0..count).filter(is_lost).collect();
        assert!(lost.is_empty(), "{lost:?} of {count}");
        assert_eq!(super::count(text.as_bytes(), "s1"), 0);
    }
}
