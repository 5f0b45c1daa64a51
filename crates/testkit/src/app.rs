//! Runs the program on a temporary home and shows everything it answered as one text.

use std::ffi::OsStr;
use std::process::{Command, Output};
#[cfg(unix)]
use std::{
    ffi::CString,
    fs::File,
    io::{Read, Write},
    process::Stdio,
};

#[cfg(unix)]
use rustix::{
    fs::{Mode, OFlags},
    pty::{self, OpenptFlags},
    termios::Winsize,
};
use serde_json::Value;

use crate::{Home, Session};

const NOW: &str = "2026-12-01T12:00:00Z";

/// The program, a home of its own, a fixed clock and a fixed environment.
#[derive(Debug)]
pub struct App {
    program: String,
    home: Home,
    now: String,
    variables: Vec<(String, String)>,
}

impl App {
    /// `program` is the path that cargo gives a test: `env!("CARGO_BIN_EXE_steno")`.
    pub fn new(program: &str) -> Self {
        Self { program: program.to_owned(), home: Home::new(), now: NOW.to_owned(), variables: Vec::new() }
    }

    /// With one session in its home.
    pub fn with_session(program: &str, describe: impl FnOnce(Session) -> Session) -> Self {
        let app = Self::new(program);
        app.write(&describe(Session::numbered(1)));
        app
    }

    /// The program's clock, RFC 3339.
    pub fn now(mut self, now: &str) -> Self {
        self.now = now.to_owned();
        self
    }

    pub fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn home(&self) -> &Home {
        &self.home
    }

    pub fn write(&self, session: &Session) {
        self.home.write(session);
    }

    /// Exit code, stdout and stderr as one text; arguments are split at white space.
    pub fn run(&self, arguments: &str) -> String {
        self.run_args(&arguments.split_whitespace().collect::<Vec<_>>())
    }

    pub fn run_args<S: AsRef<OsStr>>(&self, arguments: &[S]) -> String {
        let output = self.output(arguments);
        let code = output.status.code().map_or_else(|| "signal".to_owned(), |code| code.to_string());
        format!(
            "exit: {code}\n----- stdout -----\n{}\n----- stderr -----\n{}",
            self.shown(&output.stdout),
            self.shown(&output.stderr)
        )
    }

    /// On a terminal, where a person types a line: exit code, and all that the terminal shows after it.
    #[cfg(unix)]
    pub fn run_on_terminal(&self, arguments: &str, typed: &str) -> String {
        let terminal = Terminal::open();
        let mut command = self.command();
        command.args(arguments.split_whitespace()).env("TERM", "dumb").env("PAGER", "cat");
        command.stdin(terminal.end()).stdout(terminal.end()).stderr(terminal.end());
        // Typed ahead, so that its echo comes first.
        let mut screen = terminal.screen;
        writeln!(screen, "{typed}").expect("it can be typed");
        let mut child = command.spawn().expect("the program runs");
        drop(command);
        let mut shown = Vec::new();
        // When the last end is closed, Linux calls it an error.
        let _ = screen.read_to_end(&mut shown);
        let status = child.wait().expect("the program ends");
        let shown = self.shown(&shown).replace("\r\n", "\n");
        let code = status.code().map_or_else(|| "signal".to_owned(), |code| code.to_string());
        format!("exit: {code}\n{}", shown.strip_prefix(&format!("{typed}\n")).unwrap_or(&shown))
    }

