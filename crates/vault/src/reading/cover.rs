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

/// How often names are listed again while a writer goes on merging.
const LOOKS: usize = 8;

impl Volume<'_> {
    pub(crate) fn cover(&self, segment: &Segment) -> Option<Segment> {
        let own = SegmentName::parse(&segment.file)?;
        let (directory, _) = segment.file.rsplit_once('/')?;
        for _ in 0..LOOKS {
            let listed = self.store.list(directory).ok()?;
            let named =
                listed.into_iter().filter_map(|entry| Some((SegmentName::parse(&entry.name)?, entry)));
            let covers: Vec<_> = named.filter(|(name, _)| covers(name, &own)).collect();
            if covers.is_empty() {
                return None;
            }
            // Where none can be opened, each may have become a piece of a larger one.
            let mut covers = covers.into_iter();
            let cover = covers.find_map(|(name, entry)| described(self.store, entry.name, &name, entry.len));
            if cover.is_some() {
                return cover;
            }
        }
        None
    }
}

fn covers(name: &SegmentName, own: &SegmentName) -> bool {
    name.stream == own.stream
        && name.generation == own.generation
        && name.first <= own.first
        && own.last <= name.last
        && (name.first, name.last) != (own.first, own.last)
}

fn described(store: &dyn Store, file: String, name: &SegmentName, packed: u64) -> Option<Segment> {
    let header = Header::read(&mut store.open(&file).ok()?).ok()?;
    Some(segment_of(file, packed, name, &header))
}
