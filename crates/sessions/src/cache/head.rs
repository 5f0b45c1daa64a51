//! Files of subagents → what tells whether somebody called them.

use std::io;
use std::ops::ControlFlow;

use steno_conversation::{Head, Warnings};
use steno_transcript::read_lines;

use super::database::Table;
use super::fact::Fact;
use crate::file::Lines;
use crate::reading::{HEAD_BYTES, HEAD_STEP};
use crate::sessions::ListedFile;

#[derive(Debug)]
pub struct Heads;

/// As much of a prompt as it takes to know it.
const LONGEST_PROMPT: usize = 100;

#[derive(Debug)]
pub struct Beginning(Head);

impl Default for Beginning {
    fn default() -> Self {
        Self(Head { is_empty: true, ..Head::default() })
    }
}

impl Fact for Heads {
    const TABLE: Table = Table::Heads;
    type Learner = Beginning;
    type Value = Head;

    fn resume(_: &[u8], _: &[u8]) -> Option<Beginning> {
        None
    }

    /// The beginning is quickly read again.
    fn state(_: &Beginning) -> Option<Vec<u8>> {
        None
    }

    fn read(Beginning(head): &mut Beginning, lines: &mut Lines<'_>, _: &mut Warnings) -> io::Result<()> {
        lines.step_by(HEAD_STEP);
        read_lines(lines, |piece| {
            head.observe(&piece);
            if head.first_user_text.is_some() || piece.place.offset > HEAD_BYTES {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })
    }

    fn finish(Beginning(head): Beginning, _: &ListedFile<'_>) -> Head {
        let prompt = head.first_user_text.map(|text| text.trim().chars().take(LONGEST_PROMPT).collect());
        Head { first_user_text: prompt, ..head }
    }

    fn encode(head: &Head) -> Option<Vec<u8>> {
        postcard::to_stdvec(&(head.is_empty, &head.first_user_text)).ok()
    }

    fn decode(body: &[u8]) -> Option<Head> {
        let (is_empty, first_user_text) = postcard::from_bytes(body).ok()?;
        Some(Head { is_empty, first_user_text, has_meta: false })
    }
}
