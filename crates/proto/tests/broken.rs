//! Broken files: what is whole keeps its path.

mod oracle;

use std::path::Path;

use locant_proto::{File, Flaw};
use oracle::lost::{Tally, take_out};

#[test]
fn a_lost_token_costs_few_paths_and_shifts_none() {
    let mut tally = Tally::default();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    for path in oracle::proto_files(&folder) {
        let text = std::fs::read(&path).expect("it can be read");
        let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
        assert_eq!(File::parse(&text).problems, [], "{name} is whole");
        take_out(&mut tally, &name, &text, 1);
        let (n_nodes, difference) = oracle::positions::difference(&text);
        assert!(n_nodes > 10 && difference.is_none(), "{name}: {difference:?}");
    }
    let kept = tally.percent_kept();
    let shown = &tally.shifted[..tally.shifted.len().min(20)];
    assert!(tally.shifted.is_empty(), "{} shifted\n{}", tally.shifted.len(), shown.join("\n"));
    assert!(kept >= 99.0, "{kept:.2} % of {} paths are kept", tally.n_paths);
}

#[test]
fn deep_nesting_is_reported_and_does_not_overflow() {
    let deep = "message M {".repeat(10_000);
    for text in
        [deep.clone(), format!("{deep}{}", "}".repeat(10_000)), "extend A { group G = 1 {".repeat(5_000)]
    {
        let file = File::parse(text.as_bytes());
        assert!(file.problems.iter().any(|problem| problem.flaw == Flaw::TooDeep), "{}", &text[..30]);
    }
    for open in ["option a = {", "(", "[", "map<", "a.", "oneof o {", "-", "message M { option (a) = { b: <"]
    {
        File::parse(open.repeat(10_000).as_bytes());
    }
}
