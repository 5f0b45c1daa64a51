//! A seed and a form → a value: no value stands in any source, and each seed makes others.

const BASE62: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

pub(crate) struct Drawer(u64);

impl Drawer {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Splitmix: every seed is a good one.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 33) as usize % limit
    }

    /// `id-‹w36›`: what stands between such brackets is drawn, by its alphabet and length.
    pub(crate) fn fill(&mut self, form: &str) -> String {
        let mut filled = String::new();
        let mut rest = form;
        while let Some((before, hole)) = rest.split_once('‹') {
            let (hole, after) = hole.split_once('›').unwrap();
            filled.push_str(before);
            filled.push_str(&self.hole(hole));
            rest = after;
        }
        filled + rest
    }

    fn hole(&mut self, hole: &str) -> String {
        let (alphabet, length) = hole.split_at(1);
        let length = length.parse().unwrap();
        match alphabet {
            "P" => self.password(length),
            "U" => self.uuid(),
            _ => {
                let letters = alphabet_of(alphabet).as_bytes();
                (0..length).map(|_| char::from(letters[self.below(letters.len())])).collect()
            }
        }
    }

    /// As a program for passwords makes them: letters of all classes.
    fn password(&mut self, length: usize) -> String {
        let middle: String = self.hole(&format!("p{}", length - 4));
        format!("{}{}{middle}{}{}", self.hole("a1"), self.hole("d1"), self.hole("A1"), self.hole("d1"))
    }

    fn uuid(&mut self) -> String {
        [8, 4, 4, 4, 12].map(|length| self.hole(&format!("x{length}"))).join("-")
    }
}

fn alphabet_of(name: &str) -> &'static str {
    match name {
        "w" => BASE62,
        "x" => "0123456789abcdef",
        "X" => "0123456789ABCDEF",
        "d" => "0123456789",
        "a" => "abcdefghijklmnopqrstuvwxyz",
        "A" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "u" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
        "l" => "abcdefghijklmnopqrstuvwxyz0123456789",
        "t" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
        "b" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
        "s" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-",
        "p" => "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789!%+*_-",
        "n" => "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
        other => panic!("no alphabet is called {other}"),
    }
}
