//! Resolves a scope that is a path through the descriptor of a .proto file, such as `[4,0,2,1]`.

use locant_locate::{Candidate, Diagnosis, Hint, Reason, Scope, Segment};
use locant_proto::{File, Interpretation, Lookup, Names, NoSources, Pool, Row, TableKind};
use locant_text::{Offset, Range};

/// The ranges of text that a descriptor path means, or why there are none. `None` when the scope is not a descriptor
/// path.
pub(crate) fn spans(
    path: &str,
    text: &[u8],
    file: &File,
    scope: &Scope,
) -> Option<Result<Vec<Range>, Diagnosis>> {
    // A location does not say where imports are, so only custom options that the file itself declares are known.
    let pool = Pool::of(path, text, file.clone(), &NoSources);
    let interpretation = Interpretation::new(&pool);
    let lookup = Lookup::new(&pool, &interpretation);
    let (numbers, written) = match scope {
        Scope::Descriptor(numbers) => (numbers.clone(), scope.to_string()),
        Scope::Symbol(segments) => {
            let written = written(segments);
            (Names::new(&pool).path(&written)?, written)
        }
        _ => return None,
    };
    let rows = lookup.by_path(&numbers, TableKind::Retained);
    Some(if rows.is_empty() {
        Err(nothing(&lookup, &numbers, path, &written))
    } else {
        Ok(rows.iter().map(Row::range).collect())
    })
}

/// Writes segments as a descriptor path by name, such as `message_type[0].field[1]`.
fn written(segments: &[Segment]) -> String {
    let segment = |segment: &Segment| match segment.index {
        Some(index) => format!("{}[{index}]", segment.name),
        None => segment.name.clone(),
    };
    segments.iter().map(segment).collect::<Vec<_>>().join(".")
}

fn nothing(lookup: &Lookup<'_>, numbers: &[i32], path: &str, written: &str) -> Diagnosis {
    let above = (0..numbers.len()).rev().map(|n| &numbers[..n]);
    let mut above = above.map(|above| (above, lookup.by_path(above, TableKind::Retained)));
    let nearest = above.find(|(_, rows)| !rows.is_empty());
    let why = lookup.why_not(numbers).message();
    let (hint, place) = match &nearest {
        Some((above, rows)) => {
            let above = Scope::Descriptor(above.to_vec());
            (Hint::UseShorterPath(above), rows.first().map(|row| row.range().start()))
        }
        None => (Hint::ListDescriptorPaths, None),
    };
    let candidate = |offset: Offset| Candidate { offset, reason: Reason::PartOfPath };
    Diagnosis {
        message: format!("`{written}` has no location in {path}: {why}"),
        hints: vec![hint],
        candidates: place.map(candidate).into_iter().collect(),
    }
}
