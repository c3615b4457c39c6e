//! Measures finding a text in a small file and in a large one.

use std::hint::black_box;
use std::ops::ControlFlow;

use anyhow::{Context, Result, ensure};
use locant_bench::measure::{Entry, Row, best, each, gigabytes_per_second, median_of};
use locant_bench::random::Random;
use locant_locate::{Match, Pattern, Sink};
use regex::Regex;

use crate::Setting;

const SMALL: usize = 5_000;
const LARGE: usize = 100_000_000;
const N_SMALL_PATTERNS: usize = 200;
const N_LARGE_PATTERNS: usize = 12;

/// A pattern is selective when it occurs at most this often in the large text.
const SELECTIVE: usize = 50;

/// Measures compiling a find and searching 5 KB, compared with a regular expression that does the same.
pub(crate) fn small(setting: &Setting) -> Result<Vec<Row>> {
    let source = small_text(setting)?;
    let finds = finds(&source, N_SMALL_PATTERNS, 7);
    let mut n_found = (0, 0);
    for find in &finds {
        n_found.0 += count(&Pattern::new(find), source.as_bytes());
        n_found.1 += regex(find)?.find_iter(&source).count();
    }
    ensure!(n_found.0 >= n_found.1, "both must find the same: {n_found:?}");
    let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for find in &finds {
        let mut entries: Vec<Entry<'_>> = vec![
            ("locant", Box::new(|| Box::new(black_box(count(&Pattern::new(find), source.as_bytes()))))),
            ("regex", Box::new(|| Box::new(regex(find).map(|regex| regex.find_iter(&source).count()).ok()))),
        ];
        let best = best(15, &mut entries);
        ours.push(best[0].as_secs_f64());
        theirs.push(best[1].as_secs_f64());
        ratios.push(best[1].as_secs_f64() / best[0].as_secs_f64());
    }
    let shown = |figures: &mut Vec<f64>| each(std::time::Duration::from_secs_f64(median_of(figures)), 1);
    let ratio = median_of(&mut ratios);
    let row = Row {
        what: format!("find, compile + search 5 KB, middle of {} patterns", finds.len()),
        ours: shown(&mut ours),
        theirs: format!("regex {}", shown(&mut theirs)),
        ratio: Some(ratio),
        goal: None,
    };
    let worst = Row {
        what: "the same, the pattern that is worst for us".to_owned(),
        ours: each(std::time::Duration::from_secs_f64(ours.last().copied().unwrap_or(0.0)), 1),
        theirs: "regex".to_owned(),
        ratio: ratios.first().copied(),
        goal: None,
    };
    Ok(vec![row.at_least(10.0), worst])
}

/// Measures searching 100 MB for a selective pattern, compared with a search for its bytes and with a regular
/// expression.
pub(crate) fn bulk(setting: &Setting) -> Result<Vec<Row>> {
    let source = crate::concatenated(setting, LARGE)?;
    let is_selective = |find: &&String| {
        memchr::memmem::find_iter(source.as_bytes(), find.as_bytes()).take(SELECTIVE + 1).count() <= SELECTIVE
    };
    let candidates = finds(&source, N_LARGE_PATTERNS * 4, 11);
    let finds: Vec<&String> = candidates.iter().filter(is_selective).take(N_LARGE_PATTERNS).collect();
    let mut results: Vec<(f64, f64, &str, [f64; 3])> = Vec::new();
    for find in finds {
        let (pattern, regex) = (Pattern::new(find), regex(find)?);
        let finder = memchr::memmem::Finder::new(find.as_bytes());
        let mut entries: Vec<Entry<'_>> = vec![
            ("locant", Box::new(|| Box::new(count(&pattern, source.as_bytes())))),
            ("memmem", Box::new(|| Box::new(finder.find_iter(source.as_bytes()).count()))),
            ("regex", Box::new(|| Box::new(regex.find_iter(&source).count()))),
        ];
        let times = best(3, &mut entries);
        let rates = [0, 1, 2].map(|entry: usize| gigabytes_per_second(source.len(), times[entry]));
        results.push((rates[0] / rates[1], rates[0] / rates[2], find, rates));
    }
    results.sort_by(|a, b| a.0.total_cmp(&b.0));
    let shown = |rate: f64| format!("{rate:.1} GB/s");
    let row = |what: String, result: &(f64, f64, &str, [f64; 3])| Row {
        what,
        ours: shown(result.3[0]),
        theirs: format!("memmem {}", shown(result.3[1])),
        ratio: Some(result.0),
        goal: None,
    };
    let middle = results.get(results.len() / 2).context("no pattern is selective")?;
    let worst = results.first().context("no pattern is selective")?;
    let of_regex = Row {
        what: "the same pattern as a regular expression".to_owned(),
        ours: shown(middle.3[0]),
        theirs: format!("regex {}", shown(middle.3[2])),
        ratio: Some(middle.1),
        goal: None,
    };
    Ok(vec![
        row(format!("bulk find, 100 MB, middle of {} selective patterns", results.len()), middle)
            .at_least(0.8),
        of_regex,
        row(format!("bulk find, the worst: `{}`", worst.2.replace('|', "\\|")), worst).at_least(0.8),
    ])
}

/// About 5 KB of real source.
pub(crate) fn small_text(setting: &Setting) -> Result<String> {
    let mut source = crate::concatenated(setting, SMALL)?;
    let end = (0..=SMALL).rev().find(|at| source.is_char_boundary(*at)).context("the source is empty")?;
    source.truncate(end);
    Ok(source)
}

/// How often a pattern matches.
pub(crate) fn count(pattern: &Pattern, source: &[u8]) -> usize {
    struct Count(usize);
    impl Sink for Count {
        fn take(&mut self, _: Match) -> ControlFlow<()> {
            self.0 += 1;
            ControlFlow::Continue(())
        }

        fn count(&mut self, n_whole: usize, n_partial: usize) -> bool {
            self.0 += n_whole + n_partial;
            true
        }
    }
    let mut count = Count(0);
    pattern.search(source, 0..source.len(), &mut count);
    count.0
}

/// Random parts of lines, as people would quote them: one to four words.
pub(crate) fn finds(source: &str, n: usize, seed: u64) -> Vec<String> {
    let mut random = Random::new(seed);
    let lines: Vec<&str> = source.lines().filter(|line| line.is_ascii() && line.len() < 200).collect();
    std::iter::repeat_with(|| {
        let words: Vec<&str> = lines[random.below(lines.len())].split_whitespace().collect();
        let first = random.below(words.len().max(1));
        words.iter().skip(first).take(1 + random.below(4)).copied().collect::<Vec<_>>().join(" ")
    })
    .filter(|find| find.len() >= 4 && find.contains(|c: char| c.is_alphanumeric()) && !find.contains('|'))
    .take(n)
    .collect()
}

/// A find as a regular expression: `\s+` between two words, `\s*` between other tokens.
pub(crate) fn regex(find: &str) -> Result<Regex> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut regex = String::new();
    let mut last: Option<char> = None;
    let mut is_apart = false;
    for character in find.chars() {
        if character.is_whitespace() {
            is_apart = true;
            continue;
        }
        match last {
            Some(before) if is_word(before) && is_word(character) && is_apart => regex.push_str(r"\s+"),
            Some(before) if is_word(before) && is_word(character) => {}
            Some(_) => regex.push_str(r"\s*"),
            None => {}
        }
        regex.push_str(&regex::escape(character.encode_utf8(&mut [0; 4])));
        (last, is_apart) = (Some(character), false);
    }
    Regex::new(&regex).context("the pattern is too large for a regular expression")
}
