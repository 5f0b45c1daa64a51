//! What is remembered of one path ↔ bytes.

use std::borrow::Cow;
use std::ffi::OsStr;

use serde::{Deserialize, Serialize};

use super::look::Look;
use crate::directory::Kind;
use crate::tail::hash;

/// Another one for every change of this file.
const VERSION: u32 = 1;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Sheet<'a> {
    #[serde(borrow)]
    pub(super) path: Cow<'a, [u8]>,
    /// Read when somebody asks.
    #[serde(borrow)]
    body: Cow<'a, [u8]>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Body<'a> {
    Directory {
        look: Look,
        #[serde(borrow)]
        names: Vec<Name<'a>>,
    },
    /// A subagent's file in the old layout.
    Agent { look: Look, session: Option<&'a str> },
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Name<'a> {
    kind: u8,
    pub(super) name: &'a [u8],
}

impl<'a> Sheet<'a> {
    /// Nothing where it cannot be written.
    pub(super) fn new(path: &[u8], body: &Body<'_>) -> Option<Self> {
        let body = postcard::to_stdvec(body).ok()?;
        Some(Self { path: Cow::Owned(path.to_vec()), body: Cow::Owned(body) })
    }

    /// Nothing where it is not understood.
    pub(super) fn body(&self) -> Option<Body<'_>> {
        postcard::from_bytes(&self.body).ok()
    }
}

impl<'a> Name<'a> {
    /// Nothing for a link.
    pub(super) fn new(name: &'a [u8], kind: Option<Kind>) -> Self {
        let kind = match kind {
            None => 0,
            Some(Kind::File) => 1,
            Some(Kind::Directory) => 2,
            Some(Kind::Special) => 3,
        };
        Self { kind, name }
    }

    /// Nothing where it is not understood; inside, nothing for a link.
    pub(super) fn kind(&self) -> Option<Option<Kind>> {
        match self.kind {
            0 => Some(None),
            1 => Some(Some(Kind::File)),
            2 => Some(Some(Kind::Directory)),
            3 => Some(Some(Kind::Special)),
            _ => None,
        }
    }
}

/// Nothing where they are not what [`written`] wrote.
pub(super) fn read(bytes: &[u8]) -> Option<Vec<Sheet<'_>>> {
    let (version, rest) = bytes.split_first_chunk()?;
    let (sum, rest) = rest.split_first_chunk()?;
    let is_whole = u32::from_le_bytes(*version) == VERSION && u64::from_le_bytes(*sum) == hash(rest);
    is_whole.then(|| postcard::from_bytes(rest).ok()).flatten()
}

pub(super) fn written(sheets: &[Sheet<'_>]) -> Option<Vec<u8>> {
    let body = postcard::to_stdvec(sheets).ok()?;
    Some([&VERSION.to_le_bytes()[..], &hash(&body).to_le_bytes(), &body].concat())
}

/// A name as it is remembered. Only where names are bytes anyway is anything remembered.
#[cfg(unix)]
pub(super) fn bytes(name: &OsStr) -> Option<&[u8]> {
    Some(std::os::unix::ffi::OsStrExt::as_bytes(name))
}

#[cfg(not(unix))]
pub(super) fn bytes(_: &OsStr) -> Option<&[u8]> {
    None
}

#[cfg(unix)]
pub(super) fn name(bytes: &[u8]) -> Option<&OsStr> {
    Some(std::os::unix::ffi::OsStrExt::from_bytes(bytes))
}

#[cfg(not(unix))]
pub(super) fn name(_: &[u8]) -> Option<&OsStr> {
    None
}
