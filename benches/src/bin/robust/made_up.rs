//! Made-up edits, for which the right answer is known. For example, code next to the place is copied, one of two equal
//! words is replaced, or lines and items of data are cut. Such edits are rare in real histories, but with each of them
//! an answer can be silently wrong.

mod copies;

use std::fmt::Write as _;
use std::ops::Range;

use locant_bench::parallel::map_in_parallel;
use locant_bench::random::Random;
use locant_engine::{Document, Offset};
use locant_locate::relocate::word_at;

use crate::cases::{Case, Known};

/// What an edit does to a text.
#[derive(Clone, Copy)]
pub(crate) enum Edit {
    /// Some lines with the place are duplicated, one copy right after the other. Nobody can know which copy has the
    /// place.
    Doubled,
    /// Some lines with the place are copied far away.
    Copied,
    /// Some lines with the place are moved far away.
    Moved,
    /// Lines from elsewhere in the file are inserted right above the line of the place, or right below.
    PutIn,
    /// The word at the place is replaced. The same word elsewhere stays.
    Replaced,
    /// Another word in the line of the place is replaced. If the word at the place occurs twice in the line, the other
    /// occurrence is replaced.
    TwinReplaced,
    /// Some lines with the place are cut.
    Cut,
    /// The symbol with the place is cut.
    SymbolCut,
    /// The symbol with the place is replaced by a symbol of another file.
    SymbolReplaced,
    /// The symbol with the place is copied below itself, or above, and the copy gets another name.
    SymbolCopied,
    /// The symbol with the place and a similar symbol with another name are swapped.
    Swapped,
    /// The symbol with the place is renamed. A new symbol gets the old name, and the line of the place, perhaps with
    /// more lines.
    Renamed,
    /// The symbol with the place is cut. A very similar symbol, which was there before, is left.
    TwinLeft,
    /// The symbol with the place gets a new overload with the same lines. The place itself may be cut or replaced.
    Overloaded,
    /// The line with the place is broken into several lines, as a formatter does.
    Broken,
    /// The line with the place is joined with its neighbours.
    Joined,
    /// In a list of data, the item with the place is cut.
    ItemCut,
    /// In a list of data, an item is inserted at the start.
    ItemPutIn,
}

const RENAMED: &str = "in a symbol that was renamed, while a new one has its name and lines of it";
const TWIN_LEFT: &str = "in a symbol that was cut, while a near twin of it is left";
const OVERLOADED: &str = "in a symbol that has a new overload with its lines";

pub(crate) const EDITS: [(Edit, &str); 18] = [
    (Edit::Doubled, "in lines pasted beside themselves"),
    (Edit::Copied, "in lines that were copied elsewhere"),
    (Edit::Moved, "in lines that were moved"),
    (Edit::PutIn, "beside lines that were put in"),
    (Edit::Replaced, "a word that was replaced"),
    (Edit::TwinReplaced, "beside a word that was replaced"),
    (Edit::Cut, "in lines that were cut"),
    (Edit::SymbolCut, "in a symbol that was cut"),
    (Edit::SymbolReplaced, "in a symbol in whose place another one stands"),
    (Edit::SymbolCopied, "in a symbol beside which a copy with another name stands"),
    (Edit::Swapped, "in a symbol that changed places with one like it"),
    (Edit::Renamed, RENAMED),
    (Edit::TwinLeft, TWIN_LEFT),
    (Edit::Overloaded, OVERLOADED),
    (Edit::Broken, "in a line that was broken into several"),
    (Edit::Joined, "in lines that were joined"),
    (Edit::ItemCut, "in an item of data that was cut"),
    (Edit::ItemPutIn, "in data with another item in front"),
];

