//! What is asked of every session.

use steno_edit::CloneOptions;
use steno_edit::options::{Compress, Cut, Preset, Strip, Tools};

/// With the names that the command line has for them; `record` is one in the middle of the session.
pub(crate) fn all(record: &str) -> Vec<(&'static str, CloneOptions)> {
    let strip = |strip: Strip| CloneOptions { strip, without_noise: true, ..CloneOptions::default() };
    let cut = |cut: Cut| CloneOptions { cut: Some(cut), without_noise: true, ..CloneOptions::default() };
    let presets = [
        ("--preset default", Preset::Default),
        ("--preset aggressive", Preset::Aggressive),
        ("--preset heavy", Preset::Heavy),
        ("--preset extreme", Preset::Extreme),
    ];
    let compress = Compress {
        keep_turns: 1,
        summary: "What was said before.".to_owned(),
        now: "2026-01-01T00:00:00Z".parse().unwrap(),
    };
    let mut all = vec![
        ("a plain clone", CloneOptions::default()),
        ("--strip tools", strip(Strip { tools: Some(Tools::NONE), ..Strip::default() })),
        ("--strip thinking", strip(Strip { thinking: true, ..Strip::default() })),
        ("--strip images", strip(Strip { images: true, ..Strip::default() })),
        ("--turns 1", cut(Cut::First(1))),
        ("--turns -1", cut(Cut::Last(1))),
        ("--at RECORD", cut(Cut::At(record.to_owned()))),
        (
            "--compress-before 1",
            CloneOptions { compress: Some(compress), without_noise: true, ..CloneOptions::default() },
        ),
    ];
    all.extend(presets.map(|(name, preset)| (name, strip(preset.strip()))));
    all
}
