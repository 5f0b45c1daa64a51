//! How much of a transcript the builder keeps besides what people read by default.

/// What is kept in addition; nothing by default.
#[derive(Debug, Default, Clone, Copy)]
pub struct Scope {
    /// Noise and hidden messages become chunks too, results without a call and unknown blocks of users are shown, and
    /// texts of users stay as the record has them.
    pub hidden: bool,
    /// System records of all subtypes become chunks; with `hidden` they do anyway.
    pub system_events: bool,
    /// Images and documents keep their data; documents of text do anyway.
    pub media: bool,
}

impl Scope {
    pub(crate) fn has_system_events(self) -> bool {
        self.hidden || self.system_events
    }
}
