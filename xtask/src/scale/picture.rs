//! The picture of how times grow with the tree: both axes grow by factors of ten.

use std::fmt::Write as _;

use super::measured::Measured;

/// How wide a factor of ten in the number of files is, and how high a factor of ten in time.
const ACROSS: f64 = 200.0;
const UP: f64 = 80.0;

const LEFT: f64 = 60.0;
const BOTTOM: f64 = 420.0;

/// The times that have a line, and their names.
const TIMES: [(f64, &str); 5] =
    [(0.01, "10 ms"), (0.1, "100 ms"), (1.0, "1 s"), (10.0, "10 s"), (100.0, "100 s")];

const COLOURS: [&str; 7] = ["#888888", "#555555", "#b08a00", "#b0307a", "#c9541b", "#1b6ac9", "#3a9a4b"];

/// The least distance between two names.
const LINE: f64 = 15.0;

/// Draws a line for each row of the figures.
pub(super) fn drawn(all: &[Measured]) -> String {
    let (Some(first), Some(last)) = (all.first(), all.last()) else { return String::new() };
    let right = x(all.len() - 1);
    let mut image = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 780 460\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"780\" height=\"460\" fill=\"#fff\"/>\n",
    );
    for (seconds, name) in TIMES {
        let height = y(seconds);
        let _ = writeln!(
            image,
            "<path d=\"M{LEFT:.0} {height:.0}H{right:.0}\" stroke=\"#ddd\"/><text x=\"8\" y=\"{:.0}\">{name}</text>",
            height + 4.0
        );
    }
    for (index, measured) in all.iter().enumerate() {
        let at = x(index) - 30.0;
        let _ = writeln!(image, "<text x=\"{at:.0}\" y=\"445\">{} files</text>", measured.n_files);
    }
    let heights: Vec<f64> = last.rows.iter().map(|row| y(row.seconds)).collect();
    for (row, height) in apart(&heights).into_iter().enumerate() {
        let colour = COLOURS[row % COLOURS.len()];
        let point = |(index, measured): (usize, &Measured)| {
            format!("{:.1},{:.1}", x(index), y(measured.rows[row].seconds))
        };
        let points: Vec<String> = all.iter().enumerate().map(point).collect();
        let name = first.rows[row].name.replace(['*', '`'], "");
        let _ = writeln!(
            image,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <text x=\"{:.0}\" y=\"{:.0}\" fill=\"{colour}\">{name}</text>",
            points.join(" "),
            right + 8.0,
            height + 4.0
        );
    }
    image + "</svg>\n"
}

/// The horizontal place of a tree.
fn x(index: usize) -> f64 {
    LEFT + index as f64 * ACROSS
}

/// The vertical place of a time. A hundredth of a second is at the bottom.
fn y(seconds: f64) -> f64 {
    BOTTOM - (seconds.max(0.01) * 100.0).log10() * UP
}

/// These heights, in the same order, moved down until none covers another.
fn apart(heights: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..heights.len()).collect();
    order.sort_by(|&one, &other| heights[one].total_cmp(&heights[other]));
    let (mut moved, mut least) = (heights.to_vec(), f64::MIN);
    for index in order {
        moved[index] = moved[index].max(least);
        least = moved[index] + LINE;
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_cover_each_other() {
        assert_eq!(apart(&[30.0, 10.0, 12.0]), [40.0, 10.0, 25.0]);
    }
}
