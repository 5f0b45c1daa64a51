//! What a finished sync reported comes back byte for byte, or `verify` and a restore say what is missing: for any
//! sequence of syncs, live changes, and losses and damage in the vault.

use crate::desk;

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use desk::{Desk, MACHINE};
use jiff::Timestamp;
use proptest::prelude::*;
use proptest::sample::Index;
use steno_vault::encryption::{Encryption, Keyring, NameKey, NewKey, Passphrase, Recipients};
use steno_vault::{
    Cached, Catalog, Checked, Keep, LedgerEnd, Outcome, Owners, VaultStore, Volume, Writer, verify,
};

const PATHS: [&str; 3] =
    ["projects/-a/s.jsonl", "projects/-a/t.jsonl", "projects/-a/s/subagents/agent-1.jsonl"];

#[derive(Debug, Clone)]
enum Step {
    Append(usize, Vec<u8>),
    Rewrite(usize, Vec<u8>),
    Remove(usize),
    Sync { full: bool },
    DropCache,
    Harm(Index, Harm),
}

/// What happens to a file of the vault.
#[derive(Debug, Clone)]
enum Harm {
    Lose,
    Cut(Index),
    Flip(Index),
    /// The bytes of another file.
    Swap(Index),
    /// A directory takes its place.
    Replace,
}

fn step() -> impl Strategy<Value = Step> {
    let path = || 0..PATHS.len();
    let bytes = || prop::collection::vec(any::<u8>(), 1..120);
    let harm = prop_oneof![
        3 => Just(Harm::Lose),
        1 => any::<Index>().prop_map(Harm::Cut),
        1 => any::<Index>().prop_map(Harm::Flip),
        1 => any::<Index>().prop_map(Harm::Swap),
        1 => Just(Harm::Replace),
    ];
    prop_oneof![
        6 => (path(), bytes()).prop_map(|(path, bytes)| Step::Append(path, bytes)),
        1 => (path(), bytes()).prop_map(|(path, bytes)| Step::Rewrite(path, bytes)),
        2 => path().prop_map(Step::Remove),
        6 => any::<bool>().prop_map(|full| Step::Sync { full }),
        1 => Just(Step::DropCache),
        3 => (any::<Index>(), harm).prop_map(|(file, harm)| Step::Harm(file, harm)),
    ]
}

/// A vault, what its machine remembers in its manifest, and what syncs reported.
struct World {
    desk: Desk,
    store: VaultStore,
    ledgers: BTreeMap<String, LedgerEnd>,
    /// The path, and what it held.
    reported: Vec<(&'static str, Vec<u8>)>,
    is_harmed: bool,
}

impl World {
    fn new(is_sealed: bool) -> Self {
        let desk = Desk::new();
        let plain = VaultStore::plain(desk.root());
        let store = if is_sealed { VaultStore::encrypted(desk.root(), seal(), MACHINE) } else { plain };
        Self { desk, store, ledgers: BTreeMap::new(), reported: Vec::new(), is_harmed: false }
    }

    /// As a process that begins has it.
    fn store(&self) -> VaultStore {
        match self.store.encryption() {
            Some(_) => VaultStore::encrypted(self.desk.root(), seal(), MACHINE),
            None => self.store.clone(),
        }
    }

    fn owners(&self) -> Owners {
        Owners { ledgers: self.ledgers.clone(), ..Owners::alone(MACHINE) }
    }

    fn apply(&mut self, step: Step) {
        match step {
            Step::Append(path, bytes) => self.desk.append(PATHS[path], &bytes),
            Step::Rewrite(path, bytes) => self.desk.replace_or_write(PATHS[path], &bytes),
            Step::Remove(path) => self.desk.remove(PATHS[path]),
            Step::Sync { full } => self.sync(full),
            Step::DropCache => self.desk.drop_cache(),
            Step::Harm(file, harm) => self.harm(file, &harm),
        }
    }

    fn sync(&mut self, full: bool) {
        let wait = std::time::Duration::from_secs(10);
        let mut writer = Writer::open(self.store(), "id", self.owners(), "a test", wait).unwrap();
        let purged = HashSet::new();
        let keep = Keep { full, ..self.desk.usual(&purged) };
        let candidates = self.desk.candidates();
        let kept = writer.keep(&keep, &candidates).unwrap();
        for (machine, reached) in writer.ledger_ends() {
            let known = self.ledgers.entry(machine).or_default();
            *known = reached.max(*known);
        }
        for (candidate, outcome) in candidates.iter().zip(&kept.outcomes) {
            assert!(!matches!(outcome, Outcome::Failed(_)), "{outcome:?}");
            let path = PATHS.into_iter().find(|path| *path == candidate.path).unwrap();
            self.reported.push((path, self.desk.read(path).unwrap()));
        }
    }

