//! Title: the best name that the file gives its session.

use steno_conversation::model::TitleSource;
use steno_testkit::{Era, Session};

use crate::passes::explaining::transcript;

fn title(session: &Session) -> (Option<String>, Option<TitleSource>) {
    let transcript = transcript(session.id().as_str(), session.bytes());
    (transcript.profile().title.clone(), transcript.profile().title_source)
}

fn is(session: &Session, text: &str, source: TitleSource) {
    assert_eq!(title(session), (Some(text.to_owned()), Some(source)));
}

#[test]
fn each_source_gives_way_to_the_next_better_one() {
    let session = Session::numbered(1).slug("serene-bubbling-muffin").caveat();
    is(&session, "serene-bubbling-muffin", TitleSource::Slug);
    let session = session.user("Fix the parser\nplease").user("And the tests");
    is(&session, "Fix the parser", TitleSource::Prompt);
    let session = session.plan("## Plan: move it\n\n1. Do").approve_plan();
    is(&session, "Plan: move it", TitleSource::Plan);
    let session = session.summary("Parser moved");
    is(&session, "Parser moved", TitleSource::Summary);
    let session = session.ai_title("Moving the parser");
    is(&session, "Moving the parser", TitleSource::Ai);
    let session = session.custom_title("The big move");
    is(&session, "The big move", TitleSource::Custom);
    let session = session.ai_title("later").summary("later").user("later");
    is(&session, "The big move", TitleSource::Custom);
}

#[test]
fn of_titles_of_one_kind_the_last_wins_but_the_first_prompt_stays() {
    let session = Session::numbered(1).user("first").user("second");
    is(&session, "first", TitleSource::Prompt);
    is(&session.clone().ai_title("one").ai_title("two"), "two", TitleSource::Ai);
    is(&session.custom_title("one").custom_title("two"), "two", TitleSource::Custom);
}

#[test]
fn a_summary_of_another_session_is_no_title() {
    let foreign = r#"{"type":"summary","summary":"Somebody else's work","leafUuid":"elsewhere"}"#;
    let session = Session::numbered(1).era(Era::V2_0_42).raw(foreign).raw("\n").user("mine");
    is(&session, "mine", TitleSource::Prompt);
}

#[test]
fn a_summary_may_stand_before_the_record_it_names() {
    let session = Session::numbered(1).era(Era::V2_0_42).user("go");
    let leaf = session.made().last_record();
    let bytes = format!("{{\"type\":\"summary\",\"summary\":\"Mine\",\"leafUuid\":\"{leaf}\"}}\n");
    let bytes = [bytes.as_bytes(), session.bytes()].concat();
    assert_eq!(transcript("s", &bytes).profile().title.as_deref(), Some("Mine"));
}

#[test]
fn commands_and_noise_name_nothing() {
    let session = Session::numbered(1)
        .caveat()
        .slash_command("model", "opus")
        .local_command_stdout("Set model")
        .bash_command("ls", "src", "")
        .system_reminder("x")
        .interrupt()
        .teammate_message("pm", "blue", "x")
        .agent_name("not a title");
    assert_eq!(title(&session), (None, None));
    is(&session.user("the real one"), "the real one", TitleSource::Prompt);
}

#[test]
fn a_queued_prompt_can_be_the_first_one() {
    let session = Session::numbered(1).slash_command("init", "").queued_prompt("typed ahead");
    is(&session, "typed ahead", TitleSource::Prompt);
}

#[test]
fn a_title_is_one_line_of_sane_length() {
    let long = "word ".repeat(200);
    let (text, _) = title(&Session::numbered(1).user(format!("\n\n  {long}\nsecond line")));
    let text = text.unwrap();
    assert_eq!(text.chars().count(), 201);
    assert!(text.ends_with('…') && !text.contains('\n'));
    is(&Session::numbered(1).user("  \n\t one\ttwo   three \n four"), "one two three", TitleSource::Prompt);
}

#[test]
fn empty_titles_do_not_count() {
    is(&Session::numbered(1).user("go").custom_title("  ").ai_title(""), "go", TitleSource::Prompt);
}
