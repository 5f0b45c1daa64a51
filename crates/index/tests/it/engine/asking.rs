//! Every kind of question.

use std::collections::HashSet;
use std::time::Instant;

use proptest::prelude::*;
use steno_index::{Clause, FileId, Passage, Query, Role, Term};

use crate::engine::ground::{Ground, at, found, passage, question, said};

#[test]
fn all_words_have_to_stand_in_the_same_passage() {
    let ground = Ground::with(vec![
        (1, said("The quick brown fox")),
        (2, said("a quick one")),
        (2, at(said("a brown one"), 2, 100)),
        (3, said("nothing here")),
    ]);
    assert_eq!(ground.sorted("quick"), [1, 2]);
    assert_eq!(ground.files("quick BROWN"), [1]);
    assert_eq!(ground.sorted("fox OR nothing"), [1, 3]);
    assert_eq!(ground.files("quick -fox"), [2]);
    assert_eq!(ground.sorted("-quick"), [2, 3]);
    assert_eq!(ground.files("absent"), [0; 0]);
    assert_eq!(ground.files("quick absent"), [0; 0]);
    let signs = Clause { any: vec![Term::Word("???".to_owned())], is_negated: false };
    let query = Query { clauses: vec![signs], filters: Vec::new() };
    assert!(ground.engine.search(&question(&query)).unwrap().files.is_empty());
}

#[test]
fn pasted_pages_are_quick() {
    let words = |count: usize, between: &str, end: &str| {
        (0..count).map(|number| format!("w{number}{end}")).collect::<Vec<_>>().join(between)
    };
    let page = words(20_000, " ", "");
    let ground = Ground::with(vec![(1, said(&page)), (2, said("w1 w0"))]);
    assert_eq!(ground.files(&format!("\"{page}\"")), [1]);
    assert_eq!(ground.files(&words(20_000, "-", "")), [1]);
    assert_eq!(ground.files(&page), [1]);
    assert_eq!(ground.sorted(&words(8000, " OR ", "*")), [1, 2]);
}

#[test]
fn phrases_and_beginnings() {
    let ground = Ground::with(vec![
        (1, said("one two three")),
        (2, said("three two one")),
        (3, said("twofold, and one twist")),
    ]);
    assert_eq!(ground.files("\"one two\""), [1]);
    assert_eq!(ground.files("\"two one\""), [2]);
    assert_eq!(ground.sorted("tw*"), [1, 2, 3]);
    assert_eq!(ground.files("twof*"), [3]);
    assert_eq!(ground.files("-tw*"), [0; 0]);
}

#[test]
fn a_beginning_has_all_its_endings() {
    let texts: Vec<String> = (0..300).map(|number| format!("head begin{number:04}tail")).collect();
    let passages = texts.iter().enumerate().map(|(number, text)| (number as u64, said(text)));
    let ground = Ground::with(passages.collect());
    assert_eq!(ground.files("begin*").len(), 300);
    assert_eq!(ground.files("head_beg*").len(), 300, "behind another word");
    assert_eq!(ground.files("begin02*").len(), 100);
}

#[test]
fn names_in_code_are_found_by_their_parts_and_as_wholes() {
    let ground = Ground::with(vec![
        (1, said("call getUserName() now")),
        (2, said("the get_user_name function in src/user/name.rs")),
        (3, said("name of the user to get")),
        (4, said("getusername")),
    ]);
    assert_eq!(ground.sorted("user name"), [1, 2, 3]);
    assert_eq!(ground.sorted("get_user_name"), [1, 2, 4]);
    assert_eq!(ground.sorted("getUserName"), [1, 2, 4]);
    assert_eq!(ground.sorted("getusername"), [1, 4]);
    assert_eq!(ground.files("user/name.rs"), [2]);
}

#[test]
fn scripts_without_spaces() {
    let ground = Ground::with(vec![
        (1, said("データベースの接続を確認する")),
        (2, said("接続")),
        (3, said("確認しました")),
    ]);
    assert_eq!(ground.sorted("接続"), [1, 2]);
    assert_eq!(ground.sorted("確認"), [1, 3]);
    assert_eq!(ground.files("データベース"), [1]);
    assert_eq!(ground.files("認す"), [1]);
    assert_eq!(ground.sorted("続"), [1, 2], "one character");
    assert_eq!(ground.files("接確"), [0; 0]);
}

