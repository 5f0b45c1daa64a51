//! The text of a document as it grows, whatever it is written in.

#[derive(Debug, Default)]
pub(crate) struct TextBuffer {
    text: String,
}

impl TextBuffer {
    /// An empty line between two parts.
    pub(crate) fn gap(&mut self) {
        if !self.text.is_empty() {
            self.end_line();
            self.text.push('\n');
        }
    }

    pub(crate) fn end_line(&mut self) {
        if !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// Byte for byte.
    pub(crate) fn verbatim(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(crate) fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub(crate) fn finish(mut self) -> String {
        self.end_line();
        self.text
    }
}
