//! The names and headers in a store → every kept file of every machine.

mod covered;
mod legacy;

pub use legacy::knows_no_machines;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::damage::{Damage, Reason};
use crate::error::Error;
use crate::header::{Header, Unreadable};
use crate::ledger::{LEDGER, Ledger, LedgerEnd, mark, mark_ledger};
use crate::manifest::MachineManifest;
use crate::name::SegmentName;
use crate::reading::Volume;
use crate::store::{Entry, Store};
use crate::stream::{Broken, Codec, Generation, Segment, Stream};

/// The ending of encrypted files.
const ENCRYPTED: &str = ".age";
/// How often names are listed again while a writer changes them.
const LOOKS: usize = 8;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Catalog {
    pub machines: BTreeMap<String, Machine>,
    /// Segments that a merged one covers, left behind by a process that was killed.
    #[serde(skip)]
    pub(crate) covered: Vec<String>,
    /// A ledger of this machine could not be read for lack of its key, so that nothing compares with it.
    #[serde(skip)]
    pub(crate) is_locked: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// By their names.
    pub streams: BTreeMap<String, Stream>,
    /// Its record of every segment, see [`crate::ledger`].
    pub(crate) ledger: Option<Stream>,
    /// A part of the ledger is missing or damaged: what else is missing may go unnoticed.
    #[serde(skip)]
    pub is_unguarded: bool,
}

impl Machine {
    /// A stream by its name; the ledger is one, too.
    pub(crate) fn stream(&self, name: &str) -> Option<&Stream> {
        if name == LEDGER { self.ledger.as_ref() } else { self.streams.get(name) }
    }

    pub(crate) fn stream_mut(&mut self, name: &str) -> Option<&mut Stream> {
        if name == LEDGER { self.ledger.as_mut() } else { self.streams.get_mut(name) }
    }

    pub(crate) fn stream_or_insert(&mut self, name: &str, new: impl FnOnce() -> Stream) -> &mut Stream {
        if name == LEDGER {
            return self.ledger.get_or_insert_with(new);
        }
        self.streams.entry(name.to_owned()).or_insert_with(new)
    }

    pub(crate) fn enter_ledger(&mut self, number: u32, segment: Segment) {
        let new = || Stream { path: LEDGER.to_owned(), session: None, generations: Vec::new() };
        let ledger = self.ledger.get_or_insert_with(new);
        if ledger.latest().is_none_or(|latest| latest.number != number) {
            ledger.generations.push(Generation::empty(number));
        }
        if let Some(latest) = ledger.generations.last_mut() {
            latest.segments.push(segment);
        }
    }

    /// All streams with their names, the ledger last.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &Stream)> {
        let ledger = self.ledger.iter().map(|ledger| (LEDGER, ledger));
        self.streams.iter().map(|(name, stream)| (name.as_str(), stream)).chain(ledger)
    }

    pub(crate) fn all_mut(&mut self) -> impl Iterator<Item = &mut Stream> {
        self.streams.values_mut().chain(&mut self.ledger)
    }

    pub fn ledger_files(&self) -> impl Iterator<Item = &str> {
        self.ledger.iter().flat_map(Stream::files)
    }

    /// How far its ledger reaches.
    pub fn ledger_end(&self) -> Option<LedgerEnd> {
        self.ledger.as_ref()?.latest().map(LedgerEnd::of)
    }
}

/// The owners of files whose names do not tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owners {
    /// This machine.
    pub own: String,
    /// The machine that the oldest layouts, which know of no machines, belong to; this one, where `vault.json` names none.
    pub original: Option<String>,
    /// How far ledgers reached, as this machine's manifest remembers it.
    pub ledgers: BTreeMap<String, LedgerEnd>,
}

impl Owners {
    /// Files of the oldest layouts belong to this machine, too.
    pub fn alone(own: &str) -> Self {
        Self { own: own.to_owned(), original: None, ledgers: BTreeMap::new() }
    }

    /// Whether a machine of the catalogue, or one of its Claude directories, is this one.
    pub(crate) fn is_own(&self, machine: &str) -> bool {
        machine.strip_prefix(&self.own).is_some_and(|rest| rest.is_empty() || rest.starts_with("/homes/"))
    }

