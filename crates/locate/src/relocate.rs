//! Finding a described place again in a text that has changed.
//!
//! Every place of the word is a candidate; the scope is a bonus, never a wall. What speaks for each is gathered
//! ([`evidence`]), weighed with learned weights, and the best one is the answer only if it is also probable enough.
//! Everything else is said to be ambiguous or gone: a wrong place is worse than none.

mod against;
mod align;
mod around;
mod checked;
mod company;
mod copies;
mod diff;
pub mod evidence;
mod features;
mod glance;
mod heirs;
mod holders;
pub mod learned;
mod model;
mod moved;
mod outside;
pub mod renamed;
mod rivals;
pub(crate) mod said;
mod scope_now;
mod sought;
pub mod spoken;
mod taken_over;
mod thresholds;
mod trace;
pub(crate) mod words;

use locant_text::{Offset, Range, Text};
use locant_tree::{Symbol, SymbolId};

use crate::anchor::Anchor;
use crate::answer::{Document, Resolution, Wanted};
use crate::lines;
pub use crate::lines::{Digest, Lines};
use crate::location::{Location, Scope};
use crate::resolve::{resolve, resolve_quietly};
use crate::symbols;
use crate::tokens;
use evidence::Present;
pub use model::{Evidence, Model, N_TREES, Scales, Tree, Verdict, dot, judge};
use outside::{Outside, outside_of_change};
pub use renamed::Renaming;
use said::Words;
use sought::{Mapped, Sought};
pub use thresholds::Thresholds;

/// Where a described place is now.
#[derive(Clone, Debug, PartialEq)]
pub enum Relocation {
    /// Here.
    Found {
        /// The place.
        offset: Offset,
        /// How probable it is that this is right, from 0 to 1.
        confidence: f64,
        /// Does the location, as it was written, lead there?
        is_exact: bool,
    },
    /// Here, but the symbol that holds the place, or the word that stood there, has another name now.
    Renamed {
        /// The place.
        offset: Offset,
        /// How probable it is that this is right; `None` when the word itself is another one, which no weights judge.
        confidence: Option<f64>,
        /// The names.
        renaming: Renaming,
    },
    /// At one of these, the most probable first.
    Ambiguous(Vec<Offset>),
    /// Nowhere. These are the places most like it.
    Gone(Vec<Offset>),
}

/// How many places are offered.
const MOST_OFFERED: usize = 5;

/// How sure a location alone is at most of a place in a symbol with another name, or where another symbol has its line:
/// the old symbol may have another name now, or a twin that was there before.
const MOST_BY_WORDS: f64 = 0.89;

/// Finds an anchored place again.
pub fn relocate(document: &dyn Document, anchor: &Anchor) -> Relocation {
    let model = &learned::ANCHOR;
    match Open::by_anchor(document, anchor, &model.thresholds) {
        Err(decided) => decided,
        Ok(open) => open.answer(model, |offset| renamed::holder(&open.present, anchor, offset)),
    }
}

/// A place that nothing decides alone, with what speaks for each place that it could be.
struct Open<'a> {
    present: Present<'a>,
    sought: Sought<'a>,
    led: Led,
    candidates: Vec<evidence::Seen>,
}

