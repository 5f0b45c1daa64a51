//! A session of the client, clones of it, and what the client makes of them.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use serde_json::{Value, json};
use steno_edit::predict::{self, Prediction, Predictor};
use steno_edit::{CloneOptions, CloneWriter, Identity, OutlineBuilder, plan};
use steno_testkit::client::{Client, Stage, sent_before};
use steno_transcript::{Piece, read};

use crate::client::wishes;

const ID: &str = "5e551011-0000-4000-8000-000000000001";
/// It names a script that says one thing, so that what was said before is not done again.
const PROMPT: &str = "go on mock:slow=0";

pub(crate) struct Scene {
    stage: Stage,
    pub(crate) project: PathBuf,
}

impl Scene {
    pub(crate) fn set() -> Option<Self> {
        let stage = Stage::set("")?;
        let project = stage.project("a");
        Some(Self { stage, project })
    }

    /// A session of these prompts.
    pub(crate) fn say(&self, prompts: &[&str]) {
        let (first, rest) = prompts.split_first().unwrap();
        self.stage.prompt(&self.project, &["--session-id", ID, first]);
        rest.iter().for_each(|prompt| self.say_more(prompt));
    }

    pub(crate) fn say_more(&self, prompt: &str) {
        self.stage.prompt(&self.project, &["--resume", ID, prompt]);
    }

    pub(crate) fn records(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.transcript(ID)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// What the session is about is really in it.
    pub(crate) fn assert_holds(&self, words: &[&str]) {
        let text = fs::read_to_string(self.transcript(ID)).unwrap();
        words.iter().for_each(|word| assert!(text.contains(word), "the client wrote no {word}"));
    }

    pub(crate) fn rewrite(&self, records: &[Value]) {
        let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
        fs::write(self.transcript(ID), lines).unwrap();
    }

    /// Has the client go back to the answer before a prompt.
    pub(crate) fn say_instead_of(&self, prompt: &str, other: &str) {
        let records = self.records();
        let turned = records.iter().position(|record| says(record, prompt)).unwrap();
        let answer = records[..turned].iter().rfind(|record| record["type"] == "assistant").unwrap();
        let is_by_message = predict_as() == predict::Client::V2_0;
        let at = if is_by_message { &answer["message"]["id"] } else { &answer["uuid"] };
        let at = ["--resume-session-at", at.as_str().unwrap()];
        self.stage.prompt(&self.project, &[&["--resume", ID], &at[..], &[other]].concat());
    }

    /// Goes back to before a prompt: the newest client notes the leaf, older ones take the latest record, for which a
    /// prompt of ours stands.
    pub(crate) fn rewind_to(&self, prompt: &str) {
        let mut records = self.records();
        let mut turned = records.iter().find(|record| says(record, prompt)).unwrap().clone();
        let above = turned["parentUuid"].clone();
        if is_newest() {
            records
                .push(json!({ "type": "last-prompt", "leafUuid": above, "explicit": true, "sessionId": ID }));
        } else {
            let last = records.iter().rfind(|record| record["uuid"].is_string()).unwrap();
            turned["timestamp"] = json!(later(last["timestamp"].as_str().unwrap()));
            turned["uuid"] = json!("5e551011-0000-4000-8000-00000000000f");
            turned["message"]["content"] = json!("Never mind.");
            records.push(turned);
        }
        self.rewrite(&records);
    }

    /// Every wish, and the session itself.
    pub(crate) fn check_all(&self) {
        let bytes = fs::read(self.transcript(ID)).unwrap();
        let mut failures: Vec<String> = Vec::new();
        let mut check = |name: &str, id: &str| {
            failures.extend(self.difference(id, &bytes).map(|said| format!("{name}: {said}")))
        };
        let mut count = 0;
        for (name, wish) in wishes::all(&middle(&self.records())) {
            count += 1;
            let id = format!("5e551011-0000-4000-9000-{count:012}");
            match cloned(&bytes, &wish, &id) {
                Ok(clone) => {
                    fs::write(self.transcript(&id), clone).unwrap();
                    check(name, &id);
                }
                Err(refusal) => println!("{name}: {refusal}"),
            }
        }
        check("the session itself", ID);
        assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), count + 1, failures.join("\n"));
        println!("{} sessions were resumed as predicted", count + 1);
    }

    /// Resumes a session and tells where the client went another way.
    fn difference(&self, id: &str, original: &[u8]) -> Option<String> {
        let bytes = fs::read(self.transcript(id)).unwrap();
        let Prediction { messages: expected, uncertain } = predicted(&bytes, original);
        let known = self.stage.api.requests().len();
        self.stage.prompt(&self.project, &["--resume", id, PROMPT]);
        let requests = self.stage.api.requests();
        let names_prompt = |request: &&Value| {
            request["tools"] != json!([]) && request["messages"].to_string().contains(PROMPT)
        };
        let request = requests[known..].iter().find(names_prompt).unwrap();
        let sent = sent_before(request, PROMPT, &expected);
        if sent == expected && !expected.is_empty() && uncertain.is_empty() {
            return None;
        }
        let same = sent.iter().zip(&expected).take_while(|(sent, expected)| sent == expected).count();
        let shown = |messages: &[Value]| {
            messages.get(same).map_or("nothing".to_owned(), |message| clipped(&message.to_string()))
        };
        Some(format!(
            "message {same}\n  sent      {}\n  predicted {}\n  uncertain {uncertain:?}",
            shown(&sent),
            shown(&expected)
        ))
    }

    fn transcript(&self, id: &str) -> PathBuf {
        self.stage.transcript(&self.project, id)
    }
}

