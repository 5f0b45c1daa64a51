//! launchd and the Task Scheduler.

use super::*;

const AGENT: &str = "agents/com.stenograph.sync.plist";

#[test]
fn an_agent_is_loaded_changed_and_removed() {
    let machine = Machine::with(&["launchctl", "crontab"]);
    let report = machine.set(Some(Every::Day));
    assert_eq!((report.scheduler, report.kind), (State::Active, Some(schedule::Kind::Launchd)));
    let load = ["enable gui/501/com.stenograph.sync".to_owned(), format!("bootstrap gui/501 ~/{AGENT}")];
    let load = load.map(|call| format!("launchctl {call}"));
    assert_eq!(machine.changes(), load);
    assert_eq!(machine.set(Some(Every::Day)).steps, [""; 0]);

    machine.set(Some(Every::SixHours));
    let unload = "launchctl bootout gui/501/com.stenograph.sync".to_owned();
    assert_eq!(machine.changes(), [std::slice::from_ref(&unload), &load[..]].concat());
    assert_eq!(machine.set(None).scheduler, State::Off);
    assert_eq!(machine.changes(), [unload]);
    assert!(!machine.file(AGENT).exists());
}

#[test]
fn an_agent_runs_in_the_background_with_odd_paths() {
    let mut machine = Machine::with(&["launchctl"]);
    machine.tools.search_path = Some("/opt/homebrew/bin:/usr/bin".into());
    let vault = Some(PathBuf::from("/a & <b>"));
    machine.ask(&Request { vault, ..machine.request(Some(Every::Hour)) }).unwrap();
    let text = machine.read(AGENT);
    for part in [
        "<string>/opt/steno</string>\n    <string>--quiet</string>\n    <string>sync</string>\n    <string>--scheduled</string>\n    \
         <string>--vault</string>\n    <string>/a &amp; &lt;b&gt;</string>",
        "<dict><key>Minute</key><integer>7</integer></dict>",
        "<key>RunAtLoad</key>\n  <true/>",
        "<key>ProcessType</key>\n  <string>Background</string>",
        "<key>PATH</key>\n    <string>/opt/homebrew/bin:/usr/bin</string>",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn a_task_is_created_and_deleted() {
    let machine = Machine::with(&["schtasks"]);
    let vault = Some(PathBuf::from("/My Files/a & b"));
    let report = machine.ask(&Request { vault, ..machine.request(Some(Every::SixHours)) }).unwrap();
    assert_eq!((report.scheduler, report.kind), (State::Active, Some(schedule::Kind::TaskScheduler)));
    assert_eq!(machine.changes(), ["schtasks /Create /F /TN Stenograph /XML ~/tasks/Stenograph.xml"]);
    let bytes = fs::read(machine.file("tasks/Stenograph.xml")).unwrap();
    let units: Vec<u16> = bytes.chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    let text = String::from_utf16(&units).unwrap();
    for part in [
        "</StartBoundary><Repetition><Interval>PT6H</Interval><Duration>P1D</Duration></Repetition><RandomDelay>",
        "<StartWhenAvailable>true</StartWhenAvailable>",
        "<Command>/opt/steno</Command>",
        "<Arguments>--quiet sync --scheduled --vault &quot;/My Files/a &amp; b&quot;</Arguments>",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert_eq!(machine.set(None).scheduler, State::Off);
    assert_eq!(machine.changes(), ["schtasks /Delete /F /TN Stenograph"]);
    assert!(!machine.file("tasks/Stenograph.xml").exists());
}

#[test]
fn a_task_that_was_disabled_or_removed_by_hand_is_not_active() {
    let machine = Machine::with(&["schtasks"]);
    machine.set(Some(Every::Day));
    assert_eq!(machine.standing().state, State::Active);
    for held in ["<Task><Settings><Enabled>false</Enabled></Settings></Task>", ""] {
        machine.write("bin/task", held);
        assert_eq!(machine.standing().state, State::Off, "{held}");
    }
}