impl<'a> Open<'a> {
    /// The place of an anchor, or the answer where that is sure.
    fn by_anchor(
        document: &'a dyn Document,
        anchor: &'a Anchor,
        thresholds: &Thresholds,
    ) -> Result<Open<'a>, Relocation> {
        let old = Offset::of_index(anchor.offset as usize);
        let sought = Sought::of_anchor(anchor).ok_or(Relocation::Gone(Vec::new()))?;
        // To digest a text takes longer than to look at one line of it.
        let text = document.text();
        if stands_at(text, &sought, old) && document.lines().digest_of_text(text) == anchor.text {
            return Err(Relocation::Found { offset: old, confidence: 1.0, is_exact: true });
        }
        Open::new(document, anchor, sought, thresholds, || Present::new(document, *thresholds))
    }

    /// The same with the old text at hand.
    fn by_old_text(
        old: &'a dyn Document,
        new: &'a dyn Document,
        anchor: &'a Anchor,
        thresholds: &Thresholds,
    ) -> Result<Open<'a>, Relocation> {
        let (present, mapped) = match compare(old, new, anchor, thresholds) {
            Compared::Decided(relocation) => return Err(relocation),
            Compared::Open(present, mapped) => (present, mapped),
        };
        let sought = Sought::of_anchor(anchor).ok_or(Relocation::Gone(Vec::new()))?;
        let sought = Sought { mapped, outline: old.outline(), ..sought };
        Open::new(new, anchor, sought, thresholds, || present)
    }

    fn new(
        document: &dyn Document,
        anchor: &Anchor,
        mut sought: Sought<'a>,
        thresholds: &Thresholds,
        present: impl FnOnce() -> Present<'a>,
    ) -> Result<Open<'a>, Relocation> {
        let led = Led::of(document, anchor);
        if let Some(relocation) = led.declared(document, &sought, thresholds) {
            return Err(relocation);
        }
        led.tell(&mut sought);
        let present = present();
        let candidates = evidence::gather(&present, &sought);
        Ok(Open { present, sought, led, candidates })
    }

    fn answer(
        &self,
        model: &Model<{ evidence::N_FEATURES }>,
        renaming: impl Fn(Offset) -> Option<Renaming>,
    ) -> Relocation {
        answer(self.led.exact, &self.candidates, model)
            .or_renamed(renaming)
            .or_other_word(|| renamed::word(&self.present, &self.sought))
            .or_offer(|| renamed::in_its_place(&self.present, &self.sought))
            .or_offer(|| self.led.own)
            .unless_led(self.sought.led)
    }
}

/// Where the location of an anchor leads to in a new text.
struct Led {
    /// If that is one place only.
    exact: Option<Offset>,
    /// If that is also in a symbol of the old path and kind.
    own: Option<Offset>,
    /// The same, if it is the name of that symbol.
    declared: Option<Offset>,
    /// Is it told by a line, or by a number among symbols with one path? Both say nothing in another text.
    is_counted: bool,
}

impl Led {
    fn of(document: &dyn Document, anchor: &Anchor) -> Led {
        let exact = only_place(document, &anchor.location);
        // A number among symbols with one path is that of another one, once one of them is cut or put in.
        let has_name = match &anchor.location.scope {
            Some(Scope::Symbol(path)) => path.iter().all(|segment| segment.index.is_none()),
            _ => false,
        };
        let own = exact.filter(|&offset| has_name && is_in_own(document, anchor, offset));
        Led {
            exact,
            own,
            declared: own.filter(|_| anchor.location.find.is_none()),
            is_counted: anchor.location.scope.is_some() && !has_name,
        }
    }

    /// The answer for a name that is still declared, under the same path, as the same kind, and only once. A new symbol
    /// may have taken it over, so the line must be the same, or the one above, or the one below.
    fn declared(
        &self,
        document: &dyn Document,
        sought: &Sought<'_>,
        thresholds: &Thresholds,
    ) -> Option<Relocation> {
        let offset = self.declared?;
        let lines = document.lines();
        let line = lines.of_offset(offset)?;
        let is_there = |line: Option<usize>, old: Option<&Digest>| {
            line.and_then(|line| lines.digests().get(line)).is_some_and(|now| Some(now) == old)
        };
        let is_known = is_there(Some(line), sought.digest.as_ref())
            || is_there(line.checked_sub(1), sought.above.first())
            || is_there(Some(line + 1), sought.below.first());
        // Who weighs the candidates will see that another symbol has the line.
        let present = Present::new(document, *thresholds);
        if !is_known || !taken_over::taken_over(&present, sought).is_empty() {
            return None;
        }
        Some(match taken_over::other_name(&present, sought) {
            Some(other) => Relocation::Ambiguous(vec![offset, other]),
            None => Relocation::Found { offset, confidence: thresholds.named, is_exact: true },
        })
    }

    fn tell(&self, sought: &mut Sought<'_>) {
        sought.led = self.exact.filter(|_| !self.is_counted);
        sought.own = self.own;
    }
}

