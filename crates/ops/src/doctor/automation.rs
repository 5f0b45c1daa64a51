//! The scheduler and the client's settings → whether anything is kept without being asked.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::finding::{Advice, Finding, Severity};
use crate::hook;
use crate::schedule::State;
use crate::workspace::Workspace;

/// How the client installs the plugin whose hooks keep sessions. Its marketplace is a copy of our repository, and only
/// the user knows where that is.
const PLUGIN: &str = "claude plugin marketplace add DIR && claude plugin install steno@stenograph";
/// Settings are small; a larger file is none.
const LARGEST: u64 = 4 * 1024 * 1024;

pub(super) fn findings(workspace: &Workspace, scheduler: State) -> Option<Finding> {
    let install = |finding: Finding| {
        let message = format!("{}; the plugin adds one (DIR is a copy of its repository)", finding.message);
        Finding { message, help: Some(PLUGIN.to_owned()), ..finding }
    };
    match (scheduler, has_hook(workspace)) {
        (State::Active, true) | (State::Unavailable, true) => None,
        (State::Active, false) => {
            let message = "sessions are backed up on schedule only: no hook does it when they end";
            Some(install(Finding::new(Severity::Info, "no-hook", message)))
        }
        (State::Off, true) => {
            let message =
                "sessions are backed up when they end, but there is no schedule for those that never end";
            Some(Finding::new(Severity::Info, "no-schedule", message).helped_by(Advice::ScheduleDaily))
        }
        (State::Off, false) => {
            Some(Finding::new(Severity::Warning, "no-schedule", NOTHING).helped_by(Advice::ScheduleDaily))
        }
        (State::Unavailable, false) => Some(install(Finding::new(Severity::Warning, "no-hook", NOTHING))),
    }
}

const NOTHING: &str = "there is no automatic backup: neither a schedule nor a hook";

/// Whether the client runs us when a session ends: by the plugin, or by its settings.
fn has_hook(workspace: &Workspace) -> bool {
    let own = workspace.dirs.paths.iter().map(|directory| directory.join("settings.json"));
    let project = workspace.project.iter().flat_map(|directory| {
        ["settings.json", "settings.local.json"].map(|name| directory.join(".claude").join(name))
    });
    let mut files = own.chain(project).chain(workspace.managed_settings.clone());
    files.any(|file: PathBuf| read(&file).is_some_and(|settings| keeps(&settings)))
}

fn read(path: &Path) -> Option<Value> {
    let metadata = path.metadata().ok().filter(|metadata| metadata.is_file() && metadata.len() <= LARGEST)?;
    let text = metadata.is_file().then(|| std::fs::read(path).ok())??;
    serde_json::from_slice(text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text)).ok()
}

fn keeps(settings: &Value) -> bool {
    let plugins = settings.get("enabledPlugins").and_then(Value::as_object);
    let mut plugins = plugins.into_iter().flatten();
    let is_plugin =
        plugins.any(|(name, enabled)| name.starts_with("steno@") && *enabled != Value::Bool(false));
    is_plugin || hook::KEPT.iter().any(|event| runs_us(settings, event))
}

fn runs_us(settings: &Value, event: &str) -> bool {
    let matchers = settings.get("hooks").and_then(|hooks| hooks.get(event)).and_then(Value::as_array);
    let hooks =
        matchers.into_iter().flatten().filter_map(|matcher| matcher.get("hooks")?.as_array()).flatten();
    let mut commands = hooks.filter_map(|hook| hook.get("command")?.as_str());
    commands.any(|command| ["steno", "claude-backup"].iter().any(|name| calls(command, name)))
}

/// `steno hook`, also by its path.
fn calls(command: &str, program: &str) -> bool {
    let words: Vec<&str> = command.split_whitespace().map(|word| word.trim_matches(['"', '\''])).collect();
    let is_ours = |word: &str| word.rsplit(['/', '\\']).next() == Some(program);
    words.iter().any(|word| is_ours(word)) && words.contains(&"hook")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_plugin_or_a_hook_of_ones_own_keeps_sessions() {
        let hook =
            |event: &str, command: &str| json!({"hooks": {event: [{"hooks": [{"command": command}]}]}});
        assert!(keeps(&json!({"enabledPlugins": {"steno@stenograph": true}})));
        assert!(keeps(&hook("SessionEnd", "'/home/ann/.local/bin/steno' hook >/dev/null 2>&1 || true")));
        for other in [
            json!({}),
            json!({"enabledPlugins": {"steno@stenograph": false, "other@steno": true}}),
            hook("SessionEnd", "notify steno"),
            hook("PostToolUse", "steno hook"),
            json!({"hooks": [1, {"SessionEnd": 3}]}),
            json!({"hooks": {"SessionEnd": [{"hooks": {}}, null]}}),
        ] {
            assert!(!keeps(&other), "{other}");
        }
    }
}
