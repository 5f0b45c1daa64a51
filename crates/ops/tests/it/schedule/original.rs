//! The job of the tool whose commands we took over.

use super::*;

const LINE: &str = "0 3 * * * npx claude-backup sync\n";

#[test]
fn its_line_is_reported_and_left_alone() {
    let machine = Machine::with(&["systemctl", "crontab"]);
    machine.write("bin/crontab-text", LINE);
    let report = machine.set(Some(Every::Day));
    assert_eq!(report.scheduler, State::Active);
    assert_eq!((report.warnings[0].kind.as_str(), report.warnings[0].line), ("original-job", Some(1)));
    assert_eq!(machine.read("bin/crontab-text"), LINE);
    assert_eq!(schedule::original_job(&machine.tools)[0].command, LINE.trim_end());
}

#[test]
fn its_line_is_disabled_with_consent() {
    for every in [Some(Every::Day), None] {
        let machine = Machine::with(&["crontab"]);
        machine.write("bin/crontab-text", LINE);
        let request = Request { replace_original: true, ..machine.request(every) };
        let report = machine.ask(&request).unwrap();
        assert!(report.warnings.is_empty() && report.steps == ["run crontab -"], "{report:?}");
        assert!(machine.read("bin/crontab-text").ends_with(&format!("# disabled by steno: {LINE}")));
        assert_eq!(schedule::original_job(&machine.tools), []);
        assert_eq!(machine.ask(&request).unwrap().steps, [""; 0]);
    }
}

#[test]
fn its_agent_is_found_by_label_or_command() {
    let agent = |label: &str, arguments: &str| {
        format!(
            "<dict><key>Label</key><string>{label}</string><key>ProgramArguments</key><array>{arguments}</array></dict>"
        )
    };
    let machine = Machine::with(&["launchctl"]);
    machine.write("agents/com.claude-backup.plist", agent("com.claude-backup", "<string>x</string>"));
    let call = "<string>/bin/sh</string><string>/src/claude-backup/cli.sh</string><string>sync</string>";
    machine.write("agents/mine.plist", agent("my.backup", call));
    machine.write(
        "agents/other.plist",
        agent("other", "<string>rsync</string><string>/x/.claude-backup</string>"),
    );
    machine.write("agents/com.claude-backup.binary.plist", b"bplist00\xff\xfe");
    let found = schedule::original_job(&machine.tools);
    let files: Vec<&str> = found.iter().map(|job| job.file.rsplit('/').next().unwrap()).collect();
    assert_eq!(files, ["com.claude-backup.binary.plist", "com.claude-backup.plist", "mine.plist"]);

    let request = Request { replace_original: true, ..machine.request(Some(Every::Day)) };
    machine.ask(&request).unwrap();
    let changes = machine.changes();
    assert!(changes.contains(&"launchctl bootout gui/501/my.backup".to_owned()), "{changes:?}");
    assert!(changes.contains(&"launchctl disable gui/501/com.claude-backup".to_owned()), "{changes:?}");
    assert!(
        machine.file("agents/mine.plist.disabled").exists() && machine.file("agents/other.plist").exists()
    );
    assert_eq!(schedule::original_job(&machine.tools), []);
}