/// Makes one made-up case from each case. The kinds of edits take turns. A made-up case belongs to the repository of
/// its case.
pub(crate) fn cases(cases: &[Case], known: Known) -> Vec<Case> {
    let made = map_in_parallel(cases.iter().enumerate().collect(), |(number, case)| {
        let (edit, class) = EDITS[number % EDITS.len()];
        let mut random = random_of(number, 1);
        let made = match edit {
            Edit::ItemCut | Edit::ItemPutIn => data(case, class, edit, &mut random),
            Edit::SymbolReplaced => {
                let others = (1..200).map(|step| &cases[(number + 7 * step) % cases.len()]);
                others.into_iter().find_map(|other| with_other_symbol(case, other, class, &mut random))
            }
            Edit::SymbolCopied | Edit::Swapped | Edit::Renamed | Edit::TwinLeft | Edit::Overloaded => {
                copies::made(case, class, edit, &mut random)
            }
            _ => edited(case, class, edit, &mut random),
        };
        let made = made.filter(|made| is_fair(made, edit, known));
        // Few symbols can have overloads. So this edit is tried wherever another edit is not possible.
        made.or_else(|| {
            let made = copies::made(case, OVERLOADED, Edit::Overloaded, &mut random);
            made.filter(|made| is_fair(made, Edit::Overloaded, known))
        })
    });
    made.into_iter().flatten().collect()
}

/// For each case, two made-up edits in which one symbol looks like another. The seed differs from the seed for
/// learning.
pub(crate) fn twins(cases: &[Case], seed: u64) -> Vec<Case> {
    let made = map_in_parallel(cases.iter().enumerate().collect(), |(number, case)| {
        let mut random = random_of(number, seed);
        let edits = [(Edit::TwinLeft, TWIN_LEFT), (Edit::Renamed, RENAMED)];
        edits.map(|(edit, class)| copies::made(case, class, edit, &mut random))
    });
    made.into_iter().flatten().flatten().collect()
}

fn random_of(number: usize, seed: u64) -> Random {
    let mut random = Random::new((0x9e37_79b9 * (number as u64 + 1)).wrapping_mul(2 * seed - 1));
    // Similar seeds give similar first numbers, so these are dropped.
    for _ in 0..8 {
        random.below(2);
    }
    random
}

/// Whether the right answer can be known. If only the location is known and it still leads to exactly one place, nobody
/// could know that this place is a copy or in a new symbol.
fn is_fair(made: &Case, edit: Edit, known: Known) -> bool {
    match (known, edit) {
        (Known::Words | Known::Checked, Edit::Doubled | Edit::Overloaded) => !made.is_led(known),
        _ => true,
    }
}

/// The lines of a text, and the line and the column of a place.
struct Lines<'t> {
    lines: Vec<&'t str>,
    at: usize,
    column: usize,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str, place: usize) -> Option<Lines<'t>> {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let at = text.get(..place)?.matches('\n').count();
        let start: usize = lines.iter().take(at).map(|line| line.len()).sum();
        (at < lines.len()).then_some(Lines { lines, at, column: place - start })
    }

    /// Some lines around the place.
    fn stretch(&self, random: &mut Random, most: usize) -> Range<usize> {
        let from = self.at.saturating_sub(random.below(most));
        from..(self.at + 1 + random.below(most)).min(self.lines.len())
    }

    /// The index of a random line that is far from a stretch of lines.
    fn far(&self, random: &mut Random, stretch: &Range<usize>) -> Option<usize> {
        let far: Vec<usize> = (0..=self.lines.len())
            .filter(|line| line + FAR < stretch.start || *line > stretch.end + FAR)
            .collect();
        (!far.is_empty()).then(|| far[random.below(far.len())])
    }

    fn without(&self, cut: &Range<usize>) -> Vec<usize> {
        (0..self.lines.len()).filter(|line| !cut.contains(line)).collect()
    }

    /// The lines with the indices in `order` as a text, and the place in this text. `own` is the index in `order` of
    /// the line with the place.
    fn joined(&self, order: &[usize], own: Option<usize>) -> (String, Option<usize>) {
        let (mut text, mut place) = (String::new(), None);
        for (number, &line) in order.iter().enumerate() {
            if own == Some(number) {
                place = Some(text.len() + self.column);
            }
            text += self.lines[line];
            if !text.ends_with('\n') {
                text.push('\n');
            }
        }
        (text, place)
    }
}