    fn original(&self) -> &str {
        self.original.as_deref().unwrap_or(&self.own)
    }
}

/// What the name and the header of a file in the store tell.
#[derive(Debug)]
struct StoredFile {
    machine: String,
    stream: String,
    generation: u32,
    path: String,
    session: Option<String>,
    content: Result<Segment, Broken>,
}

impl Catalog {
    /// Looks at every name; opens only what `known` does not know.
    ///
    /// A writer may change names meanwhile: a listing can then lack the pieces and the whole of a merge, or what a ledger
    /// already records. What looks incomplete is believed when a second look shows the same names.
    pub fn read(store: &dyn Store, known: Option<&Self>, owners: &Owners) -> Result<Self, Error> {
        let mut entries = store.list("")?;
        for _ in 0..LOOKS {
            let (mut catalog, is_steady) = Self::explain_all(store, &entries, known, owners)?;
            let is_whole = is_steady && catalog.holds_all_of(known);
            if catalog.compare_with_ledgers(store, owners) && is_whole && !catalog.has_gone() {
                return Ok(catalog);
            }
            let again = store.list("")?;
            if again == entries {
                return Ok(catalog);
            }
            entries = again;
        }
        let (mut catalog, _) = Self::explain_all(store, &entries, known, owners)?;
        catalog.compare_with_ledgers(store, owners);
        Ok(catalog)
    }

    /// Marks segments that a ledger records and that are not there, and ledgers that are shorter than a manifest says.
    /// `false` when a part of a ledger was gone before it could be read.
    fn compare_with_ledgers(&mut self, store: &dyn Store, owners: &Owners) -> bool {
        let mut is_steady = true;
        for (machine, reached) in &owners.ledgers {
            mark_ledger(machine, self.machines.entry(machine.clone()).or_default(), *reached);
        }
        for (machine, kept) in &mut self.machines {
            let told = MachineManifest::read(store, machine).ok().flatten();
            if let Some(reached) = told.and_then(|manifest| manifest.ledger) {
                mark_ledger(machine, kept, reached);
            }
            match Ledger::read(store, kept) {
                Ok(ledger) => mark(store, machine, kept, &ledger),
                Err(Error::Missing { .. }) => is_steady = false,
                Err(_) => self.is_locked |= owners.is_own(machine),
            }
        }
        is_steady
    }

    fn broken(&self) -> impl Iterator<Item = &Broken> {
        let streams = self.machines.values().flat_map(Machine::all);
        streams.flat_map(|(_, stream)| &stream.generations).flat_map(|generation| &generation.broken)
    }

    fn has_gone(&self) -> bool {
        self.broken().any(|one| one.reason == Reason::Gone)
    }

    /// Whether nothing is missing or damaged, as far as ledgers and headers tell.
    pub(crate) fn is_complete(&self) -> bool {
        // A newer segment stays unreadable at every look; a locked one opens as soon as the key is there.
        let is_guarded = !self.is_locked && self.machines.values().all(|machine| !machine.is_unguarded);
        is_guarded && self.broken().all(|one| one.reason == Reason::Newer)
    }

    /// Segments that ledgers record and the store lacks.
    pub(crate) fn gone(&self, store: &dyn Store) -> Vec<Damage> {
        let streams = self
            .machines
            .iter()
            .flat_map(|(machine, kept)| kept.all().map(move |(_, stream)| (machine, stream)));
        let generations = streams.flat_map(|(machine, stream)| {
            stream.generations.iter().map(move |generation| Volume { store, machine, stream, generation })
        });
        let is_gone = |damage: &Damage| damage.reason == Reason::Gone;
        generations
            .filter(|volume| volume.generation.broken.iter().any(|one| one.reason == Reason::Gone))
            .flat_map(|volume| volume.gaps(None))
            .filter(is_gone)
            .collect()
    }

    /// `false` when a name was gone before it could be opened.
    fn explain_all(
        store: &dyn Store,
        entries: &[Entry],
        known: Option<&Self>,
        owners: &Owners,
    ) -> Result<(Self, bool), Error> {
        let index = known.map(Self::index).unwrap_or_default();
        let mut found = Vec::new();
        let mut is_steady = true;
        for entry in entries {
            match explain(store, entry, &index, owners) {
                Ok(one) => found.extend(one),
                Err(Error::Missing { .. }) => is_steady = false,
                Err(error) => return Err(error),
            }
        }
        let mut catalog = Self::assemble(found);
        covered::doubt(store, &mut catalog);
        Ok((catalog, is_steady))
    }

