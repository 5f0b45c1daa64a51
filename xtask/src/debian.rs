//! Programs that come as Debian's packages: whether one is here, and the packages for those that are not.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::failure::Failure;
use crate::invocation::Invocation;
use crate::workspace::Workspace;

/// The path of a program on the search path.
pub(crate) fn program(name: &str) -> Option<PathBuf> {
    search_path().map(|directory| directory.join(name)).find(|path| path.is_file())
}

/// The search path with more directories at its end: what the system has by that name comes first.
pub(crate) fn search_path_with(directories: &[PathBuf]) -> Option<String> {
    let directories = search_path().chain(directories.iter().cloned());
    std::env::join_paths(directories).ok()?.into_string().ok()
}

fn search_path() -> impl Iterator<Item = PathBuf> {
    let search_path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&search_path).collect::<Vec<_>>().into_iter()
}

/// Whether the user can install packages without a password.
pub(crate) fn can_install() -> bool {
    program("apt-get").is_some() && (is_root() || quietly("sudo", &["--non-interactive", "true"]).is_some())
}

/// Without the right to, it fails at once and asks nothing.
pub(crate) fn install(workspace: &Workspace, packages: &[&str]) -> Result<(), Failure> {
    apt_get().arguments(["update", "-qq"]).run(&workspace.root)?;
    let install = apt_get().arguments(["install", "-y", "-qq", "--no-install-recommends"]);
    install.arguments(packages.iter().copied()).run(&workspace.root)
}

/// As root, or through sudo where that needs no password.
fn apt_get() -> Invocation {
    let variable = "DEBIAN_FRONTEND=noninteractive";
    if is_root() || program("sudo").is_none() {
        Invocation::new("env").arguments([variable, "apt-get"])
    } else {
        Invocation::new("sudo").arguments(["--non-interactive", "env", variable, "apt-get"])
    }
}

fn is_root() -> bool {
    quietly("id", &["-u"]).is_some_and(|user| user.trim_ascii() == b"0")
}

/// What a program prints, if it succeeds.
fn quietly(program: &str, arguments: &[&str]) -> Option<Vec<u8>> {
    let mut command = Command::new(program);
    let output = command.args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then_some(output.stdout)
}
