//! Which settings file decides when sessions are deleted.

use std::time::{Duration, SystemTime};

use steno_source::{Retention, RetentionRequest, Source, WarningKind, retention};

use crate::disk::tree::Tree;

const USER: &str = "c/settings.json";
const PROJECT: &str = "p/.claude/settings.json";
const LOCAL: &str = "p/.claude/settings.local.json";
const MANAGED: &str = "m/managed-settings.json";

fn look(tree: &Tree) -> Retention {
    retention(&RetentionRequest {
        claude_dir: &tree.at("c"),
        project_dir: Some(&tree.at("p")),
        managed_settings: Some(&tree.at(MANAGED)),
    })
}

fn days(number: &str) -> String {
    format!("{{\"cleanupPeriodDays\":{number}}}")
}

/// Files with the period each sets.
fn of(files: &[(&str, &str)]) -> (Tree, Retention) {
    let tree = Tree::new(&[]);
    for (path, number) in files {
        tree.file(path, &days(number));
    }
    let retention = look(&tree);
    (tree, retention)
}

#[test]
fn thirty_days_unless_somebody_says_otherwise() {
    let (_, found) = of(&[]);
    assert_eq!((found.cleanup_period_days, found.source, found.path), (30, Source::Default, None));
    assert!(!found.suspended && found.warnings.is_empty());
    let (_, found) = of(&[("c/settings.local.json", "3")]);
    assert_eq!(found.source, Source::Default);
}

#[test]
fn the_file_that_counts_most_decides() {
    let all = [
        (USER, "10", Source::User),
        (PROJECT, "25", Source::Project),
        (LOCAL, "60", Source::Local),
        (MANAGED, "500", Source::Managed),
        ("m/managed-settings.d/10-a.json", "40", Source::Managed),
        ("m/managed-settings.d/20-b.json", "32", Source::Managed),
    ];
    for count in 1..=all.len() {
        let files: Vec<_> = all[..count].iter().map(|(path, number, _)| (*path, *number)).collect();
        let (path, number, source) = all[count - 1];
        let (tree, found) = of(&files);
        assert_eq!((found.cleanup_period_days.to_string(), found.source), (number.to_owned(), source));
        assert_eq!(found.path, Some(tree.at(path)));
        assert!(found.warnings.is_empty());
    }
}

#[test]
fn additions_that_the_client_does_not_read() {
    let (_, found) = of(&[
        (MANAGED, "500"),
        ("m/managed-settings.d/.10-a.json", "40"),
        ("m/managed-settings.d/20-b.txt", "32"),
    ]);
    assert_eq!(found.cleanup_period_days, 500);
}

#[test]
fn a_file_that_does_not_load_suspends_deletion_and_the_next_one_counts() {
    for number in ["0", "-3", "1.5", "\"60\"", "null", "60,"] {
        let (tree, found) = of(&[(USER, "10"), (LOCAL, number)]);
        assert_eq!((found.cleanup_period_days, found.source), (10, Source::User), "{number}");
        assert!(found.suspended, "{number}");
        let warned: Vec<_> = found.warnings.iter().map(|warning| (&warning.path, warning.kind)).collect();
        assert_eq!(warned, [(&tree.at(LOCAL), WarningKind::BadSidecar)]);
    }
    let (_, found) = of(&[(USER, "0"), (LOCAL, "60")]);
    assert_eq!((found.cleanup_period_days, found.suspended), (60, true));
    assert!(found.warnings[0].message.contains("delete every session"));
}

#[test]
fn managed_settings_lose_only_what_is_wrong() {
    let (_, found) = of(&[(USER, "10"), (MANAGED, "0")]);
    assert_eq!((found.cleanup_period_days, found.suspended, found.warnings.len()), (10, false, 1));
    let (_, found) = of(&[(USER, "10"), (MANAGED, "1,")]);
    assert_eq!((found.cleanup_period_days, found.suspended), (10, true));
}

#[test]
fn a_directory_in_place_of_the_settings() {
    let tree = Tree::new(&[("c/settings.json/a", ""), ("p", "")]);
    let found = look(&tree);
    assert_eq!((found.cleanup_period_days, found.suspended), (30, true));
    let warned: Vec<_> = found.warnings.iter().map(|warning| (&warning.path, warning.kind)).collect();
    assert_eq!(warned, [(&tree.at(USER), WarningKind::NotAFile)]);
}

#[test]
fn started_at_home_the_settings_are_the_user_s() {
    let tree = Tree::new(&[("p/.claude/settings.json", &days("10"))]);
    let request = RetentionRequest {
        claude_dir: &tree.at("p/.claude"),
        project_dir: Some(&tree.at("p")),
        managed_settings: None,
    };
    assert_eq!(retention(&request).source.name(), "user");
}

#[test]
fn deletion_comes_after_the_period_and_within_what_a_calendar_holds() {
    let at = |days: u64| SystemTime::UNIX_EPOCH + Duration::from_secs(days * 86_400);
    let (_, found) = of(&[(USER, "10")]);
    assert_eq!(found.deletion_of(at(20_000)), at(20_010));
    let (_, found) = of(&[(USER, "9007199254740991")]);
    assert_eq!(found.deletion_of(at(20_000)), at(2_932_897) - Duration::from_secs(1));
}
