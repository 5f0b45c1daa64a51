//! Live directories, and what they held when somebody last walked there → what lies in them now.
//!
//! Only for those who ask again and again, and who lose nothing for good if a file system lies about its times: a list, a
//! sum, a search. Who keeps, moves or erases something lists every directory.

use std::fs;
use std::path::Path;

use steno_source::Atlas;

use crate::error::Error;
use crate::holdings::Holdings;
use crate::memory;
use crate::sources::Sources;

pub(super) fn holdings(sources: &dyn Sources) -> Result<Holdings, Error> {
    let dirs = sources.dirs();
    let place = memory::atlas_place(sources);
    let known = place.as_ref().and_then(|place| fs::read(place).ok()).unwrap_or_default();
    let atlas = Atlas::new(&known, &dirs.paths, sources.started());
    let holdings = dirs.holdings_by(&atlas)?;
    // Where there is no index yet, the first answer is not kept waiting.
    let place = place.filter(|place| place.parent().is_some_and(Path::is_dir));
    if let Some((place, renewed)) = place.and_then(|place| Some((place, atlas.renewed()?))) {
        // Without it everything is listed again.
        let _ = steno_vault::private::replace_cache(&place, &renewed);
    }
    Ok(holdings)
}
