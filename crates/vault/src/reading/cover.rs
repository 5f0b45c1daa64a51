//! A segment that is no longer there → the merged one that took its place.
//!
//! Readers take no lock: between their look at the names and their reading, a writer may have merged what they are
//! about to open.

use super::Volume;
use crate::catalog::segment_of;
use crate::header::Header;
use crate::name::SegmentName;
use crate::store::Store;
use crate::stream::Segment;

impl Volume<'_> {
    pub(crate) fn cover(&self, segment: &Segment) -> Option<Segment> {
        let own = SegmentName::parse(&segment.file)?;
        let (directory, _) = segment.file.rsplit_once('/')?;
        let listed = self.store.list(directory).ok()?;
        listed.into_iter().find_map(|entry| {
            let name = SegmentName::parse(&entry.name)?;
            let is_cover = name.stream == own.stream
                && name.generation == own.generation
                && name.first <= own.first
                && own.last <= name.last
                && entry.name != segment.file;
            is_cover.then(|| described(self.store, entry.name, &name, entry.len)).flatten()
        })
    }
}

fn described(store: &dyn Store, file: String, name: &SegmentName, packed: u64) -> Option<Segment> {
    let header = Header::read(&mut store.open(&file).ok()?).ok()?;
    Some(segment_of(file, packed, name, &header))
}
