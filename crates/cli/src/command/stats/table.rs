//! Rows as a table with a bar for each, and their sum below.

use std::collections::HashMap;

use steno_ops::model::Tokens;
use steno_ops::stats::{By, Report, Row};
use steno_render::terminal::{Page, STRONG, WEAK, clean_line, cut, paint};
use steno_render::{count, dollars, project_name, short_id, tokens};
use unicode_width::UnicodeWidthStr;

use super::bar::bar;
use super::window;

/// As many rows as a month has days; programs get all.
const MOST_ROWS: usize = 31;
const WIDEST_NAME: usize = 36;
const WIDEST_BAR: usize = 24;
const NARROWEST_BAR: usize = 4;
/// Of a path that tells a project from others.
const MOST_PARTS: usize = 6;
const GAP: &str = "  ";

/// The content of each column of numbers.
const HEADS: [&str; 6] = ["MESSAGES", "INPUT", "OUTPUT", "CACHE READ", "CACHE WRITE", "COST"];
/// What a narrow page does without, the least important first.
const EXPENDABLE: [usize; 5] = [4, 3, 1, 0, 2];

type Cells = [String; 6];

/// The latest stretches of time, or the rows with the greatest cost.
pub(super) fn first(report: &Report) -> &[Row] {
    let from = if report.by.is_time() { report.rows.len().saturating_sub(MOST_ROWS) } else { 0 };
    let until = report.rows.len().min(from + MOST_ROWS);
    report.rows.get(from..until).unwrap_or_default()
}

pub(super) fn table(report: &Report, rows: &[Row], page: &Page) -> String {
    let widest = if page.width >= Page::UNCUT { Page::UNCUT } else { WIDEST_NAME };
    let names: Vec<String> = names(report, rows).iter().map(|name| cut(&clean_line(name), widest)).collect();
    let lines: Vec<Cells> = rows.iter().map(|row| cells(row.messages, &row.tokens, &cost(row))).collect();
    let total = &report.total;
    let sum = cells(total.messages, &total.tokens, &cost(&sum_row(report)));
    let widest = |texts: &mut dyn Iterator<Item = &str>| texts.map(UnicodeWidthStr::width).max().unwrap_or(0);
    let name_width = widest(&mut names.iter().map(String::as_str).chain([head(report.by), "total"]));
    let all = || lines.iter().chain([&sum]);
    let column = |place: usize| {
        let cells = &mut all().filter_map(|cells| cells.get(place)).map(String::as_str);
        (place, widest(cells).max(HEADS.get(place).map_or(0, |head| head.len())))
    };
    let columns = fitting((0..HEADS.len()).map(column).collect(), name_width, page.width);
    let taken: usize = name_width + columns.iter().map(|(_, width)| width + GAP.len()).sum::<usize>();
    let room = page.width.saturating_sub(taken + GAP.len()).min(WIDEST_BAR);
    let line = |name: &str, cells: &Cells| numbers(name, name_width, cells, &columns);
    let heads = HEADS.map(str::to_owned);
    let mut text = format!("{}\n", paint(WEAK, &line(head(report.by), &heads)));
    for ((name, cells), bar) in names.iter().zip(&lines).zip(bars(rows, room)) {
        text.push_str(format!("{}{GAP}{bar}", line(name, cells)).trim_end());
        text.push('\n');
    }
    text.push_str(&format!("{}\n", paint(STRONG, &line("total", &sum))));
    text
}

fn numbers(name: &str, width: usize, cells: &Cells, columns: &[(usize, usize)]) -> String {
    let mut line = format!("{name}{}", " ".repeat(width.saturating_sub(name.width())));
    for (place, width) in columns {
        let cell = cells.get(*place).map(String::as_str).unwrap_or_default();
        let space = " ".repeat(width.saturating_sub(cell.width()));
        line.push_str(&format!("{GAP}{space}{cell}"));
    }
    line
}

