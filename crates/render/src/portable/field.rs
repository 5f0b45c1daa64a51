//! The fields of an object that the document tells in its own way, and what is left beside them.

use serde_json::Value;
use serde_json::value::RawValue;
use steno_transcript::wire::Fields;

use super::Object;
use super::value::value;

/// What a field must be for the document to tell it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Form {
    Text,
    Flag,
    /// A text, a list of blocks, or a block.
    Content,
    /// This text and no other.
    Word(&'static str),
    Any,
}

impl Form {
    fn fits(self, raw: &RawValue) -> bool {
        let json = raw.get();
        let first = json.bytes().next();
        match self {
            Self::Text => first == Some(b'"'),
            Self::Flag => matches!(json, "true" | "false"),
            Self::Content => matches!(first, Some(b'"' | b'[' | b'{')),
            Self::Word(word) => json.strip_prefix('"').and_then(|json| json.strip_suffix('"')) == Some(word),
            Self::Any => true,
        }
    }
}

/// What an object says besides what is told; of a key that is there twice, the last counts, and null says nothing.
#[derive(Debug, Default)]
pub(super) struct Rest {
    pub(super) other: Object,
    /// What is not as it should be, or has a name of the document's own.
    pub(super) odd: Object,
}

impl Rest {
    pub(super) fn of(fields: &Fields<'_>, told: &[(&str, Form)], ours: &[&str]) -> Self {
        let mut rest = Self::default();
        for (name, raw) in fields.iter().filter(|(_, raw)| raw.get() != "null") {
            let form = told.iter().find(|(key, _)| *key == name).map(|(_, form)| form);
            let aside = match form {
                Some(form) if form.fits(raw) => continue,
                Some(_) => &mut rest.odd,
                None if ours.contains(&name) || name == ODD => &mut rest.odd,
                None => &mut rest.other,
            };
            aside.insert(name.to_owned(), value(raw));
        }
        rest
    }

    /// Both, what is odd under a name of its own.
    pub(super) fn together(mut self) -> Object {
        if !self.odd.is_empty() {
            self.other.insert(ODD.to_owned(), Value::Object(self.odd));
        }
        self.other
    }
}

pub(super) const ODD: &str = "odd_fields";
