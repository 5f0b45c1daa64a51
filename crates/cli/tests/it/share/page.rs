//! `steno share`: a page for others, and what must not be on it.

use std::fs;

use serde_json::json;
use steno_testkit::{App, Session};

fn app() -> App {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0".repeat(2).get(..36).unwrap());
    app.write(&Session::numbered(1).user(format!("Push it with {token} from /home/dev/project")).assistant(
        |message| {
            message
                .text("Pushed.")
                .tool_use("Bash", json!({"command": format!("GH_TOKEN={token} gh pr create")}))
        },
    ));
    app
}

#[test]
fn the_page_is_named_after_the_session_and_masked() {
    let app = app();
    let told = app.run("share last");
    let name = "push-it-with-github-token-1-from-project-00000001.html";
    assert!(told.contains("Wrote ") && told.contains(&format!("{name} (")), "{told}");
    assert!(told.contains("Masked: 2 × github-token (lines 1, 3"), "{told}");
    let page = fs::read_to_string(app.home().root().join(name)).unwrap();
    assert!(page.contains("[github-token-1]") && !page.contains("ghp_") && !page.contains("/home/dev"));
}

#[test]
fn who_masks_nothing_has_to_say_so_twice() {
    let app = app();
    let refused = app.run("share last --no-redact");
    assert!(refused.contains("exit: 1") && refused.contains("--yes"), "{refused}");
    let whole = app.run("share last --no-redact --yes -o whole.html");
    assert!(whole.contains("exit: 0"), "{whole}");
    assert!(fs::read_to_string(app.home().root().join("whole.html")).unwrap().contains("ghp_a1B2"));
}

#[test]
fn the_report_tells_how_many_of_what_and_where() {
    let report = app().json("share last --dry-run --json");
    let kind = &report["redacted"]["kinds"][0];
    assert_eq!(
        (&kind["kind"], &kind["count"], &kind["distinct"]),
        (&json!("github-token"), &json!(2), &json!(1))
    );
    assert_eq!(kind["places"].as_array().unwrap().len(), 2);
    assert!(!report.to_string().contains("ghp_"), "{report}");
}
