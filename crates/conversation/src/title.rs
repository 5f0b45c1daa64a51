//! The title of a session: the best of all candidates in its records.

use serde::{Deserialize, Serialize};

use crate::model::TitleSource;

const LONGEST: usize = 200;

/// Keeps the best title so far. Of two from the same source the later one wins, but of prompts the first.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Titles {
    best: Option<(TitleSource, String)>,
    /// Summaries with the leaf that each names: most name a record of another session of the project.
    summaries: Vec<(String, String)>,
}

impl Titles {
    pub(crate) fn offer(&mut self, source: TitleSource, text: &str) {
        let keeps_first = matches!(source, TitleSource::Prompt | TitleSource::Slug);
        let is_better = match &self.best {
            None => true,
            Some((best, _)) => source < *best || (source == *best && !keeps_first),
        };
        if is_better && let Some(text) = one_line(text) {
            self.best = Some((source, text));
        }
    }

    pub(crate) fn offer_summary(&mut self, leaf: &str, text: &str) {
        if let Some(text) = one_line(text) {
            self.summaries.push((leaf.to_owned(), text));
        }
    }

    /// Offers the last summary whose leaf is a record of this session, and gives the best title.
    pub(crate) fn settle(mut self, is_own: impl Fn(&str) -> bool) -> Option<(TitleSource, String)> {
        let own = self.summaries.iter().rev().find(|(leaf, _)| is_own(leaf)).map(|(_, text)| text.clone());
        if let Some(text) = own {
            self.offer(TitleSource::Summary, &text);
        }
        // A summary of another session still tells more than a slug.
        if self.best.as_ref().is_none_or(|(source, _)| *source == TitleSource::Slug)
            && let Some((_, text)) = self.summaries.last().cloned()
        {
            self.offer(TitleSource::Summary, &text);
        }
        self.best
    }
}

/// The first line that is not blank, cut to a sane length.
pub(crate) fn one_line(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let line: String = line.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => Some(format!("{}…", line.get(..end).unwrap_or(&line))),
        None => Some(line),
    }
}

/// A plan's heading without its marks.
pub(crate) fn heading(plan: &str) -> Option<String> {
    one_line(plan.trim_start_matches(|c: char| c == '#' || c.is_whitespace()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_sources_win_and_the_last_of_equals() {
        let mut titles = Titles::default();
        titles.offer(TitleSource::Prompt, "first prompt");
        titles.offer(TitleSource::Prompt, "second prompt");
        assert_eq!(titles.best, Some((TitleSource::Prompt, "first prompt".into())));
        titles.offer(TitleSource::Ai, "one");
        titles.offer(TitleSource::Ai, "two");
        titles.offer(TitleSource::Slug, "serene-muffin");
        assert_eq!(titles.settle(|_| false), Some((TitleSource::Ai, "two".into())));
    }

    #[test]
    fn a_summary_names_the_session_whose_leaf_it_names() {
        let mut titles = Titles::default();
        titles.offer(TitleSource::Prompt, "prompt");
        titles.offer_summary("other", "Somebody else's");
        titles.offer_summary("mine", "Mine");
        assert_eq!(titles.settle(|leaf| leaf == "mine"), Some((TitleSource::Summary, "Mine".into())));
        let mut titles = Titles::default();
        titles.offer(TitleSource::Prompt, "prompt");
        titles.offer_summary("other", "Somebody else's");
        assert_eq!(titles.settle(|_| false), Some((TitleSource::Prompt, "prompt".into())));
    }

    #[test]
    fn a_heading_loses_its_marks() {
        assert_eq!(heading("\n## Plan: do it\n\nsteps").as_deref(), Some("Plan: do it"));
    }
}
