//! What can be strange about a line: each thing with its name and what is said of it.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! troubles {
    ($($(#[$doc:meta])* $variant:ident $name:literal $message:literal),+ $(,)?) => {
        /// Something about a line that people should know. None of them stops the reading, none loses a byte.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum Trouble {
            $($(#[$doc])* $variant,)+
        }

        impl Trouble {
            const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Its name in JSON.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }

        impl fmt::Display for Trouble {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(match self { $(Self::$variant => $message),+ })
            }
        }
    };
}

troubles! {
    /// A write in progress, or one that was cut off.
    TornLine "torn-line" "the last line is not complete (still being written, or cut off)",
    GluedObjects "glued-objects" "several objects on one line, read as one record each",
    NotJson "not-json" "not JSON, kept but not understood",
    NotAnObject "not-an-object" "not a JSON object, kept but not understood",
    BadUtf8 "bad-utf8" "not valid UTF-8, shown with a question mark for each bad byte",
    /// The client keeps the last one, too.
    DuplicateKey "duplicate-key" "a key stands twice, the last one counts",
    /// Also a number that is too large for any type.
    OddField "odd-field" "a field of an unexpected type was left out",
    /// A crash may leave them around an object.
    NulBytes "nul-bytes" "NUL bytes were skipped",
    BlankLine "blank-line" "blank line",
    CarriageReturn "carriage-return" "Windows line end",
    /// At the start of the file.
    ByteOrderMark "byte-order-mark" "byte order mark",
    SpacedJson "spaced-json" "JSON with spaces between the tokens, not written by Claude Code",
    LongLine "long-line" "line of several megabytes",
    /// Such a line is never held whole in memory.
    TooLong "too-long" "line of more than 64 MB, kept but not read",
    /// Reading such a line would take gigabytes of memory.
    TooManyValues "too-many-values" "line of more than half a million values, kept but not read",
}

impl Trouble {
    /// Whether this is worth one mention for a file rather than one for each line.
    pub fn is_habit(self) -> bool {
        matches!(
            self,
            Self::BlankLine | Self::CarriageReturn | Self::ByteOrderMark | Self::SpacedJson | Self::LongLine
        )
    }
}

/// The troubles of one piece, as a set of bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Troubles(u16);

impl Troubles {
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
        Trouble::ALL.iter().copied().filter(move |trouble| self.contains(*trouble))
    }
}
