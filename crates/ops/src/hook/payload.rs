//! What the client writes to a hook's stdin → what we need of it. Of a strange payload, whatever can be understood.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Deserializer, Value};

use super::{Input, Reason, Refusal};

#[derive(Debug, Default, PartialEq)]
pub(super) struct Payload {
    pub(super) event: Option<String>,
    pub(super) session: Option<String>,
    pub(super) transcript: Option<PathBuf>,
}

/// As it is sent; any of it may be something else one day.
#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct Wire {
    hook_event_name: Value,
    session_id: Value,
    transcript_path: Value,
}

/// Whether a payload has come to its end; the client may keep stdin open after that.
pub fn is_whole(bytes: &[u8]) -> bool {
    let ends = bytes.trim_ascii_end().ends_with(b"}");
    ends && IgnoredAny::deserialize(&mut Deserializer::from_slice(bytes)).is_ok()
}

impl Payload {
    pub(super) fn read(input: &Input) -> Result<Self, Refusal> {
        let refuse = |reason, message: &str| Err(Refusal(reason, Some(message.to_owned())));
        match input {
            Input::Payload(bytes) if bytes.trim_ascii().is_empty() => {
                refuse(Reason::NoPayload, "stdin is empty")
            }
            Input::Payload(bytes) => Self::parse(bytes),
            Input::Terminal => {
                refuse(Reason::NoPayload, "the client's hooks run this, and say on stdin what happened")
            }
            Input::Nothing => refuse(Reason::NoPayload, "nothing came on stdin"),
        }
    }

    fn parse(bytes: &[u8]) -> Result<Self, Refusal> {
        let refuse = |message| Refusal(Reason::BadPayload, Some(message));
        // serde would take a list for the fields in their order.
        if !bytes.trim_ascii_start().starts_with(b"{") {
            return Err(refuse("stdin holds no JSON object".to_owned()));
        }
        let wire = Wire::deserialize(&mut Deserializer::from_slice(bytes));
        let wire = wire.map_err(|error| refuse(error.to_string()))?;
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let transcript = text(&wire.transcript_path).map(PathBuf::from).filter(|path| path.is_absolute());
        Ok(Self { event: text(&wire.hook_event_name), session: text(&wire.session_id), transcript })
    }

    /// The directory with `projects/` above the transcript.
    pub(super) fn claude_dir(&self) -> Option<&Path> {
        let projects = self.transcript.as_deref()?.parent()?.parent()?;
        (projects.file_name()? == "projects").then(|| projects.parent()).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Payload, Reason> {
        Payload::read(&Input::Payload(text.into())).map_err(|Refusal(reason, _)| reason)
    }

    #[test]
    fn the_claude_directory_is_the_one_around_the_projects() {
        let of = |path: &str| {
            let payload = read(&format!(r#"{{"transcript_path":"{path}"}}"#)).unwrap();
            payload.claude_dir().map(Path::to_owned)
        };
        assert_eq!(of("/h/.claude/projects/-w/id.jsonl"), Some(PathBuf::from("/h/.claude")));
        assert_eq!(of("/h/elsewhere/-w/id.jsonl"), None);
        assert_eq!(of("projects/-w/id.jsonl"), None);
        assert_eq!(of("/id.jsonl"), None);
    }

    #[test]
    fn a_payload_ends_with_its_last_brace() {
        let text = r#"{"hook_event_name":"}","new":{"a":{}}}"#;
        for at in 0..text.len() {
            assert!(!is_whole(&text.as_bytes()[..at]), "{at}");
        }
        assert!(is_whole(text.as_bytes()) && is_whole(format!("{text}\n").as_bytes()));
        assert_eq!(read(&format!("{text} more")).unwrap().event.as_deref(), Some("}"));
    }

    #[test]
    fn what_is_strange_is_left_out() {
        let payload = read(r#"{"hook_event_name":"Stop","session_id":7,"transcript_path":["/a"],"new":{}}"#);
        assert_eq!(payload, Ok(Payload { event: Some("Stop".to_owned()), ..Payload::default() }));
        assert_eq!(read(" \n"), Err(Reason::NoPayload));
        for text in ["{", "nonsense", "3", "[\"SessionEnd\"", "[\"SessionEnd\",\"x\",\"/y\"]", "\u{0}\u{1}"] {
            assert_eq!(read(text), Err(Reason::BadPayload), "{text}");
        }
    }
}
