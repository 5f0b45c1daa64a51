//! What this machine keeps → what in it looks like a secret, before it is sent for the first time.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_redact::Scanner;
use steno_vault::{Store, Volume, Writer};

use crate::custody::Opened;
use crate::error::Error;
use crate::progress::Progress;

/// How many places a report names.
const NAMED: usize = 20;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Secrets {
    pub found: u64,
    /// How many of each kind.
    pub kinds: BTreeMap<String, u64>,
    /// The first of them; never the secret itself.
    pub places: Vec<SecretsPlace>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SecretsPlace {
    pub kind: String,
    /// Below the Claude directory.
    pub path: String,
    pub session: Option<String>,
    /// The first line is 1.
    pub line: u64,
}

impl Secrets {
    fn add(&mut self, kind: &str, place: impl FnOnce() -> SecretsPlace) {
        self.found += 1;
        *self.kinds.entry(kind.to_owned()).or_default() += 1;
        if self.places.len() < NAMED {
            self.places.push(place());
        }
    }

    fn merge(&mut self, other: Self) {
        self.found += other.found;
        for (kind, count) in other.kinds {
            *self.kinds.entry(kind).or_default() += count;
        }
        self.places.extend(other.places);
        self.places.truncate(NAMED);
    }
}

/// Everything that would be sent: all generations, and the copies of the config. What cannot be read is not sent
/// as anything readable, and is verify's business.
pub(super) fn scan(writer: &mut Writer, opened: &Opened, progress: &dyn Progress) -> Result<Secrets, Error> {
    let scanner = Scanner::new();
    let catalog = writer.catalog()?.clone();
    let store = writer.store();
    let own = catalog.streams().filter(|(machine, ..)| opened.is_own(machine));
    let volumes: Vec<Volume<'_>> = own
        .flat_map(|(machine, _, stream)| {
            let generations = stream.generations.iter();
            generations.map(move |generation| Volume { store, machine, stream, generation })
        })
        .collect();
    progress.begin("Looking for secrets", volumes.iter().map(|volume| volume.generation.len()).sum());
    let size = |volume: &Volume<'_>| volume.generation.len();
    let found = steno_cores::map(&volumes, size, |volume| {
        let found = scan_volume(&scanner, volume);
        progress.advance(volume.generation.len());
        found
    });
    progress.end();
    let mut secrets = Secrets::default();
    found.into_iter().for_each(|found| secrets.merge(found));
    scan_config(&scanner, writer, opened, &mut secrets)?;
    Ok(secrets)
}

fn scan_volume(scanner: &Scanner, volume: &Volume<'_>) -> Secrets {
    let mut secrets = Secrets::default();
    let _ = scanner.scan_reader(volume.reader(), |place| {
        let told = || SecretsPlace {
            kind: place.kind.to_owned(),
            path: volume.stream.path.clone(),
            session: volume.stream.session.clone(),
            line: place.line,
        };
        secrets.add(place.kind, told);
    });
    secrets
}

fn scan_config(
    scanner: &Scanner,
    writer: &Writer,
    opened: &Opened,
    secrets: &mut Secrets,
) -> Result<(), Error> {
    let below = format!("machines/{}", opened.slug());
    for entry in writer.store().list(&below)? {
        let Some((_, path)) = entry.name.split_once("/config/") else { continue };
        let Ok(file) = writer.store().open(&entry.name) else { continue };
        let _ = scanner.scan_reader(file, |place| {
            let (kind, line) = (place.kind.to_owned(), place.line);
            let told = || SecretsPlace { kind, path: path.to_owned(), session: None, line };
            secrets.add(place.kind, told);
        });
    }
    Ok(())
}