fn filtered() -> Ground {
    let with =
        |role, tool: &'static str, model: &'static str, branch: &'static str, file: &'static str| Passage {
            tools: (!tool.is_empty()).then_some(tool.into()).into_iter().collect(),
            model: Some(model.into()),
            branch: Some(branch.into()),
            files: vec![file.into()],
            ..passage(role, "the same words")
        };
    Ground::with(vec![
        (1, with(Role::Tool, "Bash", "claude-opus-4-5", "main", "/home/a/src/main.rs")),
        (2, with(Role::Result, "BashOutput", "claude-sonnet-4-5", "feature/x", "/home/a/src/lib.rs")),
        (3, with(Role::Tool, "mcp__GitHub__create_issue", "claude-opus-4-1", "feature/x-2", "/b/main.rs")),
        (4, with(Role::User, "", "claude-haiku-4-5", "fix", "readme.md")),
    ])
}

#[test]
fn filters_let_through_what_they_name() {
    let ground = filtered();
    for (typed, expected) in [
        ("words role:tool", &[1, 3][..]),
        ("words role:USER", &[4]),
        ("words -role:tool", &[2, 4]),
        ("words role:nobody", &[]),
        ("words -role:nobody", &[1, 2, 3, 4]),
        ("words tool:bash", &[1]),
        ("words tool:bash*", &[1, 2]),
        ("words tool:mcp__github__create_issue", &[3]),
        ("words tool:github", &[3]),
        ("words tool:create_issue", &[3]),
        ("words -tool:bash", &[2, 3, 4]),
        ("words model:opus", &[1, 3]),
        ("words model:opus-4-5", &[1]),
        ("words -model:opus", &[2, 4]),
        ("words branch:feature/x", &[2, 3]),
        ("words branch:main", &[1]),
        ("words file:main.rs", &[1, 3]),
        ("words file:src/main.rs", &[1]),
        ("words file:src", &[1, 2]),
        ("words file:*.md", &[4]),
        ("words role:tool model:opus branch:main", &[1]),
        ("role:tool", &[1, 3]),
        ("-role:tool", &[2, 4]),
        ("project:anything", &[1, 2, 3, 4]),
        ("", &[1, 2, 3, 4]),
    ] {
        assert_eq!(ground.sorted(typed), expected, "{typed}");
    }
    let hits = found(&ground.engine, "tool:github");
    assert_eq!(hits.files[0].best[0].tool.as_deref(), Some("mcp__GitHub__create_issue"));
}

#[test]
fn files_and_times_are_the_askers() {
    let day = |day: u32| Passage { time: format!("2026-05-{day:02}T12:00:00Z").parse().ok(), ..said("word") };
    let ground = Ground::with(vec![
        (1, day(1)),
        (2, day(2)),
        (3, day(3)),
        (4, Passage { time: None, ..said("word") }),
    ]);
    let query = Query::parse("word");
    let ask = |since: Option<&str>, until: Option<&str>, only: Option<&HashSet<FileId>>| {
        let mut question = question(&query);
        question.since = since.map(|time| time.parse().unwrap());
        question.until = until.map(|time| time.parse().unwrap());
        question.files = only;
        let found = ground.engine.search(&question).unwrap();
        let mut files: Vec<u64> = found.files.iter().map(|file| file.file.0).collect();
        files.sort_unstable();
        files
    };
    assert_eq!(ask(None, None, None), [1, 2, 3, 4]);
    assert_eq!(ask(Some("2026-05-02T12:00:00Z"), None, None), [2, 3]);
    assert_eq!(ask(None, Some("2026-05-02T12:00:00Z"), None), [1]);
    assert_eq!(ask(None, Some("2026-05-02T12:00:00.5Z"), None), [1, 2]);
    assert_eq!(ask(None, None, Some(&HashSet::from([FileId(2), FileId(4)]))), [2, 4]);
}

