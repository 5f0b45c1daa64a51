//! The many spellings of a model's name → the one that prices go by.
//!
//! The same model is called otherwise by each cloud, and with the date of its release or without.

/// Without what clouds put around it: `us.anthropic.claude-sonnet-4-5-20250929-v1:0` → `claude-sonnet-4-5`. What is
/// no model of this family stays as it is.
pub(super) fn plain(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let Some(own) = own_part(&lower) else { return lower };
    let own = own.split(['@', ':', '[']).next().unwrap_or(own);
    let own = without_version(own);
    let own = own.strip_suffix("-latest").unwrap_or(own);
    without_date(own).replace('.', "-")
}

/// From `claude` on, where that is a word of its own.
fn own_part(name: &str) -> Option<&str> {
    let mut places = name.match_indices("claude").map(|(place, _)| place);
    let place = places.find(|place| {
        let before = name.get(..*place).and_then(|before| before.chars().last());
        before.is_none_or(|before| matches!(before, '.' | '/' | ':'))
    })?;
    name.get(place..)
}

/// `-v1`, as Bedrock ends its names.
fn without_version(name: &str) -> &str {
    match name.rsplit_once("-v") {
        Some((rest, number)) if is_number(number) => rest,
        _ => name,
    }
}

fn without_date(name: &str) -> &str {
    match name.rsplit_once('-') {
        Some((rest, date)) if date.len() == "20250929".len() && is_number(date) => rest,
        _ => name,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_one_model() {
        for name in [
            "claude-sonnet-4-5",
            "claude-sonnet-4-5-20250929",
            "claude-sonnet-4-5@20250929",
            "claude-sonnet-4-5@default",
            "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
            "anthropic.claude-sonnet-4-5-20250929-v1:0",
            "anthropic/claude-sonnet-4.5",
            "vertex_ai/claude-sonnet-4-5",
            "claude-sonnet-4-5-latest",
            "claude-sonnet-4-5-20250929[1m]",
            "arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0",
            "Claude-Sonnet-4-5",
        ] {
            assert_eq!(plain(name), "claude-sonnet-4-5", "{name}");
        }
        assert_eq!(plain("claude-3.5-haiku"), "claude-3-5-haiku");
        assert_eq!(plain("claude-opus-4-20250514"), "claude-opus-4");
    }

    #[test]
    fn what_is_another_model_stays_another() {
        for name in
            ["qwen3-coder-plus", "not-claude-opus-4-5", "claude-opus-4-5-fast", "claude-", "", "é-20250929"]
        {
            assert_eq!(plain(name), name, "{name}");
        }
    }
}
