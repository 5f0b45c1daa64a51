//! Small sessions → what is known of their records.

pub(crate) mod sample;

use serde_json::{Value, json};

use self::sample::{SESSION, outline, preserving, prompt, record, summary, surveyed, with};
use super::*;

fn blocks(content: Value) -> Vec<(BlockKind, Option<String>, bool)> {
    let message = json!({"role": "assistant", "id": "m", "content": content});
    let outline = outline(&[with(record("assistant", "a", ""), "message", message)]);
    let text = |block: &Block| block.tool.map(|tool| outline.text(tool).to_owned());
    outline.nodes[0].blocks.iter().map(|block| (block.kind, text(block), block.is_blank)).collect()
}

#[test]
fn a_record_keeps_its_ids_and_what_it_is() {
    let outline = outline(&[
        prompt("a", ""),
        with(with(prompt("b", "a"), "isMeta", json!(true)), "isSidechain", json!(true)),
        preserving("c", "d", &["a"]),
        summary("d", "c"),
    ]);
    let [a, b, c, d] = &outline.nodes[..] else { panic!() };
    assert_eq!((outline.text(a.uuid.unwrap()), a.parent, b.parent), ("a", None, a.uuid));
    assert_eq!((a.is_prompt, b.is_prompt, d.is_prompt), (true, false, false));
    assert!(b.is_meta && b.is_sidechain && c.is_boundary && d.is_compact_summary && a.is_text && !a.is_odd);
    assert_eq!(a.session, outline.find(SESSION));
    let preserved = Preserved { anchor: d.uuid, uuids: vec![a.uuid.unwrap()], is_whole: true };
    assert_eq!(c.preserved.as_deref(), Some(&preserved));
    assert_eq!(outline.bearer(d.uuid.unwrap()), Some(NodeId(3)));
    assert!(outline.is_terminated());
}

#[test]
fn blocks_say_what_they_are() {
    let call = json!({"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "ls"}});
    let server = json!({"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}});
    let answered = json!({"type": "web_search_tool_result", "tool_use_id": "s", "content": []});
    let thinking = json!({"type": "thinking", "thinking": "", "signature": "x"});
    let found =
        blocks(json!([thinking, call, server, answered, {"type": "text", "text": " \n"}, {"type": "novel"}]));
    let tool = |id: &str| Some(id.to_owned());
    assert_eq!(
        found,
        [
            (BlockKind::Thinking, None, true),
            (BlockKind::Call, tool("t"), false),
            (BlockKind::ServerCall, tool("s"), false),
            (BlockKind::ServerResult, tool("s"), false),
            (BlockKind::Text, None, true),
            (BlockKind::Unknown, None, false),
        ]
    );
}

#[test]
fn a_prompt_that_waited_in_the_queue_is_a_prompt() {
    let queued = |mode: &str| {
        let attachment = json!({"type": "queued_command", "prompt": "and this", "commandMode": mode});
        with(record("attachment", mode, ""), "attachment", attachment)
    };
    let outline = outline(&[queued("prompt"), queued("task-notification")]);
    assert_eq!(outline.nodes.iter().map(|node| node.is_prompt).collect::<Vec<_>>(), [true, false]);
    assert!(outline.nodes[0].tokens > 0);
}

#[test]
fn references_are_those_by_name_and_those_that_meet_a_record() {
    let uuid = "0a000000-0000-4000-8000-00000000000a";
    let lost = "0a000000-0000-4000-8000-00000000000b";
    let outline = outline(&[
        prompt(uuid, ""),
        json!({"type": "novel", "about": uuid, "other": lost}),
        json!({"type": "file-history-snapshot", "messageId": lost, "snapshot": {"messageId": lost}}),
    ]);
    let text = |node: &Node| node.references.iter().map(|id| outline.text(*id)).collect::<Vec<_>>().join(" ");
    assert_eq!(outline.nodes.iter().map(text).collect::<Vec<_>>(), ["", uuid, lost]);
}

#[test]
fn a_segment_is_the_way_from_its_tail_to_its_head() {
    let segment = |head: &str| {
        let ends = json!({"headUuid": head, "anchorUuid": "s", "tailUuid": "d"});
        let mut end = preserving("x", "", &[]);
        end["compactMetadata"] = json!({"preservedSegment": ends});
        let records = [
            prompt("a", ""),
            prompt("b", "a"),
            record("progress", "c", "b"),
            prompt("d", "c"),
            end,
            summary("s", "x"),
        ];
        let outline = outline(&records);
        let preserved = outline.nodes[4].preserved.clone().unwrap();
        let uuids = preserved.uuids.iter().map(|id| outline.text(*id).to_owned()).collect::<Vec<_>>();
        (uuids, preserved.is_whole)
    };
    assert_eq!(segment("b"), (vec!["b".to_owned(), "d".to_owned()], true));
    assert!(!segment("gone").1);
}

#[test]
fn what_is_no_record_has_its_place_unless_it_is_blank() {
    let outline =
        surveyed("\n \nnonsense\n{\"type\":\"mode\"}{\"type\":\"user\",\"message\":{}}\n{\"type\":\"us");
    let kinds: Vec<_> = outline.nodes.iter().map(|node| node.kind.as_ref().map(Kind::name)).collect();
    assert_eq!(kinds, [None, Some("mode"), Some("user"), None]);
    let lines: Vec<_> = outline.nodes.iter().map(|node| node.place.line).collect();
    assert_eq!(lines, [3, 4, 4, 5]);
    assert!(outline.nodes[2].is_odd && !outline.is_terminated());
    let bytes: u64 = outline.nodes.iter().map(|node| u64::from(node.bytes)).sum();
    assert_eq!(3 + bytes, outline.nodes[3].place.offset + u64::from(outline.nodes[3].bytes));
}

#[test]
fn blank_lines_take_no_room_and_nodes_little() {
    assert!(surveyed(&"\n".repeat(1000)).nodes.is_empty());
    assert!(size_of::<Node>() <= 192, "{}", size_of::<Node>());
}

#[test]
fn a_later_reading_knows_its_nodes_and_whether_the_file_is_the_same() {
    let old = "{\"a\":1}\n\n{\"b\":2}\nno\n";
    let outline = surveyed(old);
    let reread = |text: &str| {
        let mut reading = Rereading::new(&outline);
        let mut nodes = Vec::new();
        steno_transcript::read(text.as_bytes(), |piece| {
            nodes.push(reading.node(&piece).map(|node| node.0));
            std::ops::ControlFlow::Continue(())
        })
        .unwrap();
        (nodes, reading.is_same())
    };
    assert_eq!(reread(old), (vec![Some(0), None, Some(1), Some(2)], true));
    for other in ["{\"a\":1}\n\n{\"b\":2}\n", "{\"a\":1}\n{\"b\":2}\n\nno\n", "{\"a\":12}\n{\"b\":2}\nno\n"] {
        assert!(!reread(other).1, "{other}");
    }
    assert!(!reread(&format!("{old}{{}}\n")).1);
}
