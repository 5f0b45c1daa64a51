//! The line that a plan goes by and the chain that the newest client takes up are found by different code: here the two
//! are the same.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::outline::Surveyor;
use crate::outline::sample::any_record;
use crate::resumed_line;

/// Where the messages stand that each of the two finds; none where a client skips a line that has records.
fn found(bytes: &[u8]) -> Option<[BTreeSet<u64>; 2]> {
    let (mut predictor, mut surveyor) = (Predictor::default(), Surveyor::default());
    let mut is_whole = true;
    steno_transcript::read(bytes, |piece| {
        let is_wrapped = [Trouble::GluedObjects, Trouble::NulBytes, Trouble::NotJson]
            .into_iter()
            .any(|trouble| piece.troubles.contains(trouble));
        is_whole &= !is_wrapped;
        predictor.observe(&piece);
        surveyor.observe(&piece);
        ControlFlow::Continue(())
    })
    .unwrap();
    let outline = surveyor.finish();
    let line = resumed_line(&outline);
    let line = line.iter().map(|node| &outline.nodes[node.0 as usize]);
    let line = line.filter(|node| node.is_message()).map(|node| node.place.offset).collect();
    let chain = chain::newest(&predictor.entries);
    let start = chain.iter().rposition(|link| link.is_boundary()).unwrap_or(0);
    let chain = chain.into_iter().skip(start).filter(|link| link.is_spoken());
    is_whole.then(|| [line, chain.map(|link| link.place.offset).collect()])
}

proptest! {
    #[test]
    fn whatever_the_links_both_find_the_same(records in prop::collection::vec(any_record(), 0..40)) {
        if let Some([line, chain]) = found(lines(&records).as_bytes()) {
            prop_assert_eq!(line, chain);
        }
    }
}

#[test]
fn both_find_the_same_in_real_sessions() {
    for path in steno_testkit::real_transcripts().unwrap_or_default() {
        if let Some([line, chain]) = found(&steno_testkit::transcript_bytes(&path)) {
            assert_eq!(line, chain, "{}", path.display());
        }
    }
}
