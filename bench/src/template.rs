//! A session built once by the testkit → as many fresh ones as needed, at the speed of copying.
//!
//! The built bytes are cut at everything that must differ from copy to copy: ids (all carry the session's stamp),
//! the session's id, times, the working directory, the parent of the first record, and texts. A text is asked for
//! by a marker, `%%kind:least-most:number%%`; the same marker gets the same text everywhere in one copy.

use memchr::memmem;
use steno_testkit::{Built, Rng, Session, millis, write_timestamp};

use crate::pool::{Kind, Pools};

/// The parent of a template's first record; a copy has its own, or none.
pub(crate) const PARENT: &str = "ffffffff-ffff-4fff-8fff-ffffffffffff";
/// The working directory that templates are built with.
pub(crate) const CWD: &str = "/home/dev/placeholder";

/// What one copy is filled with.
#[derive(Debug, Clone)]
pub(crate) struct Fill {
    pub(crate) session: String,
    pub(crate) cwd: String,
    /// The number behind all ids and texts of the copy.
    pub(crate) stamp: u64,
    pub(crate) start: i64,
    pub(crate) parent: Option<String>,
}

impl Fill {
    fn stamp_text(&self) -> String {
        format!("{:012x}", self.stamp & 0xFFFF_FFFF_FFFF)
    }
}

/// A transcript's stretch and the agents it calls.
#[derive(Debug)]
pub(crate) struct Template {
    main: Pieces,
    pub(crate) agents: Vec<AgentTemplate>,
    leaf: Pieces,
    /// How long the stretch lasts, in milliseconds.
    pub(crate) duration: i64,
    /// About how many bytes a copy has, agents included.
    pub(crate) expected: u64,
}

#[derive(Debug)]
pub(crate) struct AgentTemplate {
    pub(crate) id: Pieces,
    pub(crate) transcript: Pieces,
    pub(crate) meta: Option<Pieces>,
}

/// Bytes with holes.
#[derive(Debug)]
pub(crate) struct Pieces(Vec<Piece>);

#[derive(Debug)]
enum Piece {
    Literal(Vec<u8>),
    Stamp,
    ShortAgent(u64),
    Session,
    Cwd,
    Parent,
    Time(i64),
    Text { kind: Kind, least: u64, most: u64, number: u64 },
}

impl Template {
    pub(crate) fn new(session: &Session) -> Self {
        let built = session.build();
        let cutter = Cutter::new(session, &built);
        let main = cutter.cut(&built.bytes);
        let agents: Vec<AgentTemplate> = built
            .agents
            .iter()
            .map(|agent| AgentTemplate {
                id: cutter.cut(agent.id.as_str().as_bytes()),
                transcript: cutter.cut(&agent.bytes),
                meta: agent.meta.as_ref().map(|meta| cutter.cut(meta.to_string().as_bytes())),
            })
            .collect();
        let leaf = built.made.records.last().map_or(PARENT, |id| id.as_str());
        let last = last_time(&built.bytes).unwrap_or(cutter.start);
        let expected = main.expected() + agents.iter().map(|agent| agent.transcript.expected()).sum::<u64>();
        Self {
            leaf: cutter.cut(leaf.as_bytes()),
            duration: last - cutter.start + 60_000,
            main,
            agents,
            expected,
        }
    }

    pub(crate) fn write(&self, fill: &Fill, pools: &Pools, out: &mut Vec<u8>) {
        self.main.write(fill, pools, out);
    }

    /// The record that a next stretch hangs below.
    pub(crate) fn leaf(&self, fill: &Fill, pools: &Pools) -> String {
        self.leaf.text(fill, pools)
    }
}

impl Pieces {
    pub(crate) fn text(&self, fill: &Fill, pools: &Pools) -> String {
        let mut out = Vec::new();
        self.write(fill, pools, &mut out);
        String::from_utf8_lossy(&out).into_owned()
    }

    pub(crate) fn write(&self, fill: &Fill, pools: &Pools, out: &mut Vec<u8>) {
        let stamp = fill.stamp_text();
        for piece in &self.0 {
            match piece {
                Piece::Literal(bytes) => out.extend_from_slice(bytes),
                Piece::Stamp => out.extend_from_slice(stamp.as_bytes()),
                Piece::ShortAgent(number) => {
                    let id = Rng::stream(fill.stamp, *number).next() as u32;
                    out.extend_from_slice(format!("{id:08x}").as_bytes());
                }
                Piece::Session => out.extend_from_slice(fill.session.as_bytes()),
                Piece::Cwd => out.extend_from_slice(fill.cwd.as_bytes()),
                Piece::Parent => write_parent(fill.parent.as_deref(), out),
                Piece::Time(offset) => write_timestamp(fill.start + offset, out),
                Piece::Text { kind, least, most, number } => {
                    let mut rng = Rng::stream(fill.stamp, 1000 + number);
                    let length = rng.skewed(*least, *most) as usize;
                    pools.write(*kind, length, &mut rng, out);
                }
            }
        }
    }

    fn expected(&self) -> u64 {
        let length = |piece: &Piece| match piece {
            Piece::Literal(bytes) => bytes.len() as u64,
            Piece::Text { least, most, .. } => mean(*least, *most),
            _ => 24,
        };
        self.0.iter().map(length).sum()
    }
}

/// The mean of [`Rng::skewed`].
fn mean(least: u64, most: u64) -> u64 {
    let (least, most) = (least.max(1) as f64, most as f64);
    if most <= least { least as u64 } else { ((most - least) / (most / least).ln()) as u64 }
}

