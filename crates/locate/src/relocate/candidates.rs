//! The places of a location's word, compared with each other.

use locant_text::Offset;

use super::heirs::Heirs;

/// A place of the word, compared with the location.
pub(crate) struct Candidate<'g> {
    pub(crate) word: Offset,
    pub(crate) left: Vec<&'g [u8]>,
    pub(crate) right: Vec<&'g [u8]>,
    pub(crate) left_run: f64,
    pub(crate) right_run: f64,
    /// How like the find the text is on the left and on the right; then on both sides together.
    pub(crate) likeness: [f64; 2],
    pub(crate) like: f64,
    pub(crate) is_in_scope: bool,
    /// Which of the ranges of the scope it is in.
    pub(crate) holder: Option<usize>,
    /// Whether it has all of the find, or all but the outermost token on one side.
    pub(crate) is_outer: bool,
    /// Which lines agree with the check: its own, the one above and the one below.
    pub(crate) same: [bool; 3],
    /// Whether it has the line of the check between the same neighbours, as far as these are in its symbol.
    pub(crate) is_whole: bool,
    pub(crate) line: Option<usize>,
    /// How much of the find is around the word, on the left and on the right, if other tokens may be between.
    pub(crate) kept: [f64; 2],
    /// The same for both sides together; then with more weight for tokens that are rare in the text.
    pub(crate) all_kept: f64,
    pub(crate) rare_kept: f64,
}

impl Candidate<'_> {
    pub(crate) fn is_equal(&self) -> bool {
        self.left_run == 1.0 && self.right_run == 1.0
    }

    /// Whether the old symbol has the line between new neighbours, while another place has it between the old ones.
    /// That other place may be in the old symbol under a new name.
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
    /// How many in the scope have all of the find, or all but its outermost token on one side.
    pub(crate) n_outer: usize,
    /// For each place in the scope that has all of the find: the symbols that may be the old one under another name.
    pub(crate) heirs: Vec<(Offset, Heirs)>,
    /// Whether a place outside of the scope has the line of the check between the same neighbours.
    pub(crate) is_whole_outside: bool,
    /// Whether several symbols with the path have all of the find. Of such copies, it is unknown which one was meant.
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

    /// How far one of the numbers is ahead of the highest other one.
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
