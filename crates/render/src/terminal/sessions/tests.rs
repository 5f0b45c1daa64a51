//! The table of sessions, on pages of every width.

use super::*;

fn row(project: &str, title: &str) -> Row {
    let cells = ["2026-03-01", project, "1", "≥16.3K", "000000a1", ""].map(str::to_owned);
    Row { is_ongoing: false, is_only_kept: false, cells, title: title.to_owned() }
}

fn table(rows: &[Row], width: usize) -> Vec<String> {
    let columns = columns(rows, width);
    let taken: usize = columns.iter().map(|(_, width)| width + GAP).sum();
    rows.iter().map(|row| row.line(&columns, width - GAP - taken, false)).collect()
}

#[test]
fn no_line_is_wider_than_the_page() {
    let rows = [row("api", "Fix the parser so that it keeps every byte"), row("日本語", &"語".repeat(90))];
    for width in 20..140 {
        for line in table(&rows, width) {
            assert!(measure::width(&line, 0) <= width, "{line}");
        }
    }
    assert_eq!(table(&rows, 24), ["  000000a1  Fix the par…", "  000000a1  語語語語語…"]);
}

#[test]
fn titles_start_in_one_column_whatever_stands_before_them() {
    let projects =
        ["plain", "日本語", "e\u{301}te\u{301}", "❤\u{fe0f}", "👩\u{200d}👩\u{200d}👧", "🇫🇷", "ไทย", "👍🏽"];
    let rows: Vec<Row> = projects.into_iter().map(|project| row(project, "TITLE")).collect();
    let starts: Vec<usize> =
        table(&rows, 100).iter().map(|line| measure::width(line.split("TITLE").next().unwrap(), 0)).collect();
    assert!(starts.iter().all(|start| Some(start) == starts.first()), "{starts:?}");
}