#[test]
fn the_best_of_each_file_come_first_and_all_are_counted() {
    let many =
        (0..7).map(|number| (1, at(said("needle in other words and more of them"), number, number * 10)));
    let best =
        [(2, said("needle")), (3, Passage { time: "2020-01-01T00:00:00Z".parse().ok(), ..said("needle") })];
    let ground = Ground::with(many.chain(best).collect());
    let query = Query::parse("needle");
    let found = ground.engine.search(&steno_index::Question { each: 3, ..question(&query) }).unwrap();
    let files: Vec<_> = found.files.iter().map(|file| (file.file.0, file.count, file.best.len())).collect();
    assert_eq!(files[0], (2, 1, 1));
    assert!(files.contains(&(1, 7, 3)) && files.contains(&(3, 1, 1)));
    let one = found.files.iter().find(|file| file.file.0 == 1).unwrap();
    let places: Vec<_> = one.best.iter().map(|hit| (hit.line, hit.offset)).collect();
    assert_eq!(places, [(0, 0), (1, 10), (2, 20)], "of equals the first");
    let score = |file: u64| found.files.iter().find(|found| found.file.0 == file).unwrap().best[0].score;
    assert!(score(3) < score(2) && score(3) > score(2) * 0.49, "old is at most half as good");
}

#[test]
fn a_few_of_each_file_are_the_first_of_all_of_them() {
    let ground = Ground::new();
    for portion in 0..5 {
        let passages = (0..600).map(|number: u64| {
            let chance = (number * 7919 + portion * 104_729) % 1009;
            let role = if chance.is_multiple_of(5) { Role::User } else { Role::Assistant };
            let text = format!("needle {}", "hay ".repeat((chance % 13) as usize));
            let time = format!("2026-{:02}-{:02}T12:00:00Z", 1 + chance % 5, 1 + chance % 28).parse().ok();
            let passage = Passage { time, ..passage(role, text.leak()) };
            (chance % 7, at(passage, portion * 1000 + number, portion * 1000 + number))
        });
        ground.feed(passages.collect());
    }
    let query = Query::parse("needle");
    let ask = |each| ground.engine.search(&steno_index::Question { each, ..question(&query) }).unwrap().files;
    let all = ask(10_000);
    assert_eq!((all.len(), all.iter().map(|file| file.count).sum::<u64>()), (7, 3000));
    for each in 1..=10 {
        let few = ask(each);
        assert_eq!(few.len(), all.len());
        for (few, all) in few.iter().zip(&all) {
            assert_eq!((few.file, few.count, all.best.len()), (all.file, all.count, all.count as usize));
            assert_eq!(few.best, all.best[..each]);
        }
    }
}

#[test]
fn titles_count_more_and_words_near_each_other_too() {
    let ground = Ground::with(vec![
        (1, passage(Role::Thinking, "migrate the database")),
        (2, passage(Role::Title, "migrate the database")),
        (3, passage(Role::Assistant, "migrate the database")),
    ]);
    assert_eq!(ground.files("database migrate"), [2, 3, 1]);
    let filling = "so it goes on and on with no end in sight ".repeat(4);
    let (near, far) = (format!("red apple {filling}"), format!("red {filling} apple"));
    let ground = Ground::with(vec![(1, said(&far)), (2, said(&near))]);
    assert_eq!(ground.files("red apple"), [2, 1]);
}

#[test]
fn when_time_is_up_there_is_what_was_found() {
    let ground = Ground::with(vec![(1, said("word"))]);
    let query = Query::parse("word");
    let late = steno_index::Question { deadline: Some(Instant::now()), ..question(&query) };
    let found = ground.engine.search(&late).unwrap();
    assert!(found.is_partial && found.files.is_empty());
    let ample = Instant::now() + std::time::Duration::from_secs(600);
    let found =
        ground.engine.search(&steno_index::Question { deadline: Some(ample), ..question(&query) }).unwrap();
    assert!(!found.is_partial && found.files.len() == 1);
}

/// Whenever the time is up: what is not all is called so, and what is all is right.
#[test]
fn an_answer_that_is_not_called_partial_is_whole() {
    let ground = Ground::with((0..4096).map(|number| (1 + number % 7, said("word"))).collect());
    let query = Query::parse("word");
    let whole: u64 = found(&ground.engine, "word").files.iter().map(|file| file.count).sum();
    assert_eq!(whole, 4096);
    for micros in (0..4000).step_by(40) {
        let deadline = Some(Instant::now() + std::time::Duration::from_micros(micros));
        let found = ground.engine.search(&steno_index::Question { deadline, ..question(&query) }).unwrap();
        let count: u64 = found.files.iter().map(|file| file.count).sum();
        assert!(count == whole || found.is_partial && count < whole, "{micros}: {count}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_typed_is_answered(typed in "\\PC{0,40}|[a-z\"*():/. -]{0,30}") {
        thread_local!(static GROUND: Ground = filtered());
        GROUND.with(|ground| ground.files(&typed));
    }
}
