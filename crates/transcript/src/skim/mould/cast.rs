//! An answer → the mould of it.

use super::super::scan::Value;
use super::super::strict::{checked, fields, flag, text};
use super::super::{message, scan, usage};
use super::{Cast, Extent, Gap, Number, Same, after_skipped, plain};

impl Cast {
    /// Nothing where the answer has something that is rare.
    pub(super) fn of(line: &str) -> Option<Self> {
        let mut draft =
            Draft { line, from: 0, text: String::new(), pieces: Vec::new(), same: Same::default() };
        let rest = fields(line, |key, rest| draft.field(key, rest))?;
        let end = draft.keep(line.get(draft.from..)?);
        let Draft { text, pieces, same, .. } = draft;
        rest.is_empty().then_some(Self { text, pieces, end, same })
    }
}

/// A mould as far as the line was read.
struct Draft<'a> {
    line: &'a str,
    /// Where the piece began that goes on.
    from: usize,
    text: String,
    pieces: Vec<(Extent, Gap)>,
    same: Same,
}

impl<'a> Draft<'a> {
    fn keep(&mut self, text: &str) -> Extent {
        let start = self.text.len();
        self.text.push_str(text);
        start..self.text.len()
    }

    /// A text, or null, that is taken to be the same next time.
    fn same(&mut self, slot: fn(&mut Same) -> &mut Option<Extent>, json: &'a str) -> Option<&'a str> {
        let (text, rest) = text(json)?;
        let kept = text.map(|text| self.keep(&text));
        *slot(&mut self.same) = kept;
        Some(rest)
    }

    /// Ends the piece before something that differs; gives what follows that.
    fn gap(&mut self, gap: Gap, json: &'a str, rest: Option<&'a str>) -> Option<&'a str> {
        let rest = rest?;
        let piece = self.line.get(self.from..self.line.len() - json.len())?;
        let piece = self.keep(piece);
        self.pieces.push((piece, gap));
        self.from = self.line.len() - rest.len();
        Some(rest)
    }

    fn text_gap(&mut self, gap: Gap, json: &'a str) -> Option<&'a str> {
        self.gap(gap, json, plain(json).map(|(_, rest)| rest))
    }

    fn number_gap(&mut self, number: Number, json: &'a str) -> Option<&'a str> {
        self.gap(Gap::Number(number), json, usage::count(json).map(|(_, rest)| rest))
    }

    fn checked_gap(&mut self, json: &'a str) -> Option<&'a str> {
        self.gap(Gap::Checked, json, checked(json).map(|(_, rest)| rest))
    }

    /// A text that is nearly always the same, and that nobody asks for; or whatever stands in its place.
    fn name(&mut self, json: &'a str) -> Option<&'a str> {
        match text(json) {
            Some((_, rest)) => Some(rest),
            None => self.checked_gap(json),
        }
    }

    fn field(&mut self, key: &str, json: &'a str) -> Option<&'a str> {
        match key {
            "type" => json.strip_prefix("\"assistant\""),
            "uuid" => self.text_gap(Gap::Uuid, json),
            "parentUuid" => null(json).or_else(|| self.text_gap(Gap::Parent, json)),
            "timestamp" => self.text_gap(Gap::Timestamp, json),
            "requestId" => self.text_gap(Gap::Request, json),
            "message" => self.message(json),
            "sessionId" => self.same(|same| &mut same.session_id, json),
            "cwd" => self.same(|same| &mut same.cwd, json),
            "version" => self.same(|same| &mut same.version, json),
            "gitBranch" => self.same(|same| &mut same.git_branch, json),
            "slug" => self.same(|same| &mut same.slug, json),
            "isSidechain" => {
                let (is_sidechain, rest) = flag(json)?;
                self.same.is_sidechain = is_sidechain;
                Some(rest)
            }
            "userType" | "entrypoint" => text(json).map(|(_, rest)| rest),
            "isMeta" | "isCompactSummary" | "isApiErrorMessage" => {
                null(json).or_else(|| json.strip_prefix("false"))
            }
            "leafUuid" | "summary" | "customTitle" | "aiTitle" | "userFeedback" | "toolUseResult"
            | "attachment" => None,
            _ => match scan::value(json.as_bytes())? {
                (Value::Flag(_) | Value::Null, _) => after_skipped(json),
                _ => self.gap(Gap::Skipped, json, after_skipped(json)),
            },
        }
    }

    fn message(&mut self, json: &'a str) -> Option<&'a str> {
        self.same.has_message = true;
        fields(json, |key, json| match key {
            "id" => self.text_gap(Gap::Id, json),
            "model" => self.same(|same| &mut same.model, json),
            "stop_reason" => self.gap(Gap::StopReason, json, text(json).map(|(_, rest)| rest)),
            "content" => self.gap(Gap::Content, json, message::after_content(json)),
            "usage" => null(json).or_else(|| self.usage(json)),
            "type" | "role" | "stop_sequence" => self.name(json),
            _ => self.checked_gap(json),
        })
    }

    fn usage(&mut self, json: &'a str) -> Option<&'a str> {
        self.same.has_usage = true;
        fields(json, |key, json| match key {
            "input_tokens" => self.number_gap(Number::Input, json),
            "output_tokens" => self.number_gap(Number::Output, json),
            "cache_read_input_tokens" => self.number_gap(Number::CacheRead, json),
            "cache_creation_input_tokens" => self.number_gap(Number::CacheCreation, json),
            "cache_creation" => null(json).or_else(|| self.lifetimes(json)),
            "server_tool_use" => null(json).or_else(|| self.tools(json)),
            "speed" => self.same(|same| &mut same.speed, json),
            "inference_geo" => self.same(|same| &mut same.region, json),
            "service_tier" => self.name(json),
            _ => self.checked_gap(json),
        })
    }

    fn lifetimes(&mut self, json: &'a str) -> Option<&'a str> {
        self.same.has_lifetimes = true;
        fields(json, |key, json| match key {
            "ephemeral_5m_input_tokens" => self.number_gap(Number::FiveMinutes, json),
            "ephemeral_1h_input_tokens" => self.number_gap(Number::OneHour, json),
            _ => self.checked_gap(json),
        })
    }

    fn tools(&mut self, json: &'a str) -> Option<&'a str> {
        self.same.has_tools = true;
        fields(json, |key, json| match key {
            "web_search_requests" => self.number_gap(Number::WebSearches, json),
            _ => self.checked_gap(json),
        })
    }
}

fn null(json: &str) -> Option<&str> {
    json.strip_prefix("null")
}
