//! The user's systemd.

use super::*;

const SERVICE: &str = "units/steno-sync.service";
const TIMER: &str = "units/steno-sync.timer";

#[test]
fn a_timer_is_installed_changed_and_removed() {
    let machine = Machine::with(&["systemctl", "crontab"]);
    assert_eq!(machine.set(Some(Every::Day)).scheduler, State::Active);
    let calls = ["daemon-reload", "enable steno-sync.timer", "restart steno-sync.timer"];
    let calls = calls.map(|call| format!("systemctl --user {call}"));
    assert_eq!(machine.changes(), calls);
    assert!(
        machine
            .read(SERVICE)
            .contains("ExecStart=\"/opt/steno\" \"--quiet\" \"sync\" \"--scheduled\"\nNice=10\n")
    );
    let timer = machine.read(TIMER);
    assert!(timer.contains("OnCalendar=*-*-* 03:00:00\nRandomizedDelaySec=1h\nPersistent=true\n"), "{timer}");

    assert_eq!(machine.set(Some(Every::Day)).steps, [""; 0], "nothing to do the second time");
    machine.set(Some(Every::Hour));
    assert!(machine.read(TIMER).contains("OnCalendar=hourly\n"));
    machine.changes();

    assert_eq!(machine.set(None).scheduler, State::Off);
    assert_eq!(
        machine.changes(),
        ["systemctl --user disable --now steno-sync.timer", "systemctl --user daemon-reload"]
    );
    assert!(!machine.file(SERVICE).exists() && !machine.file(TIMER).exists());
}

#[test]
fn specifiers_variables_and_quotes_stay_what_they_are() {
    let mut machine = Machine::with(&["systemctl"]);
    machine.tools.program = "/opt/$x/100%h/steno".into();
    machine.tools.search_path = Some("/usr/bin:/50% off".into());
    let vault = Some(PathBuf::from("/a \"b\"\\$HOME"));
    machine.ask(&Request { vault, ..machine.request(Some(Every::Day)) }).unwrap();
    let service = machine.read(SERVICE);
    let command =
        r#"ExecStart="/opt/$x/100%%h/steno" "--quiet" "sync" "--scheduled" "--vault" "/a \"b\"\\$$HOME""#;
    assert!(service.contains(command), "{service}");
    assert!(service.contains("Environment=\"PATH=/usr/bin:/50%% off\"\n"), "{service}");
}

#[test]
fn a_timer_that_was_stopped_by_hand_is_not_active() {
    let machine = Machine::with(&["systemctl"]);
    machine.set(Some(Every::Day));
    fs::remove_file(machine.file("bin/active")).unwrap();
    assert_eq!(machine.standing().state, State::Off);
    assert_eq!(machine.set(Some(Every::Day)).scheduler, State::Active, "asking again mends it");
}

#[test]
fn without_a_session_of_systemd_cron_is_used() {
    let machine = Machine::with(&["systemctl", "crontab"]);
    machine.break_down("systemctl", "Failed to connect to bus");
    let report = machine.set(Some(Every::Day));
    assert_eq!((report.kind, report.scheduler), (Some(schedule::Kind::Cron), State::Active));
    assert!(!machine.tools.units_directory.exists());

    fs::remove_file(machine.file("bin/systemctl-fails")).unwrap();
    let report = machine.set(Some(Every::Day));
    assert_eq!(report.kind, Some(schedule::Kind::Systemd));
    assert_eq!(machine.read("bin/crontab-text"), "", "one job is enough");
}

#[test]
fn a_timer_that_nobody_can_be_asked_about_is_neither_on_nor_off() {
    let machine = Machine::with(&["systemctl", "crontab"]);
    machine.set(Some(Every::Day));
    machine.break_down("systemctl", "Failed to connect to bus");
    let standing = machine.standing();
    assert_eq!(
        (standing.state, standing.warnings[0].kind.as_str()),
        (State::Unavailable, "scheduler-silent")
    );
    assert_eq!(machine.set(None).scheduler, State::Off);
    assert!(!machine.file(TIMER).exists(), "without its files it will not come back");
}

#[test]
fn a_failing_systemctl_is_an_error_that_says_why() {
    let machine = Machine::with(&["systemctl"]);
    let plan = schedule::plan(&machine.tools, &machine.request(Some(Every::Day))).unwrap();
    machine.break_down("systemctl", "Unit is masked.\n");
    let error = schedule::apply(&machine.tools, &plan).unwrap_err();
    assert_eq!(error.to_string(), "`systemctl --user daemon-reload` failed: Unit is masked.");
}

/// What systemd itself makes of the units, where it is installed.
#[test]
fn systemd_finds_no_fault_in_the_units() {
    for name in ["100% $x/steno", "it's \"100%\" \\ $x/steno"] {
        let mut machine = Machine::with(&["systemctl"]);
        machine.tools.program = machine.file(name);
        machine.write(name, "#!/bin/sh\n");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(&machine.tools.program, mode).unwrap();
        machine.set(Some(Every::SixHours));
        let mut verify = std::process::Command::new("systemd-analyze");
        verify.args(["verify", "--user", "--man=no"]).arg(machine.file(TIMER)).arg(machine.file(SERVICE));
        let Ok(output) = verify.env("XDG_RUNTIME_DIR", machine.home.root()).output() else { return };
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let about_us: Vec<&str> = said.lines().filter(|line| line.contains("steno-sync")).collect();
        assert_eq!(about_us, [""; 0], "{said}");
    }
}
