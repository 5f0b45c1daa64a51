//! What was masked, for reports: how many of what kind, and where; never the secret.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Masked {
    /// Occurrences.
    pub total: u64,
    /// Different secrets.
    pub distinct: u64,
    /// By name.
    pub kinds: Vec<MaskedKind>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaskedKind {
    pub kind: String,
    pub count: u64,
    pub distinct: u64,
    /// Each line once, in order.
    pub places: Vec<MaskedPlace>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MaskedPlace {
    /// As the caller numbers the files.
    pub file: u32,
    /// The first is 1.
    pub line: u64,
}
