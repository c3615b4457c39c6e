//! Summaries of the answers: tables and a curve.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::cases::{Case, Decided, Seen};
use crate::model::{Judged, Settled};
use crate::validate::Answers;

/// The shares of right, wrong and other answers, in percent.
pub(crate) struct Shares {
    pub(crate) right: f64,
    pub(crate) wrong: f64,
    pub(crate) none: f64,
    pub(crate) gone_rejected: f64,
    /// The share of right answers among those that are given.
    pub(crate) precision: f64,
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// The shares, if the answers with at least this confidence are given.
pub(crate) fn shares(judged: &[Judged], accepted: f64) -> Shares {
    shares_by(judged, |judged| judged.confidence >= accepted)
}

/// The shares, if the answers with `is_given` are given.
pub(crate) fn given(judged: &[Judged]) -> Shares {
    shares_by(judged, |judged| judged.is_given)
}

fn shares_by(judged: &[Judged], is_given: impl Fn(&Judged) -> bool) -> Shares {
    let (mut found, mut wrong, mut none, mut gone, mut rejected) = (0, 0, 0, 0, 0);
    for judged in judged {
        gone += usize::from(!judged.is_there);
        match (judged.is_there, is_given(judged)) {
            (true, true) if judged.is_right => found += 1,
            (_, true) => wrong += 1,
            (true, false) => none += 1,
            (false, false) => rejected += 1,
        }
    }
    Shares {
        right: percent(found + rejected, judged.len()),
        wrong: percent(wrong, judged.len()),
        none: percent(none, judged.len()),
        gone_rejected: percent(rejected, gone),
        precision: percent(found, found + wrong),
    }
}

/// Whether the share of bad answers, plus its standard error, is at most `promised` percent. The standard error is
/// added because other repositories will differ from these.
fn keeps(promised: f64, n_bad: usize, n: usize) -> bool {
    let share = n_bad as f64 / n.max(1) as f64;
    let error = (share * (1.0 - share) / n.max(1) as f64).sqrt();
    100.0 * (share + error) <= promised
}

/// The least confidence to accept, such that at most `promised` percent of all cases get a wrong answer.
pub(crate) fn accepted(judged: &[Judged], promised: f64) -> f64 {
    let is_kept = |accepted: &f64| {
        let is_wrong = |judged: &&Judged| judged.confidence >= *accepted && !judged.is_right;
        keeps(promised, judged.iter().filter(is_wrong).count(), judged.len())
    };
    confidences().find(is_kept).unwrap_or(1.0)
}

/// The least confidence to accept, such that at most `most_wrong` percent of these cases get a wrong answer.
fn reached(judged: &[Judged], most_wrong: f64) -> f64 {
    confidences().find(|accepted| shares(judged, *accepted).wrong <= most_wrong).unwrap_or(1.0)
}

/// How much to subtract from the log-odds, such that at most [`SURE_BUT_WRONG`] percent of the answers with a
/// confidence of at least [`SURE`] are wrong.
pub(crate) fn caution(judged: &[Judged]) -> f64 {
    let is_kept = |caution: &f64| {
        let sure = judged.iter().filter(|judged| judged.with_caution(*caution).confidence >= SURE);
        let (n_sure, n_wrong) =
            sure.fold((0, 0), |(n, wrong), judged| (n + 1, wrong + usize::from(!judged.is_right)));
        // No standard error is added here. It would make fewer answers sure, and with fewer answers the error grows.
        percent(n_wrong, n_sure) <= SURE_BUT_WRONG
    };
    (0..MOST_CAUTION).map(|tenths| f64::from(tenths) / 10.0).find(is_kept).unwrap_or(0.0)
}

/// Of the answers with a confidence of at least `SURE`, at most `SURE_BUT_WRONG` percent may be wrong.
const SURE: f64 = 0.9;
const SURE_BUT_WRONG: f64 = 1.0;

/// The most caution to try, in tenths of log-odds.
const MOST_CAUTION: u32 = 40;

/// The greatest bound of the confidence, in steps of a thousandth, such that places with a lower confidence can be said
/// to be gone: at most `gone_but_there` percent of them still exist.
pub(crate) fn possible(judged: &[Judged], accepted: f64, gone_but_there: f64) -> f64 {
    let bounds = (1..1000).map(|thousandths| f64::from(thousandths) / 1000.0);
    let mut bounds = bounds.take_while(|bound| *bound <= accepted).collect::<Vec<_>>().into_iter().rev();
    let is_kept = |bound: &f64| {
        let Gone { n_said, n_right, .. } = gone(judged, *bound);
        keeps(gone_but_there, n_said - n_right, n_said)
    };
    bounds.find(is_kept).unwrap_or(0.0)
}

/// Counts of places that are said to be gone.
pub(crate) struct Gone {
    /// How many places are said to be gone, and how many of these are really gone.
    n_said: usize,
    n_right: usize,
    /// How many places are gone.
    n_gone: usize,
}

/// Counts the places that are said to be gone, because their confidence is below `possible`.
pub(crate) fn gone(judged: &[Judged], possible: f64) -> Gone {
    let said = judged.iter().filter(|judged| judged.confidence < possible && !judged.is_possible);
    let (n_said, n_right) =
        said.fold((0, 0), |(n, right), judged| (n + 1, right + usize::from(!judged.is_there)));
    Gone { n_said, n_right, n_gone: judged.iter().filter(|judged| !judged.is_there).count() }
}

fn confidences() -> impl Iterator<Item = f64> {
    let hundredths = (30..99).map(|hundredths| f64::from(hundredths) / 100.0);
    hundredths.chain((990..1000).map(|thousandths| f64::from(thousandths) / 1000.0))
}

/// A table of right and wrong answers for several accepted confidences.
pub(crate) fn by_confidence(judged: &[Judged]) -> String {
    let mut out = String::from(
        "| from confidence | right % | silently wrong % | none % | gone rejected % | of the answers right % |\n\
         |---|---|---|---|---|---|\n",
    );
    for accepted in [0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97] {
        let Shares { right, wrong, none, gone_rejected, precision } = shares(judged, accepted);
        let _ = writeln!(
            out,
            "| {accepted:.2} | {right:.1} | {wrong:.2} | {none:.1} | {gone_rejected:.1} | {precision:.1} |"
        );
    }
    out
}

/// Sentences about the accepted confidence, and about places that are said to be gone.
pub(crate) fn settled(answers: &Answers) -> String {
    let Settled { accepted, possible, .. } = answers.settled;
    let Gone { n_said, n_right, n_gone } = gone(&answers.real, possible);
    let (share, precision) = (percent(n_right, n_gone), percent(n_right, n_said));
    format!(
        "An answer is given from a confidence of {accepted:?} on; in the next tables, each part has the bound that the \
         others settle. Of the places that are gone {share:.1} % are said to be, and of those that are said to be \
         gone {precision:.1} % are.\n"
    )
}

/// Among the answers that were decided without weighing candidates and got this confidence: the share that is right. It
/// becomes their new confidence.
pub(crate) fn share_right(seen: &[Seen], confidence: f64) -> f64 {
    let decided = seen.iter().filter_map(|seen| seen.decided).filter(|one| one.confidence == confidence);
    let (n, n_right) = decided.fold((0, 0), |(n, right), one| (n + 1, right + u32::from(one.is_right)));
    // One right and one wrong answer are added to the counts. The result is rounded to thousandths.
    let share = f64::from(n_right + 1) / f64::from(n + 2);
    if n == 0 { confidence } else { (1000.0 * share).round() / 1000.0 }
}

/// Sentences about the answers that were decided without weighing candidates: how many there are at each confidence,
/// and how many of them are right.
pub(crate) fn decided(seen: &[Seen]) -> String {
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for Decided { confidence, is_right } in seen.iter().filter_map(|seen| seen.decided) {
        let (n, n_right) = counts.entry(format!("{confidence:.3}")).or_default();
        (*n, *n_right) = (*n + 1, *n_right + usize::from(is_right));
    }
    counts.remove("0.000");
    let told = counts.iter().map(|(confidence, (n, n_right))| {
        format!(
            "With a confidence of {confidence}, {n} answers need no weighing; {n_right} of them are right.\n"
        )
    });
    told.collect()
}

/// A table of the right and wrong answers that are given, for each kind of change.
pub(crate) fn by_class(cases: &[Case], judged: &[Judged], classes: &[&str]) -> String {
    let mut out = String::from(
        "| the place is | cases | right % | silently wrong % | none % |\n|---|---|---|---|---|\n",
    );
    for class in classes.iter().copied().chain(["all"]) {
        let is_in = |case: &Case| class == "all" || case.class == class;
        let those: Vec<Judged> =
            cases.iter().zip(judged).filter(|(case, _)| is_in(case)).map(|(_, judged)| *judged).collect();
        if those.is_empty() {
            continue;
        }
        let Shares { right, wrong, none, .. } = given(&those);
        let _ = writeln!(out, "| {class} | {} | {right:.1} | {wrong:.2} | {none:.1} |", those.len());
    }
    out
}

/// A row of the table of how many answers are right with each kind of knowledge.
pub(crate) fn ablation_row(judged: &[Judged], name: &str) -> String {
    let at = |most_wrong: f64| shares(judged, reached(judged, most_wrong)).right;
    format!("| {name} | {:.1} | {:.1} | {:.1} |\n", at(1.0), at(0.7), at(0.5))
}

/// The curves of right against wrong answers, as an SVG image.
pub(crate) fn curves(all: &[(&str, &[Judged])]) -> String {
    /// The width and the height of one percent in the image, the greatest percentage of wrong answers to show, and the
    /// least percentage of right ones.
    const ACROSS: f64 = 150.0;
    const UP: f64 = 12.0;
    const MOST_WRONG: f64 = 3.0;
    const LEAST_RIGHT: f64 = 70.0;
    const COLOURS: [&str; 4] = ["#1b6ac9", "#c9541b", "#3a9a4b", "#7a4bb0"];

    let x = |wrong: f64| 50.0 + wrong * ACROSS;
    let y = |right: f64| 20.0 + (100.0 - right) * UP;
    let mut out = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 430\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"640\" height=\"430\" fill=\"#fff\"/>\n",
    );
    let mut line = |x1: f64, y1: f64, x2: f64, y2: f64, label: &str, at: (f64, f64)| {
        let _ = writeln!(
            out,
            "<path d=\"M{x1:.0} {y1:.0}L{x2:.0} {y2:.0}\" stroke=\"#ddd\"/>\
             <text x=\"{:.0}\" y=\"{:.0}\" fill=\"#444\">{label}</text>",
            at.0, at.1
        );
    };
    for right in [70.0, 75.0, 80.0, 85.0, 90.0, 95.0, 100.0] {
        line(x(0.0), y(right), x(MOST_WRONG), y(right), &format!("{right}"), (20.0, y(right) + 4.0));
    }
    for wrong in [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0] {
        line(
            x(wrong),
            y(100.0),
            x(wrong),
            y(LEAST_RIGHT),
            &format!("{wrong}"),
            (x(wrong) - 8.0, y(LEAST_RIGHT) + 18.0),
        );
    }
    for ((name, judged), colour) in all.iter().zip(COLOURS) {
        let points = confidences().map(|accepted| shares(judged, accepted));
        let points: Vec<String> = points
            .filter(|shares| shares.wrong <= MOST_WRONG && shares.right >= LEAST_RIGHT)
            .map(|shares| format!("{:.1},{:.1}", x(shares.wrong), y(shares.right)))
            .collect();
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            points.join(" ")
        );
        let (label_x, label_y) =
            points.first().and_then(|point| point.split_once(',')).unwrap_or(("60", "400"));
        let _ = writeln!(
            out,
            "<text x=\"{label_x}\" y=\"{label_y}\" dx=\"6\" dy=\"14\" fill=\"{colour}\">{name}</text>"
        );
    }
    out + "<text x=\"200\" y=\"420\" fill=\"#444\">silently wrong %</text>\
           <text x=\"4\" y=\"12\" fill=\"#444\">right %</text>\n</svg>\n"
}