    /// Whether no stream has a gap or is shorter than it was known.
    fn holds_all_of(&self, known: Option<&Self>) -> bool {
        let is_whole = |stream: &Stream| stream.generations.iter().all(Generation::is_contiguous);
        let is_there = |machine: &str, name: &str, known: &Stream| {
            let now = self.machines.get(machine).and_then(|kept| kept.streams.get(name));
            let long_enough = |was: &Generation| {
                now.and_then(|now| now.generation(was.number)).is_some_and(|now| now.len() >= was.len())
            };
            known.generations.iter().all(long_enough)
        };
        self.streams().all(|(_, _, stream)| is_whole(stream))
            && known
                .is_none_or(|known| known.streams().all(|(machine, name, was)| is_there(machine, name, was)))
    }

    /// Segments by their file names, with the stream they belong to.
    fn index(&self) -> HashMap<&str, (&Segment, &Stream)> {
        let streams = self.machines.values().flat_map(Machine::all);
        let segments =
            streams.flat_map(|(_, stream)| stream.segments().map(move |segment| (segment, stream)));
        segments.map(|(segment, stream)| (segment.file.as_str(), (segment, stream))).collect()
    }

    fn assemble(found: Vec<StoredFile>) -> Self {
        let mut catalog = Self::default();
        let mut streams: BTreeMap<(String, String), Vec<StoredFile>> = BTreeMap::new();
        for one in found {
            streams.entry((one.machine.clone(), one.stream.clone())).or_default().push(one);
        }
        for ((machine, name), found) in streams {
            if let Some(stream) = assemble_stream(found, &mut catalog.covered) {
                catalog.machines.entry(machine).or_default().stream_or_insert(&name, || stream);
            }
        }
        catalog
    }

    pub fn streams(&self) -> impl Iterator<Item = (&str, &str, &Stream)> {
        self.machines.iter().flat_map(|(machine, kept)| {
            kept.streams.iter().map(move |(name, stream)| (machine.as_str(), name.as_str(), stream))
        })
    }

    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        self.machines.values().flat_map(Machine::all).flat_map(|(_, stream)| stream.files())
    }

    /// The paths whose time changes when another process adds or removes segments: the directories that hold them, those
    /// above, and the files of the original tool, which it writes in place. A machine's own directory and the vault's
    /// count only where they hold segments, because documents are replaced there all the time; encrypted ones have a
    /// directory of their own.
    pub(crate) fn directories<'a>(&'a self, file_of: impl Fn(&'a str) -> Cow<'a, str>) -> BTreeSet<String> {
        let mut directories = BTreeSet::new();
        let mut previous = String::new();
        for name in self.files() {
            let file = file_of(name);
            if file.ends_with(".gz") {
                directories.insert(file.to_string());
            }
            // Most are in the directory of the one before.
            let own = file.rsplit_once('/').map_or("", |(directory, _)| directory);
            if previous == own && !own.is_empty() {
                continue;
            }
            own.clone_into(&mut previous);
            let mut inside = &*file;
            while let Some((directory, _)) = inside.rsplit_once('/') {
                let is_machine = split_machine(inside).is_some_and(|(_, rest)| !rest.contains('/'));
                if inside.len() == file.len() || !is_machine || file.ends_with(ENCRYPTED) {
                    directories.insert(directory.to_owned());
                }
                inside = directory;
            }
        }
        directories
    }
}

/// `machines/<slug>[/homes/<label>]/…` → the machine and what follows it. A second Claude directory of a machine counts
/// as a machine of its own.
pub(crate) fn split_machine(name: &str) -> Option<(&str, &str)> {
    let inside = name.strip_prefix("machines/")?;
    let (slug, rest) = inside.split_once('/')?;
    match rest.strip_prefix("homes/").and_then(|rest| rest.split_once('/')) {
        Some((label, rest)) => Some((inside.get(..slug.len() + "/homes/".len() + label.len())?, rest)),
        None => Some((slug, rest)),
    }
}

