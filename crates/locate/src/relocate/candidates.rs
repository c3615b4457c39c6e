//! The candidates for the place of a location, compared with each other.

use locant_text::Offset;

use super::heirs::Heirs;

/// An occurrence of the word of a location, compared with the location.
pub(crate) struct Candidate<'g> {
    pub(crate) word: Offset,
    pub(crate) left: Vec<&'g [u8]>,
    pub(crate) right: Vec<&'g [u8]>,
    pub(crate) left_run: f64,
    pub(crate) right_run: f64,
    /// How similar the text is to the find on the left and on the right of the word.
    pub(crate) likeness: [f64; 2],
    /// How similar the text is to the find on both sides together.
    pub(crate) like: f64,
    pub(crate) is_in_scope: bool,
    /// The index of the range of the scope that contains the word.
    pub(crate) holder: Option<usize>,
    /// Whether the text matches the find, or all of it but the outermost token on one side.
    pub(crate) is_outer: bool,
    /// Which lines agree with the check: the line of the word, the line above and the line below.
    pub(crate) same: [bool; 3],
    /// Whether the line of the word and its neighbours agree with the check. Only neighbours in the symbol around the
    /// word count.
    pub(crate) is_whole: bool,
    pub(crate) line: Option<usize>,
    /// The share of the find that is on the left and on the right of the word, even with other tokens in between.
    pub(crate) kept: [f64; 2],
    /// The share of the find that is around the word, as in `kept`, but on both sides together.
    pub(crate) all_kept: f64,
    /// The same share as `all_kept`, but tokens that are rare in the text have more weight.
    pub(crate) rare_kept: f64,
}

impl Candidate<'_> {
    pub(crate) fn is_equal(&self) -> bool {
        self.left_run == 1.0 && self.right_run == 1.0
    }

    /// Whether this candidate has the line of the check between other neighbours, while another candidate has it
    /// between the old neighbours. That other candidate may be in the old symbol under a new name.
    pub(crate) fn is_taken_over(&self, all: &Counts) -> bool {
        let [line, above, below] = self.same;
        self.is_in_scope && line && !above && !below && all.same.most == self.same.len() as f64
    }

    pub(crate) fn n_same(&self) -> usize {
        self.same.iter().filter(|same| **same).count()
    }
}

/// Counts over all candidates.
pub(crate) struct Counts {
    pub(crate) n_equal: usize,
    pub(crate) n_equal_in_scope: usize,
    pub(crate) n_in_scope: usize,
    pub(crate) like: TopTwo,
    pub(crate) same: TopTwo,
    pub(crate) kept: TopTwo,
    /// How many candidates in the scope match the find, or all of it but the outermost token on one side.
    pub(crate) n_outer: usize,
    /// For each place in the scope that matches the find: the symbols that may be the old symbol under a new name.
    pub(crate) heirs: Vec<(Offset, Heirs)>,
    /// Whether a candidate outside of the scope has the lines of the check: see [`Candidate::is_whole`].
    pub(crate) is_whole_outside: bool,
    /// Whether the find matches in several symbols with the path. Then it is unknown which of them was meant.
    pub(crate) is_in_twins: bool,
}

/// The two highest of some numbers.
pub(crate) struct TopTwo {
    pub(crate) most: f64,
    next: f64,
}

impl TopTwo {
    fn of(numbers: impl Iterator<Item = f64>) -> TopTwo {
        let add = |TopTwo { most, next }, n: f64| TopTwo { most: n.max(most), next: n.min(most).max(next) };
        numbers.fold(TopTwo { most: 0.0, next: 0.0 }, add)
    }

    /// How far `n`, which is one of the numbers, is ahead of the highest of the others.
    pub(crate) fn lead(&self, n: f64) -> f64 {
        n - if n == self.most { self.next } else { self.most }
    }
}

impl Counts {
    pub(crate) fn heirs_of(&self, place: Offset) -> Option<&Heirs> {
        self.heirs.iter().find(|(own, _)| *own == place).map(|(_, heirs)| heirs)
    }

    pub(crate) fn of(candidates: &[Candidate<'_>]) -> Counts {
        let count =
            |holds: &dyn Fn(&Candidate<'_>) -> bool| candidates.iter().filter(|one| holds(one)).count();
        let mut holders = candidates.iter().filter(|one| one.is_equal()).filter_map(|one| one.holder);
        let first_holder = holders.next();
        Counts {
            is_in_twins: holders.any(|holder| Some(holder) != first_holder),
            heirs: Vec::new(),
            is_whole_outside: candidates.iter().any(|one| one.is_whole && !one.is_in_scope),
            n_equal: count(&|one| one.is_equal()),
            n_equal_in_scope: count(&|one| one.is_in_scope && one.is_equal()),
            n_in_scope: count(&|one| one.is_in_scope),
            like: TopTwo::of(candidates.iter().map(|one| one.like)),
            same: TopTwo::of(candidates.iter().map(|one| one.n_same() as f64)),
            kept: TopTwo::of(candidates.iter().map(|one| one.all_kept)),
            n_outer: count(&|one| one.is_in_scope && one.is_outer),
        }
    }
}
