//! What goes wrong in real files, written on purpose.

use serde_json::Value;

use super::Session;

impl Session {
    /// Exactly these bytes, with no newline added.
    pub fn raw(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.bytes.extend_from_slice(bytes.as_ref());
        self
    }

    /// A line of something that is not JSON.
    pub fn garbage(self) -> Self {
        self.raw(b"not json at all {\n")
    }

    pub fn blank_line(self) -> Self {
        self.raw(b"\n")
    }

    /// A line that is not UTF-8, inside a JSON string.
    pub fn bad_utf8(self) -> Self {
        self.raw(b"{\"type\":\"custom-title\",\"customTitle\":\"\xff\xfe\"}\n")
    }

    /// Takes away the last newline, so that the next record is glued to the last.
    pub fn glue(mut self) -> Self {
        assert_eq!(self.bytes.pop(), Some(b'\n'), "nothing to glue to");
        self
    }

    /// The last line ends with CRLF.
    pub fn crlf(self) -> Self {
        self.glue().raw(b"\r\n")
    }

    /// Repeats the last line byte for byte.
    pub fn repeat_last(mut self) -> Self {
        let end = self.bytes.len() - 1;
        let start = self.bytes[..end].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        self.bytes.extend_from_within(start..=end);
        self
    }

    /// Cuts the file in the middle of its last line, as a write in progress looks.
    pub fn torn(mut self) -> Self {
        let end = self.bytes.len() - 1;
        let start = self.bytes[..end].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        self.bytes.truncate(start + (end - start) / 2);
        self
    }

    /// A record with spaces after colons and commas, as other writers put them.
    pub fn spaced(self, record: &Value) -> Self {
        let pretty = serde_json::to_string_pretty(record).expect("a JSON value is writable");
        let line: Vec<&str> = pretty.lines().map(str::trim_start).collect();
        self.raw(line.join(" ")).raw(b"\n")
    }
}
