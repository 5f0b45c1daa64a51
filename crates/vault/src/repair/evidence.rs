//! Records about a damaged segment → which bytes are proven to be its own.

use jiff::Timestamp;

use super::remnant::Remnant;
use super::{Live, RepairSource};
use crate::damage::{Damage, Reason};
use crate::header::{FORMAT, Hash, Header};
use crate::name::SegmentName;
use crate::reading::{Original, Volume, header_of};
use crate::segment;
use crate::stream::{Codec, Generation, Segment};

pub(super) struct Evidence<'a> {
    volume: Volume<'a>,
    damage: &'a Damage,
    name: SegmentName,
    /// The segment as the cached catalogue remembers it.
    known: Option<&'a Segment>,
    /// Its own header, where that can be read and is in itself right.
    own: Option<Header>,
    remnant: Remnant,
    /// The last segment before it that is whole, or the start.
    previous: Option<Neighbour>,
    /// The first segment after it that is whole.
    next: Option<Neighbour>,
    /// The chain with it, as the ledger records it.
    recorded: Option<Hash>,
    /// The ranges of all that lack between the two, where they are known. The damaged one is among them.
    run: Vec<(u32, u64, u64)>,
    now: Timestamp,
}

/// The border between the damaged segment and one beside it.
struct Neighbour {
    number: u32,
    /// The end of the one before, or the start of the one after.
    offset: u64,
    chain: Hash,
}

