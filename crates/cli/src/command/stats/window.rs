//! The windows of five hours, in words: when each was, and where the running one will end.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use steno_ops::stats::{Report, Row, Window};
use steno_render::{count, dollars};

/// `2026-11-15 10:00`; a running one is marked.
pub(super) fn name(report: &Report, window: &Window) -> String {
    let mark = if window.running { "● " } else { "" };
    format!("{mark}{}", local(report, window.start).strftime("%Y-%m-%d %H:%M"))
}

/// About the window that runs, where rows are windows.
pub(super) fn running(report: &Report) -> String {
    let running = |row: &Row| row.window.clone().filter(|window| window.running);
    let Some(window) = report.rows.iter().rev().find_map(running) else { return String::new() };
    let end = local(report, window.end).strftime("%H:%M").to_string();
    let Some(rate) = window.rate else { return format!("\nThe running window ends at {end}.\n") };
    let an_hour = rate.cost_per_hour.map(|cost| format!(" and {} an hour", dollars(cost)));
    let at_end = rate.cost_at_end.map(|cost| format!(", {}", dollars(cost)));
    format!(
        "\nThe running window ends at {end}. At {} tokens a minute{} it will have {} tokens{}.\n",
        count(rate.tokens_per_minute.round() as u64),
        an_hour.unwrap_or_default(),
        count(rate.tokens_at_end),
        at_end.unwrap_or_default()
    )
}

/// Where the running window has, or will have, more tokens than it should.
pub(super) fn warning(report: &Report, limit: u64) -> Option<String> {
    let row =
        report.rows.iter().rev().find(|row| row.window.as_ref().is_some_and(|window| window.running))?;
    let used = row.tokens.context();
    if used >= limit {
        return Some(format!("warning: the running window has {} tokens, of {}", count(used), count(limit)));
    }
    let limit_at = row.window.as_ref()?.rate.as_ref()?.limit_at?;
    let at = local(report, limit_at).strftime("%H:%M").to_string();
    Some(format!(
        "warning: the running window will reach {} tokens at {at}; it has {}",
        count(limit),
        count(used)
    ))
}

fn local(report: &Report, time: Timestamp) -> jiff::Zoned {
    time.to_zoned(TimeZone::get(&report.timezone).unwrap_or(TimeZone::UTC))
}
