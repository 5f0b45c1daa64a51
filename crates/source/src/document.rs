//! A tiny JSON document beside the transcripts → its fields, read leniently: other versions write other things.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use serde_json::{Map, Value};

use crate::directory::not_a_file;
use crate::warning::{Warning, WarningKind};

/// Real ones have a few hundred bytes.
pub const LIMIT: u64 = 1 << 20;

#[derive(Debug)]
pub(crate) struct Document(Map<String, Value>);

impl Document {
    /// `None` when there is no such file, or when a warning was added that says why.
    pub(crate) fn read(path: &Path, warnings: &mut Vec<Warning>) -> Option<Self> {
        let metadata = fs::metadata(path).ok();
        if metadata.as_ref().is_some_and(|metadata| !metadata.is_file()) {
            warnings.push(not_a_file(path));
            return None;
        }
        // One read, and one that finds the end.
        let room = metadata.map_or(0, |metadata| metadata.len().min(LIMIT) as usize + 1);
        let mut bytes = Vec::with_capacity(room);
        let read = File::open(path).and_then(|file| file.take(LIMIT).read_to_end(&mut bytes));
        if let Err(error) = read {
            warnings.extend(Warning::of_io(path, &error));
            return None;
        }
        Self::parse(path, &bytes, warnings)
    }

    /// The same of bytes that were read already.
    pub(crate) fn parse(path: &Path, bytes: &[u8], warnings: &mut Vec<Warning>) -> Option<Self> {
        match serde_json::from_slice(bytes) {
            Ok(fields) => Some(Self(fields)),
            Err(error) => {
                warnings.push(bad(path, format!("not a JSON object: {error}")));
                None
            }
        }
    }

    pub(crate) fn text(&self, key: &str) -> Option<String> {
        self.0.get(key).and_then(Value::as_str).map(str::to_owned)
    }

    pub(crate) fn integer(&self, key: &str) -> Option<i64> {
        self.0.get(key).and_then(Value::as_i64)
    }

    /// Text, or a number as text.
    pub(crate) fn digits(&self, key: &str) -> Option<String> {
        self.text(key).or_else(|| self.integer(key).map(|number| number.to_string()))
    }
}

pub(crate) fn bad(path: &Path, message: impl Into<String>) -> Warning {
    Warning::new(path, WarningKind::BadSidecar, message)
}
