//! The crontab.

use super::*;

const OTHERS: &str = "MAILTO=me\n# steno is nice\n0 1 * * * date +\\%F";

#[test]
fn our_lines_come_and_go_and_others_stay_byte_for_byte() {
    for others in ["", "\n", OTHERS] {
        let machine = Machine::with(&["crontab"]);
        machine.write("bin/crontab-text", others);
        assert_eq!(machine.set(Some(Every::Day)).scheduler, State::Active);
        let ours = "7 3 * * * nice -n 10 /opt/steno --quiet sync --scheduled # steno\n\
                    @reboot sleep 120; nice -n 10 /opt/steno --quiet sync --scheduled # steno\n";
        assert_eq!(machine.read("bin/crontab-text"), format!("{ours}{others}"));
        assert_eq!(machine.set(None).scheduler, State::Off);
        assert_eq!(machine.read("bin/crontab-text"), others);
    }
}

#[test]
fn the_same_wish_again_changes_nothing() {
    let machine = Machine::with(&["crontab"]);
    machine.set(Some(Every::Hour));
    assert_eq!(machine.changes(), ["crontab -"]);
    assert_eq!(machine.set(Some(Every::Hour)).steps, [""; 0]);
    assert_eq!(machine.changes(), [""; 0]);
    machine.set(Some(Every::SixHours));
    assert!(machine.read("bin/crontab-text").starts_with("7 */6 * * * "), "the new one replaces the old one");
    assert_eq!(machine.read("bin/crontab-text").lines().count(), 2);
}

#[test]
fn off_without_a_job_touches_nothing() {
    let machine = Machine::with(&["crontab", "systemctl"]);
    assert_eq!(machine.set(None).scheduler, State::Off);
    assert_eq!(machine.changes(), [""; 0]);
}

#[test]
fn odd_paths_are_quoted() {
    let mut machine = Machine::with(&["crontab"]);
    machine.tools.program = "/opt/it's 100%/steno".into();
    machine.tools.search_path = Some("/usr/bin:/my bin".into());
    let vault = Some(PathBuf::from("/vault & more"));
    let request = Request {
        vault,
        claude_dirs: vec!["/a<b".into(), "/c".into()],
        ..machine.request(Some(Every::Hour))
    };
    machine.ask(&request).unwrap();
    assert_eq!(
        machine.read("bin/crontab-text"),
        r"7 * * * * nice -n 10 env 'PATH=/usr/bin:/my bin' '/opt/it'\''s 100\%/steno' --quiet sync --scheduled --vault '/vault & more' --claude-dir '/a<b' --claude-dir /c # steno
"
    );
}

#[test]
fn a_path_that_no_line_can_hold_is_refused() {
    let machine = Machine::with(&["crontab"]);
    for vault in ["/a\n* * * * * evil".to_owned(), format!("/{}", "long/".repeat(300))] {
        let request = Request { vault: Some(vault.into()), ..machine.request(Some(Every::Day)) };
        assert_eq!(machine.ask(&request).unwrap_err().kind, steno_ops::ErrorKind::Invalid);
    }
    assert_eq!(machine.changes(), [""; 0]);
}

#[test]
fn a_long_search_path_is_left_away_and_said() {
    let mut machine = Machine::with(&["crontab"]);
    machine.tools.search_path = Some("/bin:".repeat(300));
    let report = machine.set(Some(Every::Day));
    assert_eq!(report.warnings[0].kind, "path-dropped");
    assert!(!machine.read("bin/crontab-text").contains("PATH"));
}

#[test]
fn a_crontab_that_cannot_be_read_is_not_overwritten() {
    let machine = Machine::with(&["crontab"]);
    machine.break_down("crontab", "You (me) are not allowed to use this program (crontab)");
    let standing = machine.standing();
    assert_eq!((standing.state, standing.warnings.len()), (State::Unavailable, 1));
    assert!(machine.ask(&machine.request(Some(Every::Day))).is_err());
    assert_eq!(machine.changes(), [""; 0]);
}
