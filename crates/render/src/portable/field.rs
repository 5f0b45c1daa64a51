//! The fields of an object that the document has in its own form, and the other fields beside them.

use serde_json::Value;
use serde_json::value::RawValue;
use steno_transcript::wire::Fields;

use super::Object;
use super::value::value;

/// The type that a field must have for the document to take it over.
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

/// The other fields of an object. Of a key that occurs twice the last one counts; null counts as absent.
#[derive(Debug, Default)]
pub(super) struct Rest {
    pub(super) other: Object,
    /// Fields of an unexpected type, or with a name that the document uses itself.
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
