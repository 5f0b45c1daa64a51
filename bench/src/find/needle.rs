//! Words that stand in one session of a home and nowhere else: what a search is to find.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use serde_json::json;

use crate::Error;
use crate::append::last_field;
use crate::files::sessions;

/// In the order in which they stand there; the generator makes its words of other syllables.
pub(super) const PHRASE: &str = "xylograph lantern quokka";

/// How the first of them begins, which no other word does.
pub(super) const START: &str = "xylo";

/// Adds a prompt with these words to the first session.
pub(super) fn plant(home: &Path) -> Result<(), Error> {
    let found = sessions(&home.join("projects"))?;
    let first = found.first().ok_or_else(|| Error::NoTranscripts(home.to_owned()))?;
    let path = &first.path;
    let before = fs::read(path).map_err(Error::file("read", path))?;
    let field = |name| last_field(&before, name);
    let record = json!({
        "parentUuid": field("uuid"),
        "isSidechain": false,
        "userType": "external",
        "cwd": field("cwd"),
        "sessionId": path.file_stem().map(|stem| stem.to_string_lossy()),
        "version": field("version"),
        "type": "user",
        "message": {"role": "user", "content": format!("Who has left the {PHRASE} in the hall?")},
        "uuid": "00000000-0000-4000-8000-00000000feed",
        "timestamp": field("timestamp"),
    });
    let mut file = OpenOptions::new().append(true).open(path).map_err(Error::file("open", path))?;
    file.write_all(format!("{record}\n").as_bytes()).map_err(Error::file("append to", path))
}
