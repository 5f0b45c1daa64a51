//! Files that grow, are rewritten, cut and moved at random, and whose bytes follow from a number: so another process
//! can tell what must be kept of them.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use steno_testkit::Rng;
use steno_vault::Outcome;

use crate::desk::Desk;
use crate::other;

/// The first bytes of a file are its number.
const NUMBER: usize = 16;

pub(crate) fn content(number: u64, len: usize) -> Vec<u8> {
    let mut bytes = vec![0; len.max(NUMBER)];
    blake3::Hasher::new().update(&number.to_le_bytes()).finalize_xof().fill(&mut bytes);
    bytes[..NUMBER].copy_from_slice(format!("{number:016x}").as_bytes());
    bytes.truncate(len);
    bytes
}

fn number_of(bytes: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(bytes.get(..NUMBER)?).ok()?;
    u64::from_str_radix(text, 16).ok()
}

/// Changes its own files and keeps all there are, `times` over; says what is kept.
pub(crate) fn work(directory: &Path, worker: u64, seed: u64, times: usize) {
    let desk = Desk::of(directory);
    let mut rng = Rng::new(seed);
    let is_done = AtomicBool::new(false);
    other::say("ready");
    std::thread::scope(|scope| {
        scope.spawn(|| grow(&desk, worker, &is_done));
        for _ in 0..times {
            for _ in 0..=rng.below(3) {
                change(&desk, worker, &mut rng);
            }
            keep(&desk, worker);
        }
        is_done.store(true, Ordering::Relaxed);
    });
}

fn own(worker: u64) -> [String; 2] {
    [format!("projects/-w{worker}-a"), format!("projects/-w{worker}-b")]
}

/// A transcript that is written to all the time.
fn grow(desk: &Desk, worker: u64, is_done: &AtomicBool) {
    let path = format!("projects/-w{worker}-a/grows{worker}.jsonl");
    while !is_done.load(Ordering::Relaxed) {
        let len = desk.read(&path).map_or(0, |bytes| bytes.len());
        let bytes = content(worker, len + 100);
        desk.append(&path, &bytes[len..]);
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

fn change(desk: &Desk, worker: u64, rng: &mut Rng) {
    let own = own(worker);
    let name = format!("w{worker}s{}.jsonl", rng.below(4));
    let (here, there) = (format!("{}/{name}", own[0]), format!("{}/{name}", own[1]));
    let (here, there) = if desk.read(&there).is_some() { (there, here) } else { (here, there) };
    let bytes = desk.read(&here).unwrap_or_default();
    let number = number_of(&bytes);
    match (rng.below(10), number) {
        (0..6, Some(number)) => {
            let longer = content(number, bytes.len() + 1 + rng.below(3000) as usize);
            desk.append(&here, &longer[bytes.len()..]);
        }
        (6, Some(_)) => desk.truncate(&here, rng.below(bytes.len() as u64 + 1)),
        (7, Some(_)) => desk.rename(&here, &there),
        _ => desk.write(&here, &content(rng.next(), 16 + rng.below(3000) as usize)),
    }
}

fn keep(desk: &Desk, worker: u64) {
    let candidates = desk.candidates();
    let own = own(worker);
    let mine = candidates.iter().map(|candidate| {
        let is_mine = own.iter().any(|own| candidate.path.starts_with(own));
        let bytes = is_mine.then(|| desk.read(&candidate.path)).flatten()?;
        Some((number_of(&bytes)?, candidate.len))
    });
    let mine: Vec<Option<(u64, u64)>> = mine.collect();
    let outcomes = desk.try_keep(&candidates).unwrap();
    for ((candidate, outcome), mine) in candidates.iter().zip(outcomes).zip(mine) {
        let Some((number, len)) = mine else { continue };
        assert!(!matches!(outcome, Outcome::Failed(_)), "{}: {outcome:?}", candidate.path);
        other::say(&format!("{number} {len} {}", candidate.path));
    }
}

/// What somebody was told is kept: of each number, so many bytes.
#[derive(Default)]
pub(crate) struct Promises {
    lengths: BTreeMap<u64, usize>,
}

impl Promises {
    pub(crate) fn hear(&mut self, said: &[String]) {
        for line in said.iter().filter(|line| *line != "ready") {
            let mut words = line.split(' ');
            let mut number = || words.next().unwrap().parse::<u64>().unwrap();
            let (number, len) = (number(), number() as usize);
            let known = self.lengths.entry(number).or_default();
            *known = len.max(*known);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.lengths.len()
    }

    pub(crate) fn check(&self, desk: &Desk) {
        let checked = desk.verify();
        assert!(checked.damaged.is_empty() && checked.missing.is_empty(), "{checked:?}");
        let everything = desk.everything();
        let mut kept: HashMap<u64, Vec<&[u8]>> = HashMap::new();
        for bytes in &everything {
            kept.entry(number_of(bytes).unwrap_or_default()).or_default().push(bytes);
        }
        for (number, len) in &self.lengths {
            let expected = content(*number, *len);
            let found = kept.get(number).is_some_and(|all| all.iter().any(|one| one.starts_with(&expected)));
            assert!(found, "{len} bytes of {number:016x} were reported as kept");
        }
    }
}
