//! The promises of the document, for sessions that mix everything.

use proptest::prelude::*;
use steno_render::Detail;
use steno_render::portable::Conversation;
use steno_testkit::{Session, random_session};

use crate::portable::accounting::{accounted, everything};
use crate::portable::carrying::{carry, carry_bytes};

fn sessions() -> impl Strategy<Value = Session> {
    (any::<u64>(), 0..40_usize).prop_map(|(seed, size)| random_session(seed, size))
}

fn details() -> impl Strategy<Value = Detail> {
    (any::<[bool; 4]>(), prop_oneof![Just(0), 0..60_usize]).prop_map(
        |([thinking, agents, without_compact_summaries, all], from_record)| Detail {
            thinking,
            agents,
            without_compact_summaries,
            all,
            from_record,
            ..Detail::default()
        },
    )
}

fn records(bytes: &[u8]) -> u64 {
    let mut count = 0;
    steno_transcript::read(bytes, |piece| {
        count += u64::from(matches!(piece.shape, steno_transcript::Shape::Record(_)));
        std::ops::ControlFlow::Continue(())
    })
    .unwrap();
    count
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn every_record_is_accounted_for(session in sessions(), detail in details()) {
        let shown = carry(&session, &detail);
        prop_assert_eq!(accounted(&shown), records(session.bytes()));
    }

    #[test]
    fn a_document_comes_back_as_it_was_written(session in sessions(), detail in details()) {
        let shown = carry(&session, &detail);
        let written = serde_json::to_string(&shown).unwrap();
        prop_assert_eq!(serde_json::from_str::<Conversation>(&written).unwrap(), shown);
    }

    #[test]
    fn what_is_hidden_is_all_that_everything_adds(session in sessions()) {
        let some = carry(&session, &Detail { all: false, ..everything() });
        let all = carry(&session, &everything());
        let hidden = |document: &Conversation| {
            let messages = document.messages.iter().chain(&document.extensions.abandoned);
            messages.filter(|message| message.extensions.hidden.is_some()).count() as u64
        };
        prop_assert_eq!(hidden(&some), 0);
        prop_assert_eq!(some.extensions.left_out.get("hidden").copied().unwrap_or(0), hidden(&all));
    }

    #[test]
    fn damaged_files_are_accounted_for(session in sessions(), cut in any::<prop::sample::Index>()) {
        let bytes = &session.bytes()[..cut.index(session.bytes().len())];
        prop_assert_eq!(accounted(&carry_bytes(&session, bytes, &everything())), records(bytes));
    }
}
