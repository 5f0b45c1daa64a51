//! What a redactor is given: a string with its place, and whose machine it comes from. Neither shows what it holds when it
//! is printed.

use std::fmt;

/// Whose machine the text comes from: these never leave it.
#[derive(Clone, Default)]
pub struct Identity {
    /// `/home/alice`, `C:\Users\alice`
    pub homes: Vec<String>,
    pub users: Vec<String>,
}

/// One string, and the facts of its place.
#[derive(Clone, Copy)]
pub struct Spot<'a> {
    pub text: &'a str,
    /// Its key, in JSON.
    pub key: Option<&'a str>,
    /// The caller's number of the file.
    pub file: u32,
    pub line: u64,
}

/// Neither says whom or what it hides.
impl fmt::Debug for Identity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Identity").finish_non_exhaustive()
    }
}

impl fmt::Debug for Spot<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Spot")
            .field("file", &self.file)
            .field("line", &self.line)
            .finish_non_exhaustive()
    }
}