/// Is a place in the only symbol that has the path of an anchored one, and is that of its kind?
fn is_in_own(document: &dyn Document, anchor: &Anchor, offset: Offset) -> bool {
    let Some((outline, symbol)) = document.outline().zip(anchor.symbol.as_ref()) else { return false };
    let Some(id) = symbols::innermost(outline, Range::empty(offset)) else { return false };
    let is_other = |(other, _): (SymbolId, &Symbol)| other != id && outline.have_same_path(other, id);
    outline.get(id).kind == symbol.kind && outline.path(id) == symbol.path && !outline.iter().any(is_other)
}

/// Finds a place again by the words of its location alone.
pub fn relocate_words(document: &dyn Document, location: &Location) -> Relocation {
    let Some(words) = Words::of_location(document, location) else { return Relocation::Gone(Vec::new()) };
    let model = if words.is_checked() { &learned::CHECK } else { &learned::LOCATION };
    let written = resolve_quietly(document, location, Wanted::Position);
    let exact = only(&written);
    let candidates = spoken::gather(document, &words, exact, &model.thresholds);
    let answer = answer(exact, &candidates, model);
    let answer = if words.is_checked() {
        answer.or_renamed(|offset| renamed::holder_of_words(document, location, offset, &model.thresholds))
    } else {
        answer
            .or_renamed(|offset| renamed::holder_by_words(document, location, offset))
            .unless_sure(|offset| renamed::has_left(document, location, offset))
    };
    match written {
        // What still leads somewhere is not gone for sure.
        Resolution::Found(found) => match answer.or_offer(|| Some(found.offset)) {
            Relocation::Gone(places) => Relocation::Ambiguous(places),
            answer => answer,
        },
        _ => answer.or_offer_last(|| doubted(document, location)),
    }
}

/// The places that may be meant by a location which leads nowhere, as it is told to who wrote it.
fn doubted(document: &dyn Document, location: &Location) -> Vec<Offset> {
    match resolve(document, location, Wanted::Position) {
        Resolution::NotFound(doubt) | Resolution::Ambiguous(doubt) | Resolution::Unsupported(doubt) => {
            doubt.candidates.iter().map(|candidate| candidate.offset).collect()
        }
        Resolution::Found(_) | Resolution::Invalid(_) => Vec::new(),
    }
}

/// Finds a place of an old text again in a new one: the difference of both decides where lines are unchanged, and
/// likeness in the rest.
pub fn relocate_from(old: &dyn Document, new: &dyn Document, anchor: &Anchor) -> Relocation {
    let model = &learned::OLD_TEXT;
    match Open::by_old_text(old, new, anchor, &model.thresholds) {
        Err(decided) => decided,
        Ok(open) => open
            .answer(model, |offset| renamed::holder_from(old, new, anchor, offset))
            .or_other_word(|| moved::with_its_symbol(old, &open.present, anchor)),
    }
}

/// What the difference of two texts says of a place.
enum Compared<'d> {
    /// All that can be said.
    Decided(Relocation),
    /// Where it could be.
    Open(Present<'d>, Option<Mapped>),
}

