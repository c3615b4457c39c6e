//! The marker in a find: `<|>`, `<<|>>`, … up to ten levels.

/// A find with its marker taken out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Marked {
    /// The text without the marker.
    pub(crate) text: String,
    /// Where in `text` the marker was.
    pub(crate) at: Option<usize>,
}

/// One `<+|>+` in a find: a possible marker.
struct Brackets {
    /// Where its `|` is.
    pipe: usize,
    /// The smaller of the two bracket counts, at most ten.
    level: usize,
}

const MOST_LEVELS: usize = 10;

/// Takes the marker out of a find. The marker is the one with the deepest level that occurs exactly once. All other
/// brackets are literal text.
pub(crate) fn take_marker(find: &str) -> Marked {
    let all = brackets(find.as_bytes());
    let is_unique = |level: usize| all.iter().filter(|found| found.level == level).count() == 1;
    let Some(level) = (1..=MOST_LEVELS).rev().find(|&level| is_unique(level)) else {
        return Marked { text: find.to_owned(), at: None };
    };
    let marker = all.iter().find(|found| found.level == level).expect("the level occurs once");
    let (before, after) = (&find[..marker.pipe - level], &find[marker.pipe + 1 + level..]);
    Marked { text: format!("{before}{after}"), at: Some(before.len()) }
}

/// Where the marker of a find is, in bytes.
pub fn marker(find: &str) -> Option<std::ops::Range<usize>> {
    let Marked { text, at } = take_marker(find);
    at.map(|at| at..at + find.len() - text.len())
}

/// Writes a find with a marker at `at`, so that [`take_marker`] takes out exactly this marker. `None` if brackets in
/// the text prevent that.
pub(crate) fn put_marker(text: &str, at: usize) -> Option<String> {
    // The deepest level is not used. It would work beside more brackets, but no person could read it.
    (1..MOST_LEVELS).find_map(|level| {
        let (before, after) = text.split_at(at);
        let find = format!("{before}{}|{}{after}", "<".repeat(level), ">".repeat(level));
        let marked = take_marker(&find);
        (marked.text == text && marked.at == Some(at)).then_some(find)
    })
}

/// The text as a find without a marker. `None` if a part of the text would be read as a marker.
pub(crate) fn without_marker(text: &str) -> Option<String> {
    take_marker(text).at.is_none().then(|| text.to_owned())
}

fn brackets(find: &[u8]) -> Vec<Brackets> {
    let mut all = Vec::new();
    // Brackets that have closed one marker cannot belong to the next one.
    let mut free_from = 0;
    for pipe in memchr::memchr_iter(b'|', find) {
        if pipe < free_from {
            continue;
        }
        let left = find[free_from..pipe].iter().rev().take_while(|&&byte| byte == b'<').count();
        let right = find[pipe + 1..].iter().take_while(|&&byte| byte == b'>').count();
        if left > 0 && right > 0 {
            all.push(Brackets { pipe, level: left.min(right).min(MOST_LEVELS) });
            free_from = pipe + 1 + right;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks which marker is taken out. In `expected`, `‸` shows where it was.
    fn check(find: &str, expected: &str) {
        let marked = take_marker(find);
        let mut shown = marked.text;
        if let Some(at) = marked.at {
            shown.insert(at, '‸');
        }
        assert_eq!(shown, expected, "{find}");
    }

    #[test]
    fn the_deepest_level_that_occurs_once_is_the_marker() {
        check("self.<|>value", "self.‸value");
        check("x = <|> + y <<|>> z", "x = <|> + y ‸ z");
        check("a <|> b <<|>> c <<<|>>> d", "a <|> b <<|>> c ‸ d");
        check("<<|>>", "‸");
        check("a <<|>> b", "a ‸ b");
        check("<|> and <|> and <<|>>", "<|> and <|> and ‸");
        check("<<|>> <<|>> <|>", "<<|>> <<|>> ‸");
    }

    #[test]
    fn no_unique_level_is_no_marker() {
        check("<|> and <|>", "<|> and <|>");
        check("plain", "plain");
        check("a | b", "a | b");
        check("<||>", "<||>");
        check("<| >x", "<| >x");
        check("TODO: <HERE>fix", "TODO: <HERE>fix");
        check("", "");
    }

    #[test]
    fn brackets_to_spare_stay_literal() {
        check("cout <<<|>x", "cout <<‸x");
        check("Vec<<|>T>", "Vec<‸T>");
        check("a<|>>b", "a‸>b");
        check("<|>|>", "‸|>");
    }

    #[test]
    fn ten_levels_and_no_more() {
        let level = |n: usize| format!("{}|{}", "<".repeat(n), ">".repeat(n));
        check(&format!("<|>{}", level(10)), "<|>‸");
        check(&format!("x{}", level(11)), "x<‸>");
    }

    #[test]
    fn a_marker_is_put_where_it_is_read_again() {
        for (text, at) in [("return x", 7), ("x = <|> + y", 8), ("a<b", 2), ("a>b", 1), ("<|><<|>>", 0)] {
            let find = put_marker(text, at).expect("there is a way to write it");
            assert_eq!(take_marker(&find), Marked { text: text.to_owned(), at: Some(at) }, "{find}");
        }
        assert_eq!(put_marker("a<>b", 2), None);
    }
}