    fn harm(&mut self, file: Index, harm: &Harm) {
        let files = below(&self.desk.root().join("machines"));
        if files.is_empty() {
            return;
        }
        let path = &files[file.index(files.len())];
        let mut bytes = fs::read(path).unwrap();
        match harm {
            Harm::Lose => fs::remove_file(path).unwrap(),
            Harm::Cut(len) => fs::write(path, &bytes[..len.index(bytes.len().max(1))]).unwrap(),
            Harm::Flip(_) if bytes.is_empty() => return,
            Harm::Flip(place) => {
                let place = place.index(bytes.len());
                bytes[place] ^= 0x10;
                fs::write(path, bytes).unwrap();
            }
            Harm::Swap(other) => {
                let other = fs::read(&files[other.index(files.len())]).unwrap();
                fs::write(path, other).unwrap();
            }
            Harm::Replace => {
                fs::remove_file(path).unwrap();
                fs::create_dir(path).unwrap();
            }
        }
        self.is_harmed = true;
    }

    fn look(&self) -> (Catalog, Checked) {
        let cached = Cached::new(self.store(), "id", self.owners());
        let (_, known) = cached.look_again().unwrap();
        let catalog = cached.catalog().unwrap();
        let again = Catalog::read(cached.store(), None, &self.owners()).unwrap();
        let checked = verify(cached.store(), &again, known.as_ref(), &|_| {});
        (catalog, checked)
    }

    /// Whether some generation of the file gives these bytes back.
    fn is_there(&self, catalog: &Catalog, path: &str, bytes: &[u8]) -> bool {
        self.generations(catalog, path)
            .iter()
            .any(|kept| kept.as_ref().is_ok_and(|kept| kept.starts_with(bytes)))
    }

    fn generations(&self, catalog: &Catalog, path: &str) -> Vec<Result<Vec<u8>, steno_vault::Error>> {
        let store = self.store();
        let mut all = Vec::new();
        for (machine, _, stream) in catalog.streams().filter(|(_, _, stream)| stream.path == path) {
            for generation in &stream.generations {
                let mut bytes = Vec::new();
                let volume = Volume { store: &store, machine, stream, generation };
                all.push(volume.copy(&mut bytes).map(|_| bytes));
            }
        }
        all
    }

    fn check(&self) {
        let (catalog, checked) = self.look();
        let told = || checked.damaged.iter().chain(&checked.missing);
        assert!(self.is_harmed || told().next().is_none(), "nothing was harmed: {checked:?}");
        let is_unguarded = catalog.machines.get(MACHINE).is_some_and(|machine| machine.is_unguarded);
        for (path, bytes) in &self.reported {
            if self.is_there(&catalog, path, bytes) {
                continue;
            }
            let verify_says = told().any(|damage| damage.path == **path)
                || told().any(|damage| damage.segment.contains("/ledger/"));
            let restore_says = is_unguarded || self.generations(&catalog, path).iter().any(Result::is_err);
            assert!(verify_says && restore_says, "{path}: a silent loss of {bytes:?}: {checked:?}");
        }
    }
}

/// `STENO_FAULT_ROUNDS` asks for more.
fn config() -> ProptestConfig {
    let rounds = std::env::var("STENO_FAULT_ROUNDS").ok().and_then(|rounds| rounds.parse().ok());
    ProptestConfig { cases: rounds.unwrap_or(32), failure_persistence: None, ..ProptestConfig::default() }
}

fn seal() -> Arc<Encryption> {
    static KEY: LazyLock<NewKey> = LazyLock::new(|| NewKey::generate(Timestamp::UNIX_EPOCH));
    let recipients = Recipients::parse(&[KEY.recipient().to_owned()]).unwrap();
    let keyring = Keyring::bytes(KEY.text().into(), "the key", Arc::new(Nobody));
    Arc::new(Encryption::new(recipients, NameKey::from_hex(&"5e".repeat(32)).unwrap(), keyring))
}

#[derive(Debug)]
struct Nobody;

impl Passphrase for Nobody {
    fn ask(&self, _: &str) -> Option<String> {
        None
    }
}

fn below(place: &Path) -> Vec<PathBuf> {
    if !place.is_dir() {
        return Some(place.to_owned()).filter(|place| place.exists()).into_iter().collect();
    }
    let mut files: Vec<PathBuf> =
        fs::read_dir(place).unwrap().flat_map(|entry| below(&entry.unwrap().path())).collect();
    files.sort();
    files
}

proptest! {
    #![proptest_config(config())]
    #[test]
    fn no_sequence_makes_a_loss_silent(
        is_sealed in any::<bool>(),
        steps in prop::collection::vec(step(), 1..40),
    ) {
        let mut world = World::new(is_sealed);
        for step in steps {
            let is_sync = matches!(step, Step::Sync { .. });
            world.apply(step);
            if is_sync {
                world.check();
            }
        }
        world.check();
    }
}
