//! Kept bytes of this machine, not searched yet → the parts that look like a secret.

use rayon::prelude::*;
use steno_vault::{Catalog, Entry, Store, VaultStore, Volume};

use super::searched::{Searched, key_of_copy, key_of_segment};
use crate::detection;
use crate::error::Error;
use crate::progress::Progress;
use crate::push::Secrets;
use crate::workspace::Vault;

/// What would be sent, and was not looked at for this remote.
pub(super) struct News<'a> {
    store: &'a VaultStore,
    parts: Vec<Part<'a>>,
    copies: Vec<Entry>,
    /// The keys of what was looked at.
    pub(super) known: Vec<u64>,
}

/// A generation, of which so many bytes were looked at.
struct Part<'a> {
    volume: Volume<'a>,
    known: u64,
}

/// What was found, and the keys of what holds nothing.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) secrets: Secrets,
    pub(super) clean: Vec<u64>,
}

impl<'a> News<'a> {
    /// All generations of this machine, and the copies of its config. What cannot be read is not sent as anything
    /// readable, and is verify's business.
    pub(super) fn of(
        store: &'a VaultStore,
        catalog: &'a Catalog,
        vault: &Vault,
        searched: &Searched,
    ) -> Result<Self, Error> {
        let mut news = Self { store, parts: Vec::new(), copies: Vec::new(), known: Vec::new() };
        for (machine, _, stream) in catalog.streams().filter(|(machine, ..)| vault.is_own(machine)) {
            for generation in &stream.generations {
                news.add(Volume { store, machine, stream, generation }, searched);
            }
        }
        let copies = store.list(&format!("machines/{}", vault.slug()))?;
        for copy in copies.into_iter().filter(|copy| copy.name.contains("/config/")) {
            if searched.knows_copy(&copy) {
                news.known.push(key_of_copy(&copy));
            } else {
                news.copies.push(copy);
            }
        }
        Ok(news)
    }

    fn add(&mut self, volume: Volume<'a>, searched: &Searched) {
        let segments = &volume.generation.segments;
        let known = segments.iter().take_while(|segment| searched.knows_segment(segment)).count();
        self.known.extend(segments.iter().take(known).map(key_of_segment));
        if let Some(first) = segments.get(known) {
            self.parts.push(Part { volume, known: first.offset });
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty() && self.copies.is_empty()
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = u64> {
        self.parts.iter().flat_map(Part::keys).chain(self.copies.iter().map(key_of_copy))
    }

    pub(super) fn search(&self, progress: &dyn Progress) -> Findings {
        progress.begin("Looking for secrets", self.parts.iter().map(Part::size).sum());
        let search = |part: &Part<'a>| {
            let found = part.search();
            progress.advance(part.size());
            found
        };
        let found: Vec<Secrets> = self.parts.par_iter().with_max_len(1).map(search).collect();
        progress.end();
        let mut findings = Findings::default();
        for (part, secrets) in self.parts.iter().zip(found) {
            findings.take(secrets, part.keys());
        }
        for copy in &self.copies {
            findings.take(self.search_copy(copy), std::iter::once(key_of_copy(copy)));
        }
        findings
    }

    fn search_copy(&self, copy: &Entry) -> Secrets {
        let mut secrets = Secrets::default();
        let path = copy.name.split_once("/config/").map_or("", |(_, path)| path);
        if let Ok(file) = self.store.open(&copy.name) {
            let _ = detection::scan(file, 0, &mut |kind, line| secrets.add(kind, line, path, None));
        }
        secrets
    }
}

impl Findings {
    fn take(&mut self, secrets: Secrets, keys: impl Iterator<Item = u64>) {
        if secrets.found == 0 {
            self.clean.extend(keys);
        }
        self.secrets.merge(secrets);
    }
}

impl Part<'_> {
    fn size(&self) -> u64 {
        self.volume.generation.len() - self.known
    }

    fn keys(&self) -> impl Iterator<Item = u64> {
        let segments = self.volume.generation.segments.iter();
        segments.skip_while(|segment| segment.offset < self.known).map(key_of_segment)
    }

    fn search(&self) -> Secrets {
        let mut secrets = Secrets::default();
        let stream = self.volume.stream;
        let _ = detection::scan(self.volume.reader(), self.known, &mut |kind, line| {
            secrets.add(kind, line, &stream.path, stream.session.as_ref());
        });
        secrets
    }
}
