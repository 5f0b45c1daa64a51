//! The name of a tool as people say it.

use std::borrow::Cow;

/// `mcp__server__tool` → `server · tool`; any other name unchanged.
pub fn name(name: &str) -> Cow<'_, str> {
    let parts = name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__"));
    match parts {
        Some((server, tool)) if !server.is_empty() && !tool.is_empty() => {
            Cow::Owned(format!("{server} · {tool}"))
        }
        _ => Cow::Borrowed(name),
    }
}
