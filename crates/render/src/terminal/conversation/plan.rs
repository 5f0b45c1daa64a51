//! A plan as a card: its verdict, its text, and what was said about it.

use steno_conversation::model::{Plan, Verdict};

use super::Writer;
use crate::facts;
use crate::terminal::clean_line;
use crate::terminal::sheet::Mark;
use crate::terminal::style::{BAD, GOOD, NOTICE, WEAK};

impl Writer<'_> {
    pub(super) fn plan(&mut self, plan: &Plan, depth: usize) {
        let style = match plan.verdict {
            Verdict::Approved => GOOD,
            Verdict::Rejected => BAD,
            Verdict::Pending => NOTICE,
        };
        let word = facts::verdict(plan.verdict);
        let cleared = if plan.cleared_context { ", with a cleared context" } else { "" };
        let end = Mark::new(style, "└");
        self.sheet.gap();
        self.sheet.block(depth, &Mark::new(style, "◆"), &format!("plan {word}{cleared}"), style);
        self.sheet.prose(depth, &Mark::rule(style, "│"), plan.text.trim());
        if let Some(feedback) = &plan.feedback {
            self.sheet.block(depth, &end, &format!("feedback: {feedback}"), BAD);
        }
        if let Some(session) = &plan.implemented_in {
            let text = format!("implemented in {}", clean_line(session.as_str()));
            self.sheet.block(depth, &end, &text, WEAK);
        }
    }
}