impl<'a> Evidence<'a> {
    /// `None` for a file that is no segment. `was` is the generation as it once was, and
    /// the hash is what the ledger records.
    pub(super) fn gather(
        volume: Volume<'a>,
        damage: &'a Damage,
        (was, recorded): (Option<&'a Generation>, Option<Hash>),
        now: Timestamp,
    ) -> Option<Self> {
        let name = SegmentName::parse(&damage.segment)?;
        let segments = || volume.generation.segments.iter().filter(|one| one.file != damage.segment);
        let own = volume.generation.segments.iter().find(|one| one.file == damage.segment);
        let own = own.and_then(|own| header_of(&volume, own).ok());
        let is_merged = name.first != name.last;
        let own = own.filter(|own| is_merged || own.after == own.before.then(own.blake3));
        let previous = segments().rfind(|one| one.last < name.first);
        let next = segments().find(|one| one.first > name.last);
        let remnant = volume.store.read(&damage.segment).map(|file| Remnant::of(&file)).unwrap_or_default();
        let mut evidence = Self {
            known: was.and_then(|was| was.segments.iter().find(|one| one.file == damage.segment)),
            own: own.filter(|_| damage.reason != Reason::Chain),
            remnant,
            previous: previous.map_or(Some(Neighbour { number: 0, offset: 0, chain: Hash::ZERO }), |one| {
                Neighbour::before(&volume, one)
            }),
            next: next.and_then(|one| Neighbour::after(&volume, one)),
            recorded,
            run: Vec::new(),
            volume,
            damage,
            name,
            now,
        };
        evidence.run = evidence.run(was);
        Some(evidence)
    }

    pub(super) fn mended(&self, source: &dyn RepairSource, live: Option<Live>) -> Option<Vec<u8>> {
        let sent = || source.sent(&self.damage.segment).filter(|packed| self.accepts(packed));
        self.packed_again().or_else(sent).or_else(|| self.taken_from(&mut live?))
    }

    /// Packs the segment's own bytes again, where only the header is damaged.
    fn packed_again(&self) -> Option<Vec<u8>> {
        if self.own.is_some() {
            return None;
        }
        let length = self.length_by_others();
        let bytes = self.remnant.bytes.clone().or((length == Some(0)).then(Vec::new))?;
        // zstd's checksum speaks for them as well, where their number is known from elsewhere.
        let fits = length == Some(bytes.len() as u64);
        let before = self.before()?;
        (fits || self.is_proven(before, &bytes)).then(|| self.packed(before, &bytes)).flatten()
    }

    /// Whether a segment that was sent under this name is whole and fits its place.
    fn accepts(&self, packed: &[u8]) -> bool {
        let whole = segment::check(packed).ok();
        let Some(header) = whole.filter(|header| header.generation == self.name.generation) else {
            return false;
        };
        if let Some(own) = &self.own {
            return (own.blake3, own.offset, own.before, own.after)
                == (header.blake3, header.offset, header.before, header.after);
        }
        let is_merged = self.name.first != self.name.last;
        let is_linked = is_merged || header.after == header.before.then(header.blake3);
        let follows = self
            .previous_adjacent()
            .is_none_or(|previous| (previous.offset, previous.chain) == (header.offset, header.before));
        let end = header.offset.saturating_add(header.length);
        let leads = self.next_adjacent().is_none_or(|next| (next.offset, next.chain) == (end, header.after));
        let is_as_known =
            self.known.is_none_or(|known| (known.offset, known.len) == (header.offset, header.length));
        let is_as_recorded = self.recorded.is_none_or(|recorded| recorded == header.after);
        is_linked && follows && leads && is_as_known && is_as_recorded
    }

    fn taken_from(&self, live: &mut Live) -> Option<Vec<u8>> {
        if let Some(own) = &self.own {
            let bytes = live.bytes(own.offset, own.length)?;
            let is_own = Hash::of(&bytes) == own.blake3;
            return is_own.then(|| segment::pack(own, &bytes).ok()).flatten();
        }
        let offset = self.offset()?;
        let length = self.length()?;
        let bytes = live.bytes(offset, length)?;
        if let Some(before) = self.before()
            && (self.is_proven(before, &bytes) || live.vouches_for(offset.checked_add(length)?))
        {
            return self.packed(before, &bytes);
        }
        let before = self.chain_through(live)?;
        self.packed(before, &bytes)
    }

    /// The chain before the damaged one, if the live bytes of all that lack lead to the next that is whole.
    fn chain_through(&self, live: &mut Live) -> Option<Hash> {
        let next = self.next.as_ref()?;
        let mut chain = self.previous.as_ref()?.chain;
        let mut before = None;
        for (number, offset, length) in &self.run {
            if *number == self.name.first {
                before = Some(chain);
            }
            chain = chain.then(Hash::of(&live.bytes(*offset, *length)?));
        }
        before.filter(|_| chain == next.chain)
    }

    fn is_proven(&self, before: Hash, bytes: &[u8]) -> bool {
        let hash = Hash::of(bytes);
        let after = Some(before.then(hash));
        let is_merged = self.name.first != self.name.last;
        let is_linked = || {
            [self.remnant.after, self.recorded, self.next_adjacent().map(|next| next.chain)].contains(&after)
        };
        self.remnant.blake3 == Some(hash) || (!is_merged && is_linked())
    }

    fn packed(&self, before: Hash, bytes: &[u8]) -> Option<Vec<u8>> {
        let blake3 = Hash::of(bytes);
        let is_merged = self.name.first != self.name.last;
        let told = self.next_adjacent().map(|next| next.chain);
        let after = match is_merged {
            true => told.or(self.remnant.after).unwrap_or_else(|| before.then(blake3)),
            false => Some(before.then(blake3)).filter(|after| told.is_none_or(|told| told == *after))?,
        };
        let modified = self.known.map(|known| known.modified).or(self.remnant.modified);
        let taken = self.known.map(|known| known.taken).or(self.remnant.taken);
        let header = Header {
            format: FORMAT,
            path: self.volume.stream.path.clone(),
            session: self.volume.stream.session.clone(),
            generation: self.name.generation,
            offset: self.offset()?,
            length: bytes.len() as u64,
            blake3,
            before,
            after,
            modified: modified.or(self.volume.generation.modified()).unwrap_or(self.now),
            taken: taken.unwrap_or(self.now),
            machine: self.damage.machine.clone(),
        };
        segment::pack(&header, bytes).ok()
    }

    fn previous_adjacent(&self) -> Option<&Neighbour> {
        self.previous.as_ref().filter(|previous| previous.number + 1 == self.name.first)
    }

    fn next_adjacent(&self) -> Option<&Neighbour> {
        self.next.as_ref().filter(|next| next.number == self.name.last + 1)
    }

    fn before(&self) -> Option<Hash> {
        let by_remnant = || {
            let Remnant { blake3, before, after, .. } = self.remnant;
            before.filter(|before| blake3.map(|blake3| before.then(blake3)) == after)
        };
        self.previous_adjacent().map(|previous| previous.chain).or_else(by_remnant)
    }

    fn offset(&self) -> Option<u64> {
        let known = self.known.map(|known| known.offset);
        known.or_else(|| self.previous_adjacent().map(|previous| previous.offset)).or(self.damage.offset)
    }

    fn length(&self) -> Option<u64> {
        self.length_by_others().or(self.remnant.length)
    }

    fn length_by_others(&self) -> Option<u64> {
        let between = || self.next_adjacent()?.offset.checked_sub(self.previous_adjacent()?.offset);
        self.known.map(|known| known.len).or_else(between).or(self.damage.length)
    }

    /// Single segments, one after the other, from the previous that is whole to the next.
    fn run(&self, was: Option<&Generation>) -> Vec<(u32, u64, u64)> {
        let (Some(previous), Some(next)) = (&self.previous, &self.next) else { return Vec::new() };
        let inside = |one: &&Segment| one.first > previous.number && one.last < next.number;
        let known = was.into_iter().flat_map(|was| &was.segments).filter(inside);
        let run: Vec<_> = known.map(|one| (one.first, one.offset, one.len)).collect();
        let numbers = previous.number + 1..next.number;
        let is_complete = numbers.eq(run.iter().map(|(number, ..)| *number));
        if is_complete { run } else { Vec::new() }
    }
}

impl Neighbour {
    fn before(volume: &Volume<'_>, segment: &Segment) -> Option<Self> {
        let chain = match segment.codec {
            Codec::Zstd => header_of(volume, segment).ok()?.after,
            Codec::Gzip => Hash::ZERO.then(Original::hash(volume.store, segment)?),
        };
        Some(Self { number: segment.last, offset: segment.end(), chain })
    }

    fn after(volume: &Volume<'_>, segment: &Segment) -> Option<Self> {
        let chain = header_of(volume, segment).ok()?.before;
        Some(Self { number: segment.first, offset: segment.offset, chain })
    }
}
