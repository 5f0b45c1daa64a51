//! Numbers, times and names, at the borders between their forms.

use super::*;

#[test]
fn numbers_keep_two_or_three_digits() {
    let said: Vec<String> = [0, 999, 1000, 1234, 99_499, 999_700, 12_345_678].map(count).into();
    assert_eq!(said, ["0", "999", "1.0K", "1.2K", "99.5K", "1.0M", "12.3M"]);
    assert_eq!(count(2_000_000_000), "2.0B");
    assert_eq!(bytes(2_600_000), "2.6 MB");
}

#[test]
fn dollars_have_thousands() {
    let said: Vec<String> = [0.0, 0.0042, 0.42, 999.999, 1566.78, 1_234_567.0].map(dollars).into();
    assert_eq!(said, ["$0.00", "$0.0042", "$0.42", "$1,000.00", "$1,566.78", "$1,234,567.00"]);
}

#[test]
fn anything_fits_on_one_line() {
    assert_eq!(one_line(" a\r\n\tb\u{1b}[31m \u{1b}[0m \u{2028}c\u{1b}]0;x\u{7} "), "a b c␛]0;x␇");
    assert_eq!(first_line("\n \u{1b}[0m\n\tmake all \\\n  -j"), "make all \\");
}

#[test]
fn durations_have_two_units_at_most() {
    let said: Vec<String> = [300, 12_000, 250_000, 7_500_000, 90_000_000].map(duration).into();
    assert_eq!(said, ["0.3s", "12s", "4m 10s", "2h 5m", "1d 1h"]);
}

#[test]
fn a_project_is_called_by_its_last_part() {
    assert_eq!(project_name(Some("/home/a/api server/"), None), "api server");
    assert_eq!(project_name(Some("C:\\work\\tool"), None), "tool");
    assert_eq!(project_name(None, Some("-home-a-x")), "-home-a-x");
    assert_eq!(project_name(Some("/home/a/api/.worktrees/2"), None), "api/2");
    assert_eq!(project_name(Some("/home/a/api/.claude/worktrees/fix"), None), "api/fix");
    assert_eq!(project_name(Some("/home/a/api/.worktrees/ann/fix"), None), "api/fix");
    assert_eq!(project_name(Some("/worktrees/fix"), None), "fix");
}

#[test]
fn an_age_takes_few_columns() {
    let now: Timestamp = "2026-12-01T00:00:00Z".parse().unwrap();
    let told = |hours: i64| age(now - jiff::SignedDuration::from_hours(hours), now);
    let days = [0, 2, 72, 24 * 20, 24 * 100, 24 * 800, -3].map(told);
    assert_eq!(days, ["now", "2h", "3d", "2w", "3mo", "2y", "now"]);
}