/// A line that is more than this many lines away is far.
const FAR: usize = 15;

fn edited(case: &Case, class: &str, edit: Edit, random: &mut Random) -> Option<Case> {
    let old = std::str::from_utf8(case.old().text().bytes()).ok()?;
    let (text, place) = match edit {
        Edit::Replaced | Edit::TwinReplaced => with_other_word(case, old, edit, random)?,
        Edit::SymbolCut => without_symbol(case, old)?,
        Edit::Broken => broken(old, case.described().index())?,
        Edit::Joined => joined(old, case.described().index(), random)?,
        _ => with_other_lines(case, &Lines::new(old, case.described().index())?, edit, random)?,
    };
    case.made_up(class, text, place)
}

fn with_other_lines(
    case: &Case,
    lines: &Lines<'_>,
    edit: Edit,
    random: &mut Random,
) -> Option<(String, Option<usize>)> {
    let all: Vec<usize> = (0..lines.lines.len()).collect();
    let stretch = lines.stretch(random, 6);
    let (order, own) = match edit {
        // If the lines cut a symbol in two, the names of symbols tell the copies apart, and the right answer could be
        // known.
        Edit::Doubled if cuts_symbol(case, &stretch) => return None,
        Edit::Doubled => ([&all[..stretch.end], &all[stretch.start..]].concat(), None),
        Edit::Copied => {
            let at = lines.far(random, &stretch)?;
            let own = if at <= lines.at { lines.at + stretch.len() } else { lines.at };
            ([&all[..at], &all[stretch], &all[at..]].concat(), Some(own))
        }
        Edit::Moved => {
            let far = lines.far(random, &stretch)?;
            let at = if far > stretch.start { far - stretch.len() } else { far };
            let mut order = lines.without(&stretch);
            order.splice(at..at, stretch.clone());
            (order, Some(at + lines.at - stretch.start))
        }
        Edit::PutIn => {
            let from = random.below(all.len());
            let put_in = from..(from + 1 + random.below(6)).min(all.len());
            if put_in.contains(&lines.at) {
                return None;
            }
            let at = lines.at + random.below(2);
            let own = if at == lines.at { lines.at + put_in.len() } else { lines.at };
            ([&all[..at], &all[put_in], &all[at..]].concat(), Some(own))
        }
        _ => (lines.without(&stretch), None),
    };
    Some(lines.joined(&order, own))
}

fn without_symbol(case: &Case, old: &str) -> Option<(String, Option<usize>)> {
    let lines = Lines::new(old, case.described().index())?;
    Some(lines.joined(&lines.without(&symbol_lines(case)?), None))
}

/// Whether a symbol is partly in a stretch of lines and partly outside of it.
fn cuts_symbol(case: &Case, stretch: &Range<usize>) -> bool {
    let text = case.old().text();
    let line = |offset: Offset| usize::try_from(text.line_of(offset)).unwrap_or(0);
    let symbols = case.old().outline().map(|outline| outline.symbols()).unwrap_or_default();
    symbols.iter().any(|symbol| {
        let lines = line(symbol.extent.start()) - 1..line(symbol.extent.end());
        let is_apart = lines.end <= stretch.start || stretch.end <= lines.start;
        // If the stretch has the first or the last line of the symbol, the copy would be outside of the symbol.
        let is_around = lines.start < stretch.start && stretch.end < lines.end;
        let is_inside = stretch.start <= lines.start && lines.end <= stretch.end;
        !is_apart && !is_around && !is_inside
    })
}

/// The lines of the innermost symbol around the place of a case.
fn symbol_lines(case: &Case) -> Option<Range<usize>> {
    let (place, text) = (case.described(), case.old().text());
    let around = case.old().outline()?.symbols().iter().filter(|symbol| symbol.extent.contains(place));
    let symbol = around.max_by_key(|symbol| symbol.extent.start())?;
    let line = |offset: Offset| usize::try_from(text.line_of(offset)).ok();
    Some(line(symbol.extent.start())? - 1..line(symbol.extent.end())?)
}

