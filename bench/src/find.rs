//! Questions about all sessions (list, stats, search): ours and the peers' on the same home, round by round.
//!
//! What they answer from is a cache, so each row says what its cache holds beforehand: nothing, everything, or
//! everything but what the home has grown by. Every row has a home of its own for its cache, or one that it shares with
//! rows like it, and all ask about a copy of the generated home, which grows while they do.

mod contender;
mod needle;
mod rows;

use std::path::Path;

use crate::Error;
use crate::find::contender::Contender;
use crate::find::rows::QUESTIONS;
use crate::keep::ground::Ground;
use crate::report::Measured;
use crate::run::Plan;

/// The rows, and the programs that are not on this machine.
pub(crate) fn measure(plan: &Plan, home: &Path) -> Result<(Vec<Measured>, Vec<&'static str>), Error> {
    let ground = Ground::new(&plan.cache, home)?;
    needle::plant(ground.home())?;
    let (mut contenders, mut absent) = (Vec::new(), Vec::new());
    for question in QUESTIONS {
        match Contender::new(plan, &ground, question) {
            Ok(contender) => contenders.push(contender),
            Err(missing) => absent.push(missing),
        }
    }
    contenders.iter_mut().try_for_each(Contender::try_once)?;
    for _ in 0..plan.rounds {
        contenders.iter_mut().try_for_each(Contender::time)?;
    }
    Ok((contenders.into_iter().map(Contender::into_measured).collect(), absent))
}
