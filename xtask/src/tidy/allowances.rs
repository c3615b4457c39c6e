//! Allowances for rules that some crates do not keep yet. An allowance is the number of violations that a crate has
//! today, so that the number can only get smaller.

use super::file::Problem;

/// The folder of a crate, from the root of the project, and the number of violations it has today.
pub(super) type Allowance = (&'static str, usize);

/// The problems of crates whose number of violations differs from their allowance. A crate that is
/// not in `allowed` has the allowance `most`, and callers give no smaller number for it.
///
/// `found` has the folder of each crate, its number of violations, and what this number counts. A crate below its
/// allowance is a problem too: the allowance must be lowered. Otherwise the crate could get worse again without notice.
pub(super) fn kept(
    found: Vec<(&str, usize, String)>,
    allowed: &[Allowance],
    most: usize,
    why: &'static str,
) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (folder, n, what) in found {
        let allowance = allowed.iter().find(|(of, _)| *of == folder).map_or(most, |(_, n)| *n);
        let what = match n {
            n if n > allowance => format!("{n} {what}"),
            n if n < allowance => {
                format!("is better than the {allowance} it is allowed: {n} now, say so in ALLOWED")
            }
            _ => continue,
        };
        problems.push(Problem { path: folder.to_owned(), line: 1, what, why });
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(n: usize, allowed: &[Allowance], expected: &[&str]) {
        let problems = kept(vec![("crates/a", n, "apples".to_owned())], allowed, 2, "a reason");
        let found: Vec<&str> = problems.iter().map(|problem| problem.what.as_str()).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_figure_may_only_get_better() {
        check(2, &[], &[]);
        check(3, &[], &["3 apples"]);
        check(7, &[("crates/a", 7)], &[]);
        check(8, &[("crates/a", 7)], &["8 apples"]);
        check(6, &[("crates/a", 7)], &["is better than the 7 it is allowed: 6 now, say so in ALLOWED"]);
        check(3, &[("crates/b", 7)], &["3 apples"]);
    }
}
