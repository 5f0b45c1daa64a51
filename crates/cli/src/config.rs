//! The environment → what the rest of the program is told. Nothing else reads it.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{IsTerminal, stderr, stdout};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use steno_ops::dump::Identity;
use steno_ops::s3::{Access, Credentials, profile};
use steno_ops::schedule::Tools;
use steno_ops::sealing::Keys;
use steno_ops::{ClaudeDirs, Error, ErrorKind, Program, Progress, Silent, Workspace};
use steno_render::terminal::Page;

use crate::args::Global;
use crate::output::{OutputMode, Terminal};
use crate::passphrase;
use crate::progress::Bar;

pub(crate) use steno_ops::moment;

const DEFAULT_WIDTH: usize = 100;
const DEFAULT_HEIGHT: usize = 24;
/// A width below this says nothing about a window.
const LEAST_WIDTH: usize = 20;

/// The name that the program was called by: it has two.
pub(crate) fn invoked_as() -> String {
    let path = called_as().unwrap_or_default();
    path.file_name().map_or_else(|| "steno".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// The first argument. On Windows the launcher `claude-backup` cannot set it, and names itself in a variable.
fn called_as() -> Option<PathBuf> {
    let launcher = if cfg!(windows) { env::var_os("STENO_CALLED_AS") } else { None };
    launcher.or_else(|| env::args_os().next()).map(PathBuf::from)
}

/// How the program can be called again from anywhere: by its name where that was enough, else by its path.
pub(crate) fn callable() -> String {
    let named = called_as().unwrap_or_else(|| PathBuf::from("steno"));
    let is_name = named.components().count() < 2;
    let path = if is_name { named } else { std::path::absolute(&named).unwrap_or(named) };
    path.to_string_lossy().into_owned()
}

/// Where the program runs.
pub(crate) fn here() -> Option<PathBuf> {
    env::current_dir().ok()
}

/// A part of a project's path; `.` is where the program runs.
pub(crate) fn project(text: &str) -> Result<String, std::convert::Infallible> {
    let here = here().filter(|_| matches!(text, "." | "./"));
    Ok(here.map_or_else(|| text.to_owned(), |here| here.display().to_string()))
}

/// A path as it is typed, which no shell has looked at yet.
pub(crate) fn unquoted(typed: &str) -> PathBuf {
    let plain = typed.trim_matches(['"', '\'']);
    let home = || env::home_dir().filter(|home| !home.as_os_str().is_empty());
    let below = plain.strip_prefix("~/").or_else(|| plain.strip_prefix("~\\").filter(|_| cfg!(windows)));
    match below.and_then(|rest| Some(home()?.join(rest))) {
        Some(path) => path,
        None => PathBuf::from(plain),
    }
}

/// `STENO_FAULT_AT=N` ends the program before its Nth change; only programs built for tests know it.
#[cfg(feature = "faults")]
pub(crate) fn plan_fault() {
    let number = env::var("STENO_FAULT_AT").ok().and_then(|number| number.parse().ok());
    steno_ops::fault::arm(number.unwrap_or(0));
}

/// Which sessions are meant, and when now is.
pub(crate) fn dirs(global: &Global, now: Timestamp) -> Result<ClaudeDirs, Error> {
    let named = match env::var_os("CLAUDE_CONFIG_DIR").filter(|directory| !directory.is_empty()) {
        Some(directory) if global.claude_dir.is_empty() => vec![PathBuf::from(directory)],
        _ => global.claude_dir.clone(),
    };
    let is_default = named.is_empty();
    let paths = if is_default { vec![default_claude_dir()?] } else { named };
    Ok(ClaudeDirs { paths, is_default, now })
}

fn default_claude_dir() -> Result<PathBuf, Error> {
    let home = env::home_dir().filter(|home| !home.as_os_str().is_empty());
    home.map(|home| home.join(".claude")).ok_or_else(|| {
        Error::new(ErrorKind::Invalid, "there is no home directory")
            .hint("say where the sessions are: --claude-dir DIR")
    })
}

/// Whose machine this is: what a page for others must not tell.
pub(crate) fn identity() -> Identity {
    let home = env::home_dir().filter(|home| !home.as_os_str().is_empty());
    let homes: Vec<String> = home.iter().map(|home| home.to_string_lossy().into_owned()).collect();
    let named = ["USER", "LOGNAME", "USERNAME"].into_iter().filter_map(|name| env::var(name).ok());
    let last = home.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let mut users: Vec<String> = named.chain(last).filter(|name| !name.trim().is_empty()).collect();
    users.sort();
    users.dedup();
    Identity { homes, users }
}

/// What commands about the vault need to know of this machine.
pub(crate) fn workspace(global: &Global, dirs: ClaudeDirs, mode: &OutputMode) -> Result<Workspace, Error> {
    let named = env::var_os("STENO_VAULT").filter(|directory| !directory.is_empty()).map(PathBuf::from);
    let named = global.vault.clone().or(named);
    let is_default_vault = named.is_none();
    let vault = match named {
        Some(vault) => absolute(vault)?,
        None => home("--vault DIR")?.join(".claude-backup"),
    };
    let dirs = ClaudeDirs { paths: dirs.paths.into_iter().map(absolute).collect::<Result<_, _>>()?, ..dirs };
    let progress: Arc<dyn Progress> =
        if mode.shows_progress() { Arc::new(Bar::default()) } else { Arc::new(Silent) };
    let program = programs();
    Ok(Workspace {
        dirs,
        vault,
        is_default_vault,
        cache: cache(),
        machine: machine(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        zone: mode.zone().clone(),
        patience: patience(),
        room: room()?,
        git: program("git"),
        gh: program("gh"),
        schedule: tools(&program)?,
        managed_settings: managed_settings(),
        project: env::current_dir().ok(),
        progress,
        keys: keys(global)?,
        access: access(),
    })
}

/// Where the key of an encrypted vault is, or belongs.
fn keys(global: &Global) -> Result<Keys, Error> {
    let named = env::var_os("STENO_IDENTITY").filter(|path| !path.is_empty()).map(PathBuf::from);
    let named = global.identity.clone().or(named).map(absolute).transpose()?;
    let place = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let usual = if cfg!(windows) { place("APPDATA") } else { place("XDG_CONFIG_HOME") };
    let usual = usual.or_else(|| Some(home("--identity FILE").ok()?.join(".config")));
    let usual = usual.map(|directory| directory.join("steno").join("identity.txt"));
    Ok(Keys { identity: named.or_else(|| usual.clone()), usual, passphrase: Arc::new(passphrase::Asking) })
}

/// How object stores are reached: by what programs that use them read, in the same order.
fn access() -> Access {
    let set = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
    let either = |names: [&str; 2]| names.into_iter().find_map(set);
    let told = set("AWS_ACCESS_KEY_ID").zip(set("AWS_SECRET_ACCESS_KEY"));
    let credentials =
        told.map(|(key_id, secret)| Credentials { key_id, secret, token: set("AWS_SESSION_TOKEN") });
    let text = |variable: &str, usual: &str| {
        let named = env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from);
        let path = named.or_else(|| Some(env::home_dir()?.join(".aws").join(usual)))?;
        fs::read_to_string(path).ok()
    };
    let (kept, settings) =
        (text("AWS_SHARED_CREDENTIALS_FILE", "credentials"), text("AWS_CONFIG_FILE", "config"));
    let name = set("AWS_PROFILE").unwrap_or_else(|| "default".to_owned());
    let profile = profile::credentials(kept.as_deref(), settings.as_deref(), &name);
    let (known, region, endpoint) =
        profile.map_or((None, None, None), |one| (one.credentials, one.region, one.endpoint));
    Access {
        endpoint: either(["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"]).or(endpoint),
        region: either(["AWS_REGION", "AWS_DEFAULT_REGION"]).or(region),
        credentials: credentials.or(known),
        proxy: either(["HTTPS_PROXY", "https_proxy"]),
        no_proxy: either(["NO_PROXY", "no_proxy"]),
        ..Access::default()
    }
}

/// Where programs keep what they can make again.
fn cache() -> Option<PathBuf> {
    let place = |named: Option<OsString>| named.map(PathBuf::from).filter(|path| path.is_absolute());
    if let Some(directory) = place(env::var_os("STENO_CACHE")) {
        return Some(directory);
    }
    let usual =
        if cfg!(windows) { place(env::var_os("LOCALAPPDATA")) } else { place(env::var_os("XDG_CACHE_HOME")) };
    let below = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
    let usual = usual.or_else(|| Some(home("STENO_CACHE").ok()?.join(below)));
    usual.map(|directory| directory.join("steno"))
}

/// Jobs run elsewhere, and manifests are read elsewhere: no path in them may depend on where this runs.
pub(crate) fn absolute(path: PathBuf) -> Result<PathBuf, Error> {
    std::path::absolute(&path).map_err(|error| {
        let message = format!("'{}' is no path: {error}", path.display());
        Error::new(ErrorKind::Invalid, message).hint("give the name of a directory")
    })
}

fn home(instead: &str) -> Result<PathBuf, Error> {
    let home = env::home_dir().filter(|home| !home.as_os_str().is_empty());
    home.ok_or_else(|| {
        Error::new(ErrorKind::Invalid, "there is no home directory").hint(format!("say where: {instead}"))
    })
}

/// The host's name, or the name in STENO_MACHINE.
fn machine() -> String {
    let named = env::var("STENO_MACHINE").ok().filter(|name| !name.trim().is_empty());
    named.unwrap_or_else(host)
}

#[cfg(unix)]
fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(not(unix))]
fn host() -> String {
    env::var("COMPUTERNAME").unwrap_or_default()
}

/// The user that launchd runs agents for; other systems do not need it.
#[cfg(unix)]
fn user_id() -> u32 {
    rustix::process::getuid().as_raw()
}

#[cfg(not(unix))]
fn user_id() -> u32 {
    0
}

/// Seconds to wait for another process that uses the vault.
fn patience() -> Duration {
    let seconds = env::var("STENO_WAIT").ok().and_then(|seconds| seconds.trim().parse().ok());
    Duration::from_secs(seconds.unwrap_or(10))
}

/// How much memory a session that is read may take.
fn room() -> Result<Option<u64>, Error> {
    let Some(text) = env::var_os("STENO_MEMORY").filter(|text| !text.is_empty()) else { return Ok(None) };
    let megabytes = text.to_str().and_then(|text| text.trim().parse::<u64>().ok());
    match megabytes.filter(|megabytes| *megabytes > 0) {
        Some(megabytes) => Ok(Some(megabytes.saturating_mul(1024 * 1024))),
        None => {
            let message = format!("STENO_MEMORY is not a number of megabytes: '{}'", text.to_string_lossy());
            Err(Error::new(ErrorKind::Invalid, message).hint("give it as 4096, or unset it"))
        }
    }
}

/// Executables on the search path.
fn programs() -> impl Fn(&str) -> Program {
    let path = env::var_os("PATH").unwrap_or_default();
    let places: Arc<[PathBuf]> = env::split_paths(&path).filter(|place| place.is_absolute()).collect();
    move |name| Program::named(format!("{name}{}", env::consts::EXE_SUFFIX), Arc::clone(&places))
}

/// The client on the search path.
pub(crate) fn client() -> Program {
    programs()("claude")
}

/// Tells a client that is about to be started which Claude directory it works in. In its usual one it reads another
/// place for the user's account where the variable is set, so there it is not.
pub(crate) fn tell_claude_dir(client: &mut Command, directory: Option<&Path>) {
    let Some(directory) = directory else { return };
    let named = env::var_os("CLAUDE_CONFIG_DIR");
    let is_named =
        named.as_ref().is_some_and(|named| absolute(named.into()).is_ok_and(|named| named == directory));
    let is_usual = default_claude_dir().is_ok_and(|usual| usual == directory);
    if is_usual && !is_named {
        client.env_remove("CLAUDE_CONFIG_DIR");
    } else if !is_named {
        client.env("CLAUDE_CONFIG_DIR", directory);
    }
}

/// The columns and lines of the terminal, whichever stream it is on.
pub(crate) fn screen() -> (u16, u16) {
    terminal_size::terminal_size().map_or((80, 24), |(width, height)| (width.0, height.0))
}

/// Whether the terminal can only print lines.
pub(crate) fn is_dumb() -> bool {
    env::var_os("TERM").is_some_and(|terminal| terminal == "dumb")
}

/// Where the system's settings for all users lie.
fn managed_settings() -> Option<PathBuf> {
    if let Some(path) = env::var_os("STENO_MANAGED_SETTINGS") {
        return Some(path.into()).filter(|path: &PathBuf| !path.as_os_str().is_empty());
    }
    let path = if cfg!(target_os = "macos") {
        "/Library/Application Support/ClaudeCode/managed-settings.json"
    } else if cfg!(windows) {
        // Where there is no such directory, clients up to 2.1.56 at least look where they did at first.
        if Path::new(r"C:\Program Files\ClaudeCode").exists() {
            r"C:\Program Files\ClaudeCode\managed-settings.json"
        } else {
            r"C:\ProgramData\ClaudeCode\managed-settings.json"
        }
    } else {
        "/etc/claude-code/managed-settings.json"
    };
    Some(path.into())
}

/// What could run us at a later time.
fn tools(program: &dyn Fn(&str) -> Program) -> Result<Tools, Error> {
    let home = home("HOME")?;
    let units = env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    Ok(Tools {
        program: this_program(),
        search_path: env::var("PATH").ok(),
        systemctl: program("systemctl"),
        crontab: program("crontab"),
        launchctl: program("launchctl"),
        schtasks: program("schtasks"),
        units_directory: units.unwrap_or_else(|| home.join(".config")).join("systemd/user"),
        agents_directory: home.join("Library/LaunchAgents"),
        tasks_directory: home.join(".config/steno"),
        user_id: user_id(),
        spread: machine().bytes().fold(17, |sum: u64, byte| sum.wrapping_mul(31).wrapping_add(byte.into())),
    })
}

/// The path of this program.
pub(crate) fn this_program() -> PathBuf {
    env::current_exe().unwrap_or_else(|_| PathBuf::from("steno"))
}

/// The time; tests give their own.
pub(crate) fn now() -> Result<Timestamp, Error> {
    match env::var_os("STENO_NOW").filter(|text| !text.is_empty()) {
        None => Ok(Timestamp::now()),
        Some(text) => text.to_str().and_then(|text| text.parse().ok()).ok_or_else(|| {
            let message = format!("STENO_NOW is not a time: '{}'", text.to_string_lossy());
            Error::new(ErrorKind::Invalid, message).hint("give it as 2026-03-01T12:00:00Z, or unset it")
        }),
    }
}

/// The id of a session that is about to be made; tests give their own.
pub(crate) fn new_session() -> Result<String, Error> {
    use std::hash::{BuildHasher, RandomState};
    let Some(named) = env::var_os("STENO_NEW_ID").filter(|id| !id.is_empty()) else {
        let half = || u128::from(RandomState::new().hash_one(std::process::id()));
        // The bits that say that the others are random.
        let number = (half() << 64 | half()) & !(0xf << 76) & !(0x3 << 62) | (0x4 << 76) | (0x2 << 62);
        let part = |from: u32, digits: u32| (number >> from) & ((1 << (4 * digits)) - 1);
        let [first, second, third, fourth] = [part(96, 8), part(80, 4), part(64, 4), part(48, 4)];
        return Ok(format!("{first:08x}-{second:04x}-{third:04x}-{fourth:04x}-{:012x}", part(0, 12)));
    };
    let is_uuid = |id: &str| {
        let sizes: Vec<usize> = id.split('-').map(str::len).collect();
        sizes == [8, 4, 4, 4, 12] && id.chars().all(|letter| letter == '-' || letter.is_ascii_hexdigit())
    };
    named.to_str().filter(|id| is_uuid(id)).map(str::to_owned).ok_or_else(|| {
        let message = format!("STENO_NEW_ID is not a UUID: '{}'", named.to_string_lossy());
        Error::new(ErrorKind::Invalid, message).hint("unset it")
    })
}

/// The passphrase of the vault's key, for runs without a terminal.
pub(crate) fn passphrase() -> Result<Option<String>, Error> {
    text("STENO_PASSPHRASE")
}

/// The passphrase of a page that is given to others: another one than that of the vault's key.
pub(crate) fn share_passphrase() -> Result<Option<String>, Error> {
    text("STENO_SHARE_PASSPHRASE")
}

fn text(variable: &str) -> Result<Option<String>, Error> {
    let named = env::var_os(variable).filter(|text| !text.is_empty());
    named.map(OsString::into_string).transpose().map_err(|_| {
        let message = format!("{variable} is no text");
        Error::new(ErrorKind::Invalid, message).hint("give it in UTF-8, or unset it")
    })
}

/// What stands on the other side of stdout and stderr.
pub(crate) fn terminal() -> Terminal {
    let columns = env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let is_stdout = stdout().is_terminal();
    let size = terminal_size::terminal_size();
    // The screen that stderr is on says nothing about a pipe or a file.
    let real = size.filter(|_| is_stdout).map(|(width, _)| usize::from(width.0));
    let no_color = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let is_dumb = is_dumb();
    Terminal {
        is_stdout,
        is_stderr: stderr().is_terminal(),
        width: [columns, real]
            .into_iter()
            .flatten()
            .find(|width| *width >= LEAST_WIDTH)
            .unwrap_or(if is_stdout { DEFAULT_WIDTH } else { Page::UNCUT }),
        height: size
            .map(|(_, height)| usize::from(height.0))
            .filter(|height| *height > 0)
            .unwrap_or(DEFAULT_HEIGHT),
        allows_color: !no_color && !is_dumb,
        pager: pager(is_dumb),
        has_less_options: env::var_os("LESS").is_some(),
        zone: system_zone(),
    }
}

/// A terminal that can only print lines has no use for the usual one.
fn pager(is_dumb: bool) -> String {
    let usual = if is_dumb { "cat" } else { "less" };
    env::var("STENO_PAGER").or_else(|_| env::var("PAGER")).unwrap_or_else(|_| usual.to_owned())
}

/// The zone of this machine. Where it is a link to a file of the zone database, as nearly everywhere, that file alone is
/// read: a look at the whole database takes longer than many commands.
fn system_zone() -> TimeZone {
    let linked = || {
        if env::var_os("TZ").is_some() {
            return None;
        }
        let target = Path::new("/etc/localtime").read_link().ok()?;
        let (_, name) = target.to_str()?.split_once("zoneinfo/")?;
        TimeZone::tzif(name, &fs::read("/etc/localtime").ok()?).ok()
    };
    linked().unwrap_or_else(TimeZone::system)
}

/// A time zone by its name.
pub(crate) fn zone(name: &str) -> Result<TimeZone, Error> {
    // This one is known without a search.
    if name.eq_ignore_ascii_case("utc") {
        return Ok(TimeZone::UTC);
    }
    TimeZone::get(name).map_err(|_| {
        Error::new(ErrorKind::Invalid, format!("'{name}' is not a time zone"))
            .hint("give a name such as Europe/Berlin, America/New_York or UTC")
    })
}