/// A case in which the symbol around the place is replaced by a symbol of another file in the same language. The place
/// is a random word of the old symbol.
fn with_other_symbol(case: &Case, other: &Case, class: &str, random: &mut Random) -> Option<Case> {
    let extension = |case: &Case| case.old().path().rsplit('.').next().map(str::to_owned);
    if extension(case) != extension(other) || case.repository == other.repository {
        return None;
    }
    let text = |case: &Case| String::from_utf8(case.old().text().bytes().to_vec()).ok();
    let ([old, from], [cut, put_in]) =
        ([text(case)?, text(other)?], [symbol_lines(case)?, symbol_lines(other)?]);
    let [old_lines, new_lines] = [&old, &from].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let before: String = old_lines[..cut.start].concat();
    let symbol: String = old_lines[cut.clone()].concat();
    let new = [before.as_str(), &new_lines[put_in].concat(), &old_lines[cut.end..].concat()].concat();
    let words = words(&symbol);
    // Half of the places are among the first words, because the headers of symbols are similar.
    let n_words = if random.below(2) == 0 { words.len().min(12) } else { words.len() };
    let word = *words.get(random.below(n_words.max(1)))?;
    let document = Document::new(case.old().path(), old.as_str()).ok()?;
    case.made_up_of(class, document, Offset::of_index(before.len() + word), new, None)
}

/// The text with the line of a place broken after brackets and commas, and the new place.
fn broken(old: &str, place: usize) -> Option<(String, Option<usize>)> {
    let start = old.get(..place)?.rfind('\n').map_or(0, |end| end + 1);
    let line = old.get(start..)?.lines().next()?;
    let indent = &line[..line.len() - line.trim_start().len()];
    let (mut new, mut now, mut n_breaks) = (old[..start].to_owned(), None, 0);
    let mut characters = line.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        if start + at == place {
            now = Some(new.len());
        }
        new.push(character);
        let is_blank_next = characters.peek().is_some_and(|(_, next)| *next == ' ');
        let breaks = character == '(' || character == ',' && is_blank_next;
        if breaks && characters.peek().is_some() {
            n_breaks += 1;
            new.push('\n');
            new += indent;
            new += "    ";
            if is_blank_next && start + at + 1 != place {
                characters.next();
            }
        }
    }
    new += &old[start + line.len()..];
    (n_breaks > 0).then_some((new, Some(now?)))
}

/// The text with the line of a place joined with its neighbours, and the new place.
fn joined(old: &str, place: usize, random: &mut Random) -> Option<(String, Option<usize>)> {
    let lines = Lines::new(old, place)?;
    let first = lines.at.saturating_sub(random.below(2));
    let last = (first + 1 + random.below(3)).min(lines.lines.len() - 1);
    if last <= first || lines.lines[first..=last].iter().any(|line| line.contains("//") || line.contains('#'))
    {
        return None;
    }
    let (mut new, mut now) = (lines.lines[..first].concat(), None);
    for at in first..=last {
        let line = lines.lines[at];
        let blanks = if at == first { 0 } else { line.len() - line.trim_start().len() };
        if at > first {
            new.push(' ');
        }
        if at == lines.at {
            now = Some(new.len() + lines.column.checked_sub(blanks)?);
        }
        new += line[blanks..].trim_end_matches(['\r', '\n']);
    }
    new.push('\n');
    new += &lines.lines[last + 1..].concat();
    Some((new, Some(now?)))
}

