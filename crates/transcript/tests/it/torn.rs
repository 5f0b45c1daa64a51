//! A record behind half of another is found by whoever only skims, too.

use std::ops::ControlFlow;

use steno_transcript::{Kind, LineReader, Piece, Place, Shape, read, skim_lines};

/// As the client writes them, with the session before the payload and behind it.
const PROGRESS: [&str; 2] = [
    r#"{"parentUuid":null,"sessionId":"s","type":"progress","data":{"output":"a {é:\\ \"x\": ","list":[{"n":1},{}],"message":{"type":"user","uuid":"i","message":{"content":"in {"}}},"toolUseID":"t","uuid":"p","timestamp":"now"}"#,
    r#"{"type":"progress","data":{"output":"a, {","list":[true,{"n":[]}]},"uuid":"p","sessionId":"s"}"#,
];
const USER: [&str; 3] = [
    r#"{"parentUuid":null,"sessionId":"s","type":"user","message":{"content":"say \"it"},"uuid":"u"}"#,
    r#"{"type":"user","message":{"content":[{"type":"text","text":"{"}]},"uuid":"u","sessionId":"s"}"#,
    r#"{ "type": "user", "message": { "content": "x" }, "uuid": "u", "sessionId": "s" }"#,
];

/// Every way to tear the one and go on with the other, a line each.
fn torn_lines() -> Vec<u8> {
    let mut lines = Vec::new();
    for (progress, user) in PROGRESS.iter().flat_map(|progress| USER.map(|user| (progress, user))) {
        for torn in 0..=progress.len() {
            for between in ["", "  ", "\t", "\0"] {
                lines.extend_from_slice(progress.as_bytes().get(..torn).unwrap());
                lines.extend_from_slice(format!("{between}{user}\n").as_bytes());
            }
        }
    }
    lines
}

#[test]
fn what_follows_a_torn_record_is_skimmed_wherever_it_was_torn() {
    let lines = torn_lines();
    let (mut read_users, mut skimmed_users) = (Vec::new(), Vec::new());
    read(&lines[..], |piece| note_user(&piece, &mut read_users)).unwrap();
    skim_lines(&mut LineReader::new(&lines[..]), |piece| note_user(&piece, &mut skimmed_users)).unwrap();
    assert!(read_users.len() > 2000);
    let differing = skimmed_users.iter().zip(&read_users).find(|(skimmed, read)| skimmed != read);
    assert_eq!((differing, skimmed_users.len()), (None, read_users.len()));
}

fn note_user(piece: &Piece<'_>, seen: &mut Vec<Place>) -> ControlFlow<()> {
    if let Shape::Record(record) | Shape::Skimmed(record) = &piece.shape
        && (record.kind(), record.envelope.uuid.as_deref()) == (Kind::User, Some("u"))
    {
        seen.push(piece.place);
    }
    ControlFlow::Continue(())
}
