//! Broken files: what is whole keeps its path.

mod oracle;

use std::collections::{HashMap, HashSet};
use std::path::Path;

use locant_proto::{File, Flaw, Interpretation, NoSources, Pool, TableKind};

/// A path with the text that stands for it.
type Place = (Vec<i32>, u32, u32);

fn places(text: &[u8]) -> Vec<Place> {
    let pool = Pool::new("a.proto", text, &NoSources);
    let interpretation = Interpretation::new(&pool);
    let rows = interpretation.rows(&pool, TableKind::Retained).into_iter();
    let place = |(path, location): (std::borrow::Cow<'_, [i32]>, locant_proto::Location<'_>)| {
        (path.into_owned(), location.start().to_u32(), location.end().to_u32())
    };
    rows.map(place).collect()
}

/// What became of the paths of a file when a token was taken out.
#[derive(Default)]
struct Tally {
    n_paths: usize,
    n_kept: usize,
    shifted: Vec<String>,
}

/// Takes each of some tokens out of a text, one at a time.
fn take_out(tally: &mut Tally, name: &str, text: &[u8], step: usize) {
    let whole = places(text);
    let tokens = oracle::tokens(text);
    for (number, token) in tokens.iter().enumerate().filter(|(number, _)| number % step == 0) {
        let mut broken = text[..token.start].to_vec();
        broken.extend_from_slice(&text[token.end..]);
        let gone = u32::try_from(token.len()).expect("tokens are short");
        let cut = u32::try_from(token.start).expect("texts are small");
        // Where a place of the whole file is in the broken one; none when the token is inside of it.
        let moved = |at: u32| if at <= cut { at } else { at.saturating_sub(gone).max(cut) };
        let now = places(&broken);
        let mut paths: HashMap<&[i32], usize> = HashMap::new();
        for (path, ..) in &now {
            *paths.entry(path).or_default() += 1;
        }
        let mut found: HashMap<(u32, u32), HashSet<&[i32]>> = HashMap::new();
        for (path, start, end) in &now {
            found.entry((*start, *end)).or_default().insert(path);
        }
        for (path, start, end) in &whole {
            tally.n_paths += 1;
            if let Some(n) = paths.get_mut(path.as_slice()).filter(|n| **n > 0) {
                *n -= 1;
                tally.n_kept += 1;
            }
            let is_untouched = *end <= cut || cut + gone <= *start;
            let Some(others) = found.get(&(moved(*start), moved(*end))).filter(|_| is_untouched) else {
                continue;
            };
            // What an option means depends on what declares it; only the place of declarations is at stake.
            let is_option = others.iter().any(|path| path.contains(&999)) || path.contains(&999);
            let is_declaration = path.len() >= 2 && path.len() % 2 == 0;
            if is_declaration && !is_option && !others.contains(path.as_slice()) {
                let token = String::from_utf8_lossy(&text[token.clone()]).into_owned();
                let line = text[..cut as usize].iter().filter(|byte| **byte == b'\n').count() + 1;
                tally.shifted.push(format!(
                    "{name}:{line} without {token:?} (token {number}): {path:?} is now {others:?}"
                ));
            }
        }
    }
}

#[test]
fn a_lost_token_costs_few_paths_and_shifts_none() {
    let mut tally = Tally::default();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    for path in oracle::proto_files(&folder) {
        let text = std::fs::read(&path).expect("it can be read");
        let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
        assert_eq!(File::parse(&text).problems, [], "{name} is whole");
        take_out(&mut tally, &name, &text, 1);
    }
    let kept = 100.0 * tally.n_kept as f64 / tally.n_paths as f64;
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
