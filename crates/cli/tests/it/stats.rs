//! `steno stats`: totals that were computed by hand, and what is printed.

use insta::assert_snapshot;
use serde_json::{Value, json};
use steno_testkit::{App, Era, Session, Usage};

/// At 5, 25, 0.5, 6.25 and 10 dollars a million: 0.3675.
const USAGE: Usage =
    Usage { input: 1000, output: 2000, cache_read: 100_000, cache_5m: 10_000, cache_1h: 20_000 };
const COST: f64 = 0.3675;
const OPUS: &str = "claude-opus-4-5-20251101";

fn empty() -> App {
    App::new(env!("CARGO_BIN_EXE_steno"))
}

/// A session of one message.
fn session(number: u32) -> Session {
    said(Session::numbered(number).model(OPUS).user("go"), USAGE)
}

fn said(session: Session, usage: Usage) -> Session {
    session.assistant(|message| message.text("done").usage(usage))
}

fn with(session: &Session) -> App {
    let app = empty();
    app.write(session);
    app
}

/// Input, output, cache reads, writes for five minutes and for an hour.
fn tokens(of: &Value) -> [u64; 5] {
    ["input", "output", "cacheRead", "cacheWrite5m", "cacheWrite1h"]
        .map(|key| of["tokens"][key].as_u64().unwrap())
}

fn times(usage: Usage, number: u64) -> [u64; 5] {
    [usage.input, usage.output, usage.cache_read, usage.cache_5m, usage.cache_1h].map(|count| count * number)
}

fn costs(of: &Value, expected: f64) {
    let cost = of["costUsd"].as_f64().unwrap_or_else(|| panic!("no cost in {of}"));
    assert!((cost - expected).abs() < 1e-9, "{cost} instead of {expected}");
}

fn keys(report: &Value) -> Vec<&str> {
    report["rows"].as_array().unwrap().iter().map(|row| row["key"].as_str().unwrap()).collect()
}

/// A record as any writer may put it.
fn record(id: &str, model: &str, usage: Value) -> Value {
    json!({
        "type": "assistant", "uuid": format!("u-{id}"), "timestamp": "2026-11-15T10:00:00.000Z", "sessionId": "s",
        "cwd": "/home/dev/project", "requestId": format!("r-{id}"),
        "message": {"id": id, "role": "assistant", "model": model, "content": [], "stop_reason": "end_turn", "usage": usage},
    })
}

#[test]
fn a_message_of_several_records_counts_once_with_all_that_was_written() {
    for era in Era::ALL {
        let session = Session::numbered(1).era(era).model(OPUS).user("go").assistant(|message| {
            message
                .thinking("well")
                .text("so")
                .tool_use("Bash", json!({"command": "ls"}))
                .answered("a")
                .usage(USAGE)
        });
        let total = &with(&session).json("stats --json")["total"];
        assert_eq!((&total["messages"], tokens(total)), (&json!(1), times(USAGE, 1)), "{era:?}");
        costs(total, COST);
        let unknown = u64::from(matches!(era, Era::V1_0 | Era::V2_1_56));
        assert_eq!(total["tokens"]["withoutFinalUsage"], unknown, "{era:?}");
    }
}

#[test]
fn a_compaction_that_repeats_messages_adds_nothing() {
    let session = session(1).repeat_last().compact("auto", 150_000, 9_000, "so far").repeat_last();
    let total = &with(&said(session, USAGE)).json("stats --json")["total"];
    assert_eq!((&total["messages"], tokens(total)), (&json!(2), times(USAGE, 2)));
}

/// What an advisor read and said: at 5 and 25 dollars a million 0.357405.
const ADVICE: Usage = Usage { input: 67_421, output: 812, ..Usage::NOTHING };
const ADVISOR: &str = "claude-opus-4-8";

