//! What a message cost → the `usage` object of its era.

use serde_json::{Value, json};

use crate::Era;

/// What a message cost, as the API counts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    pub input: u64,
    pub output: u64,
    pub cache_read: u64,
    pub cache_5m: u64,
    pub cache_1h: u64,
}

impl Usage {
    pub const NOTHING: Self = Self { input: 0, output: 0, cache_read: 0, cache_5m: 0, cache_1h: 0 };

    pub(super) fn add(&mut self, other: Self) {
        self.input += other.input;
        self.output += other.output;
        self.cache_read += other.cache_read;
        self.cache_5m += other.cache_5m;
        self.cache_1h += other.cache_1h;
    }

    /// One of the samplings that a message is made of.
    pub(super) fn iteration(self, kind: &str, model: Option<&str>) -> Value {
        let mut json = self.to_json(Era::V2_1_325);
        let counts = json.as_object_mut().expect("usage is an object");
        counts.retain(|key, _| key.ends_with("_tokens") || key == "cache_creation");
        counts.insert("type".to_owned(), json!(kind));
        if let Some(model) = model {
            counts.insert("model".to_owned(), json!(model));
        }
        json
    }

    pub(super) fn to_json(self, era: Era) -> Value {
        let written = self.cache_5m + self.cache_1h;
        if era == Era::V2_1_325 {
            return json!({
                "input_tokens": self.input, "cache_creation_input_tokens": written,
                "cache_read_input_tokens": self.cache_read, "output_tokens": self.output,
                "output_tokens_details": {"thinking_tokens": 0},
                "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0},
                "service_tier": "standard",
                "cache_creation": {
                    "ephemeral_1h_input_tokens": self.cache_1h, "ephemeral_5m_input_tokens": self.cache_5m,
                },
                "inference_geo": "", "iterations": [], "speed": "standard", "fallback_credit": null,
            });
        }
        json!({
            "input_tokens": self.input, "cache_creation_input_tokens": written,
            "cache_read_input_tokens": self.cache_read,
            "cache_creation": {
                "ephemeral_5m_input_tokens": self.cache_5m, "ephemeral_1h_input_tokens": self.cache_1h,
            },
            "output_tokens": self.output, "service_tier": "standard",
        })
    }
}

impl Default for Usage {
    fn default() -> Self {
        Self { input: 10, output: 200, cache_read: 1000, cache_5m: 100, cache_1h: 0 }
    }
}
