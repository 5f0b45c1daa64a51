//! The objects of a store → the plain names in it.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::names::KnownObject;
use super::{Entry, LocalStore, Sealed, Store};
use crate::encryption::{self, OpenFailure};
use crate::error::Error;

/// The result of opening an object of unknown name.
enum Opened {
    Named(Box<KnownObject>),
    /// No key opens it.
    Waiting,
    /// It is listed by its own name.
    Damaged,
    /// It vanished after the directory was read.
    Gone,
}

impl Sealed {
    pub(super) fn list(&self, files: &LocalStore, below: &str) -> Result<Vec<Entry>, Error> {
        let place = self.encryption.names().place_of(below);
        let mut listed = files.list(&place)?;
        let former: BTreeSet<String> =
            self.encryption.former().iter().map(|key| key.place_of(below)).collect();
        for former in former.iter().filter(|former| **former != place) {
            listed.extend(files.list(former)?);
        }
        if place != below {
            listed.extend(files.list(below).or_else(no_such_place)?);
        }
        let (objects, plain): (Vec<Entry>, Vec<Entry>) =
            listed.into_iter().partition(|entry| encryption::is_object(&entry.name));
        let mut names: BTreeMap<String, Entry> =
            plain.into_iter().map(|entry| (entry.name.clone(), entry)).collect();
        // An object named by the present key counts more than one named by a former key.
        let is_now = |object: &str, name: &str| {
            self.encryption.former().is_empty() || *object == self.encryption.object_of(name)
        };
        let named = self.named(files, &place, objects)?.into_iter();
        let (now, before): (Vec<_>, Vec<_>) = named.partition(|(object, entry)| is_now(object, &entry.name));
        for (_, entry) in before.into_iter().chain(now) {
            names.insert(entry.name.clone(), entry);
        }
        Ok(names.into_values().filter(|entry| is_below(&entry.name, below)).collect())
    }

    /// Each with its object.
    fn named(
        &self,
        files: &LocalStore,
        place: &str,
        objects: Vec<Entry>,
    ) -> Result<Vec<(String, Entry)>, Error> {
        let known = self.names.known(&objects, &self.encryption);
        let mut named = Vec::with_capacity(objects.len());
        let mut unknown = Vec::new();
        for (object, known) in objects.into_iter().zip(known) {
            match known {
                Some((name, len)) => {
                    named.push((object.name, Entry { name, len, modified: object.modified }))
                }
                None => unknown.push(object),
            }
        }
        let opened: Vec<_> = unknown.par_iter().map(|object| self.look(files, object)).collect();
        let (mut learned, mut waiting) = (Vec::new(), Vec::new());
        for (object, opened) in unknown.into_iter().zip(opened) {
            match opened? {
                Opened::Named(one) => {
                    let (name, len) = (one.name.clone(), one.length);
                    named.push((object.name, Entry { name, len, modified: object.modified }));
                    learned.push(*one);
                }
                Opened::Waiting => waiting.push(object.name),
                Opened::Damaged => named.push((object.name.clone(), object)),
                Opened::Gone => {}
            }
        }
        self.names.wait(place, waiting);
        self.names.learn(learned);
        Ok(named)
    }

    fn look(&self, files: &LocalStore, object: &Entry) -> Result<Opened, Error> {
        let encrypted = match files.open(&object.name) {
            Ok(encrypted) => encrypted,
            Err(Error::Missing { .. }) => return Ok(Opened::Gone),
            Err(Error::Read { .. }) => return Ok(Opened::Damaged),
            Err(error) => return Err(error),
        };
        match self.encryption.look_inside(&object.name, encrypted) {
            // A name must not lead out of the vault, though it is encrypted with the right key.
            Ok((envelope, _)) if super::check(&envelope.name).is_err() => Ok(Opened::Damaged),
            Ok((envelope, header)) => {
                Ok(Opened::Named(Box::new(KnownObject::seen(object, envelope, header))))
            }
            Err(OpenFailure::NoKey(_) | OpenFailure::OtherKey(_)) if !self.is_own(&object.name) => {
                Ok(Opened::Waiting)
            }
            // This machine encrypts for that key: it is the object that is not as it was.
            Err(OpenFailure::OtherKey(_)) if self.encryption.is_for_us() => Ok(Opened::Damaged),
            Err(failure @ (OpenFailure::NoKey(_) | OpenFailure::OtherKey(_))) => {
                Err(failure.about(&object.name))
            }
            Err(_) => Ok(Opened::Damaged),
        }
    }
}

/// A plain name that no directory can have has no files.
fn no_such_place(error: Error) -> Result<Vec<Entry>, Error> {
    use std::io::ErrorKind::{InvalidFilename, NotADirectory};
    match error {
        Error::Read { source, .. } if matches!(source.kind(), InvalidFilename | NotADirectory) => {
            Ok(Vec::new())
        }
        error => Err(error),
    }
}

pub(super) fn is_below(name: &str, place: &str) -> bool {
    place.is_empty() || name.strip_prefix(place).is_some_and(|rest| rest.starts_with('/'))
}
