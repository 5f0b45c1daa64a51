//! Directories that look as they did → what is in them, without listing them again.
//!
//! A directory's times change with every name that comes or goes. To ask for them takes a sixth of what a list takes, and
//! lists are half of a walk in which no file is read. Files are not remembered: each is looked at every time.
//!
//! What is remembered is believed only where nothing can have changed unseen: on file systems that are known to keep these
//! times, and for directories that had been left alone for a while when they were listed, because two changes within one
//! tick of the clock have the same time. Everything else is listed.

mod look;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod roots;
mod sheet;

use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use foldhash::fast::RandomState;
use steno_transcript::SessionId;

use crate::directory::{Entry, Kind};
use crate::tail::nanoseconds;
pub(crate) use look::{Look, Roots};
use sheet::{Body, Name, Sheet};

/// As long as a directory has to be left alone before it is believed: the coarsest clock of a file system, with room.
const QUIET: Duration = Duration::from_secs(2);

/// What directories held, by their paths; and what they hold now, as far as somebody asked.
#[derive(Debug, Default)]
pub struct Atlas<'a> {
    known: HashMap<Cow<'a, [u8]>, Sheet<'a>, RandomState>,
    /// Those of file systems that keep the times of directories.
    devices: Vec<u64>,
    /// Where everything lies that is looked at.
    roots: Roots,
    /// What was touched later may be touched again without another time, in nanoseconds.
    quiet: i64,
    drawn: Mutex<Drawn<'a>>,
}

/// What was asked for.
#[derive(Debug, Default)]
struct Drawn<'a> {
    sheets: Vec<Sheet<'a>>,
    has_news: bool,
}

impl<'a> Atlas<'a> {
    /// From what [`renewed`](Self::renewed) gave before, or from nothing. `now` is a time before the walk begins.
    pub fn new(bytes: &'a [u8], claude_dirs: &[PathBuf], now: SystemTime) -> Self {
        let places: Vec<PathBuf> = claude_dirs.iter().map(|directory| directory.join("projects")).collect();
        let devices: Vec<u64> = places.iter().filter_map(|place| look::trusted(place)).collect();
        let sheets = if devices.is_empty() { None } else { sheet::read(bytes) };
        let known = sheets.into_iter().flatten().map(|sheet| (sheet.path.clone(), sheet)).collect();
        let quiet = now.checked_sub(QUIET).map_or(i64::MIN, nanoseconds);
        Self { known, devices, roots: Roots::of(&places), quiet, drawn: Mutex::default() }
    }

    /// What to begin with the next time; nothing where what this one began with does as well.
    pub fn renewed(self) -> Option<Vec<u8>> {
        let Drawn { sheets, has_news } = self.drawn.into_inner().unwrap_or_else(PoisonError::into_inner);
        // Sheets of what is gone do no harm, until they are most of it.
        let is_old = has_news || 2 * sheets.len() < self.known.len();
        is_old.then(|| sheet::written(&sheets)).flatten()
    }

    /// How something looks now, if that tells anything.
    pub(crate) fn look(&self, path: &Path) -> Option<Look> {
        if self.devices.is_empty() {
            return None;
        }
        Look::at(&self.roots, path).filter(|look| self.devices.contains(&look.device))
    }

    pub(crate) fn roots(&self) -> &Roots {
        &self.roots
    }

    /// What is in a directory that looks like this, if that is known: names with what they are, nothing for a link.
    pub(crate) fn names(&self, directory: &Path, look: &Look) -> Option<Vec<(&OsStr, Option<Kind>)>> {
        let sheet = self.find(directory)?;
        let Body::Directory { look: known, names } = sheet.body()? else { return None };
        if known != *look {
            return None;
        }
        let names = names.into_iter().map(|name| Some((sheet::name(name.name)?, name.kind()?)));
        let names = names.collect::<Option<_>>()?;
        self.draw(sheet.clone(), false);
        Some(names)
    }

    /// Remembers what was just listed. The look is from before; who has another one by now may have been something else
    /// when it was listed.
    pub(crate) fn note(&self, directory: &Path, look: Look, entries: &[Entry]) {
        if look.touched() >= self.quiet || self.look(directory) != Some(look) {
            return;
        }
        let names = entries.iter().map(|entry| {
            let name = sheet::bytes(entry.name())?;
            Some(Name::new(name, (!entry.linked).then_some(entry.kind)))
        });
        if let Some(names) = names.collect() {
            self.learn(directory, &Body::Directory { look, names });
        }
    }

    /// The session that an old-layout subagent's file names; read where that is not known. Whoever has looked at it
    /// says how it looks.
    pub(crate) fn parent<E>(
        &self,
        path: &Path,
        look: Option<Look>,
        read: impl FnOnce() -> Result<Option<SessionId>, E>,
    ) -> Result<Option<SessionId>, E> {
        let look = look.filter(|look| self.devices.contains(&look.device)).or_else(|| self.look(path));
        if let Some(sheet) = self.find(path)
            && let Some(Body::Agent { look: known, session }) = sheet.body()
            && look == Some(known)
        {
            let session = session.map(SessionId::from);
            self.draw(sheet.clone(), false);
            return Ok(session);
        }
        let session = read()?;
        // It was read by its path, whatever that leads to.
        let is_it = |look: &Look| Look::at(&Roots::default(), path) == Some(*look);
        if let Some(look) = look.filter(|look| look.touched() < self.quiet).filter(is_it) {
            let session = session.as_ref().map(SessionId::as_str);
            self.learn(path, &Body::Agent { look, session });
        }
        Ok(session)
    }

    fn find(&self, path: &Path) -> Option<&Sheet<'a>> {
        self.known.get(sheet::bytes(path.as_os_str())?)
    }

    fn learn(&self, path: &Path, body: &Body<'_>) {
        let sheet = sheet::bytes(path.as_os_str()).and_then(|path| Sheet::new(path, body));
        sheet.into_iter().for_each(|sheet| self.draw(sheet, true));
    }

    fn draw(&self, sheet: Sheet<'a>, is_new: bool) {
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        drawn.sheets.push(sheet);
        drawn.has_news |= is_new;
    }
}
