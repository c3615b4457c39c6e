//! Every place that an answer offers can be pasted back: its location resolves to that same place.

mod contradicted;
mod damaged;

use locant_engine::{Candidate, Document, Location, Resolution};

/// The sources in the `cases.md` of all languages, each as a document in its language.
fn sources() -> Vec<Document> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../languages");
    let mut documents = Vec::new();
    let mut folders: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    folders.sort();
    for folder in folders {
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        let Some(language) = locant_engine::Reader::by_name(&name) else { continue };
        let cases = std::fs::read_to_string(folder.join("cases.md")).expect("cases");
        for fence in cases.split("\n```") {
            let Some((title, source)) = fence.split_once('\n') else { continue };
            if title.trim_start_matches('`').split(' ').next() == Some(&name) {
                let document = Document::new(format!("some {name}.txt"), source.to_owned()).expect("a text");
                documents.push(document.in_language(language));
            }
        }
    }
    documents
}

/// The places that an answer offers.
fn offered(resolution: Resolution) -> Vec<Candidate> {
    match resolution {
        Resolution::Found(found) => found.others,
        Resolution::NotFound(diagnosis)
        | Resolution::Ambiguous(diagnosis)
        | Resolution::Unsupported(diagnosis) => diagnosis.candidates,
        Resolution::Invalid(_) => Vec::new(),
    }
}

fn check(document: &Document, written: &str) -> usize {
    let exists = |path: &str| path == document.path();
    let Ok(location) = Location::parse(written, &exists) else { return 0 };
    let candidates = offered(locant_engine::locate(document, &location));
    for candidate in &candidates {
        let described = locant_engine::describe_one_of(document, candidate.offset, candidates.len());
        let described = described.expect("a position");
        let pasted = described.location.to_string();
        let read = Location::parse(&pasted, &exists).expect("a location");
        match locant_engine::locate(document, &read) {
            Resolution::Found(found) => {
                assert_eq!(found.offset, candidate.offset, "{written} offers {pasted}");
            }
            other => panic!("{written} offers {pasted}: {other:?}"),
        }
    }
    candidates.len()
}

#[test]
fn whatever_is_offered_is_found() {
    let documents = sources();
    assert!(documents.len() > 100, "only {} sources were found", documents.len());
    let mut n_offered = 0;
    for (seed, document) in documents.iter().enumerate() {
        for written in damaged::locations(document, seed as u64) {
            n_offered += check(document, &written);
        }
    }
    assert!(n_offered > 1000, "only {n_offered} places were offered");
}

/// A location that contradicts a declaration never resolves to it, unless the answer says that parameters were not
/// compared.
#[test]
fn what_contradicts_a_declaration_is_refused() {
    let mut n_asked = 0;
    for document in sources() {
        for scope in contradicted::locations(&document) {
            let location = Location::parse(&format!("\"{}\":{scope}", document.path()), &|_| false);
            let Ok(location) = location else { continue };
            if let Resolution::Found(found) = locant_engine::locate(&document, &location) {
                let line = document.text().line_of(found.offset);
                assert!(found.has_unread_parameters, "{scope} leads to line {line} of\n{}", shown(&document));
            }
            n_asked += 1;
        }
    }
    assert!(n_asked > 10_000, "only {n_asked} locations were asked");
}

fn shown(document: &Document) -> String {
    document.text().lossy(document.text().range()).into_owned()
}
