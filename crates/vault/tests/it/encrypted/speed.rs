//! How fast objects are closed and opened, for people to look at.

use std::time::Instant;

use steno_vault::{Existing, Store};

use crate::encrypted::stage::{self, Shared, open};

#[test]
#[allow(clippy::print_stdout, reason = "it is there to be read")]
#[ignore = "a measurement, for a release build"]
fn speed() {
    let seal = stage::seal();
    let noise: Vec<u8> =
        (0..4_u32 << 20).flat_map(|number| number.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    for (length, rounds) in [(16 << 20, 10), (4 << 10, 3000)] {
        let bytes = &noise[..length];
        let megabytes = (length * rounds) as f64 / 1e6;
        let start = Instant::now();
        let sealed: Vec<Vec<u8>> = (0..rounds).map(|_| seal.encrypt("a.zst", bytes).unwrap()).collect();
        let closed = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let object = seal.object_of("a.zst");
        sealed.iter().for_each(|sealed| assert_eq!(open(&seal, &object, sealed).unwrap().len(), length));
        let opened = start.elapsed().as_secs_f64();
        let each = |seconds: f64| {
            format!("{:.0} MB/s, {:.1} µs each", megabytes / seconds, seconds * 1e6 / rounds as f64)
        };
        println!("{length} bytes: close {}; open {}", each(closed), each(opened));
    }
    let shared = Shared::default();
    let store = shared.of(seal.clone(), "nobody");
    let batch = store.batch().unwrap();
    (0..10_000)
        .for_each(|number| batch.put(&format!("machines/m/{number}"), b"bytes", Existing::Refuse).unwrap());
    batch.commit().unwrap();
    let start = Instant::now();
    let anew = shared.of(seal, "nobody");
    assert_eq!(anew.list("").unwrap().len(), 10_000);
    println!("10000 unknown objects listed in {:?}", start.elapsed());
    let start = Instant::now();
    assert_eq!(anew.list("").unwrap().len(), 10_000);
    println!("10000 known objects listed in {:?}", start.elapsed());
}
