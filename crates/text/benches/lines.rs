//! Measures how fast lines are found and columns are counted, compared with other libraries.
//!
//! Run it with `cargo bench -p locant-text [-- FILE]`. Without a file, it generates 90 MB of text that looks like
//! source. Each figure is the best of several rounds. The libraries take turns within a round, so that a busy machine
//! disturbs all of them alike.

#![allow(clippy::cast_possible_truncation, reason = "the texts are not that large")]

use line_index::{TextSize, WideEncoding, WideLineCol};
use locant_text::{Encoding, Offset, Position, Text};
use std::any::Any;
use std::hint::black_box;
use std::time::{Duration, Instant};

const GENERATED_BYTES: usize = 90_000_000;
const N_ROUNDS: usize = 7;

fn main() {
    let path = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let source = match path {
        Some(path) => {
            String::from_utf8_lossy(&std::fs::read(path).expect("the file can be read")).into_owned()
        }
        None => generate(GENERATED_BYTES),
    };
    println!("{:.1} MB, {} lines", source.len() as f64 / 1e6, source.lines().count());
    build(&source);
    columns("offset to UTF-16 column, random places", &source, 100_000);
    offsets("UTF-16 column to offset, random places", &source, 100_000);
    let ascii = "lorem ipsum dolor ".repeat(60_000);
    columns("offset to UTF-16 column, one line of 1 MB", &ascii, 1000);
    let mixed = "lorem ipsüm dolor ".repeat(60_000);
    columns("offset to UTF-16 column, one line of 1 MB, not ASCII", &mixed, 1000);
    offsets("UTF-16 column to offset, one line of 1 MB, not ASCII", &mixed, 1000);
}

/// The name of a library, and the function to measure. The result of the function is dropped after the clock has
/// stopped.
type Entry<'a> = (&'static str, Box<dyn FnMut() -> Box<dyn Any> + 'a>);

fn build(source: &str) {
    // A text finds its lines only once, so each round needs a fresh text.
    let mut texts = vec![Text::new(source).expect("the text is not too large"); N_ROUNDS];
    let mut ours = move || {
        let text = texts.pop().expect("a text for each round");
        text.lines();
        text
    };
    let entries: Vec<Entry<'_>> = vec![
        ("locant", Box::new(move || Box::new(ours()))),
        ("line-index", Box::new(|| Box::new(line_index::LineIndex::new(source)))),
        ("ropey", Box::new(|| Box::new(ropey::Rope::from_str(source)))),
        ("memchr to Vec", Box::new(|| Box::new(line_feeds(source)))),
        ("reading alone", Box::new(|| Box::new(xor(source.as_bytes())))),
    ];
    let rate = |time: Duration| format!("{:.2} GB/s", source.len() as f64 / time.as_secs_f64() / 1e9);
    table("line index", entries, rate);
}

fn columns(title: &str, source: &str, n: usize) {
    let text = Text::new(source).expect("the text is not too large");
    let places = places(source, n);
    let index = line_index::LineIndex::new(source);
    let rope = ropey::Rope::from_str(source);
    let starts = line_feeds(source);
    for &at in places.iter().take(1000) {
        let (ours, theirs) = (our_column(&text, at), line_index_column(&index, at));
        assert_eq!((ours.line, ours.character), (theirs.line + 1, theirs.col + 1));
        assert_eq!((theirs, theirs), (ropey_column(&rope, at), searched_column(source, &starts, at)));
    }
    let entries: Vec<Entry<'_>> = vec![
        ("locant", Box::new(|| each(&places, |at| our_column(&text, at)))),
        ("line-index", Box::new(|| each(&places, |at| line_index_column(&index, at)))),
        ("ropey", Box::new(|| each(&places, |at| ropey_column(&rope, at)))),
        ("search, str_indices", Box::new(|| each(&places, |at| searched_column(source, &starts, at)))),
    ];
    table(title, entries, |time| nanoseconds(time, places.len()));
}

fn our_column(text: &Text, at: usize) -> Position {
    text.position(Offset::of_index(at), Encoding::Utf16).expect("a position")
}

fn line_index_column(index: &line_index::LineIndex, at: usize) -> WideLineCol {
    let column = index.line_col(TextSize::new(at as u32));
    index.to_wide(WideEncoding::Utf16, column).expect("a position")
}