fn explain(
    store: &dyn Store,
    entry: &Entry,
    known: &HashMap<&str, (&Segment, &Stream)>,
    owners: &Owners,
) -> Result<Option<StoredFile>, Error> {
    let inside = split_machine(&entry.name);
    let name = inside.and_then(|(machine, rest)| Some((machine.to_owned(), SegmentName::parse(rest)?)));
    let Some((machine, name)) = name else {
        return legacy::explain(store, entry, known, owners.original());
    };
    if let Some((segment, stream)) = known.get(entry.name.as_str()).filter(|(one, _)| one.packed == entry.len)
    {
        let (path, session) = (stream.path.clone(), stream.session.clone());
        let content = Ok((*segment).clone());
        return Ok(Some(StoredFile {
            machine,
            stream: name.stream,
            generation: name.generation,
            path,
            session,
            content,
        }));
    }
    read_header(store, entry, machine, name, &owners.own).map(Some)
}

fn read_header(
    store: &dyn Store,
    entry: &Entry,
    machine: String,
    name: SegmentName,
    own: &str,
) -> Result<StoredFile, Error> {
    let header = match store.open(&entry.name) {
        Err(gone @ Error::Missing { .. }) => return Err(gone),
        Err(locked @ Error::Locked { .. }) => match store.header_of(&entry.name) {
            Some(header) => Ok(Ok(header)),
            // Our own segment must not be taken for lost.
            None if machine == own => return Err(locked),
            None => Err(locked),
        },
        opened => opened.map(|mut reader| Header::read(&mut reader)),
    };
    let session = || legacy::session_of(&name.stream);
    let broken = |reason| Err(Broken::new(&entry.name, (name.first, name.last), entry.len, reason));
    let (path, session, content) = match header {
        Ok(Ok(header)) if header.generation == name.generation => {
            let segment = segment_of(entry.name.clone(), entry.len, &name, &header);
            (header.path, header.session, Ok(segment))
        }
        // Another machine may run a newer version; an older one must not touch our own segments.
        Ok(Err(Unreadable::Newer(format))) if machine == own => {
            let path = Path::new(&entry.name).to_owned();
            return Err(Error::Newer { path, format, known: crate::header::FORMAT });
        }
        Ok(Err(Unreadable::Newer(_))) => (name.stream.clone(), session(), broken(Reason::Newer)),
        Ok(Ok(_) | Err(Unreadable::Damaged)) => (name.stream.clone(), session(), broken(Reason::Header)),
        Err(Error::Locked { .. }) => (name.stream.clone(), session(), broken(Reason::Locked)),
        Ok(Err(Unreadable::Io)) | Err(_) => (name.stream.clone(), session(), broken(Reason::Unreadable)),
    };
    Ok(StoredFile { machine, stream: name.stream, generation: name.generation, path, session, content })
}

pub(crate) fn segment_of(file: String, packed: u64, name: &SegmentName, header: &Header) -> Segment {
    Segment {
        file,
        first: name.first,
        last: name.last,
        offset: header.offset,
        len: header.length,
        packed,
        modified: header.modified,
        taken: header.taken,
        chain: header.after.start(),
        codec: Codec::Zstd,
    }
}

fn assemble_stream(found: Vec<StoredFile>, covered: &mut Vec<String>) -> Option<Stream> {
    let mut generations: BTreeMap<u32, Generation> = BTreeMap::new();
    // The path and the session are those of the newest segment that can be read.
    let (mut newest, mut path, mut session) = (None, String::new(), None);
    for one in found {
        let place = match &one.content {
            Ok(segment) => (true, one.generation, segment.last),
            Err(broken) => (false, one.generation, broken.last),
        };
        if newest.is_none_or(|known| known <= place) {
            (newest, path, session) = (Some(place), one.path, one.session);
        }
        let number = one.generation;
        let generation = generations.entry(number).or_insert_with(|| Generation::empty(number));
        match one.content {
            Ok(segment) => generation.segments.push(segment),
            Err(broken) => generation.broken.push(broken),
        }
    }
    newest?;
    let mut generations: Vec<Generation> = generations.into_values().collect();
    for generation in &mut generations {
        covered::set_aside(generation, covered);
    }
    Some(Stream { path, session, generations })
}
