//! Any bytes, read as a .proto file, give a table of locations, and every location lies inside the bytes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use locant_engine::Offset;
use locant_engine::proto::{Interpretation, Lookup, NoSources, Pool, TableKind, UnitId, descriptor_set};

fuzz_target!(|bytes: &[u8]| {
    let pool = Pool::new("a.proto", bytes, &NoSources);
    let end = Offset::of_index(bytes.len());
    for location in pool.unit(UnitId::MAIN).file.table.iter() {
        assert!(location.start() <= end && location.end() <= end);
    }
    let interpretation = Interpretation::new(&pool);
    let lookup = Lookup::new(&pool, &interpretation);
    for at in [0, bytes.len() / 2, bytes.len()] {
        lookup.at(Offset::of_index(at), TableKind::Default);
        lookup.why_nothing_at(Offset::of_index(at));
    }
    descriptor_set(&pool, &interpretation, TableKind::Default);
});