fn ropey_column(rope: &ropey::Rope, at: usize) -> WideLineCol {
    let line = rope.byte_to_line(at);
    let units = |byte| rope.char_to_utf16_cu(rope.byte_to_char(byte));
    WideLineCol { line: line as u32, col: (units(at) - units(rope.line_to_byte(line))) as u32 }
}

/// The column, found by searching a list of line starts and counting units from the start of the line.
fn searched_column(source: &str, starts: &[u32], at: usize) -> WideLineCol {
    let line = starts.partition_point(|start| *start as usize <= at) - 1;
    let prefix = &source[starts[line] as usize..at];
    WideLineCol { line: line as u32, col: str_indices::utf16::count(prefix) as u32 }
}

fn offsets(title: &str, source: &str, n: usize) {
    let text = Text::new(source).expect("the text is not too large");
    let places: Vec<Position> = places(source, n).iter().map(|at| our_column(&text, *at)).collect();
    let index = line_index::LineIndex::new(source);
    let ours = |position| text.offset(position, Encoding::Utf16).expect("an offset");
    let of_line_index = |position: Position| {
        let wide = WideLineCol { line: position.line - 1, col: position.character - 1 };
        index.to_utf8(WideEncoding::Utf16, wide).and_then(|column| index.offset(column)).expect("an offset")
    };
    let entries: Vec<Entry<'_>> = vec![
        ("locant", Box::new(|| each(&places, ours))),
        ("line-index", Box::new(|| each(&places, of_line_index))),
    ];
    table(title, entries, |time| nanoseconds(time, places.len()));
}

fn each<P: Copy, T>(places: &[P], ask: impl Fn(P) -> T) -> Box<dyn Any> {
    for place in places {
        black_box(ask(*place));
    }
    Box::new(())
}

fn nanoseconds(time: Duration, n: usize) -> String {
    format!("{:.0} ns", time.as_nanos() as f64 / n as f64)
}

/// Runs all entries in turns. Prints the best time of each, and its ratio to the best time of the first entry.
fn table(title: &str, mut entries: Vec<Entry<'_>>, show: impl Fn(Duration) -> String) {
    let mut best = vec![Duration::MAX; entries.len()];
    for _ in 0..N_ROUNDS {
        for ((_, run), best) in entries.iter_mut().zip(&mut best) {
            let start = Instant::now();
            let made = run();
            *best = start.elapsed().min(*best);
            drop(made);
        }
    }
    println!("\n{title}");
    for ((name, _), time) in entries.iter().zip(&best) {
        let ratio = time.as_secs_f64() / best[0].as_secs_f64();
        println!("  {name:20} {:>12}  {ratio:6.2} x", show(*time));
    }
}

fn line_feeds(source: &str) -> Vec<u32> {
    std::iter::once(0).chain(memchr::memchr_iter(b'\n', source.as_bytes()).map(|at| at as u32 + 1)).collect()
}

fn xor(bytes: &[u8]) -> u64 {
    bytes.as_chunks::<8>().0.iter().fold(0, |xor, word| xor ^ u64::from_le_bytes(*word))
}

/// `n` random places between characters.
fn places(source: &str, n: usize) -> Vec<usize> {
    let mut random = Random(42);
    std::iter::repeat_with(|| random.below(source.len()))
        .filter(|at| source.is_char_boundary(*at))
        .take(n)
        .collect()
}

/// Generates lines as in source files: indented words, some lines blank, one line in fifty with non-ASCII characters.
fn generate(n_bytes: usize) -> String {
    const WORDS: [&str; 12] =
        ["self", "return", "fn", "result", "value", "=", "->", "{", "(x, y)", "match", "index", "of_line"];
    let mut random = Random(7);
    let mut source = String::with_capacity(n_bytes + 200);
    while source.len() < n_bytes {
        source.push_str(&" ".repeat(4 * random.below(5)));
        for _ in 0..random.below(11) {
            source.push_str(WORDS[random.below(WORDS.len())]);
            source.push(' ');
        }
        if random.below(50) == 0 {
            source.push_str("// naïve, “quoted” 😀");
        }
        source.push('\n');
    }
    source
}

/// A xorshift generator, which gives the same numbers in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }
}
