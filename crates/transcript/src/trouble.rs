//! What can be strange about a line, each with its name and its answer.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something about a line that its reader should know. None of them stops the reading, none loses a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Trouble {
    /// The last line stops in the middle: a write in progress, or one that was cut off.
    TornLine,
    /// Several objects without a newline between them; each is a record of its own.
    GluedObjects,
    /// Not JSON; kept as it is.
    NotJson,
    /// JSON, but not an object; kept as it is.
    NotAnObject,
    /// Bytes that are not UTF-8; understood with `?` in place of each, kept as they are.
    BadUtf8,
    /// A key stands twice in one object; the last one counts, as for the client.
    DuplicateKey,
    /// A field has an unexpected type or a number that nothing can hold; the field is left out.
    OddField,
    /// NUL bytes around an object, as after a crash; skipped.
    NulBytes,
    /// Nothing on the line.
    BlankLine,
    /// Windows line ends.
    CarriageReturn,
    /// A byte order mark at the start of the file.
    ByteOrderMark,
    /// Spaces between the tokens: some other program wrote this.
    SpacedJson,
    /// A line of several megabytes.
    LongLine,
    /// A line so long that it is never held whole: kept as it is.
    TooLong,
    /// A line of so many values that reading it would take gigabytes: kept as it is.
    TooManyValues,
}

impl Trouble {
    /// Whether this is worth one mention for a file rather than one for each line.
    pub fn is_habit(self) -> bool {
        matches!(
            self,
            Self::BlankLine | Self::CarriageReturn | Self::ByteOrderMark | Self::SpacedJson | Self::LongLine
        )
    }

    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::TornLine => "torn-line",
            Self::GluedObjects => "glued-objects",
            Self::NotJson => "not-json",
            Self::NotAnObject => "not-an-object",
            Self::BadUtf8 => "bad-utf8",
            Self::DuplicateKey => "duplicate-key",
            Self::OddField => "odd-field",
            Self::NulBytes => "nul-bytes",
            Self::BlankLine => "blank-line",
            Self::CarriageReturn => "carriage-return",
            Self::ByteOrderMark => "byte-order-mark",
            Self::SpacedJson => "spaced-json",
            Self::LongLine => "long-line",
            Self::TooLong => "too-long",
            Self::TooManyValues => "too-many-values",
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::TornLine => "the last line is not complete (still being written, or cut off)",
            Self::GluedObjects => "several objects on one line, read as one record each",
            Self::NotJson => "not JSON, kept but not understood",
            Self::NotAnObject => "not a JSON object, kept but not understood",
            Self::BadUtf8 => "not valid UTF-8, shown with a question mark for each bad byte",
            Self::DuplicateKey => "a key stands twice, the last one counts",
            Self::OddField => "a field of an unexpected type was left out",
            Self::NulBytes => "NUL bytes were skipped",
            Self::BlankLine => "blank line",
            Self::CarriageReturn => "Windows line end",
            Self::ByteOrderMark => "byte order mark",
            Self::SpacedJson => "JSON with spaces between the tokens, not written by Claude Code",
            Self::LongLine => "line of several megabytes",
            Self::TooLong => "line of more than 64 MB, kept but not read",
            Self::TooManyValues => "line of more than half a million values, kept but not read",
        })
    }
}

/// The troubles of one piece: a set that costs nothing when it is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Troubles(u16);

impl Troubles {
    const ALL: [Trouble; 15] = [
        Trouble::TornLine,
        Trouble::GluedObjects,
        Trouble::NotJson,
        Trouble::NotAnObject,
        Trouble::BadUtf8,
        Trouble::DuplicateKey,
        Trouble::OddField,
        Trouble::NulBytes,
        Trouble::BlankLine,
        Trouble::CarriageReturn,
        Trouble::ByteOrderMark,
        Trouble::SpacedJson,
        Trouble::LongLine,
        Trouble::TooLong,
        Trouble::TooManyValues,
    ];

    pub fn add(&mut self, trouble: Trouble) {
        self.0 |= 1 << trouble as u16;
    }

    pub fn contains(self, trouble: Trouble) -> bool {
        self.0 & (1 << trouble as u16) != 0
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn iter(self) -> impl Iterator<Item = Trouble> {
        Self::ALL.into_iter().filter(move |trouble| self.contains(*trouble))
    }
}
