//! Where sessions may be: Claude directories and a vault, as a command sees them.
//!
//! A trait, because opening a vault may need keys, passphrases and traces of lost documents, which are no concern of
//! code that only reads sessions.

use std::path::Path;

use jiff::tz::TimeZone;

use crate::claude_dirs::ClaudeDirs;
use crate::error::Error;
use crate::progress::Progress;
use crate::vault::Vault;

pub trait Sources: Send + Sync {
    /// The live sessions.
    fn dirs(&self) -> &ClaudeDirs;

    /// The directory of the vault, whether there is one or not.
    fn vault(&self) -> &Path;

    /// Where caches may be kept, if anywhere.
    fn cache(&self) -> Option<&Path>;

    /// In which days are named.
    fn zone(&self) -> &TimeZone;

    fn progress(&self) -> &dyn Progress;

    /// The vault; an error that says how to make one where there is none.
    fn open(&self) -> Result<Vault, Error>;

    /// The vault, if there is one. Changes nothing.
    fn look(&self) -> Result<Option<Vault>, Error>;
}
