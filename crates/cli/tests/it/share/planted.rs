//! Secrets of every kind in every place: none is in anything that the program gives away.
//!
//! In each round every secret stands in one place only, so that none is masked merely because another place gave it
//! away; from round to round it moves on.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::json;
use steno_testkit::secrets::{Planted, Watch, planted};
use steno_testkit::{App, Session};

use crate::share::outputs::{WHOLE, brief, run, thorough};
use crate::share::places::{BESIDE, is_name, within};

const ROUNDS: usize = 10;
const ID: &str = "00000001-5e55-4000-8000-000000000001";

/// Which secret stood where: place, secret.
type Plot = Vec<(&'static str, Planted)>;

fn secrets() -> Vec<Planted> {
    let numbered = |(number, planted): (usize, Planted)| Planted {
        name: format!("{} ({number})", planted.name),
        ..planted
    };
    planted().into_iter().enumerate().map(numbered).collect()
}

/// A home with a session that holds every secret once.
fn home(round: usize) -> (App, Plot) {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    let mut secrets = secrets();
    let names = secrets.iter().filter(|planted| is_name(&planted.text)).cloned().collect::<Vec<_>>();
    let mut plot: Plot = Vec::new();
    let outside = BESIDE.iter().map(|(place, _)| *place).chain(["directory of the project"]);
    for (number, place) in outside.enumerate() {
        let chosen = names[(round * (BESIDE.len() + 1) + number) % names.len()].clone();
        secrets.retain(|planted| planted.name != chosen.name);
        plot.push((place, chosen));
    }
    let places = within();
    let directory = format!("/home/dev/{}", plot[BESIDE.len()].1.text);
    let mut session = Session::numbered(1).cwd(directory).user("Look into the old notes");
    for (at, (place, put)) in places.iter().enumerate() {
        let here = |number: &usize| (number + round) % places.len() == at;
        for number in (0..secrets.len()).filter(here) {
            session = put(session, &secrets[number]);
            plot.push((place, secrets[number].clone()));
        }
    }
    session = session.user("And now?").assistant(|message| message.text("All of it is rotated."));
    app.write(&session);
    let project = app.home().project_path(session.project());
    for ((_, lay), (_, planted)) in BESIDE.iter().zip(&plot) {
        lay(&project, &session, planted);
    }
    (app, plot)
}

/// Everything that still shows a secret, and how many outputs there were.
fn survivors(app: &App, plot: &Plot, lines: &[String]) -> (Vec<String>, usize) {
    let watch = Watch::new(plot.iter().map(|(_, planted)| planted));
    let (mut left, mut count) = (Vec::new(), 0);
    for line in lines {
        for (output, text) in run(app, &line.replace("ID", ID)) {
            count += 1;
            for seen in watch.seen(&text) {
                let place = plot.iter().find(|(_, planted)| seen.starts_with(&format!("{}: ", planted.name)));
                left.push(format!("{} in {output}: {seen}", place.unwrap().0));
            }
        }
    }
    (left, count)
}

#[test]
fn no_secret_survives_in_any_place() {
    let mut left = Vec::new();
    let mut outputs = 0;
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut secrets: BTreeMap<String, usize> = BTreeMap::new();
    for round in 0..ROUNDS {
        let (app, plot) = home(round);
        let lines = if round == 0 { thorough() } else { brief() };
        let (seen, count) = survivors(&app, &plot, &lines);
        left.extend(seen);
        outputs += count;
        for (place, planted) in plot {
            *places.entry(place).or_default() += 1;
            *secrets.entry(planted.name).or_default() += 1;
        }
    }
    let kinds: BTreeSet<&str> = secrets.keys().filter_map(|name| name.split(" (").next()).collect();
    println!(
        "{} secrets of {} kinds in {} places, {outputs} outputs, {} survive",
        secrets.len(),
        kinds.len(),
        places.len(),
        left.len()
    );
    assert!(left.is_empty(), "{}", left.join("\n"));
    assert!(places.values().all(|count| *count >= 10), "{places:?}");
    assert!(secrets.values().all(|count| *count >= 5) && kinds.len() >= 40 && secrets.len() > 140);
}

/// Otherwise the test above would be about nothing.
#[test]
fn without_masks_the_places_show_their_secrets() {
    let (app, plot) = home(0);
    let whole = WHOLE.replace("--redact-emails", "");
    let shown = run(&app, &format!("dump {ID} --format json {whole}")).swap_remove(0).1;
    let is_seen = |planted: &Planted| shown.contains(json!(planted.secret).to_string().trim_matches('"'));
    let silent: BTreeSet<&str> =
        plot.iter().filter(|(_, planted)| !is_seen(planted)).map(|(place, _)| *place).collect();
    println!("{} places show nothing in JSON: {silent:?}", silent.len());
    assert!(silent.len() < 10, "{silent:?}");
}

#[test]
fn no_secret_survives_in_what_only_the_vault_has() {
    let (app, plot) = home(ROUNDS);
    assert!(app.run("init --local --no-schedule").contains("exit: 0"));
    fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    let (left, count) = survivors(&app, &plot, &brief());
    println!("{} secrets of a kept session, {count} outputs, {} survive", plot.len(), left.len());
    assert!(left.is_empty(), "{}", left.join("\n"));
}