    /// With stdin and stderr on a terminal of 100 × 30, where a person types each text as soon as the screen shows the
    /// word before it: exit code, stdout, and all that the screen was sent.
    #[cfg(unix)]
    pub fn drive_on_terminal(
        &self,
        arguments: &str,
        steps: &[(&str, &str)],
    ) -> (Option<i32>, String, String) {
        let mut terminal = Terminal::open();
        let size = Winsize { ws_row: 30, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
        rustix::termios::tcsetwinsize(&terminal.screen, size).expect("it has a size");
        let mut command = self.command();
        command.args(arguments.split_whitespace()).env("TERM", "xterm-256color");
        command.stdin(terminal.end()).stdout(Stdio::piped()).stderr(terminal.end());
        let child = command.spawn().expect("the program runs");
        drop(command);
        let (mut shown, mut steps) = (Vec::new(), steps.iter().peekable());
        let mut piece = [0; 4096];
        let mut seen = 0;
        while let Ok(read @ 1..) = terminal.screen.read(&mut piece) {
            shown.extend_from_slice(&piece[..read]);
            while let Some((word, typed)) = steps.peek() {
                let now = String::from_utf8_lossy(&shown[seen..]);
                if !now.contains(word) {
                    break;
                }
                seen = shown.len();
                terminal.screen.write_all(typed.as_bytes()).expect("it can be typed");
                steps.next();
            }
        }
        let output = child.wait_with_output().expect("the program ends");
        (output.status.code(), self.shown(&output.stdout), self.shown(&shown))
    }

    /// The one JSON object on stdout; panics with everything the program said if there is none.
    pub fn json(&self, arguments: &str) -> Value {
        let output = self.output(&arguments.split_whitespace().collect::<Vec<_>>());
        let stdout = self.shown(&output.stdout);
        serde_json::from_str(&stdout).unwrap_or_else(|error| {
            panic!(
                "`{arguments}` gave no JSON ({error}), {}\n{stdout}\n{}",
                output.status,
                self.shown(&output.stderr)
            )
        })
    }

    /// The raw outcome.
    pub fn output<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Output {
        let command = &mut self.command();
        command.args(arguments).output().expect("the program runs")
    }

    /// The program in its environment, for tests that need more than its output.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.env_clear();
        // Windows writes them as it likes, and starts nothing without the second.
        let is_needed =
            |name: &OsStr| ["PATH", "SYSTEMROOT"].iter().any(|own| name.eq_ignore_ascii_case(own));
        command.envs(std::env::vars_os().filter(|(name, _)| is_needed(name)));
        // Windows asks for the home by its second name.
        command.env("HOME", self.home.root()).env("USERPROFILE", self.home.root());
        command.env("CLAUDE_CONFIG_DIR", self.home.path());
        command.env("STENO_NOW", &self.now).env("COLUMNS", "100").env("TZ", "UTC");
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.current_dir(self.home.root());
        command
    }

    fn shown(&self, bytes: &[u8]) -> String {
        let root = self.home.root();
        let text = String::from_utf8_lossy(bytes).replace(&*root.to_string_lossy(), "$HOME");
        match root.canonicalize() {
            Ok(real) => text.replace(&*real.to_string_lossy(), "$HOME"),
            Err(_) => text,
        }
    }
}

/// A pseudo terminal.
#[cfg(unix)]
struct Terminal {
    screen: File,
    name: CString,
}

#[cfg(unix)]
impl Terminal {
    fn open() -> Self {
        let screen = pty::openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("there are terminals");
        pty::grantpt(&screen).expect("it is ours");
        pty::unlockpt(&screen).expect("it can be opened");
        let name = pty::ptsname(&screen, Vec::new()).expect("it has a name");
        Self { screen: screen.into(), name }
    }

    /// The program's end of it.
    fn end(&self) -> Stdio {
        let flags = OFlags::RDWR | OFlags::NOCTTY;
        rustix::fs::open(&*self.name, flags, Mode::empty()).expect("it can be opened").into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_exit_code_and_both_streams_with_the_home_masked() {
        let app = App::new("/bin/sh");
        let shown = app.run_args(&["-c", "echo $HOME/x; echo $COLUMNS $STENO_NOW >&2; exit 3"]);
        assert_eq!(shown, format!("exit: 3\n----- stdout -----\n$HOME/x\n\n----- stderr -----\n100 {NOW}\n"));
    }

    #[test]
    fn a_person_types_on_a_terminal() {
        let app = App::new("/bin/sh");
        let script = app.home().root().join("script");
        std::fs::write(&script, "test -t 0 && test -t 2 && read word && echo got $word; exit 4").unwrap();
        assert_eq!(app.run_on_terminal("script", "yes"), "exit: 4\ngot yes\n");
    }

    #[test]
    fn reads_json_from_stdout() {
        let app = App::new("/bin/echo");
        assert_eq!(app.json(r#"{"ok":true}"#)["ok"], true);
    }
}
