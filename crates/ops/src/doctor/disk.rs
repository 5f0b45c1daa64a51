//! What discovery and the client's registry found → findings.

use std::collections::HashSet;
use std::path::Path;
use std::time::SystemTime;

use steno_source::{LiveEntry, Warning, WarningKind};

use super::finding::{Advice, Finding, Severity};
use crate::live::LiveSessions;
use crate::shell;
use crate::warning;
use crate::workspace::Workspace;

pub(super) fn findings(
    workspace: &Workspace,
    live_sessions: &LiveSessions,
    kept: &HashSet<String>,
) -> Vec<Finding> {
    let dirs = &workspace.dirs;
    let beside = beside_agents(live_sessions);
    let strange = live_sessions.warnings.iter().chain(&beside);
    let mut findings: Vec<Finding> = strange.map(|warning| of_discovery(warning, kept)).collect();
    for claude_dir in &dirs.paths {
        if dirs.is_default && !claude_dir.exists() {
            let message = "there is no Claude directory: the client has not run here yet";
            findings.push(Finding::new(Severity::Info, "missing-directory", message).at(claude_dir));
        }
        let registry = steno_source::live(claude_dir);
        findings.extend(registry.warnings.iter().map(|warning| Finding::of(&warning::on_disk(warning))));
        let now = SystemTime::from(dirs.now);
        let gone = registry.entries.iter().filter(|entry| !steno_source::is_alive(entry, now));
        findings.extend(gone.map(|entry| stale(entry, live_sessions)));
    }
    findings
}

/// Discovery leaves these files closed.
fn beside_agents(live_sessions: &LiveSessions) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let agents = live_sessions.sessions.iter().flat_map(|session| &session.agents);
    for agent in agents.chain(live_sessions.orphans.iter().map(|orphan| &orphan.agent)) {
        agent.read_meta(&mut warnings);
    }
    warnings
}

fn of_discovery(warning: &Warning, kept: &HashSet<String>) -> Finding {
    let finding = Finding::of(&warning::on_disk(warning));
    let name = |path: &Path| path.file_stem().map(|name| name.to_string_lossy().into_owned());
    match (warning.kind, name(&warning.path)) {
        (WarningKind::LeftoverDirectory, Some(id)) => {
            let advice = kept.contains(&id).then(|| Advice::Restore { session: id.clone(), cwd: None });
            finding.session(id).helped_by(advice)
        }
        (WarningKind::DuplicateSession, Some(id)) => finding.session(id),
        _ => finding,
    }
}

/// Its client was killed: what it was about can be taken up again.
fn stale(entry: &LiveEntry, live_sessions: &LiveSessions) -> Finding {
    let message = format!("names a running client, but process {} no longer exists", entry.pid);
    let finding = Finding::new(Severity::Info, "stale-registry", message).at(&entry.path);
    let is_there = live_sessions.sessions.iter().any(|session| session.id == entry.session_id);
    let cwd = entry.cwd.as_deref().filter(|cwd| is_there && cwd.is_dir()).and_then(Path::to_str);
    let help = cwd.map(|cwd| shell::resume(Some(cwd), None, Some(entry.session_id.as_str())));
    Finding { help, ..finding.session(entry.session_id.as_str()) }
}
