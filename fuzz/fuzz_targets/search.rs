//! Matches of any pattern in any bytes are in order and inside the text, and the marker lies inside its match. The
//! text repeated 40 times has at least as many matches as the text itself.

#![no_main]

use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use locant_locate::{Match, Pattern};

fuzz_target!(|input: (&str, &[u8])| {
    let (find, source) = input;
    let pattern = Pattern::new(find);
    let all = matches(&pattern, source);
    assert!(all.windows(2).all(|pair| pair[0].range.start <= pair[1].range.start), "not in order");
    for found in &all {
        assert!(found.range.start <= found.range.end && found.range.end <= source.len(), "outside the text");
        let place = pattern.place(source, found);
        assert!(found.range.start <= place && place <= found.range.end, "the marker is outside its match");
    }
    // The repeated text is long enough to be searched by the linear algorithm, which must find at least as many
    // matches.
    if !source.is_empty() && source.len() < 200 && !pattern.is_empty() {
        let repeated = source.repeat(40);
        assert!(matches(&pattern, &repeated).len() >= all.len(), "the linear way loses matches");
    }
});

fn matches(pattern: &Pattern, source: &[u8]) -> Vec<Match> {
    let mut matches = Vec::new();
    pattern.search(source, 0..source.len(), &mut |found: Match| {
        matches.push(found);
        ControlFlow::Continue(())
    });
    matches
}
