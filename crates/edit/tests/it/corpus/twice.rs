//! A clone of a clone is the clone, but for its ids; and a clone has nothing that keeps a client from resuming it. Small
//! sessions, and real ones.

use std::collections::HashMap;
use std::ops::ControlFlow;

use serde_json::json;
use steno_edit::check::Severity;
use steno_edit::{CloneOptions, CloneWriter, Identity, check, plan};
use steno_testkit::Session;
use steno_transcript::read;

use super::survey;

const FIRST: &str = "c10e0000-0000-4000-8000-000000000001";
const SECOND: &str = "c10e0000-0000-4000-8000-000000000002";

/// Nothing where there is nothing to resume.
fn cloned(bytes: &[u8], from: &str, to: &str) -> Option<Vec<u8>> {
    let outline = survey(bytes);
    let plan = plan(&outline, &CloneOptions::default()).ok()?;
    // A name such as `user` stands in records for other things, too.
    let from = Some(from.to_owned()).filter(|from| from.len() == 36 && is_uuid(from));
    let identity = Identity::new(from.into_iter().collect::<Vec<_>>(), to);
    let mut writer = CloneWriter::new(&outline, &plan, &identity);
    let mut written = Vec::new();
    read(bytes, |piece| {
        written.extend_from_slice(&writer.piece(&piece));
        ControlFlow::Continue(())
    })
    .unwrap();
    written.extend(writer.end());
    Some(written)
}

/// The text with a number for each uuid, in the order of their first places.
fn without_ids(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let (mut written, mut rest) = (String::new(), &*text);
    while let Some(character) = rest.chars().next() {
        let length = match rest.get(..36).filter(|word| is_uuid(word)) {
            Some(word) => {
                let next = numbers.len();
                written.push_str(&format!("#{}", numbers.entry(word).or_insert(next)));
                word.len()
            }
            None => {
                written.push(character);
                character.len_utf8()
            }
        };
        rest = rest.get(length..).unwrap();
    }
    written
}

fn is_uuid(word: &str) -> bool {
    word.bytes().enumerate().all(|(place, byte)| match place {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    })
}

fn assert_cloned_twice(bytes: &[u8], name: &str) {
    let Some(first) = cloned(bytes, name, FIRST) else { return };
    let second = cloned(&first, FIRST, SECOND).unwrap_or_else(|| panic!("{name}: a clone cannot be cloned"));
    let (first_text, second_text) = (without_ids(&first), without_ids(&second));
    for (number, (one, two)) in first_text.lines().zip(second_text.lines()).enumerate() {
        assert!(one == two, "{name}, line {}:\n{one}\n{two}", number + 1);
    }
    assert_eq!(first_text.lines().count(), second_text.lines().count(), "{name}");
    let found = check(&survey(&first), FIRST);
    let wrong: Vec<_> = found.iter().filter(|finding| finding.severity == Severity::Error).collect();
    assert!(wrong.is_empty(), "{name}: {wrong:?}");
}

#[test]
fn a_clone_of_a_clone_is_the_clone_but_for_its_ids() {
    let called = |session: Session, command: &str| {
        let input = json!({"command": command});
        session.user(command).assistant(|message| message.tool_use("Bash", input).answered("done"))
    };
    let sessions = [
        Session::numbered(1).user("hello").assistant(|message| message.thinking("well").text("hello")),
        called(called(Session::numbered(2), "ls"), "pwd"),
        called(Session::numbered(3), "ls").plan("Plant a tree").approve_plan().user("go on"),
        called(Session::numbered(4).custom_title("A title"), "ls").summary("About ls"),
        called(Session::numbered(5), "ls").agent(|agent| agent.foreground()),
    ];
    for session in sessions {
        let id = session.id().to_string();
        assert_cloned_twice(&session.build().bytes, &id);
    }
}

#[test]
fn so_it_is_with_real_sessions() {
    for path in steno_testkit::real_transcripts().unwrap_or_default() {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        assert_cloned_twice(&std::fs::read(&path).unwrap(), &name);
    }
}