fn write_parent(parent: Option<&str>, out: &mut Vec<u8>) {
    match parent {
        Some(parent) => {
            out.push(b'"');
            out.extend_from_slice(parent.as_bytes());
            out.push(b'"');
        }
        None => out.extend_from_slice(b"null"),
    }
}

/// Knows where built bytes have to be cut.
struct Cutter {
    stamp: String,
    session: String,
    short_agents: Vec<String>,
    start: i64,
}

impl Cutter {
    fn new(session: &Session, built: &Built) -> Self {
        let stamp = session.stamp().to_owned();
        let short = |id: &str| !id.contains(&stamp);
        Self {
            short_agents: built
                .agents
                .iter()
                .map(|agent| agent.id.to_string())
                .filter(|id| short(id))
                .collect(),
            stamp,
            session: built.id.to_string(),
            start: first_time(&built.bytes).unwrap_or(0),
        }
    }

    fn cut(&self, bytes: &[u8]) -> Pieces {
        let mut holes = self.holes(bytes);
        holes.sort_by_key(|hole| hole.0);
        let mut pieces = Vec::new();
        let mut end = 0;
        for (start, length, piece) in holes {
            if let Some(literal) = bytes.get(end..start).filter(|literal| !literal.is_empty()) {
                pieces.push(Piece::Literal(literal.to_vec()));
            }
            pieces.push(piece);
            end = start + length;
        }
        pieces.push(Piece::Literal(bytes.get(end..).unwrap_or_default().to_vec()));
        Pieces(pieces)
    }

    /// Every place to fill: where, how long in the template, with what.
    fn holes(&self, bytes: &[u8]) -> Vec<(usize, usize, Piece)> {
        let mut holes = Vec::new();
        let mut find = |needle: &str, piece: &dyn Fn() -> Piece| {
            holes.extend(memmem::find_iter(bytes, needle).map(|at| (at, needle.len(), piece())));
        };
        find(&self.stamp, &|| Piece::Stamp);
        find(&self.session, &|| Piece::Session);
        find(CWD, &|| Piece::Cwd);
        find(&format!("\"{PARENT}\""), &|| Piece::Parent);
        for (number, agent) in (0..).zip(&self.short_agents) {
            find(agent, &|| Piece::ShortAgent(number));
        }
        let times = times(bytes).map(|(at, time)| (at, 24, Piece::Time(time - self.start)));
        holes.extend(times);
        holes.extend(markers(bytes));
        holes
    }
}

const TIMESTAMP: &str = "\"timestamp\":\"";

fn times(bytes: &[u8]) -> impl Iterator<Item = (usize, i64)> {
    memmem::find_iter(bytes, TIMESTAMP).filter_map(|at| {
        let start = at + TIMESTAMP.len();
        let text = std::str::from_utf8(bytes.get(start..start + 24)?).ok()?;
        Some((start, millis(text)))
    })
}

fn first_time(bytes: &[u8]) -> Option<i64> {
    times(bytes).map(|(_, time)| time).min()
}

fn last_time(bytes: &[u8]) -> Option<i64> {
    times(bytes).map(|(_, time)| time).max()
}

fn markers(bytes: &[u8]) -> Vec<(usize, usize, Piece)> {
    let ends: Vec<usize> = memmem::find_iter(bytes, "%%").collect();
    let pair = |pair: &[usize]| {
        let [start, end] = pair else { return None };
        let marker = std::str::from_utf8(bytes.get(start + 2..*end)?).ok()?;
        Some((*start, end + 2 - start, text_piece(marker)?))
    };
    ends.chunks(2).filter_map(pair).collect()
}

fn text_piece(marker: &str) -> Option<Piece> {
    let mut parts = marker.split([':', '-']);
    let kind = Kind::named(parts.next()?)?;
    let mut number = || parts.next()?.parse::<u64>().ok();
    Some(Piece::Text { kind, least: number()?, most: number()?, number: number()? })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use steno_testkit::Era;

    use super::*;

    #[test]
    fn a_copy_has_fresh_ids_a_parent_and_text() {
        let session = Session::numbered(1)
            .era(Era::V2_0_42)
            .cwd(CWD)
            .leaf(Some(PARENT.into()))
            .user("%%prose:10-20:1%%")
            .agent(|agent| agent.prompt("%%prose:10-20:2%%"));
        let template = Template::new(&session);
        let fill = Fill {
            session: "me".into(),
            cwd: "/w".into(),
            stamp: 7,
            start: millis("2026-01-01T00:00:00.000Z"),
            parent: Some("p".into()),
        };
        let pools = Pools::new();
        let mut bytes = Vec::new();
        template.write(&fill, &pools, &mut bytes);
        let text = String::from_utf8(bytes).unwrap();
        let records: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(records[0]["parentUuid"], "p");
        assert_eq!(records[0]["timestamp"], "2026-01-01T00:00:00.000Z");
        assert_eq!(records[0]["cwd"], "/w");
        assert!(!text.contains(session.stamp()) && !text.contains("%%"));
        assert_eq!(records.last().unwrap()["uuid"], template.leaf(&fill, &pools));
        let agent = template.agents[0].id.text(&fill, &pools);
        assert_eq!(records.last().unwrap()["toolUseResult"]["agentId"], agent);
        let prompt = &records[1]["message"]["content"][0]["input"]["prompt"];
        let transcript = template.agents[0].transcript.text(&fill, &pools);
        let first: Value = serde_json::from_str(transcript.lines().next().unwrap()).unwrap();
        assert_eq!(&first["message"]["content"], prompt);
    }
}
