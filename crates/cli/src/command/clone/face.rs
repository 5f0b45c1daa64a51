//! What was cloned, for people.

use std::fmt::Write;

use serde_json::Value;
use steno_ops::clone::{Estimates, Report, SummarySource};
use steno_ops::size_text;
use steno_render::terminal::{Page, clean_line};
use steno_render::{count, many, short_id};

use crate::command::lines::warning_lines;
use crate::output::Human;

/// So many files are named.
const NAMED: usize = 10;

impl Human for Report {
    fn text(&self, _: &Page) -> String {
        let Report { cloned, .. } = self;
        let verb = if self.dry_run { "Would clone" } else { "Cloned" };
        let (from, uuid) = (short_id(&cloned.from), clean_line(&cloned.uuid));
        let mut text = format!("{verb} {} as {uuid}\n", clean_line(from));
        let _ = writeln!(text, "  to      {} ({})", clean_line(&cloned.to), many(cloned.files, "file"));
        let _ = writeln!(text, "  turns   {} of {}", self.turns.after, self.turns.before);
        let records = &cloned.records;
        let _ = writeln!(
            text,
            "  records {} kept, {} dropped, {} changed",
            records.kept, records.dropped, records.changed
        );
        let _ = writeln!(text, "  tokens  {}", estimates(&self.estimate));
        text.push_str(&self.planned());
        text.push_str(&self.summed_up());
        if let Some(messages) = &self.messages {
            text.push_str(&message_lines(messages));
        }
        let _ = writeln!(text, "Resume with: {}", clean_line(&self.go_on));
        text
    }

    fn talk(&self) -> Vec<String> {
        let found = self.findings.iter().map(|finding| finding.count).sum();
        let found = (found > 0)
            .then(|| format!("the original is left as it is: {}, see `steno check`", many(found, "finding")));
        found.into_iter().chain(warning_lines(&self.warnings)).collect()
    }

    fn tells_next(&self) -> bool {
        self.dry_run
    }
}

trait Planned {
    fn planned(&self) -> String;
    fn summed_up(&self) -> String;
}

impl Planned for Report {
    /// What would be written.
    fn planned(&self) -> String {
        let Some(plan) = &self.plan else { return String::new() };
        let mut text = String::new();
        for file in plan.files.iter().take(NAMED) {
            let _ = writeln!(text, "  write   {} ({})", clean_line(&file.path), size_text(file.bytes));
        }
        let more = plan.files.len().saturating_sub(NAMED) as u64;
        if more > 0 {
            let _ = writeln!(text, "          … and {}", many(more, "more file"));
        }
        text
    }

    /// The source of the summary, and in a plan the summary itself.
    fn summed_up(&self) -> String {
        let Some(summary) = &self.summary else { return String::new() };
        let source = match summary.source {
            SummarySource::Compaction => "from the client's own compaction, with later prompts and files",
            SummarySource::File => "from --summary",
            SummarySource::Command => "from the --summarize command",
            SummarySource::Digest => "made from prompts, answers and files",
        };
        let mut text = format!("  summary {source}\n");
        for line in self.plan.iter().filter_map(|plan| plan.summary.as_deref()).flat_map(str::lines) {
            let _ = writeln!(text, "{}", format!("    {}", clean_line(line)).trim_end());
        }
        text
    }
}

/// Before and after, and the kinds that became less.
fn estimates(Estimates { before, after }: &Estimates) -> String {
    let kinds = [
        ("text", before.text, after.text),
        ("thinking", before.thinking, after.thinking),
        ("tool calls", before.tool_calls, after.tool_calls),
        ("tool results", before.tool_results, after.tool_results),
        ("images", before.images, after.images),
    ];
    let changed = kinds.into_iter().filter(|(_, before, after)| before != after);
    let changed: Vec<String> =
        changed.map(|(kind, before, after)| format!("{kind} {} → {}", count(before), count(after))).collect();
    let total = match (before.total, after.total) {
        (before, after) if before == after => format!("about {}", count(after)),
        (before, after) => format!("about {} → {}", count(before), count(after)),
    };
    if changed.is_empty() { total } else { format!("{total} ({})", changed.join(", ")) }
}

/// One message on each line, as JSON.
pub(crate) fn message_lines(messages: &[Value]) -> String {
    messages.iter().map(|message| format!("{}\n", clean_line(&message.to_string()))).collect()
}
