//! Marks, excerpts, facts and indentation on a page.

use super::*;

fn text_of(width: usize, write: impl FnOnce(&mut TextWriter)) -> String {
    let mut sheet = TextWriter::new(width, false);
    write(&mut sheet);
    sheet.text
}

#[test]
fn text_stays_behind_its_mark() {
    let mark = Mark::new(Style::new(), "●");
    let text = text_of(20, |sheet| sheet.block(1, &mark, "one two three four\n\n  five", Style::new()));
    assert_eq!(text, "  ● one two three\n    four\n\n      five\n");
    let rule = Mark::rule(Style::new(), "│");
    assert_eq!(text_of(20, |sheet| sheet.block(0, &rule, "one\n\ntwo", WEAK)).lines().nth(1), Some("│"));
}

#[test]
fn an_excerpt_says_how_much_is_missing() {
    let lines: Vec<String> = (8..=16).map(|line| format!("{line:>6} line {line}")).collect();
    let mark = Mark::new(Style::new(), "└");
    let text = text_of(40, |sheet| sheet.excerpt(0, &mark, &lines.join("\n")));
    let text = text.replace(&WEAK.render().to_string(), "").replace(&WEAK.render_reset().to_string(), "");
    assert_eq!(text, "└  8 line 8\n   9 line 9\n  10 line 10\n  11 line 11\n  … 5 more lines\n");
}

#[test]
fn facts_stay_whole() {
    let facts = ["1 turn", "12 messages", "400 written"].map(str::to_owned);
    let text = text_of(24, |sheet| sheet.facts(&facts, Style::new()));
    assert_eq!(text, "1 turn · 12 messages\n400 written\n");
}

#[test]
fn indentation_has_an_end() {
    let sheet = TextWriter::new(100, false);
    assert_eq!([0, 1, 16, 17, 18, 19, 4000].map(|depth| sheet.columns(depth)), [0, 2, 32, 34, 32, 34, 32]);
    assert_eq!([4, 5, 400].map(|depth| TextWriter::new(30, false).columns(depth)), [8, 10, 8]);
}