fn compare<'d>(
    old: &dyn Document,
    new: &'d dyn Document,
    anchor: &Anchor,
    thresholds: &Thresholds,
) -> Compared<'d> {
    let text = new.text();
    let place = Offset::of_index(anchor.offset as usize);
    let found = |offset, confidence| {
        let is_exact = only_place(new, &anchor.location) == Some(offset);
        let found = Relocation::Found { offset, confidence, is_exact };
        Compared::Decided(found.or_renamed(|offset| renamed::holder_from(old, new, anchor, offset)))
    };
    if old.text().bytes() == text.bytes() && text.is_boundary(place) {
        return Compared::Decided(Relocation::Found { offset: place, confidence: 1.0, is_exact: true });
    }
    if let Some(word) = trace::reformatted(old.text(), text, place) {
        return found(self::place(text, word, anchor.within), thresholds.unchanged);
    }
    let present = Present::new(new, *thresholds);
    let holder = |offset| match Holder::of(old, new, anchor, offset) {
        Holder::Same if is_taken_over(old, &present, anchor, offset) => Holder::Other,
        holder => holder,
    };
    match outside_of_change(old.text(), text, place) {
        Some(Outside::Doubled(places)) => {
            return match places.map(holder) {
                [Holder::Same, Holder::Other] => found(places[0], thresholds.named),
                [Holder::Other, Holder::Same] => found(places[1], thresholds.named),
                _ => Compared::Decided(Relocation::Ambiguous(places.to_vec())),
            };
        }
        Some(Outside::At(offset)) if holder(offset) != Holder::Other => {
            return found(offset, thresholds.unchanged);
        }
        _ => {}
    }
    let trace = trace::trace(old, &present, place);
    let sure = trace.as_ref().and_then(|trace| trace.sure);
    let sure = sure.map(|word| self::place(text, word, anchor.within));
    match sure.filter(|&offset| holder(offset) != Holder::Other) {
        Some(offset) => found(offset, thresholds.unchanged),
        None => Compared::Open(present, trace.map(|trace| trace.mapped)),
    }
}

/// May the symbol around a place be a new one, while the old one has another name?
fn is_taken_over(old: &dyn Document, present: &Present<'_>, anchor: &Anchor, offset: Offset) -> bool {
    let sought = Sought::of_anchor(anchor).map(|sought| Sought { outline: old.outline(), ..sought });
    let Some((sought, outline)) = sought.zip(present.document().outline()) else { return false };
    let holder = symbols::innermost(outline, Range::empty(offset));
    holder.is_some_and(|holder| taken_over::taken_over(present, &sought).contains(&holder))
        || sought.is_declared && taken_over::other_name(present, &sought).is_some()
}

/// The symbol that holds a place now, beside the one that held it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holder {
    /// The same path leads to both.
    Same,
    /// One that was there before beside the old one, or while the old one is still there.
    Other,
    /// One of which nothing is known: the old one may have another name now.
    New,
}

impl Holder {
    fn of(old: &dyn Document, new: &dyn Document, anchor: &Anchor, offset: Offset) -> Holder {
        let then: Vec<&str> =
            anchor.symbol.iter().flat_map(|symbol| &symbol.path).map(String::as_str).collect();
        let outline = new.outline();
        let id = outline.and_then(|outline| symbols::innermost(outline, Range::empty(offset)));
        let now = outline.zip(id).map(|(outline, id)| outline.path(id)).unwrap_or_default();
        if then == now {
            let is_other = outline.zip(id).is_some_and(|(outline, id)| {
                let other =
                    |&(other, _): &(SymbolId, &Symbol)| other != id && outline.have_same_path(other, id);
                let others = outline.iter().filter(other).map(|(_, symbol)| symbol);
                is_declared_by_another(old, new, anchor, outline.get(id), others)
            });
            return if is_other { Holder::Other } else { Holder::Same };
        }
        // What stands around the old symbol, too, is no other one: not every line that was doubled is a symbol again.
        if then.starts_with(&now) {
            return Holder::New;
        }
        let declares = |document: &dyn Document, path: &[&str]| {
            document.outline().is_some_and(|o| evidence::declares(o, path))
        };
        if declares(new, &then) || declares(old, &now) { Holder::Other } else { Holder::New }
    }
}

/// Of symbols with one path, has this one another declaration than the old one, and one of the others that?
fn is_declared_by_another<'s>(
    old: &dyn Document,
    new: &dyn Document,
    anchor: &Anchor,
    symbol: &Symbol,
    mut others: impl Iterator<Item = &'s Symbol>,
) -> bool {
    let declaration = |lines: &Lines, symbol: &Symbol| {
        lines.of_offset(symbol.name_range.start()).map(|line| lines.digest(line))
    };
    let place = Range::empty(Offset::of_index(anchor.offset as usize));
    let held = old.outline().and_then(|outline| Some(outline.get(symbols::innermost(outline, place)?)));
    let then = held.and_then(|symbol| declaration(&old.lines(), symbol));
    let lines = new.lines();
    then != declaration(&lines, symbol) && others.any(|other| declaration(&lines, other) == then)
}

