//! `cargo xtask dependencies`: the licences and sources of everything the workspace builds, against `deny.toml`.
//!
//! cargo-deny, which CI runs, takes minutes to build; cargo itself can name licences and sources, so that a checkout
//! needs nothing more for the rules that ask no network. Advisories do, and are left to CI.

use std::fs;
use std::path::Path;

use crate::failure::Failure;
use crate::invocation::Invocation;
use crate::options::Options;
use crate::workspace::Workspace;

const RULES: &str = "deny.toml";
/// Name, version and source, then the licence.
const FORMAT: &str = "{p}\t{l}";
const OR: [&str; 2] = [" OR ", "/"];
const AND: &str = " AND ";

pub(crate) fn run(workspace: &Workspace, _options: &Options) -> Result<(), Failure> {
    check(workspace)
}

pub(crate) fn check(workspace: &Workspace) -> Result<(), Failure> {
    let path = workspace.root.join(RULES);
    let rules = fs::read_to_string(&path).map_err(|error| unreadable(&path, &error))?;
    let (allowed, targets) = (listed(&rules, "allow"), listed(&rules, "targets"));
    let tree = Invocation::cargo("tree --workspace --locked --prefix none --format").argument(FORMAT);
    let tree = targets.iter().fold(tree, |tree, target| tree.arguments(["--target", target]));
    let mut packages: Vec<String> = tree.output(&workspace.root)?.lines().map(str::to_owned).collect();
    packages.sort();
    packages.dedup();
    let refused = packages.iter().filter_map(|package| refusal(package, &allowed, &workspace.root));
    let refused: Vec<String> = refused.collect();
    if refused.is_empty() { Ok(()) } else { Err(Failure::new(refused.join("\n"))) }
}

/// The strings of a list in `deny.toml`.
fn listed<'a>(rules: &'a str, name: &str) -> Vec<&'a str> {
    let open = format!("\n{name} = [");
    let list =
        rules.split_once(&open).and_then(|(_, rest)| rest.split_once(']')).map_or("", |(list, _)| list);
    list.lines().filter_map(|line| line.trim().strip_prefix('"')?.split('"').next()).collect()
}

/// Why a line of the tree is not allowed. A package of the registry has no source after its version.
fn refusal(line: &str, allowed: &[&str], root: &Path) -> Option<String> {
    let (package, licence) = line.split_once('\t')?;
    let licence = licence.trim_end_matches(" (*)");
    let root = root.display().to_string();
    let mut sources = package.split(" (").skip(1).filter(|part| *part != "proc-macro)");
    match sources.next() {
        Some(own) if own.starts_with(&root) => None,
        Some(_) => Some(format!("{package}: only cargo's own registry is allowed")),
        None if is_allowed(licence, allowed) => None,
        None => Some(format!("{package}: its licence `{licence}` is not allowed in {RULES}")),
    }
}

/// Whether the allowed licences are enough for an SPDX expression, or an older one with `/` for `OR`.
fn is_allowed(expression: &str, allowed: &[&str]) -> bool {
    let expression = expression.trim();
    if let Some(parts) = split(expression, &[AND]) {
        return parts.iter().all(|part| is_allowed(part, allowed));
    }
    if let Some(parts) = split(expression, &OR) {
        return parts.iter().any(|part| is_allowed(part, allowed));
    }
    match expression.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(inner) => is_allowed(inner, allowed),
        None => allowed.contains(&expression),
    }
}

/// The operands outside parentheses, if there is one of these operators between them.
fn split<'a>(expression: &'a str, operators: &[&str]) -> Option<Vec<&'a str>> {
    let (mut depth, mut start, mut parts) = (0_usize, 0, Vec::new());
    for (at, letter) in expression.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let rest = expression.get(at..).unwrap_or_default();
        let operator = operators.iter().find(|operator| depth == 0 && rest.starts_with(**operator));
        if let Some(operator) = operator {
            parts.push(expression.get(start..at)?);
            start = at + operator.len();
        }
    }
    parts.push(expression.get(start..)?);
    (parts.len() > 1).then_some(parts)
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("cannot read {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALLOWED: [&str; 3] = ["MIT", "Apache-2.0", "Unicode-3.0"];

    #[test]
    fn a_licence_is_allowed_where_one_choice_is_and_all_that_is_required() {
        for licence in [
            "MIT",
            "Unlicense/MIT",
            "GPL-3.0 OR MIT",
            "(GPL-3.0 OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 / MIT",
        ] {
            assert!(is_allowed(licence, &ALLOWED), "{licence}");
        }
        for licence in ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR ISC) AND GPL-3.0", "MIT-0"] {
            assert!(!is_allowed(licence, &ALLOWED), "{licence}");
        }
    }

    #[test]
    fn only_the_registry_and_the_workspace_are_sources() {
        let refusal = |line| refusal(line, &ALLOWED, Path::new("/home/dev/stenograph"));
        assert_eq!(refusal("derive v1.0.0 (proc-macro)\tMIT (*)"), None);
        assert_eq!(refusal("steno-ops v0.1.0 (/home/dev/stenograph/crates/ops)\t"), None);
        assert!(refusal("age v0.1.0 (https://example.org/age?rev=1#1)\tMIT").is_some());
        assert!(refusal("age v0.1.0 (/home/dev/age)\tMIT").is_some());
        assert!(refusal("age v0.1.0\tGPL-3.0").is_some());
    }
}
