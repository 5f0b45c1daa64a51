//! Files → what a list shows of them.

use std::io;
use std::ops::ControlFlow;

use steno_conversation::{Gathered, Profiler, Warnings, observe};
use steno_transcript::{SessionId, read_lines};

use super::database::Table;
use super::fact::Fact;
use crate::file::Lines;
use crate::sessions::ListedFile;

#[derive(Debug)]
pub struct Profiles;

impl Fact for Profiles {
    const TABLE: Table = Table::Profiles;
    type Learner = Profiler;
    type Value = Gathered;

    fn resume(state: &[u8], _: &[u8]) -> Option<Profiler> {
        postcard::from_bytes(state).ok()
    }

    fn state(profiler: &Profiler) -> Option<Vec<u8>> {
        postcard::to_stdvec(profiler).ok()
    }

    fn read(profiler: &mut Profiler, lines: &mut Lines<'_>, warnings: &mut Warnings) -> io::Result<()> {
        read_lines(lines, |piece| {
            observe(&piece, profiler, warnings);
            ControlFlow::Continue(())
        })
    }

    /// A subagent's file is called by its own name.
    fn finish(profiler: Profiler, item: &ListedFile<'_>) -> Gathered {
        let id = item.session.as_deref().filter(|_| !item.is_agent);
        profiler.finish(SessionId::new(id.map_or_else(|| item.stem(), str::to_owned)))
    }

    /// As JSON: reports leave out fields, which a form without their names cannot say.
    fn encode(gathered: &Gathered) -> Option<Vec<u8>> {
        serde_json::to_vec(gathered).ok()
    }

    fn decode(body: &[u8]) -> Option<Gathered> {
        serde_json::from_slice(body).ok()
    }
}
