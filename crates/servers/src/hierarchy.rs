//! Callers, called functions, supertypes and subtypes. The server is first asked which thing is at a place, and then
//! what is related to that thing.

use locant_engine::SymbolKind;
use locant_engine::names::{CallDirection, Relative, TypeDirection};
use locant_workspace::{Gap, Unanswered};
use serde_json::{Value, json};

use crate::provider::Talk;
use crate::question::Breadth;

/// The methods of a hierarchy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Methods {
    /// Asks for the thing at a place.
    pub(crate) prepare: &'static str,
    /// Asks for the things that are related to it.
    around: &'static str,
    /// The field of the answer with the related thing; empty if the answer is that thing itself.
    relative: &'static str,
    /// Whether the calls are in the file of the thing that was asked about, and not in the file of the related thing.
    calls_are_here: bool,
    /// Whether any file of the project may have related things, and not only those that the thing itself names.
    may_be_anywhere: bool,
}

pub(crate) fn calls(direction: CallDirection) -> Methods {
    let prepare = "textDocument/prepareCallHierarchy";
    match direction {
        CallDirection::Incoming => Methods {
            prepare,
            around: "callHierarchy/incomingCalls",
            relative: "from",
            calls_are_here: false,
            may_be_anywhere: true,
        },
        CallDirection::Outgoing => Methods {
            prepare,
            around: "callHierarchy/outgoingCalls",
            relative: "to",
            calls_are_here: true,
            may_be_anywhere: false,
        },
    }
}

pub(crate) fn types(direction: TypeDirection) -> Methods {
    let around = match direction {
        TypeDirection::Super => "typeHierarchy/supertypes",
        TypeDirection::Sub => "typeHierarchy/subtypes",
    };
    Methods {
        prepare: "textDocument/prepareTypeHierarchy",
        around,
        relative: "",
        calls_are_here: false,
        may_be_anywhere: direction == TypeDirection::Sub,
    }
}

/// What is related to the thing at the place of a question.
pub(crate) fn related(talk: &Talk<'_>, methods: Methods) -> Result<(Vec<Relative>, Vec<Gap>), Unanswered> {
    let prepared = talk.ask(Breadth::Near, methods.prepare, json!({}))?;
    let (mut relatives, mut gaps, mut n_lost) = (Vec::new(), prepared.gaps, 0);
    for item in prepared.value.as_array().into_iter().flatten() {
        let said = talk.ask_with(Breadth::Wide, methods.around, &json!({"item": item}))?;
        for found in said.value.as_array().into_iter().flatten() {
            match relative(talk, methods, item, found) {
                Some(relative) => relatives.push(relative),
                None => n_lost += 1,
            }
        }
        let counts = |gap: &Gap| methods.may_be_anywhere || !matches!(gap, Gap::PartOfProject { .. });
        gaps.extend(said.gaps.into_iter().filter(counts));
    }
    if n_lost > 0 {
        gaps.push(Gap::LostPlaces { n_places: n_lost });
    }
    gaps.dedup();
    // Servers answer in any order, and some in a different order each time.
    relatives.sort_by(|one, other| {
        let place = |relative: &Relative| relative.target.name.start().index();
        one.target.path.cmp(&other.target.path).then_with(|| place(one).cmp(&place(other)))
    });
    Ok((relatives, gaps))
}

fn relative(talk: &Talk<'_>, methods: Methods, asked: &Value, found: &Value) -> Option<Relative> {
    let item = if methods.relative.is_empty() { found } else { found.get(methods.relative)? };
    let target = talk.reader().targets(item).pop()??;
    let of = if methods.calls_are_here { asked } else { item };
    let ranges = found.get("fromRanges").and_then(Value::as_array);
    let sites: Vec<Value> =
        ranges.into_iter().flatten().map(|range| json!({"uri": of.get("uri"), "range": range})).collect();
    let sites = talk.reader().targets(&Value::Array(sites));
    Some(Relative {
        name: item.get("name")?.as_str()?.to_owned(),
        kind: item.get("kind").and_then(Value::as_u64).and_then(kind),
        target,
        call_sites: sites.into_iter().flatten().map(|site| (site.path, site.name)).collect(),
    })
}

/// The kind of symbol that a number of the protocol means.
fn kind(number: u64) -> Option<SymbolKind> {
    Some(match number {
        2..=4 => SymbolKind::Module,
        5 => SymbolKind::Class,
        6 => SymbolKind::Method,
        7 => SymbolKind::Property,
        8 => SymbolKind::Field,
        9 => SymbolKind::Constructor,
        10 => SymbolKind::Enum,
        11 => SymbolKind::Interface,
        12 => SymbolKind::Function,
        13 => SymbolKind::Variable,
        14 => SymbolKind::Constant,
        23 => SymbolKind::Struct,
        _ => return None,
    })
}
