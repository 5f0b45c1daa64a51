//! However a name is written in a text, it is found however it is typed; the engine and the highlights agree.

use std::borrow::Cow;

use proptest::prelude::*;
use steno_index::{Engine, FileId, Passage, Query, Question, Role, highlights};
use steno_transcript::Place;

/// Several texts in an index.
struct OpenIndex {
    _directory: tempfile::TempDir,
    engine: Engine,
}

impl OpenIndex {
    fn of(texts: &[String]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let (engine, _) = Engine::open(directory.path()).unwrap();
        let feeder = engine.feeder(0).unwrap().unwrap();
        for (number, text) in (0..).zip(texts) {
            feeder.add(FileId(number), passage(text)).unwrap();
        }
        feeder.commit().unwrap();
        Self { _directory: directory, engine }
    }

    /// Which of the texts the engine finds.
    fn found(&self, typed: &str) -> Vec<u64> {
        let (query, now) = (Query::parse(typed), "2026-06-01T00:00:00Z".parse().unwrap());
        let question =
            Question { query: &query, files: None, since: None, until: None, each: 1, now, deadline: None };
        let found = self.engine.search(&question).unwrap();
        let mut files: Vec<u64> = found.files.iter().map(|file| file.file.0).collect();
        files.sort_unstable();
        files
    }
}

fn passage(text: &str) -> Passage<'_> {
    Passage {
        place: Place { line: 1, offset: 0 },
        role: Role::User,
        time: None,
        tools: Vec::new(),
        model: None,
        branch: None,
        files: Vec::new(),
        text: Cow::Borrowed(text),
    }
}

/// Which of the texts have highlights.
fn highlighted(typed: &str, texts: &[String]) -> Vec<u64> {
    let query = Query::parse(typed);
    let numbered = (0..).zip(texts);
    numbered.filter(|(_, text)| !highlights(&query, text).is_empty()).map(|(number, _)| number).collect()
}

#[test]
fn a_table_of_what_is_typed_and_what_is_found() {
    let table: &[(&str, &[&str], &[&str])] = &[
        (
            "user",
            &["user", "User", "getUserName", "user_name", "x.user-name", "USER"],
            &["username", "users"],
        ),
        ("github", &["GitHub", "github", "GITHUB", "useGithubActions"], &["git hub", "githubs"]),
        ("GitHub", &["GitHub", "github", "git_hub", "useGitHubActions", "useGithubActions"], &["hubGit"]),
        (
            "getUserName",
            &["getUserName()", "get_user_name", "get-user-name", "GETUSERNAME", "doGetUserNameNow"],
            &["getUser NameOf", "getUserNames", "get_user", "getNameUser"],
        ),
        (
            "UserName",
            &["getUserName", "user_name", "the username", "user name"],
            &["userOfName", "aUser nameB"],
        ),
        (
            "get_user_name",
            &["get_user_name", "getUserName", "get-user-name", "tryGetUserNameOf", "self.getusername"],
            &["getUser_name_x", "get_name"],
        ),
        ("user-name", &["user_name", "getUserName", "userName", "username"], &["user_id_name"]),
        ("get_userName", &["get_userName", "getUserName", "get_user_name"], &["get_user"]),
        (
            "src/mainwindow.rs",
            &["in src/mainWindow.rs:12", "src/MainWindow.rs", "src/mainwindow.rs"],
            &["src/window.rs"],
        ),
        (
            "src/mainWindow.rs",
            &["src/mainWindow.rs", "src/mainwindow.rs", "src/main_window.rs"],
            &["src/main.rs"],
        ),
        (
            "src/main_window.rs",
            &["src/main_window.rs", "src/mainWindow.rs", "src/main-window.rs"],
            &["src/main.rs"],
        ),
        (
            "\"javascript heap out of memory\"",
            &["FATAL: JavaScript heap out of memory"],
            &["javascript out of memory"],
        ),
        ("\"JavaScript heap\"", &["javascript heap", "JavaScript heap"], &["java script heap"]),
        ("\"use github actions\"", &["we use GitHub actions", "use github actions"], &["useGitHubActions"]),
        ("\"user name\"", &["user name", "user_name"], &["userName", "getUserName"]),
        ("us*", &["user", "getUserName", "useGitHub", "us"], &["focus", "status"]),
        ("getUs*", &["getUserName", "get_user", "getusage", "doGetUser"], &["get_name us", "getU"]),
        ("get_us*", &["getUserName", "get_user", "getusage", "doGetUser"], &["get name", "got_us"]),
        ("opus-4-5", &["claude-opus-4-5-x"], &["opus-45", "opus45"]),
    ];
    let all: Vec<String> = table
        .iter()
        .flat_map(|(_, found, others)| found.iter().chain(*others))
        .map(ToString::to_string)
        .collect();
    let open_index = OpenIndex::of(&all);
    for (typed, found, others) in table {
        let places = open_index.found(typed);
        assert_eq!(places, highlighted(typed, &all), "{typed}");
        let has = |text: &str| {
            places.iter().any(|place| all.get(*place as usize).is_some_and(|found| found == text))
        };
        found.iter().for_each(|text| assert!(has(text), "{typed} in {text}"));
        others.iter().for_each(|text| assert!(!has(text), "{typed} in {text}"));
    }
}

/// Names of a few words, written in every way.
fn names() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec!["a", "ab", "B", "Ab", "b2", "会", "会议", "2"]);
    let joint = prop::sample::select(vec!["", "", "_", "-", " ", "."]);
    prop::collection::vec((word, joint), 1..6)
        .prop_map(|bits| bits.into_iter().flat_map(|(word, joint)| [word, joint]).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_highlighted_is_what_is_found(
        texts in prop::collection::vec(names(), 1..60),
        queries in prop::collection::vec((names(), 0..3), 1..60),
    ) {
        let open_index = OpenIndex::of(&texts);
        for (name, kind) in queries {
            let typed = match kind {
                0 => format!("\"{name}\""),
                1 => format!("{}*", name.replace(' ', "_")),
                _ => name.replace(' ', "."),
            };
            prop_assert_eq!(open_index.found(&typed), highlighted(&typed, &texts), "{}", typed);
        }
    }
}