impl Relocation {
    /// All places that it names: where it is, or could be.
    pub fn places(&self) -> &[Offset] {
        match self {
            Relocation::Found { offset, .. } | Relocation::Renamed { offset, .. } => {
                std::slice::from_ref(offset)
            }
            Relocation::Ambiguous(places) | Relocation::Gone(places) => places,
        }
    }

    /// The same, where a place was found that the location does not lead to with the new name of what holds it.
    fn or_renamed(self, renaming: impl Fn(Offset) -> Option<Renaming>) -> Relocation {
        let Relocation::Found { offset, confidence, is_exact: false } = self else { return self };
        match renaming(offset) {
            Some(renaming) => Relocation::Renamed { offset, confidence: Some(confidence), renaming },
            None => self,
        }
    }

    /// The same, but no surer than a location alone can be where that may be another symbol than the old one.
    fn unless_sure(mut self, is_other: impl Fn(Offset) -> bool) -> Relocation {
        match &mut self {
            Relocation::Renamed { confidence: Some(confidence), .. } => {
                *confidence = confidence.min(MOST_BY_WORDS);
            }
            Relocation::Found { offset, confidence, is_exact: false } if is_other(*offset) => {
                *confidence = confidence.min(MOST_BY_WORDS);
            }
            _ => {}
        }
        self
    }

    /// The same, where nothing was found the place at which another word stands now.
    fn or_other_word(self, place: impl Fn() -> Option<(Offset, Renaming)>) -> Relocation {
        match self {
            Relocation::Found { .. } | Relocation::Renamed { .. } => self,
            Relocation::Ambiguous(_) | Relocation::Gone(_) => match place() {
                Some((offset, renaming)) => Relocation::Renamed { offset, confidence: None, renaming },
                None => self,
            },
        }
    }

    /// The same, where nothing was found with one more place to look at, before all others.
    fn or_offer(mut self, place: impl Fn() -> Option<Offset>) -> Relocation {
        if let Relocation::Ambiguous(places) | Relocation::Gone(places) = &mut self
            && let Some(place) = place()
        {
            places.retain(|other| *other != place);
            places.insert(0, place);
            places.truncate(MOST_OFFERED);
        }
        self
    }

    /// The same, but not gone for sure where the location still leads to one place.
    fn unless_led(self, led: Option<Offset>) -> Relocation {
        match (self, led) {
            (Relocation::Gone(places), Some(led)) => Relocation::Ambiguous(places).or_offer(|| Some(led)),
            (answer, _) => answer,
        }
    }

    /// The same, where nothing was found with more places to look at, behind all others.
    fn or_offer_last(mut self, offered: impl FnOnce() -> Vec<Offset>) -> Relocation {
        if let Relocation::Ambiguous(places) | Relocation::Gone(places) = &mut self
            && places.len() < MOST_OFFERED
        {
            for place in offered() {
                if places.len() < MOST_OFFERED && !places.contains(&place) {
                    places.push(place);
                }
            }
        }
        self
    }
}

/// Does the word of an anchor stand at a place, in its line? An anchor comes from outside, and may contradict itself.
fn stands_at(text: &Text, sought: &Sought<'_>, offset: Offset) -> bool {
    let word = tokens::pivot(text.bytes(), text.start().index(), offset.index()).map(Range::of_indices);
    let Some(word) = word.filter(|_| text.is_boundary(offset)) else { return false };
    let line = text.line_content(text.line_of(word.start()));
    line.map(|line| Digest::of_line(text.slice(line))) == sought.digest
        // Of a very long word an anchor has the start.
        && text.lossy(word).as_bytes().starts_with(sought.word)
        && place(text, word.start(), sought.within) == offset
}

