//! `steno pick`: the id of the session that a person picks.

use steno_ops::Workspace;
use steno_render::terminal::clean_line;

use crate::failure::Failure;
use crate::output::Output;
use crate::picker;

const EXAMPLES: &str = "\
Examples:
  steno pick          pick a session, and print its id
  id=$(steno pick)    keep the id of the session that you pick

`steno show $(steno pick)` shows the session that you pick, and `steno resume` resumes it.
Type words of the title, the project, the branch or the id: each has to occur. Enter picks, Esc
leaves. It is drawn on stderr, so that stdout has the id alone.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args, workspace: &Workspace, output: &mut Output) -> Result<(), Failure> {
    let id = picker::pick(workspace, output)?;
    output.line(&id, &clean_line(&id))
}
