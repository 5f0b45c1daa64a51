//! What is told → a page of markdown that is never too long.

use std::collections::HashMap;

use super::{Digest, Turn, shorten};

/// Characters of the whole page; the parts share them.
const PAGE: usize = 12_000;
/// What an earlier summary has at least, if it is that long.
const EARLIER: usize = 2_500;
const PLAN: usize = 2_000;
const TASKS: usize = 1_200;
const FILES: usize = 1_800;
const COMMANDS: usize = 1_000;
/// Of one turn, at most and at least; what is asked gets a third of it.
const TURN: usize = 1_000;
const SHORT_TURN: usize = 110;
/// How many commands are told.
const FEW: usize = 10;
/// Commands that only look around do not tell how the project is worked on.
const LOOKING: [&str; 14] =
    ["ls", "cat", "cd", "pwd", "echo", "grep", "rg", "find", "head", "tail", "sed", "wc", "which", "tree"];

pub(super) fn write(digest: &Digest) -> String {
    let count = digest.turns.len();
    let turns_word = if count == 1 { "turn" } else { "turns" };
    let mut page = format!(
        "# The conversation so far\n\nThis page stands for {count} earlier {turns_word}. It was extracted from them: \
         prompts and answers are quoted, the longer ago the shorter.\n"
    );
    let plan = digest.plan.as_deref().map(outlined).unwrap_or_default();
    let tail = [
        section("Plan that was approved", &shorten::cut(&plan, PLAN)),
        section("Files", &files(&digest.written, &digest.read)),
        section("Commands that were run", &list(&commands(&digest.ran), COMMANDS)),
        section("Still to do", &list(&digest.tasks.open(), TASKS)),
    ]
    .concat();
    let used = page.chars().count() + tail.chars().count() + 100;
    let earlier = digest.earlier.chars().count().min(EARLIER);
    let turns = turns(&digest.turns, PAGE.saturating_sub(used + earlier));
    // What the turns leave is for it, too.
    let room = PAGE.saturating_sub(used + turns.chars().count());
    page += &section("Before that", &shorten::cut(&digest.earlier, room));
    page += &section("What was asked, and what came of it", &turns);
    page + &tail
}

fn section(title: &str, text: &str) -> String {
    if text.trim().is_empty() { String::new() } else { format!("\n## {title}\n\n{}\n", text.trim_end()) }
}

/// As many lines as there is room for.
fn list(items: &[String], room: usize) -> String {
    let mut list = String::new();
    let mut length = 0;
    for (place, item) in items.iter().enumerate() {
        length += item.chars().count() + 3;
        if length > room {
            list += &format!("- … and {} more\n", items.len() - place);
            break;
        }
        list += &format!("- {item}\n");
    }
    list
}

/// The last turns have the most room, and the very first is never left out: it says what it is all about.
fn turns(turns: &[Turn], room: usize) -> String {
    let first = turns.first().map(|turn| told(1, turn, room.min(TURN / 2))).unwrap_or_default();
    let mut left = room.saturating_sub(first.chars().count());
    let mut lines = Vec::new();
    for (place, turn) in turns.iter().enumerate().skip(1).rev() {
        let line = told(place + 1, turn, (left / 5).clamp(SHORT_TURN, TURN));
        let length = line.chars().count();
        if length > left {
            lines.push(format!("- … {place} turns in between are left out\n"));
            break;
        }
        left -= length;
        lines.push(line);
    }
    lines.push(first);
    lines.reverse();
    lines.concat()
}

fn told(number: usize, turn: &Turn, room: usize) -> String {
    let asked = shorten::line(&turn.asked, (room / 3).max(40));
    let said = shorten::line(&turn.said, room.saturating_sub(asked.chars().count() + 24));
    let end = if turn.is_interrupted { " (interrupted)" } else { "" };
    let asked = if asked.is_empty() { "(before the first prompt)" } else { &asked };
    let said = if said.is_empty() { String::new() } else { format!("\n   → {said}") };
    format!("{number}. **{}**{end}{said}\n", asked.replace("**", ""))
}

/// Headings and steps of a plan; all of one that has none.
fn outlined(plan: &str) -> String {
    let is_step = |line: &&str| {
        let line = line.trim_start();
        let after_number = line.trim_start_matches(|character: char| character.is_ascii_digit());
        line.starts_with(['#', '-', '*'])
            || after_number.len() < line.len() && after_number.starts_with(['.', ')'])
    };
    let steps: Vec<&str> = plan.lines().filter(is_step).collect();
    let lines = if steps.len() > 1 { steps } else { plan.lines().collect() };
    // Its headings are below ours.
    let lower = |line: &str| match line.trim_start_matches('#') {
        heading if heading.len() < line.len() => format!("**{}**", heading.trim()),
        _ => shorten::cut(line, 240),
    };
    lines.into_iter().map(lower).collect::<Vec<_>>().join("\n")
}

/// Those that were written before those that were only read, the last first.
fn files(written: &[String], read: &[String]) -> String {
    let changed = latest(written);
    let seen: Vec<String> = latest(read).into_iter().filter(|file| !changed.contains(file)).collect();
    let quoted = |files: Vec<String>| files.iter().map(|file| format!("`{file}`")).collect::<Vec<_>>();
    let mut text = String::new();
    for (title, files, room) in
        [("Written:", quoted(changed), FILES * 2 / 3), ("Read:", quoted(seen), FILES / 3)]
    {
        if !files.is_empty() {
            text += &format!("{title}\n{}", list(&files, room));
        }
    }
    text
}

/// Each once, the last first.
fn latest(items: &[String]) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    items.iter().rev().filter(|item| seen.insert(item.as_str())).cloned().collect()
}

/// A few that do something: first those that were run again and again.
fn commands(ran: &[String]) -> Vec<String> {
    let does_something = |command: &&String| {
        let word = command.split(|character: char| character.is_whitespace()).next().unwrap_or_default();
        !LOOKING.contains(&word)
    };
    let mut count: HashMap<&str, usize> = HashMap::new();
    for command in ran.iter().filter(does_something) {
        *count.entry(command).or_default() += 1;
    }
    let mut commands = latest(ran);
    commands.retain(|command| count.contains_key(command.as_str()));
    // Stable: among equals the last one run stays first.
    commands.sort_by_key(|command| std::cmp::Reverse(count.get(command.as_str()).copied()));
    commands.truncate(FEW);
    commands.iter().map(|command| format!("`{}`", command.replace('`', "'"))).collect()
}
