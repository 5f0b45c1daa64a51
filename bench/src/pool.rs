//! Long texts made once, already escaped for JSON, of which generated records take slices.
//!
//! A slice starts and ends between sentences, so that no escape and no character is ever cut. Words are drawn with
//! a skew, so that the text compresses about as well as real transcripts do.

use steno_testkit::Rng;

const POOL_BYTES: usize = 4 << 20;

/// What kind of text a record asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Prose,
    Code,
    /// Base64, as in pictures.
    Data,
}

impl Kind {
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "prose" => Some(Self::Prose),
            "code" => Some(Self::Code),
            "data" => Some(Self::Data),
            _ => None,
        }
    }
}

#[derive(Debug)]
pub(crate) struct Pools {
    prose: Pool,
    code: Pool,
    data: Pool,
}

#[derive(Debug)]
struct Pool {
    bytes: Vec<u8>,
    /// Where sentences start; the end of the text is the last of them.
    starts: Vec<usize>,
}

impl Pools {
    /// Always the same text: what varies by seed is which slices are taken.
    pub(crate) fn new() -> Self {
        let mut rng = Rng::new(0x5EED);
        let words = Words::new(&mut rng);
        let prose = Pool::fill(|out| prose_sentence(&words, &mut rng, out));
        let code = Pool::fill(|out| code_line(&words, &mut rng, out));
        let data = Pool::fill(|out| data_run(&mut rng, out));
        Self { prose, code, data }
    }

    /// About `length` bytes of text, never less unless the text is empty.
    pub(crate) fn write(&self, kind: Kind, length: usize, rng: &mut Rng, out: &mut Vec<u8>) {
        let pool = match kind {
            Kind::Prose => &self.prose,
            Kind::Code => &self.code,
            Kind::Data => &self.data,
        };
        let end = out.len() + length;
        while out.len() < end {
            out.extend_from_slice(pool.slice(end - out.len(), rng));
        }
    }
}

impl Pool {
    fn fill(mut sentence: impl FnMut(&mut Vec<u8>)) -> Self {
        let mut bytes = Vec::with_capacity(POOL_BYTES + 1024);
        let mut starts = vec![0];
        while bytes.len() < POOL_BYTES {
            sentence(&mut bytes);
            starts.push(bytes.len());
        }
        Self { bytes, starts }
    }

    fn slice(&self, length: usize, rng: &mut Rng) -> &[u8] {
        let sentence = rng.below(self.starts.len() as u64 - 1) as usize;
        let start = self.starts.get(sentence).copied().unwrap_or(0);
        let next = self.starts.partition_point(|at| *at < start + length).max(sentence + 1);
        let end = self.starts.get(next).copied().unwrap_or(self.bytes.len());
        self.bytes.get(start..end).unwrap_or_default()
    }
}

/// A vocabulary whose first words are far more frequent than its last.
struct Words(Vec<String>);

impl Words {
    fn new(rng: &mut Rng) -> Self {
        const SYLLABLES: [&str; 32] = [
            "re", "con", "ver", "ta", "men", "lo", "si", "par", "se", "der", "in", "for", "ma", "tion", "er",
            "al", "pre", "un", "des", "co", "li", "mit", "vi", "ble", "pro", "gra", "ti", "on", "ex", "de",
            "st", "ry",
        ];
        let word = |rng: &mut Rng| {
            let count = 1 + rng.below(4);
            (0..count).map(|_| *rng.choose(&SYLLABLES)).collect::<String>()
        };
        let mut words: Vec<String> = (0..6000).map(|_| word(rng)).collect();
        words.extend(["naïve", "café", "日本語", "→", "🦀", "“so”", "Größe"].map(str::to_owned));
        Self(words)
    }

    fn pick(&self, rng: &mut Rng) -> &str {
        let at = rng.skewed(1, self.0.len() as u64) - 1;
        // The last places are the words outside ASCII; a skewed draw would almost never reach them.
        let at = if rng.below(60) == 0 { self.0.len() as u64 - 1 - rng.below(7) } else { at };
        self.0.get(at as usize).map_or("", String::as_str)
    }
}

fn prose_sentence(words: &Words, rng: &mut Rng, out: &mut Vec<u8>) {
    for _ in 0..6 + rng.below(14) {
        let word = words.pick(rng);
        match rng.below(40) {
            0 => push(out, &["`", word, "`"]),
            1 => push(out, &["\\\"", word, "\\\""]),
            2 => push(out, &["src/", word, ".rs:", &rng.below(900).to_string()]),
            _ => push(out, &[word]),
        }
        out.push(b' ');
    }
    out.pop();
    push(out, &[if rng.chance(20) { ".\\n\\n" } else { ". " }]);
}

fn code_line(words: &Words, rng: &mut Rng, out: &mut Vec<u8>) {
    let indent = ["", "    ", "        ", "\\t"];
    let (name, value) = (words.pick(rng), words.pick(rng));
    let number = rng.below(100_000).to_string();
    push(out, &[rng.choose::<&str>(&indent)]);
    match rng.below(6) {
        0 => push(out, &["let ", name, " = ", value, "(\\\"", words.pick(rng), "\\\", ", &number, ");"]),
        1 => push(out, &["fn ", name, "(", value, ": &str) -> Result<", words.pick(rng), ", Error> {"]),
        2 => push(out, &["test ", name, "::", value, " ... ok (", &number, " us)"]),
        3 => push(out, &["   ", &number, "\\t", words.pick(rng), " ", name, " ", value]),
        4 => push(out, &["error[E0", &number, "]: ", name, " C:\\\\", value, "\\\\", words.pick(rng)]),
        _ => push(out, &["// ", name, " ", value, " ", words.pick(rng), " ", words.pick(rng)]),
    }
    out.extend_from_slice(b"\\n");
}

fn data_run(rng: &mut Rng, out: &mut Vec<u8>) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bits = rng.next();
    for _ in 0..8 {
        out.push(DIGITS.get((bits & 63) as usize).copied().unwrap_or(b'A'));
        bits >>= 6;
    }
}

fn push(out: &mut Vec<u8>, parts: &[&str]) {
    for part in parts {
        out.extend_from_slice(part.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_slice_is_the_inside_of_a_json_string() {
        let pools = Pools::new();
        let mut rng = Rng::new(3);
        for kind in [Kind::Prose, Kind::Code, Kind::Data] {
            for length in [1, 100, 5000] {
                let mut text = vec![b'"'];
                pools.write(kind, length, &mut rng, &mut text);
                text.push(b'"');
                assert!(text.len() >= length && text.len() < length + 600);
                serde_json::from_slice::<String>(&text).unwrap();
            }
        }
    }
}
