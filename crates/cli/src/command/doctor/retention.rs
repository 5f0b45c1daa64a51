//! What the client deletes, in one sentence.

use jiff::Timestamp;
use steno_ops::status::Retention;
use steno_render::many;
use steno_render::terminal::{Page, clean_line};

use super::findings::{folded, short};

pub(super) fn line(retention: &Retention, home: Option<&str>, page: &Page) -> String {
    if retention.suspended {
        return "Claude Code deletes no sessions now, since a settings file does not load\n".to_owned();
    }
    let by = match &retention.path {
        Some(path) => format!("set in {}", short(path, home)),
        None => retention.source.clone(),
    };
    let days = many(retention.cleanup_period_days, "day");
    let line =
        format!("Claude Code deletes sessions {days} after their last use ({by}){}", going(retention, page));
    format!("{}\n", folded(&clean_line(&line), 0, page.width))
}

fn going(retention: &Retention, page: &Page) -> String {
    match (retention.at_risk, retention.at_risk_not_kept) {
        (0, _) => next(retention, page),
        (1, 0) => "; 1 goes within 7 days, and it is backed up".to_owned(),
        (1, _) => "; 1 goes within 7 days, and it is not backed up".to_owned(),
        (soon, 0) => format!("; {soon} go within 7 days, and all of them are backed up"),
        (soon, lost) if soon == lost => format!("; {soon} go within 7 days, and none of them is backed up"),
        (soon, 1) => format!("; {soon} go within 7 days, 1 of them is not backed up"),
        (soon, lost) => format!("; {soon} go within 7 days, {lost} of them are not backed up"),
    }
}

/// Nothing where there is nothing to delete.
fn next(retention: &Retention, page: &Page) -> String {
    let next: Option<Timestamp> = retention.next_deletion.as_deref().and_then(|time| time.parse().ok());
    let day = next.map(|next| next.to_zoned(page.zone.clone()).strftime("%Y-%m-%d"));
    day.map(|day| format!("; the next one goes on {day}")).unwrap_or_default()
}
