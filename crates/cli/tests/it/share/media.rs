//! What is written into pictures leaves with none of them.

use serde_json::json;
use steno_testkit::secrets::{BASE62, draw};
use steno_testkit::{App, Session};

const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn base64(bytes: &[u8]) -> String {
    let groups = bytes.chunks(3).map(|group| {
        let bits =
            group.iter().fold(0, |bits, byte| bits << 8 | usize::from(*byte)) << (8 * (3 - group.len()));
        let letters: Vec<char> = [18, 12, 6, 0].map(|shift| char::from(BASE64[bits >> shift & 63])).to_vec();
        let known = letters.into_iter().take(group.len() + 1);
        known.chain(std::iter::repeat_n('=', 3 - group.len())).collect::<String>()
    });
    groups.collect()
}

fn png(text: &[u8]) -> Vec<u8> {
    let chunk = |kind: &[u8], data: &[u8]| [&(data.len() as u32).to_be_bytes(), kind, data, b"crc!"].concat();
    let texts = if text.is_empty() { Vec::new() } else { chunk(b"tEXt", text) };
    let end = [chunk(b"IDAT", b"pixels"), chunk(b"IEND", b"")].concat();
    [b"\x89PNG\r\n\x1a\n".to_vec(), chunk(b"IHDR", &[0; 13]), texts, end].concat()
}

#[test]
fn a_picture_is_given_away_without_what_is_written_into_it() {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    let token = format!("{}{}", ["gh", "p_"].concat(), draw(BASE62, 36, 5));
    let written = base64(&png(format!("Comment\0{token}").as_bytes()));
    let session = Session::numbered(1).user("Look at this");
    app.write(&session);
    let image =
        json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": written}});
    let message = json!({"role": "user", "content": [{"type": "text", "text": "see"}, image]});
    let uuid = "00000000-0000-4000-8000-000000000009";
    let record =
        json!({"type": "user", "uuid": uuid, "timestamp": "2026-11-01T00:00:09.000Z", "message": message});
    app.home().append(&session, format!("{record}\n").as_bytes());
    for format in ["html", "json", "jsonl"] {
        let whole = "--full-results --all --agents --thinking";
        let line = format!("dump last --redact --format {format} {whole}");
        let output = app.output(&line.split(' ').collect::<Vec<_>>());
        let shown = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && !shown.contains(&written[80..120]), "{format}");
        assert!(format != "jsonl" || shown.contains(&base64(&png(b""))), "{shown}");
    }
}
