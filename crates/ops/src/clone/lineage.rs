//! What a clone remembers of what it came from: a file beside its transcript that the client passes over, and that is
//! kept like every other one.

use std::io::Write;
use std::path::PathBuf;

use jiff::Timestamp;
use serde::Serialize;
use steno_source::LINEAGE;

use super::stage::{Spot, Stage};
use super::wanted::Wanted;
use crate::error::{Error, ErrorKind};

#[derive(Debug, Serialize)]
pub(super) struct Lineage<'a> {
    pub(super) from: &'a str,
    pub(super) at: Timestamp,
    pub(super) by: &'static str,
    pub(super) wish: &'a Wanted,
}

impl Lineage<'_> {
    pub(super) fn spot() -> Spot {
        Spot::Session(PathBuf::from(LINEAGE))
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }

    pub(super) fn write(&self, stage: &mut Stage<'_>) -> Result<(), Error> {
        let mut file = stage.file(&Self::spot())?;
        file.write_all(&self.bytes())
            .map_err(|error| Error::new(ErrorKind::Io, format!("cannot write the clone: {error}")))
    }
}
