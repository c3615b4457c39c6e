//! Semantic tokens, which the protocol writes as a list of numbers.

use serde_json::{Value, json};

/// The words of a server for the kinds and the modifiers of tokens.
struct Legend<'v> {
    kinds: Vec<&'v Value>,
    modifiers: Vec<&'v Value>,
}

/// The tokens of an answer as objects with a range, a kind and modifiers; `None` if it is no list of tokens. Positions
/// stay as the server counts them.
///
/// Each token is five numbers: how many lines after the previous token it starts, at which column (or how many columns
/// after the start of the previous token, if it is on the same line), its length, its kind, and the bits of its
/// modifiers. `0,5,4,0,0, 0,5,6,1,2` are a token of four columns at 0:5, and one of six at 0:10.
pub(crate) fn tokens(answer: &Value, legend: Option<&Value>) -> Option<Value> {
    let legend = Legend { kinds: words(legend, "tokenTypes"), modifiers: words(legend, "tokenModifiers") };
    let numbers: Vec<u64> = answer.get("data")?.as_array()?.iter().filter_map(Value::as_u64).collect();
    let (mut line, mut column) = (0, 0);
    let mut tokens = Vec::new();
    for token in numbers.chunks_exact(5) {
        if token[0] > 0 {
            column = 0;
        }
        line += token[0];
        column += token[1];
        let place = |column: u64| json!({"line": line, "character": column});
        tokens.push(json!({
            "range": {"start": place(column), "end": place(column + token[2])},
            "kind": legend.kind(token[3]),
            "modifiers": legend.modifiers(token[4]),
        }));
    }
    Some(Value::Array(tokens))
}

/// The words of one list of a legend; none where it has no such list.
fn words<'v>(legend: Option<&'v Value>, list: &str) -> Vec<&'v Value> {
    legend.and_then(|legend| legend.get(list)?.as_array()).into_iter().flatten().collect()
}

impl Legend<'_> {
    /// The word for a kind, or its number if there is none.
    fn kind(&self, number: u64) -> Value {
        let word = usize::try_from(number).ok().and_then(|number| self.kinds.get(number));
        word.map_or_else(|| json!(number), |word| (*word).clone())
    }

    fn modifiers(&self, bits: u64) -> Vec<Value> {
        let is_set = |number: &usize| bits & (1 << number) != 0;
        let word =
            |number: usize| self.modifiers.get(number).map_or_else(|| json!(number), |word| (*word).clone());
        (0..64).filter(is_set).map(word).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_counted_from_the_ones_before() {
        let legend = json!({"tokenTypes": ["class"], "tokenModifiers": ["static", "async"]});
        let answer = json!({"data": [0, 5, 4, 0, 0, 0, 5, 6, 1, 2, 2, 1, 3, 0, 3]});
        let token = |line: u64, start: u64, end: u64, kind: Value, modifiers: Value| {
            let place = |column: u64| json!({"line": line, "character": column});
            json!({"range": {"start": place(start), "end": place(end)}, "kind": kind, "modifiers": modifiers})
        };
        assert_eq!(
            tokens(&answer, Some(&legend)),
            Some(json!([
                token(0, 5, 9, json!("class"), json!([])),
                token(0, 10, 16, json!(1), json!(["async"])),
                token(2, 1, 4, json!("class"), json!(["static", "async"])),
            ]))
        );
        assert_eq!(tokens(&Value::Null, None), None);
    }
}