#[test]
fn an_advisor_counts_under_its_model_wherever_tokens_are_counted() {
    let advised = || {
        session(1).assistant(|message| {
            // Two records repeat the advice; each counts once.
            message.text("well").text("done").usage(USAGE).beside("advisor_message", Some(ADVISOR), ADVICE)
        })
    };
    let app = with(&advised());
    app.write(&Session::numbered(2).fork_of(&advised()));
    let report = app.json("stats model --json");
    let sum = [2 * 1000 + 67_421, 2 * 2000 + 812, 200_000, 20_000, 40_000];
    assert_eq!((&report["total"]["messages"], tokens(&report["total"])), (&json!(2), sum));
    costs(&report["total"], 2.0 * COST + 0.357_405);
    let advisor = report["rows"].as_array().unwrap().iter().find(|row| row["key"] == ADVISOR).unwrap();
    assert_eq!((&advisor["messages"], tokens(advisor)), (&json!(0), times(ADVICE, 1)));
    costs(advisor, 0.357_405);
    let explain = &app.json("stats --explain --json")["explain"];
    let beside = &explain["beside"];
    assert_eq!((&beside[0]["type"], &beside[0]["model"]), (&json!("advisor_message"), &json!(ADVISOR)));
    assert_eq!((&beside[0]["times"], tokens(&beside[0])), (&json!(1), times(ADVICE, 1)));
    assert_eq!(beside.as_array().unwrap().len(), 1);
    assert_eq!(explain["messages"], 2);
    let said = app.run("stats --explain");
    assert!(
        said.contains("advisor_message of claude-opus-4-8: 1 time, 67421 read, 812 written, $0.36"),
        "{said}"
    );
    for listed in app.json("list --json")["sessions"].as_array().unwrap() {
        assert_eq!(tokens(listed), sum);
        let shown = app.json(&format!("show {} --json", listed["id"].as_str().unwrap()));
        assert_eq!(tokens(&shown), sum);
        assert_eq!(tokens(&shown["chunks"][1]), sum);
    }
}

/// The client's own sum.
fn cost_state(usage: Usage, dollars: f64) -> Value {
    let model = json!({
        "inputTokens": usage.input, "outputTokens": usage.output, "thinkingTokens": 0,
        "cacheReadInputTokens": usage.cache_read, "cacheCreationInputTokens": usage.cache_5m + usage.cache_1h,
        "cacheCreationEphemeral5mInputTokens": usage.cache_5m,
        "cacheCreationEphemeral1hInputTokens": usage.cache_1h, "webSearchRequests": 0, "costUSD": dollars,
    });
    json!({
        "type": "cost-state", "sessionId": "s", "totalCostUSD": dollars, "modelUsage": {OPUS: model},
        "hasUnknownModelCost": false,
    })
}

#[test]
fn what_the_client_counts_and_no_record_tells_is_apart() {
    // A compaction: 0.0375 dollars.
    let compacted = Usage { input: 6000 + 1000, output: 300 + 2000, ..USAGE };
    let one = session(1).record(&cost_state(USAGE, 0.3675)).record(&cost_state(compacted, 0.41));
    let app = with(&one);
    // A fork has the same sum, and what comes after a sum is not in it.
    app.write(&said(Session::numbered(2).fork_of(&one).record(&cost_state(compacted, 0.41)), USAGE));
    let report = app.json("stats --explain --json");
    assert_eq!(tokens(&report["total"]), times(USAGE, 2));
    costs(&report["total"], 2.0 * COST);
    let client = &report["client"];
    assert_eq!((&client["sessions"], &client["forks"]), (&json!(2), &json!(1)));
    assert_eq!(
        (tokens(&client["total"]), tokens(&client["recorded"])),
        (times(compacted, 1), times(USAGE, 1))
    );
    assert_eq!(tokens(&client["unrecorded"]), [6000, 300, 0, 0, 0]);
    assert_eq!(tokens(&client["beyond"]), [0; 5]);
    costs(&client["total"], 0.41);
    costs(&client["recorded"], COST);
    costs(&client["unrecorded"], 0.0375);
    assert_eq!(client["models"][0]["model"], OPUS);
    let shown = app.json(&format!("show {} --json", one.id()));
    assert_eq!(tokens(&shown["client"]["unrecorded"]), [6000, 300, 0, 0, 0]);
    let findings = app.json("doctor --json")["findings"].clone();
    let unrecorded =
        findings.as_array().unwrap().iter().find(|finding| finding["kind"] == "unrecorded").unwrap();
    assert_eq!((&unrecorded["severity"], &unrecorded["count"]), (&json!("info"), &json!(1)));
}