fn with_other_word(
    case: &Case,
    old: &str,
    edit: Edit,
    random: &mut Random,
) -> Option<(String, Option<usize>)> {
    let place = case.described();
    let own = word_at(case.old(), place);
    let (from, to) = (own.start().index(), own.end().index());
    let word = old.get(from..to).filter(|word| is_word(word))?;
    let start = old.get(..from)?.rfind('\n').map_or(0, |end| end + 1);
    let line = old.get(start..)?.lines().next()?;
    let words = words(line);
    let is_twin = |at: &usize| line.get(*at..).is_some_and(|rest| words_start(rest) == word);
    let others: Vec<usize> = words.into_iter().filter(|at| start + at != from).collect();
    let twins: Vec<usize> = others.iter().copied().filter(is_twin).collect();
    let (at, place) = match edit {
        Edit::Replaced => (from, None),
        _ => {
            let others = if twins.is_empty() { others } else { twins };
            (start + *others.get(random.below(others.len().max(1)))?, Some(place.index()))
        }
    };
    // Half of the new words contain the old word.
    let replaced = words_start(old.get(at..)?);
    let new = if random.below(2) == 0 { format!("new_{replaced}") } else { "elsewise".to_owned() };
    let text = format!("{}{new}{}", &old[..at], &old[at + replaced.len()..]);
    let place = place.map(|place| if at < place { place + new.len() - replaced.len() } else { place });
    Some((text, place))
}

fn is_word(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphanumeric() || first == '_')
}

/// The starts of the words in a line.
fn words(line: &str) -> Vec<usize> {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let mut before = ' ';
    let mut starts = Vec::new();
    for (at, character) in line.char_indices() {
        if is_part(character) && !is_part(before) {
            starts.push(at);
        }
        before = character;
    }
    starts
}

/// The word that a text starts with.
fn words_start(text: &str) -> &str {
    let end = text.find(|character: char| !character.is_alphanumeric() && character != '_');
    &text[..end.unwrap_or(text.len())]
}

/// A case with a list of similar items, in JSON or YAML. One item is cut or added.
fn data(case: &Case, class: &str, edit: Edit, random: &mut Random) -> Option<Case> {
    const NAMES: [&str; 4] = ["name", "size", "kind", "yanked"];
    const KINDS: [&str; 3] = ["wheel", "source", "other"];
    let is_json = random.below(2) == 0;
    let n_items = 3 + random.below(12);
    let items: Vec<[String; 4]> = (0..=n_items)
        .map(|_| {
            let yanked = if random.below(8) == 0 { "true" } else { "false" };
            let name = format!("\"part-{}\"", random.below(1000));
            let size = (100 * random.below(50)).to_string();
            [name, size, format!("\"{}\"", KINDS[random.below(3)]), yanked.to_owned()]
        })
        .collect();
    let own = 1 + random.below(n_items);
    let field = random.below(4);
    let write = |items: &[&[String; 4]], own: Option<usize>| -> (String, Option<usize>) {
        let mut text = String::from(if is_json { "{\n  \"files\": [\n" } else { "files:\n" });
        let mut place = None;
        for (number, item) in items.iter().enumerate() {
            if is_json {
                text += "    {\n";
            }
            for (at, (name, value)) in NAMES.iter().zip(item.iter()).enumerate() {
                text += match (is_json, at) {
                    (true, _) => "      \"",
                    (false, 0) => "  - ",
                    (false, _) => "    ",
                };
                if own == Some(number) && at == field {
                    place = Some(text.len());
                }
                let end = if is_json && at + 1 < NAMES.len() { "," } else { "" };
                // Writing to a string does not fail.
                let _ = writeln!(text, "{name}{}: {value}{end}", if is_json { "\"" } else { "" });
            }
            if is_json {
                text += if number + 1 < items.len() { "    },\n" } else { "    }\n" };
            }
        }
        (text + if is_json { "  ]\n}\n" } else { "" }, place)
    };
    let all: Vec<&[String; 4]> = items.iter().collect();
    let (old, place) = write(&all[1..], Some(own - 1));
    let (new, now) = match edit {
        Edit::ItemPutIn => write(&all, Some(own)),
        _ => write(
            &all[1..]
                .iter()
                .enumerate()
                .filter(|(at, _)| at + 1 != own)
                .map(|(_, item)| *item)
                .collect::<Vec<_>>(),
            None,
        ),
    };
    let name = if is_json { "list.json" } else { "list.yaml" };
    let old = Document::new(name, old).ok()?;
    case.made_up_of(class, old, Offset::of_index(place?), new, now)
}
