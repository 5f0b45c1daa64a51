//! Every strange thing a transcript may hold has a defined answer, a name, and keeps its bytes.

use std::ops::ControlFlow;

use steno_transcript::{Kind, Shape, Trouble, read};

/// The pieces of `bytes` in short: type or trouble, line, and what was noticed.
fn pieces(bytes: &[u8]) -> Vec<(String, u64, Vec<Trouble>)> {
    let mut found = Vec::new();
    let mut written = Vec::new();
    read(bytes, |piece| {
        written.extend_from_slice(piece.bytes);
        let name = match &piece.shape {
            Shape::Record(record) => record.kind().name().to_owned(),
            Shape::Blank => "blank".to_owned(),
            Shape::Broken(trouble) => trouble.name().to_owned(),
        };
        found.push((name, piece.place.line, piece.troubles.iter().collect()));
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(written, bytes, "what is read is written back");
    found
}

fn piece(name: &str, line: u64, troubles: &[Trouble]) -> (String, u64, Vec<Trouble>) {
    (name.to_owned(), line, troubles.to_vec())
}

const USER: &str = r#"{"type":"user","uuid":"u1"}"#;
const MODE: &str = r#"{"type":"mode","mode":"plan"}"#;

#[test]
fn a_whole_last_line_without_newline_is_a_record() {
    assert_eq!(pieces(format!("{USER}\n{MODE}").as_bytes()), [piece("user", 1, &[]), piece("mode", 2, &[])]);
}

#[test]
fn a_torn_last_line_is_not_yet_a_record() {
    let text = format!("{USER}\n{{\"type\":\"assistant\",\"mess");
    assert_eq!(pieces(text.as_bytes()), [piece("user", 1, &[]), piece("torn-line", 2, &[Trouble::TornLine])]);
}

#[test]
fn a_torn_line_inside_the_file_is_garbage_and_its_neighbours_are_fine() {
    let text = format!("{USER}\n{{\"type\":\"assis\n{MODE}\n");
    assert_eq!(
        pieces(text.as_bytes()),
        [piece("user", 1, &[]), piece("not-json", 2, &[Trouble::NotJson]), piece("mode", 3, &[])]
    );
}

#[test]
fn half_a_line_before_a_whole_record_does_not_take_it_along() {
    let text = format!("{{\"type\":\"assistant\",\"message\":{{\"content\":\"ha{USER}\n");
    assert_eq!(pieces(text.as_bytes()), [piece("not-json", 1, &[Trouble::NotJson]), piece("user", 1, &[])]);
}

#[test]
fn a_line_broken_a_hundred_thousand_times_overflows_no_stack() {
    let found = pieces(format!("{}\n", r#"{"a{"type":"user","uuid":"u1"}"#.repeat(100_000)).as_bytes());
    assert_eq!(found.len(), 200_000);
    assert!(found.iter().step_by(2).all(|piece| piece.0 == "not-json"));
    assert!(found.iter().skip(1).step_by(2).all(|piece| piece.0 == "user"));
}

#[test]
fn glued_objects_are_records_of_their_own() {
    for glue in ["", " ", "\t", "\0"] {
        let found = pieces(format!("{USER}{glue}{MODE}{glue}{USER}\n").as_bytes());
        assert_eq!(
            found.iter().map(|piece| &*piece.0).collect::<Vec<_>>(),
            ["user", "mode", "user"],
            "{glue:?}"
        );
        assert!(found.iter().all(|piece| piece.1 == 1 && piece.2.contains(&Trouble::GluedObjects)));
    }
}

#[test]
fn braces_inside_a_text_glue_nothing() {
    let text = r#"{"type":"user","message":{"content":"if (a) {b}{c} \"}{\" } {"}}"#;
    assert_eq!(pieces(text.as_bytes()), [piece("user", 1, &[])]);
}

#[test]
fn blank_lines_are_counted_as_such() {
    assert_eq!(
        pieces(format!("\n{USER}\n  \n").as_bytes()),
        [
            piece("blank", 1, &[Trouble::BlankLine]),
            piece("user", 2, &[]),
            piece("blank", 3, &[Trouble::BlankLine])
        ]
    );
}

#[test]
fn windows_line_ends_and_a_byte_order_mark_are_noticed() {
    assert_eq!(
        pieces(format!("\u{feff}{USER}\r\n{MODE}\r\n").as_bytes()),
        [
            piece("user", 1, &[Trouble::CarriageReturn, Trouble::ByteOrderMark]),
            piece("mode", 2, &[Trouble::CarriageReturn])
        ]
    );
}

#[test]
fn nul_bytes_around_an_object_are_skipped() {
    assert_eq!(
        pieces(format!("\0\0{USER}\0\n\0\0\0\0").as_bytes()),
        [piece("user", 1, &[Trouble::NulBytes]), piece("blank", 2, &[Trouble::NulBytes])]
    );
}

#[test]
fn bad_utf8_is_understood_around_the_bad_bytes() {
    let mut bytes = br#"{"type":"user","cwd":"/caf"#.to_vec();
    bytes.extend([0xe9, 0xff]);
    bytes.extend(br#""}{"type":"mode"}"#);
    let found = pieces(&bytes);
    assert_eq!(found.iter().map(|piece| &*piece.0).collect::<Vec<_>>(), ["user", "mode"]);
    assert!(found[0].2.contains(&Trouble::BadUtf8));
}

#[test]
fn spaced_json_is_read_and_named() {
    assert_eq!(pieces(br#"{"type": "user", "uuid": "u"}"#), [piece("user", 1, &[Trouble::SpacedJson])]);
}

#[test]
fn a_line_of_megabytes_is_one_record() {
    let text = format!(r#"{{"type":"user","message":{{"content":"{}"}}}}"#, "x".repeat(5_000_000));
    assert_eq!(pieces(text.as_bytes()), [piece("user", 1, &[Trouble::LongLine])]);
}

#[test]
fn repeated_keys_and_giant_numbers_cost_nothing_else() {
    let text = format!(
        "{}\n{}\n",
        r#"{"type":"mode","type":"user"}"#, r#"{"type":"user","uuid":1e999,"durationMs":9e999}"#
    );
    assert_eq!(pieces(text.as_bytes()), [piece("user", 1, &[Trouble::DuplicateKey]), piece("user", 2, &[])]);
}

#[test]
fn deep_nesting_overflows_no_stack() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let depth = 500_000;
        let nested = format!("{}1{}", open.repeat(depth), close.repeat(depth));
        let text = format!("{{\"type\":\"user\",\"message\":{nested}}}\n{nested}\n");
        assert_eq!(pieces(text.as_bytes())[0].0, "user");
    }
}

#[test]
fn other_json_is_no_record() {
    assert_eq!(
        pieces(b"[1,2]\n\"text\"\n17\nnull\n"),
        (1..=4).map(|line| piece("not-an-object", line, &[Trouble::NotAnObject])).collect::<Vec<_>>()
    );
}

#[test]
fn unknown_types_and_missing_ones_are_records() {
    assert_eq!(
        pieces(b"{\"type\":\"sparkle\"}\n{}\n"),
        [piece("sparkle", 1, &[]), piece("(no type)", 2, &[])]
    );
}

#[test]
fn every_known_type_has_its_name() {
    for name in Kind::KNOWN {
        assert_eq!(Kind::from_name(name).name(), *name);
        assert!(Kind::from_name(name).is_known());
    }
}