#[test]
fn a_session_whose_sum_is_ours_has_no_difference() {
    let session =
        Session::numbered(1).model(OPUS).user("go").assistant(|message| message.text("so").usage(USAGE));
    let app = with(&session.record(&cost_state(USAGE, COST)));
    let client = &app.json("stats --json")["client"];
    assert_eq!((tokens(&client["unrecorded"]), &client["models"]), ([0; 5], &json!([])));
    let findings = app.json("doctor --json")["findings"].to_string();
    assert!(!findings.contains("unrecorded"), "{findings}");
}

#[test]
fn spaces_change_nothing() {
    let usage = json!({"input_tokens": 7, "output_tokens": 9, "cache_creation_input_tokens": 5});
    let session = session(1).spaced(&record("m1", OPUS, usage));
    let total = &with(&session).json("stats --json")["total"];
    assert_eq!(tokens(total), [1007, 2009, 100_000, 10_005, 20_000]);
}

#[test]
fn a_fork_counts_only_what_it_added() {
    let one = session(1);
    let app = with(&one);
    app.write(&said(Session::numbered(2).fork_of(&one), USAGE));
    app.write(&said(Session::numbered(3).fork_of(&one), USAGE));
    let report = app.json("stats session --json");
    assert_eq!((&report["total"]["messages"], tokens(&report["total"])), (&json!(3), times(USAGE, 3)));
    for row in report["rows"].as_array().unwrap() {
        assert_eq!((&row["messages"], tokens(row)), (&json!(1), times(USAGE, 1)), "{row}");
        assert_eq!(row["project"], "/home/dev/project");
    }
    let explain = &app.json("stats --explain --json")["explain"];
    assert_eq!(explain["repeated"], json!({"sameFile": 0, "otherSession": 2, "subagent": 0, "withoutId": 0}));
    assert_eq!((&explain["records"], &explain["everyRecord"]["messages"]), (&json!(5), &json!(5)));
    costs(&explain["everyRecord"], 5.0 * COST);
    costs(&explain["byMessage"], 3.0 * COST);
}

#[test]
fn subagents_count_for_their_session_in_every_layout() {
    for era in Era::ALL {
        let session = session(1).era(era).agent(|agent| agent.foreground().steps(|steps| said(steps, USAGE)));
        let report = with(&session).json("stats session --json");
        // The session's own, the call, the agent's work, and its answer.
        let (own, other) = (times(USAGE, 2), times(Usage::default(), 2));
        let sum: Vec<u64> = own.iter().zip(other).map(|(own, other)| own + other).collect();
        assert_eq!(tokens(&report["total"]).to_vec(), sum, "{era:?}");
        assert_eq!(keys(&report), [Session::numbered(1).id().as_str()], "{era:?}");
        assert_eq!(report["total"]["messages"], 4, "{era:?}");
    }
}

#[test]
fn a_subagent_that_repeats_its_session_adds_nothing() {
    let one = session(1);
    let bytes = one.build().bytes;
    let app = with(&one.agent_file("a1", bytes));
    let report = app.json("stats --explain --json");
    assert_eq!(tokens(&report["total"]), times(USAGE, 1));
    assert_eq!(report["explain"]["repeated"]["subagent"], 1);
    assert_eq!(report["explain"]["files"], json!({"read": 2, "kept": 0, "agents": 1}));
}