/// The columns that the page has room for.
fn fitting(mut columns: Vec<(usize, usize)>, name: usize, page: usize) -> Vec<(usize, usize)> {
    for expendable in EXPENDABLE {
        let taken: usize = name + columns.iter().map(|(_, width)| width + GAP.len()).sum::<usize>();
        if taken <= page {
            break;
        }
        columns.retain(|(place, _)| *place != expendable);
    }
    columns
}

fn cells(messages: u64, used: &Tokens, cost: &str) -> Cells {
    let written = used.cache_write_5m.saturating_add(used.cache_write_1h);
    [
        messages.to_string(),
        count(used.input),
        tokens(used.output, used.without_final_usage > 0),
        count(used.cache_read),
        count(written),
        cost.to_owned(),
    ]
}

/// A lower bound where some of it was not written down, or has no price.
fn cost(row: &Row) -> String {
    let Some(cost) = row.cost_usd else { return "unpriced".to_owned() };
    let is_lower_bound = row.tokens.without_final_usage > 0 || !row.unpriced.is_empty();
    let mark = if is_lower_bound { "≥" } else { "" };
    format!("{mark}{}", dollars(cost))
}

fn sum_row(report: &Report) -> Row {
    let total = &report.total;
    Row {
        key: String::new(),
        project: None,
        branch: None,
        window: None,
        messages: total.messages,
        tokens: total.tokens,
        cost_usd: total.cost_usd,
        web_searches: total.web_searches,
        unpriced: total.unpriced.clone(),
    }
}

/// Of costs, or of tokens where nothing has a price.
fn bars(rows: &[Row], room: usize) -> Vec<String> {
    let has_costs = rows.iter().any(|row| row.cost_usd.is_some_and(|cost| cost > 0.0));
    let value = |row: &Row| match has_costs {
        true => row.cost_usd.unwrap_or(0.0),
        false => row.tokens.context() as f64,
    };
    let greatest = rows.iter().map(value).fold(0.0, f64::max);
    let of = |row: &Row| if room < NARROWEST_BAR { String::new() } else { bar(value(row), greatest, room) };
    rows.iter().map(of).collect()
}

fn head(by: By) -> &'static str {
    match by {
        By::Daily => "DAY",
        By::Weekly => "WEEK",
        By::Monthly => "MONTH",
        By::Project => "PROJECT",
        By::Model => "MODEL",
        By::Session => "SESSION",
        By::Branch => "BRANCH",
        By::Window => "WINDOW",
    }
}

/// A project goes by the last part of its path; where another one has the same, by the last two, else by all.
fn names(report: &Report, rows: &[Row]) -> Vec<String> {
    let mut names: Vec<String> = rows.iter().map(|row| name(report, row)).collect();
    for parts in 2..=MOST_PARTS {
        let mut uses: HashMap<String, usize> = HashMap::new();
        for name in &names {
            *uses.entry(name.clone()).or_default() += 1;
        }
        for (row, name) in rows.iter().zip(&mut names) {
            if uses.get(name).is_some_and(|uses| *uses > 1) {
                *name = last_parts(&row.key, parts);
            }
        }
    }
    names
}

fn last_parts(path: &str, number: usize) -> String {
    let mut parts: Vec<&str> =
        path.rsplit(['/', '\\']).filter(|part| !part.is_empty()).take(number).collect();
    parts.reverse();
    parts.join("/")
}

fn name(report: &Report, row: &Row) -> String {
    let project = || project_name(row.project.as_deref(), None);
    match report.by {
        By::Window => {
            row.window.as_ref().map_or_else(|| row.key.clone(), |window| window::name(report, window))
        }
        By::Project => project_name(Some(&row.key), None),
        By::Session => format!("{} {}", short_id(&row.key), project()),
        By::Branch => format!("{} {}", project(), row.branch.as_deref().unwrap_or_default()),
        _ => row.key.clone(),
    }
}