/// What speaks for each place of the word of an anchor, with the old text at hand; or the answer, where the difference
/// of both texts says it alone.
pub fn evidence_from(
    old: &dyn Document,
    new: &dyn Document,
    anchor: &Anchor,
    thresholds: &Thresholds,
) -> Result<Relocation, Vec<Evidence>> {
    match Open::by_old_text(old, new, anchor, thresholds) {
        Err(decided) => Ok(decided),
        Ok(open) => Err(open.candidates.into_iter().map(Evidence::listed).collect()),
    }
}

/// What the evidence for candidates comes to.
fn answer<const N_FEATURES: usize>(
    exact: Option<Offset>,
    candidates: &[Evidence<[f64; N_FEATURES]>],
    model: &Model<N_FEATURES>,
) -> Relocation {
    let Some(Verdict { order, confidence, .. }) = model.judge(candidates) else {
        return Relocation::Gone(Vec::new());
    };
    let best = order.first().map(|&best| &candidates[best]);
    let is_possible = confidence >= model.possible || best.is_some_and(|best| best.is_possible);
    let is_shared = best.is_some_and(|best| best.is_shared);
    let mut places = order.into_iter().map(|index| candidates[index].place);
    match places.next() {
        Some(offset) if confidence >= model.accepted => {
            let confidence = if is_shared { confidence.min(MOST_BY_WORDS) } else { confidence };
            Relocation::Found { offset, confidence, is_exact: exact == Some(offset) }
        }
        best => {
            let offered = best.into_iter().chain(places).take(MOST_OFFERED).collect();
            if is_possible { Relocation::Ambiguous(offered) } else { Relocation::Gone(offered) }
        }
    }
}

/// The place that a location means as it was written, if it means no other.
fn only_place(document: &dyn Document, location: &Location) -> Option<Offset> {
    only(&resolve_quietly(document, location, Wanted::Position))
}

fn only(resolution: &Resolution) -> Option<Offset> {
    match resolution {
        Resolution::Found(found) if found.matches == 1 => Some(found.offset),
        _ => None,
    }
}

/// The token at a place: the word it is in or at an end of, or the mark behind it. Empty between blanks.
pub fn word_at(document: &dyn Document, offset: Offset) -> Range {
    let text = document.text();
    let token = tokens::pivot(text.bytes(), text.start().index(), offset.index()).map(Range::of_indices);
    token.filter(|token| token.touches(offset)).unwrap_or(Range::empty(offset))
}

/// What speaks for each place of the word of an anchor; or the answer, where nothing has to be weighed.
pub fn evidence(
    document: &dyn Document,
    anchor: &Anchor,
    thresholds: &Thresholds,
) -> Result<Relocation, Vec<Evidence>> {
    match Open::by_anchor(document, anchor, thresholds) {
        Err(decided) => Ok(decided),
        Ok(open) => Err(open.candidates.into_iter().map(Evidence::listed).collect()),
    }
}

/// What speaks for each place of the word of a location.
pub fn evidence_of_words(
    document: &dyn Document,
    location: &Location,
    thresholds: &Thresholds,
) -> Vec<Evidence> {
    let words = Words::of_location(document, location);
    let exact = only_place(document, location);
    let candidates = words.map(|words| spoken::gather(document, &words, exact, thresholds));
    candidates.into_iter().flatten().map(Evidence::listed).collect()
}

/// The place that hangs on a word. Blanks between them may have become fewer; then it is at their other end.
fn place(text: &Text, word: Offset, within: i32) -> Offset {
    let bytes = text.bytes();
    let word = word.index();
    let distance = within.unsigned_abs() as usize;
    let wanted = if within < 0 {
        word.saturating_sub(distance).max(tokens::blanks_before(bytes, word))
    } else {
        let end = tokens::token_end(bytes, word);
        if word + distance <= end {
            word + distance
        } else {
            (word + distance).min(tokens::blanks_after(bytes, end))
        }
    };
    let is_place = |at: &usize| text.is_boundary(Offset::of_index(*at));
    let found =
        if within < 0 { (wanted..=word).find(is_place) } else { (word..=wanted).rev().find(is_place) };
    // Bytes that are no text may start inside of what counts as one character.
    let found = found.or_else(|| (text.start().index()..word).rev().find(is_place));
    Offset::of_index(found.unwrap_or(word))
}