#[test]
fn what_was_not_finished_is_a_lower_bound() {
    let session = session(1).assistant(|message| message.text("so").usage(USAGE).unfinished());
    let app = with(&session);
    assert_eq!(app.json("stats --json")["total"]["tokens"]["withoutFinalUsage"], 1);
    assert_snapshot!(app.run("stats"), @r"
    exit: 0
    ----- stdout -----
    DAY         MESSAGES  INPUT  OUTPUT  CACHE READ  CACHE WRITE    COST
    2026-11-15         2   2.0K   ≥4.0K        200K        60.0K  ≥$0.73  ████████████████████████
    total              2   2.0K   ≥4.0K        200K        60.0K  ≥$0.73

    ----- stderr -----
    2 messages
    ");
}

#[test]
fn what_is_long_or_searched_or_fast_costs_more() {
    let usage = |input: u64| json!({"input_tokens": input, "output_tokens": 1000, "cache_read_input_tokens": 100_000});
    let session = Session::numbered(1)
        .record(&record("short", "claude-haiku-5-5", usage(0)))
        .record(&record("long", "claude-haiku-5-5", usage(1)));
    let report = with(&session).json("stats --explain --json");
    costs(&report["total"], (0.0005 + 0.001) + (0.000_000_5 + 0.0025 + 0.005));
    assert_eq!(report["explain"]["longContext"], 1);
    let searched =
        json!({"output_tokens": 1000, "server_tool_use": {"web_search_requests": 3}, "speed": "fast"});
    let session = Session::numbered(1).record(&record("m", "claude-opus-5", searched));
    let total = &with(&session).json("stats --json")["total"];
    costs(total, 0.05 + 0.03);
    assert_eq!(total["webSearches"], 3);
}

#[test]
fn a_model_without_a_price_is_unpriced_and_never_free() {
    let usage = json!({"input_tokens": 1_000_000, "output_tokens": 1});
    let session = session(1)
        .record(&record("m1", "us.anthropic.claude-opus-4-5-20251101-v1:0", usage.clone()))
        .record(&record("m2", "claude-nobody-9", usage));
    let app = with(&session);
    let report = app.json("stats model --json");
    let row =
        |model: &str| report["rows"].as_array().unwrap().iter().find(|row| row["key"] == model).unwrap();
    assert_eq!(
        (&row("claude-nobody-9")["costUsd"], &row("claude-nobody-9")["unpriced"]),
        (&Value::Null, &json!(["claude-nobody-9"]))
    );
    costs(row("us.anthropic.claude-opus-4-5-20251101-v1:0"), 5.000_025);
    costs(&report["total"], COST + 5.000_025);
    assert_eq!(report["total"]["unpriced"], json!(["claude-nobody-9"]));
    let prices = json!({"models": {"claude-nobody-9": {
        "input": 1, "output": 1_000_000, "cacheRead": 0, "cacheWrite5m": 0, "cacheWrite1h": 0}}});
    let file = app.home().file("prices.json", prices.to_string());
    let priced = app.json(&format!("stats model --prices {} --json", file.display()));
    costs(&priced["total"], COST + 5.000_025 + 2.0);
    assert_eq!(priced["total"]["unpriced"], json!([]));
    assert_eq!(priced["prices"]["file"], "$HOME/.claude/prices.json");
}

#[test]
fn what_is_no_table_of_prices_or_zone_is_said() {
    let app = with(&session(1));
    let file = app.home().file("prices.json", r#"{"models":{"a":{"input":-1}}}"#);
    assert_snapshot!(app.run(&format!("stats --prices {}", file.display())), @r#"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: $HOME/.claude/prices.json is no table of prices: missing field `output` at line 1 column 27
    hint: dollars for a million tokens: {"models":{"NAME":{"input":3,"output":15,"cacheRead":0.3,"cacheWrite5m":3.75,"cacheWrite1h":6}}}
    "#);
    assert_snapshot!(app.run("stats --prices nowhere.json"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: no such file: nowhere.json
    hint: --prices FILE names a JSON file of prices
    ");
    assert_snapshot!(app.run("stats --timezone Middle/Earth"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: 'Middle/Earth' is not a time zone
    hint: give a name such as Europe/Berlin, America/New_York or UTC
    ");
}

#[test]
fn the_clients_own_messages_count_nowhere() {
    let report = with(&session(1).api_error("Overloaded")).json("stats model --explain --json");
    assert_eq!((keys(&report), &report["total"]["messages"]), (vec![OPUS], &json!(1)));
    assert_eq!(report["explain"]["synthetic"], 1);
}

#[test]
fn days_weeks_and_months_are_those_of_the_zone() {
    let session = said(session(1).at("2026-02-28T23:30:00.000Z"), USAGE).at("2026-03-02T07:30:00.000Z");
    let app = with(&said(session, USAGE));
    let keys_of = |arguments: &str| {
        let report = app.json(&format!("stats {arguments} --json"));
        keys(&report).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(keys_of("daily"), ["2026-02-28", "2026-03-02", "2026-11-15"]);
    assert_eq!(keys_of("daily --timezone Asia/Tokyo"), ["2026-03-01", "2026-03-02", "2026-11-15"]);
    assert_eq!(keys_of("weekly"), ["2026-W09", "2026-W10", "2026-W46"]);
    assert_eq!(keys_of("weekly --timezone America/Los_Angeles"), ["2026-W09", "2026-W46"]);
    assert_eq!(keys_of("monthly"), ["2026-02", "2026-03", "2026-11"]);
    assert_eq!(keys_of("monthly --timezone Asia/Tokyo"), ["2026-03", "2026-11"]);
    assert_eq!(keys_of("--since 2026-03-01 --until 2026-03-02"), ["2026-03-02"]);
    assert_eq!(keys_of("--until 2026-02-28 --timezone Asia/Tokyo"), Vec::<String>::new());
    assert_eq!(keys_of("--until 2026-03-01 --timezone Asia/Tokyo"), ["2026-03-01"]);
    assert_eq!(keys_of("--since 30d"), ["2026-11-15"]);
}

#[test]
fn a_message_without_a_time_or_a_directory_is_in_the_total() {
    let mut bare = record("m1", OPUS, json!({"output_tokens": 1}));
    bare.as_object_mut().unwrap().retain(|key, _| key != "timestamp" && key != "cwd");
    let app = with(&session(1).record(&bare));
    assert_eq!(keys(&app.json("stats --json")), ["2026-11-15", "unknown"]);
    assert_eq!(keys(&app.json("stats project --json")), ["/home/dev/project", "unknown"]);
    assert_eq!(app.json("stats --since 2026-01-01 --json")["total"]["messages"], 1);
}

#[test]
fn projects_and_branches_are_told_apart() {
    let app = empty();
    app.write(&session(1).cwd("/home/dev/other").git_branch("fix"));
    let moved = said(session(2).cwd("/home/ann/api").git_branch("dev"), USAGE).cwd("/home/dev/project");
    app.write(&said(moved.without_git_branch(), USAGE));
    assert_eq!(keys(&app.json("stats project --json")), ["/home/dev/project", "/home/ann/api"]);
    let report = app.json("stats branch --json");
    let expected = ["/home/dev/project main", "/home/ann/api dev", "/home/dev/project -"];
    assert_eq!(keys(&report), expected);
    assert_eq!(
        (&report["rows"][1]["project"], &report["rows"][1]["branch"]),
        (&json!("/home/ann/api"), &json!("dev"))
    );
    assert_eq!(app.json("stats --project ANN --json")["total"]["messages"], 1);
}

#[test]
fn a_session_that_lies_in_two_directories_counts_once() {
    let app = with(&session(1));
    let other = steno_testkit::Home::new();
    other.write(&said(session(1), USAGE));
    other.write(&session(2));
    let line = format!(
        "stats --claude-dir {} --claude-dir {} --json",
        app.home().path().display(),
        other.path().display()
    );
    assert_eq!(tokens(&app.json(&line)["total"]), times(USAGE, 3));
}

#[test]
fn records_without_an_id_count_by_themselves_but_copies_do_not() {
    let one = session(1).assistant(|message| message.text("a").usage(USAGE).without_id());
    let app = with(&one.clone().repeat_last());
    assert_eq!(app.json("stats --json")["total"]["messages"], 3);
    app.write(&Session::numbered(2).fork_of(&one));
    assert_eq!(app.json("stats --json")["total"]["messages"], 3);
    let explain = &app.json("stats --explain --json")["explain"];
    assert_eq!((&explain["withoutId"], &explain["repeated"]["withoutId"]), (&json!(2), &json!(1)));
    // Others count the copy, too, and now it is said why.
    assert_eq!((&explain["messages"], &explain["byMessage"]["messages"]), (&json!(3), &json!(4)));
}

#[test]
fn a_table_with_bars_for_people() {
    let app = empty();
    app.write(&said(said(session(1), USAGE), USAGE));
    app.write(
        &said(session(2).cwd("/home/ann/project").at("2026-03-01T10:00:00.000Z"), USAGE)
            .cwd("/home/dev/project"),
    );
    assert_snapshot!(app.run("stats"), @r"
    exit: 0
    ----- stdout -----
    DAY         MESSAGES  INPUT  OUTPUT  CACHE READ  CACHE WRITE   COST
    2026-03-01         1   1.0K    2.0K        100K        30.0K  $0.37  ██████
    2026-11-15         4   4.0K    8.0K        400K         120K  $1.47  ████████████████████████
    total              5   5.0K   10.0K        500K         150K  $1.84

    ----- stderr -----
    5 messages
    ");
    assert_snapshot!(app.run("stats project"), @r"
    exit: 0
    ----- stdout -----
    PROJECT      MESSAGES  INPUT  OUTPUT  CACHE READ  CACHE WRITE   COST
    dev/project         4   4.0K    8.0K        400K         120K  $1.47  ████████████████████████
    ann/project         1   1.0K    2.0K        100K        30.0K  $0.37  ██████
    total               5   5.0K   10.0K        500K         150K  $1.84

    ----- stderr -----
    5 messages
    ");
    assert_snapshot!(app.run("stats model --csv"), @r"
    exit: 0
    ----- stdout -----
    key,project,branch,messages,input,output,cacheRead,cacheWrite5m,cacheWrite1h,withoutFinalUsage,webSearches,costUsd,unpriced
    claude-opus-4-5-20251101,,,5,5000,10000,500000,50000,100000,0,0,1.8375,

    ----- stderr -----
    ");
    assert_snapshot!(empty().run("stats"), @r"
    exit: 0
    ----- stdout -----

    ----- stderr -----
    no messages found
    ");
    let narrow = app.variable("COLUMNS", "40").run("stats session");
    assert!(narrow.lines().all(|line| line.chars().count() <= 60), "{narrow}");
}

#[test]
fn windows_of_five_hours() {
    let used = Usage { output: 60_000, ..Usage::NOTHING };
    let at = |number, time: &str| said(Session::numbered(number).at(time).model(OPUS).user("go"), used);
    let app = empty();
    for (number, time) in [(1, "01T02:30:00"), (2, "01T08:15:00"), (3, "01T10:15:00")] {
        app.write(&at(number, &format!("2026-12-{time}.000Z")));
    }
    let report = app.json("stats window --limit 150k --json");
    let keys = ["2026-12-01T02:00:00Z", "2026-12-01T08:00:00Z"];
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.iter().map(|row| row["key"].as_str().unwrap()).collect::<Vec<_>>(), keys);
    assert_eq!((&rows[0]["window"]["running"], &rows[0]["messages"]), (&json!(false), &json!(1)));
    let window = &rows[1]["window"];
    assert_eq!((&window["running"], &window["end"]), (&json!(true), &json!("2026-12-01T13:00:00Z")));
    // 120,000 tokens in two hours, and one hour left.
    assert_eq!(
        (&window["rate"]["tokensPerMinute"], &window["rate"]["tokensAtEnd"]),
        (&json!(1000.0), &json!(180_000))
    );
    assert_eq!(window["rate"]["limitAt"], "2026-12-01T12:30:00Z");
    assert_snapshot!(app.run("stats window --limit 150k"), @"
    exit: 0
    ----- stdout -----
    WINDOW              MESSAGES  INPUT  OUTPUT  CACHE READ  CACHE WRITE   COST
    2026-12-01 02:00           1      0   60.0K           0            0  $1.50  ███████████▌
    ● 2026-12-01 08:00         2      0    120K           0            0  $3.00  ███████████████████████
    total                      3      0    180K           0            0  $4.50

    The running window ends at 13:00. At 1.0K tokens a minute and $1.50 an hour it will have 180K tokens, $4.50.

    ----- stderr -----
    warning: the running window will reach 150K tokens at 12:30; it has 120K
    3 messages
    ");
}

#[test]
fn an_explanation_in_sentences() {
    assert_snapshot!(with(&session(1)).run("stats --explain"), @"
    exit: 0
    ----- stdout -----
    DAY         MESSAGES  INPUT  OUTPUT  CACHE READ  CACHE WRITE   COST
    2026-11-15         1   1.0K    2.0K        100K        30.0K  $0.37  ████████████████████████
    total              1   1.0K    2.0K        100K        30.0K  $0.37

    How it was counted
    - Read: 1 transcript, 0 of subagents; 0 only the vault still has.
    - A message is all records with one message.id and requestId, in whatever file. It counts once, with
      the most that any of its records has of each kind of token. Who keeps only the record with the
      most tokens misses what another one has more of, and may count it on another day. Here: 1 record,
      1 message.
    - Left out: more records of a message in its own file (0), messages that another session has too, as
      forks and resumes do (0), and messages that another file of the same session has (0).
    - A message in files of several sessions belongs to the session that began first; of two that began
      at once, to the lesser id. A subagent's messages belong to its session, warm-ups included.
    - Records without message.id count by themselves (0), but not their copies in other files (0), which
      other ways of counting cannot tell. The client's own (<synthetic>) are no model's and count
      nowhere (0).
    - Where no record of a message tells the final usage (0), its output is what was written down last:
      a lower bound, marked with ≥. Messages of no known time: 0.
    - Tokens of an advisor (another model that is asked meanwhile), of a compaction by the API and of a
      model that declined in the middle of its answer are in no total of their message; they count under
      their own model. Here: none.
    - Prices are the API's list prices of 2026-11-15 (litellm 1.108.4); a subscription is paid
      otherwise.
    - Cache writes for five minutes and for an hour are priced apart; writes of unsaid lifetime lived
      for five minutes. Each token costs more where input, cache reads and cache writes together are
      beyond the model's limit (0 messages). Searches by the API, fast mode and the US region cost more
      where a price for that is listed.
    - A day begins at midnight in UTC; weeks are those of ISO 8601. A message counts on the day of its
      first record.
    - The sum over all records would be 1 message, 1000 input, 2000 output, 100000 cache read, 30000
      cache written, $0.37.
    - Who counts a message once, but with its first record, gets 1 message, 1000 input, 2000 output,
      100000 cache read, 30000 cache written, $0.37: that one was written before the answer was whole.
    - By requestId alone it would be 1 message, 1000 input, 2000 output, 100000 cache read, 30000 cache
      written, $0.37, by message.id alone 1 message, 1000 input, 2000 output, 100000 cache read, 30000
      cache written, $0.37.
    - Programs that expect no space after a colon, or no more than milliseconds in a time, miss records
      of other writers; those that read live files only miss what Claude Code has deleted; those that
      price all cache writes alike miss the hour's higher price. Copies of subagents' messages in
      progress records are not read: where a subagent's own file is missing, programs that read them
      count more.

    ----- stderr -----
    1 message
    ");
}

#[test]
fn without_a_terminal_every_row_is_there() {
    let app = empty();
    for number in 1..=40 {
        let day = format!("2026-{:02}-{:02}T10:00:00.000Z", number / 28 + 9, number % 28 + 1);
        app.write(&said(Session::numbered(number).at(&day).model(OPUS).user("go"), USAGE));
    }
    let cut = app.run("stats");
    assert!(cut.contains("31 of 40 rows"), "{cut}");
    let whole = app.variable("COLUMNS", "").run("stats");
    assert_eq!(whole.lines().filter(|line| line.starts_with("2026-")).count(), 40, "{whole}");
}
