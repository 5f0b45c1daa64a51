//! What records say, by role.

use std::ops::ControlFlow;

use steno_index::{Extractor, Passage, Role};
use steno_transcript::{LineReader, read_lines};

/// The roles and texts of a transcript.
fn passages(lines: &[&str]) -> Vec<Passage<'static>> {
    let mut extractor = Extractor::default();
    let mut found = Vec::new();
    let text = lines.join("\n");
    let visit = |piece: steno_transcript::Piece<'_>| {
        extractor.observe(&piece, |passage| found.push(passage.into_owned()));
        ControlFlow::Continue(())
    };
    read_lines(&mut LineReader::new(text.as_bytes()), visit).unwrap();
    found
}

fn said(lines: &[&str]) -> Vec<(Role, String)> {
    passages(lines).into_iter().map(|passage| (passage.role, passage.text.into_owned())).collect()
}

fn one(line: &str) -> (Role, String) {
    let said = said(&[line]);
    let [one] = &said[..] else { panic!("{said:?}") };
    one.clone()
}

fn user(content: &str) -> String {
    format!(r#"{{"type":"user","message":{{"role":"user","content":{content}}}}}"#)
}

#[test]
fn people_and_the_client_are_told_apart() {
    let expected = [
        (r#""fix it""#, Role::User, "fix it"),
        (r#""<system-reminder>x</system-reminder>fix it""#, Role::User, "fix it"),
        (
            r#""<command-name>/release</command-name><command-args>1.2</command-args>""#,
            Role::User,
            "/release 1.2",
        ),
        (r#""<bash-input>ls</bash-input>""#, Role::User, "ls"),
        (r#""<bash-stdout>a.txt</bash-stdout>""#, Role::System, "a.txt"),
        (r#""<local-command-stdout>done</local-command-stdout>""#, Role::System, "done"),
        (r##""Implement the following plan:\n\n# Plan""##, Role::Plan, "# Plan"),
        (r#"[{"type":"text","text":"one"},{"type":"text","text":"two"}]"#, Role::User, "one\n\ntwo"),
    ];
    for (content, role, text) in expected {
        assert_eq!(one(&user(content)), (role, text.to_owned()), "{content}");
    }
    for content in [r#""<local-command-caveat>x""#, r#""Warmup""#, r#""[Request interrupted by user]""#] {
        assert_eq!(said(&[&user(content)]), [], "{content}");
    }
    let meta = r#"{"type":"user","isMeta":true,"message":{"content":"a skill's words"}}"#;
    assert_eq!(one(meta), (Role::System, "a skill's words".to_owned()));
    let summary = r#"{"type":"user","isCompactSummary":true,"message":{"content":"so far"}}"#;
    assert_eq!(one(summary), (Role::Summary, "so far".to_owned()));
    let queued = r#"{"type":"attachment","attachment":{"type":"queued_command","commandMode":"prompt","prompt":"and tests"}}"#;
    assert_eq!(one(queued), (Role::User, "and tests".to_owned()));
}

#[test]
fn titles_once_summaries_and_what_the_system_says() {
    let lines = [
        r#"{"type":"ai-title","aiTitle":"A title"}"#,
        r#"{"type":"custom-title","customTitle":"Mine"}"#,
        r#"{"type":"ai-title","aiTitle":"A title"}"#,
        r#"{"type":"ai-title","aiTitle":"Another"}"#,
        r#"{"type":"summary","summary":"In short","leafUuid":"x"}"#,
        r#"{"type":"system","subtype":"away_summary","content":"while away"}"#,
        r#"{"type":"system","subtype":"informational","content":"heard"}"#,
        r#"{"type":"system","subtype":"api_error","error":{"message":"overloaded"}}"#,
        r#"{"type":"progress","data":{"type":"hook_progress","command":"unheard"}}"#,
        r#"{"type":"file-history-snapshot","snapshot":{"a":"unheard"}}"#,
    ];
    let expected = [
        (Role::Title, "A title"),
        (Role::Title, "Mine"),
        (Role::Title, "Another"),
        (Role::Summary, "In short"),
        (Role::Summary, "while away"),
        (Role::System, "heard"),
        (Role::System, "overloaded"),
    ];
    assert_eq!(said(&lines), expected.map(|(role, text)| (role, text.to_owned())));
}

#[test]
fn tools_are_named_on_both_sides() {
    let call = r#"{"type":"assistant","timestamp":"2026-01-02T03:04:05.678Z","gitBranch":"main","message":{"model":"claude-x","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Reading."},{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"/a/b.rs","limit":10,"nested":{"deep":["x","y"]}}}]}}"#;
    let result = r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"fn main"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}}]}]},"toolUseResult":{"stdout":"repeated"}}"#;
    let found = passages(&[call, result]);
    let roles: Vec<_> = found.iter().map(|passage| (passage.role, &*passage.text)).collect();
    assert_eq!(
        roles,
        [
            (Role::Assistant, "Reading."),
            (Role::Thinking, "hm"),
            (Role::Tool, "/a/b.rs\nx\ny"),
            (Role::Result, "fn main"),
        ]
    );
    let [text, _, tool, result] = &found[..] else { panic!() };
    assert_eq!(
        (text.tools.len(), text.model.as_deref(), text.branch.as_deref()),
        (0, Some("claude-x"), Some("main"))
    );
    assert_eq!((&tool.tools[..], &tool.files[..]), (&["Read".into()][..], &["/a/b.rs".into()][..]));
    assert_eq!((&result.tools, &result.files, result.place.line), (&tool.tools, &tool.files, 2));
    assert_eq!(result.time, tool.time, "what has no time has that of the one before");
}

#[test]
fn results_that_lie_elsewhere_and_plans() {
    let persisted = r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"<persisted-output>\nOutput too large"}]},"toolUseResult":{"stdout":"the whole of it","stderr":""}}"#;
    assert!(one(persisted).1.ends_with("the whole of it"));
    let call = |input: &str| {
        format!(
            r#"{{"type":"assistant","message":{{"content":[{{"type":"tool_use","id":"p","name":"ExitPlanMode","input":{input}}}]}}}}"#
        )
    };
    let result = r##"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"p","content":"approved"}]},"toolUseResult":{"plan":"# The plan"}}"##;
    let plan = (Role::Plan, "# The plan".to_owned());
    let approved = (Role::Result, "approved".to_owned());
    assert_eq!(said(&[&call(r##"{"plan":"# The plan"}"##), result]), [plan.clone(), approved.clone()]);
    assert_eq!(said(&[&call("{}"), result]), [approved, plan]);
}

#[test]
fn what_follows_a_torn_record_speaks_wherever_it_was_torn() {
    let progress = r#"{"parentUuid":null,"type":"progress","data":{"output":"a {: \"x\": ","list":[{"n":1},{}],"message":{"type":"user","uuid":"i"}},"uuid":"p","sessionId":"s"}"#;
    let user =
        r#"{"parentUuid":null,"type":"user","message":{"content":"say \"it"},"uuid":"u","sessionId":"s"}"#;
    for torn in 0..=progress.len() {
        for between in ["", "  ", "\t", "\0"] {
            let line = format!("{}{between}{user}", &progress[..torn]);
            let is_said = !said(&[&line]).is_empty();
            assert!(!is_said || Extractor::may_speak(line.as_bytes()), "{line}");
        }
    }
    assert!(!Extractor::may_speak(progress.as_bytes()));
}

#[test]
fn of_many_files_and_tools_some_are_named() {
    let paths: Vec<String> = (0..20_000).map(|number| format!(r#"{{"path":"/f{number}"}}"#)).collect();
    let call = |number: usize, input: &str| {
        format!(r#"{{"type":"tool_use","id":"t{number}","name":"Tool{number}","input":{input}}}"#)
    };
    let mut calls = vec![call(0, &format!(r#"{{"edits":[{}]}}"#, paths.join(",")))];
    calls.extend((1..20_000).map(|number| call(number, r#"{"path":"/f0"}"#)));
    let line = format!(r#"{{"type":"assistant","message":{{"content":[{}]}}}}"#, calls.join(","));
    let answer = r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t19999","content":"done"}]}}"#;
    let found = passages(&[&line, answer]);
    let [tool, result] = &found[..] else { panic!("two passages") };
    assert_eq!((tool.files.len(), tool.tools.len()), (64, 64));
    assert!(tool.text.contains("/f19999"), "all of it is text");
    assert_eq!((&result.tools[..], &result.files[..]), (&["Tool19999".into()][..], &["/f0".into()][..]));
}

#[test]
fn nothing_that_speaks_is_skipped_in_real_transcripts() {
    for path in steno_testkit::real_transcripts().into_iter().flatten() {
        let mut extractor = Extractor::default();
        let mut lines = LineReader::new(std::fs::File::open(&path).unwrap());
        while let Some(line) = lines.next_line().unwrap() {
            let may_speak = Extractor::may_speak(line.bytes);
            let _ = steno_transcript::split(line, &mut |piece| {
                extractor.observe(&piece, |_| assert!(may_speak, "{}:{}", path.display(), piece.place.line));
                ControlFlow::Continue(())
            });
        }
    }
}
