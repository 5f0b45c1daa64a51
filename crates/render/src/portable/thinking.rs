//! Thinking inside raw values → nothing. Records of many types repeat messages of the agent, wherever they like;
//! thinking is written only on request, and redacted thinking never.

use serde_json::Value;

use super::Object;
use super::value::is_too_deep;

/// Written in place of text that nests too deep to be looked through.
const UNREAD: &str = "(left out: it nests too deep to be looked through for thinking)";

/// Which thinking is left out.
#[derive(Debug, Clone, Copy)]
pub(super) struct ThinkingFilter {
    /// Thinking that can be read is kept.
    pub(super) keeps_thinking: bool,
}

impl ThinkingFilter {
    /// Takes the blocks out of an object and all below it; gives their number, redacted ones not counted.
    pub(super) fn filter_object(self, object: &mut Object) -> u64 {
        let mut count = 0;
        let mut waiting: Vec<&mut Value> = Vec::new();
        object.retain(|_, value| self.keeps(value, &mut count));
        waiting.extend(object.values_mut());
        self.spread(waiting, count)
    }

    /// Takes the blocks out of all that is below a value.
    pub(super) fn filter_value(self, value: &mut Value) -> u64 {
        self.spread(vec![value], 0)
    }

    fn spread(self, mut waiting: Vec<&mut Value>, mut count: u64) -> u64 {
        while let Some(value) = waiting.pop() {
            match value {
                Value::Array(items) => {
                    items.retain(|item| self.keeps(item, &mut count));
                    waiting.extend(items);
                }
                Value::Object(fields) => {
                    fields.retain(|_, value| self.keeps(value, &mut count));
                    waiting.extend(fields.values_mut());
                }
                Value::String(text) if self.may_break(text) => {
                    count += u64::from(!self.keeps_thinking);
                    UNREAD.clone_into(text);
                }
                _ => {}
            }
        }
        count
    }

    fn keeps(self, value: &Value, count: &mut u64) -> bool {
        match value.get("type").and_then(Value::as_str) {
            Some("redacted_thinking") => false,
            Some("thinking") if !self.keeps_thinking => {
                *count += 1;
                false
            }
            _ => true,
        }
    }

    /// JSON that stayed text.
    fn may_break(self, text: &str) -> bool {
        text.starts_with(['[', '{'])
            && text.contains(if self.keeps_thinking { "redacted_thinking" } else { "thinking" })
            && is_too_deep(text)
    }
}
