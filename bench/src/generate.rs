//! A seed and a size → a Claude directory: sessions of all eras, subagents, forks, compactions, rewinds, pictures
//! and very long lines. The same order gives the same bytes.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use steno_testkit::{Era, Rng, encode_project, millis};

use crate::Error;
use crate::pool::Pools;
use crate::shapes::{self, EraShapes};
use crate::template::{Fill, Template};

/// Changes whenever the same order would give other bytes, so that no old home is taken for a new one.
pub(crate) const GENERATOR: u32 = 2;

/// What to generate.
#[derive(Debug, Clone, Copy)]
pub struct Order {
    /// Of all files together, those of subagents included; more only where so many sessions cannot be so small.
    pub bytes: u64,
    /// How many sessions; the transcripts of subagents come on top.
    pub files: u64,
    pub seed: u64,
}

/// What was generated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    pub sessions: u64,
    pub agents: u64,
    pub bytes: u64,
}

/// Writes a home into `directory`, which becomes the Claude directory and must not be one yet.
pub fn generate(directory: &Path, order: &Order) -> Result<Summary, Error> {
    if directory.join("projects").exists() {
        return Err(Error::Occupied(directory.to_owned()));
    }
    let longest_line = (order.bytes / 100).clamp(50_000, 6_000_000);
    let generator = Generator { pools: Pools::new(), shapes: shapes::all(longest_line), order: *order };
    generator.run(directory)
}

struct Generator {
    pools: Pools,
    shapes: Vec<EraShapes>,
    order: Order,
}

/// One session's file, as a list of its parts; a fork takes the beginning of another's list.
#[derive(Clone)]
struct Outline<'a> {
    era: &'a EraShapes,
    session: String,
    cwd: String,
    stretches: Vec<(&'a Template, Fill)>,
}

/// Which sessions get a very long line: one for every 60 MB, spread evenly.
struct Giants {
    bytes: u64,
    spacing: u64,
}

impl Giants {
    fn new(order: &Order, shapes: &[EraShapes]) -> Self {
        let count = (order.bytes / 60_000_000).min(order.files / 2);
        let expected = shapes.first().map_or(0, |era| era.giant.expected);
        Self { bytes: count * expected, spacing: order.files.checked_div(count).unwrap_or(0) }
    }

    fn falls_on(&self, number: u64) -> bool {
        self.spacing > 0 && number % self.spacing == self.spacing / 2
    }
}

impl Generator {
    fn run(&self, directory: &Path) -> Result<Summary, Error> {
        let mut rng = Rng::stream(self.order.seed, 0);
        let weights: Vec<f64> = (0..self.order.files).map(|_| rng.skewed(1, 400) as f64).collect();
        let total: f64 = weights.iter().sum();
        let giants = Giants::new(&self.order, &self.shapes);
        let mut summary = Summary::default();
        let mut due = 0.0;
        let mut before: Option<Outline<'_>> = None;
        for (number, weight) in (0..).zip(&weights) {
            due += weight / total * (self.order.bytes - giants.bytes) as f64;
            let mut rng = Rng::stream(self.order.seed, 1 + number);
            let fork = before.as_ref().filter(|_| rng.chance(6));
            let mut outline = self.begin(number, fork, &mut rng);
            if giants.falls_on(number) {
                due += outline.era.giant.expected as f64;
                let fill = self.next_fill(&outline, &mut rng);
                outline.stretches.push((&outline.era.giant, fill));
            }
            self.fill(&mut outline, (due as u64).saturating_sub(summary.bytes), &mut rng);
            let written = self.write(directory, &outline, fork.map_or(0, |fork| fork.stretches.len() / 2))?;
            summary.sessions += 1;
            summary.agents += written.agents;
            summary.bytes += written.bytes;
            before = Some(outline);
        }
        Ok(summary)
    }

    fn begin<'a>(&'a self, number: u64, fork: Option<&Outline<'a>>, rng: &mut Rng) -> Outline<'a> {
        let session = uuid(rng);
        if let Some(source) = fork {
            let kept = source.stretches.iter().take(source.stretches.len() / 2);
            let stretches = kept
                .map(|(template, fill)| (*template, Fill { session: session.clone(), ..fill.clone() }))
                .collect();
            return Outline { session, stretches, ..source.clone() };
        }
        let era = self.pick_era(rng);
        let project = rng.skewed(1, 1 + self.order.files / 12);
        let cwd = format!("/home/dev/work/project-{project:03}");
        let start =
            millis(era.era.start()) + (number as i64 % 30) * 86_400_000 + rng.below(40_000_000) as i64;
        let fill =
            Fill { session: session.clone(), cwd: cwd.clone(), stamp: rng.next(), start, parent: None };
        Outline { era, session, cwd, stretches: vec![(&era.opening, fill)] }
    }