fn says(record: &Value, prompt: &str) -> bool {
    record["type"] == "user" && record["message"]["content"].to_string().contains(prompt)
}

fn clipped(text: &str) -> String {
    text.chars().take(600).collect()
}

pub(crate) fn is_newest() -> bool {
    predict_as() == predict::Client::Newest
}

/// The client that the tests run with.
fn predict_as() -> predict::Client {
    match Client::version().as_deref() {
        Some(version) if version.starts_with("2.0.") => predict::Client::V2_0,
        Some("2.1.56") => predict::Client::V2_1,
        _ => predict::Client::Newest,
    }
}

fn predicted(bytes: &[u8], original: &[u8]) -> Prediction {
    let mut predictor = Predictor::default();
    each_piece(original, |piece| predictor.learn(piece));
    each_piece(bytes, |piece| predictor.observe(piece));
    predictor.messages(predict_as())
}

fn cloned(bytes: &[u8], wish: &CloneOptions, id: &str) -> Result<Vec<u8>, String> {
    let mut builder = OutlineBuilder::default();
    each_piece(bytes, |piece| builder.observe(piece));
    let outline = builder.finish();
    let plan = plan(&outline, wish).map_err(|refusal| refusal.to_string())?;
    let identity = Identity::new(vec![ID.to_owned()], id);
    let mut writer = CloneWriter::new(&outline, &plan, &identity);
    let mut written = Vec::new();
    each_piece(bytes, |piece| written.extend_from_slice(&writer.piece(piece)));
    written.extend(writer.end());
    Ok(written)
}

fn each_piece(bytes: &[u8], mut visit: impl FnMut(&Piece<'_>)) {
    let visit = |piece: Piece<'_>| {
        visit(&piece);
        ControlFlow::Continue(())
    };
    read(bytes, visit).unwrap();
}

/// A record in the middle of what was said.
fn middle(records: &[Value]) -> String {
    let spoken: Vec<&Value> = records.iter().filter(|record| record["type"] == "assistant").collect();
    spoken[spoken.len() / 2]["uuid"].as_str().unwrap().to_owned()
}

/// A second after a time: the client writes milliseconds and `Z`.
fn later(time: &str) -> String {
    let time: jiff::Timestamp = time.parse().unwrap();
    (time + jiff::SignedDuration::from_secs(1)).to_string()
}
