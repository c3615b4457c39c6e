//! Judges cases with models that were learned from other repositories.
//!
//! The cases of a repository are judged by a model that was learned from all other repositories. The accepted
//! confidence is settled without this repository, too: from the answers to all other repositories.

use std::collections::BTreeSet;

use locant_bench::parallel::map_in_parallel;

use crate::cases::{Case, Seen};
use crate::model::{Judged, Model, Settled};
use crate::{learn, report};

/// How many parts the repositories are divided into when thresholds are compared. There are only a few parts, because a
/// model is learned for each part and each value of a threshold.
const N_COMPARED: usize = 5;

/// Cases, and the candidates for each.
#[derive(Clone, Copy)]
pub(crate) struct Set<'s> {
    pub(crate) cases: &'s [Case],
    pub(crate) seen: &'s [Seen],
}

/// The bounds that answers must keep, in percent.
#[derive(Clone, Copy)]
pub(crate) struct Promised {
    /// How many of all cases may get a wrong answer.
    pub(crate) wrong: f64,
    /// How many of the places that are said to be gone may still exist.
    pub(crate) gone_but_there: f64,
}

/// The cases that a model is learned from.
#[derive(Clone, Copy)]
pub(crate) struct Lesson<'s> {
    pub(crate) real: Set<'s>,
    /// Cases with made-up edits.
    pub(crate) made_up: Set<'s>,
    /// Whether the model also learns from the made-up cases.
    pub(crate) teaches: bool,
    pub(crate) promised: Promised,
}

/// The answers to all cases.
pub(crate) struct Answers {
    pub(crate) real: Vec<Judged>,
    pub(crate) made_up: Vec<Judged>,
    /// The answers to the real cases before bounds were settled. The curve is drawn from them.
    pub(crate) plain: Vec<Judged>,
    /// The bounds that are settled from the answers to all repositories.
    pub(crate) settled: Settled,
}

impl<'s> Lesson<'s> {
    /// The model that is learned from all cases.
    pub(crate) fn model(&self) -> Model {
        self.model_without(&|_| false)
    }

    /// Judges each case with a model that was learned from the other repositories, and with bounds that were settled
    /// from their answers.
    pub(crate) fn answers(&self) -> Answers {
        let parts = Parts::of(self.real.cases, usize::MAX);
        let models = map_in_parallel((0..parts.len()).collect(), |left_out| {
            self.model_without(&|case| parts.of_case(case) == left_out)
        });
        let judged = |set: Set<'s>| {
            let cases = set.cases.iter().zip(set.seen);
            cases.map(|(case, seen)| (parts.of_case(case), models[parts.of_case(case)].judge(seen)))
        };
        let real: Vec<(usize, Judged)> = judged(self.real).collect();
        let settled_without = |left_out: usize| {
            let others = real.iter().filter(|(part, _)| *part != left_out).map(|(_, judged)| *judged);
            self.settle(&others.collect::<Vec<_>>())
        };
        let settled: Vec<Settled> = (0..parts.len()).map(settled_without).collect();
        let strict = |(part, judged): (usize, Judged)| judged.settled(&settled[part]);
        Answers {
            settled: settled_without(parts.len()),
            made_up: judged(self.made_up).map(strict).collect(),
            plain: real.iter().map(|(_, judged)| *judged).collect(),
            real: real.into_iter().map(strict).collect(),
        }
    }

    /// The mean loss over the taught cases. Each case is judged by a model that was learned from the other parts. The
    /// loss of an answer is the negative logarithm of the probability that the model gave to the truth.
    pub(crate) fn loss(&self) -> f64 {
        let parts = Parts::of(self.real.cases, N_COMPARED);
        let losses = map_in_parallel((0..parts.len()).collect(), |left_out| {
            let model = self.model_without(&|case| parts.of_case(case) == left_out);
            let own = self.taught().filter(|(case, _)| parts.of_case(case) == left_out);
            let lost = own.map(|(_, seen)| {
                let judged = model.judge(seen);
                let confidence = judged.confidence.clamp(LEAST_LOST, 1.0 - LEAST_LOST);
                if judged.is_right { -confidence.ln() } else { -(1.0 - confidence).ln() }
            });
            lost.fold((0.0, 0usize), |(sum, n), lost| (sum + lost, n + 1))
        });
        let (sum, n) = losses.into_iter().fold((0.0, 0), |(sum, n), (more, cases)| (sum + more, n + cases));
        sum / n.max(1) as f64
    }

    fn settle(&self, judged: &[Judged]) -> Settled {
        let caution = report::caution(judged);
        let judged: Vec<Judged> = judged.iter().map(|judged| judged.with_caution(caution)).collect();
        let Promised { wrong, gone_but_there } = self.promised;
        let accepted = report::accepted(&judged, wrong);
        Settled { caution, accepted, possible: report::possible(&judged, accepted, gone_but_there) }
    }

    /// The cases that are learned from.
    fn taught(&self) -> impl Iterator<Item = (&'s Case, &'s Seen)> {
        let real = self.real.cases.iter().zip(self.real.seen);
        let made_up = self.made_up.cases.iter().zip(self.made_up.seen);
        real.chain(made_up.take(if self.teaches { usize::MAX } else { 0 }))
    }

    fn model_without(&self, is_left_out: &dyn Fn(&Case) -> bool) -> Model {
        let others = self.taught().filter(|(case, _)| !is_left_out(case));
        learn::model(&others.map(|(_, seen)| seen).collect::<Vec<_>>())
    }
}

/// Confidences are kept this far from 0 and 1, so that no single answer counts too much.
const LEAST_LOST: f64 = 0.002;

/// The repositories, divided into parts. They are assigned to the parts in turn, in the order of their names.
struct Parts<'s> {
    repositories: BTreeSet<&'s str>,
    most: usize,
}

impl<'s> Parts<'s> {
    /// Divides the repositories into at most `most` parts.
    fn of(cases: &'s [Case], most: usize) -> Parts<'s> {
        Parts { repositories: cases.iter().map(|case| case.repository.as_str()).collect(), most }
    }

    fn len(&self) -> usize {
        self.repositories.len().min(self.most)
    }

    fn of_case(&self, case: &Case) -> usize {
        let number = self.repositories.iter().position(|name| *name == case.repository);
        number.unwrap_or(0) % self.len()
    }
}