    /// Adds stretches until the file has about `bytes` bytes.
    fn fill<'a>(&'a self, outline: &mut Outline<'a>, bytes: u64, rng: &mut Rng) {
        let mut expected: u64 = outline.stretches.iter().map(|(template, _)| template.expected).sum();
        loop {
            let remaining = bytes.saturating_sub(expected);
            let template = pick(outline.era, remaining, rng);
            expected += template.expected;
            let fill = self.next_fill(outline, rng);
            outline.stretches.push((template, fill));
            if expected >= bytes {
                return;
            }
        }
    }

    fn next_fill(&self, outline: &Outline<'_>, rng: &mut Rng) -> Fill {
        let (start, parent) = match outline.stretches.last() {
            Some((template, fill)) => {
                let leaf = template.leaf(fill, &self.pools);
                let parent = if leaf == crate::template::PARENT { fill.parent.clone() } else { Some(leaf) };
                (fill.start + template.duration + rng.below(300_000) as i64, parent)
            }
            None => (millis(outline.era.era.start()), None),
        };
        let (session, cwd) = (outline.session.clone(), outline.cwd.clone());
        Fill { session, cwd, stamp: rng.next(), start, parent }
    }

    fn pick_era(&self, rng: &mut Rng) -> &EraShapes {
        let mut draw = rng.below(self.shapes.iter().map(|era| era.share).sum());
        let chosen = self.shapes.iter().find(|era| {
            let found = draw < era.share;
            draw = draw.saturating_sub(era.share);
            found
        });
        // The draw is below the sum of all shares.
        chosen.or(self.shapes.first()).unwrap_or_else(|| unreachable!("there are eras"))
    }

    /// Writes the session's files. The agents of copied stretches belong to the session that was forked.
    fn write(&self, directory: &Path, outline: &Outline<'_>, copied: usize) -> Result<Summary, Error> {
        let project = directory.join("projects").join(encode_project(&outline.cwd));
        fs::create_dir_all(&project).map_err(Error::file("create", &project))?;
        let path = project.join(format!("{}.jsonl", outline.session));
        let file = File::create(&path).map_err(Error::file("create", &path))?;
        let mut file = BufWriter::with_capacity(1 << 20, file);
        let mut summary = Summary::default();
        let mut buffer = Vec::new();
        for (number, (template, fill)) in outline.stretches.iter().enumerate() {
            buffer.clear();
            template.write(fill, &self.pools, &mut buffer);
            file.write_all(&buffer).map_err(Error::file("write", &path))?;
            summary.bytes += buffer.len() as u64;
            if number >= copied {
                let agents = self.write_agents(&project, outline, template, fill)?;
                summary.agents += agents.agents;
                summary.bytes += agents.bytes;
            }
        }
        file.flush().map_err(Error::file("write", &path))?;
        Ok(summary)
    }

    fn write_agents(
        &self,
        project: &Path,
        outline: &Outline<'_>,
        template: &Template,
        fill: &Fill,
    ) -> Result<Summary, Error> {
        let mut summary = Summary::default();
        let beside = matches!(outline.era.era, Era::V1_0 | Era::V2_0_42);
        let directory =
            if beside { project.to_owned() } else { project.join(&outline.session).join("subagents") };
        for agent in &template.agents {
            fs::create_dir_all(&directory).map_err(Error::file("create", &directory))?;
            let stem: PathBuf = directory.join(format!("agent-{}", agent.id.text(fill, &self.pools)));
            let mut bytes = Vec::new();
            agent.transcript.write(fill, &self.pools, &mut bytes);
            let path = stem.with_extension("jsonl");
            fs::write(&path, &bytes).map_err(Error::file("write", &path))?;
            if let Some(meta) = &agent.meta {
                let path = stem.with_extension("meta.json");
                let text = meta.text(fill, &self.pools);
                fs::write(&path, &text).map_err(Error::file("write", &path))?;
                summary.bytes += text.len() as u64;
            }
            summary.agents += 1;
            summary.bytes += bytes.len() as u64;
        }
        Ok(summary)
    }
}

/// A stretch by weight, but none that would overshoot what remains by far.
pub(crate) fn pick<'a>(era: &'a EraShapes, remaining: u64, rng: &mut Rng) -> &'a Template {
    let mut draw = rng.below(era.shapes.iter().map(|shape| shape.weight).sum());
    let shape = era.shapes.iter().find(|shape| {
        let found = draw < shape.weight;
        draw = draw.saturating_sub(shape.weight);
        found
    });
    match shape {
        Some(shape) if shape.template.expected <= remaining + remaining / 4 => &shape.template,
        _ => &era.chat,
    }
}

fn uuid(rng: &mut Rng) -> String {
    let (high, low) = (rng.next(), rng.next());
    format!(
        "{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}",
        high >> 32,
        high >> 16 & 0xFFFF,
        high & 0xFFF,
        low >> 52,
        low & 0xFFFF_FFFF_FFFF
    )
}
