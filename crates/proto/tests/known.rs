//! Compares the table of known files with the files that come with protoc.

mod oracle;

use locant_proto::{Field, FieldKind, File, Form, OptionValue, Reserved, known_file, known_files};

/// What a file declares, as sorted lines that can be compared.
fn declared(text: &[u8]) -> Vec<String> {
    let file = File::parse(text);
    assert_eq!(file.problems, []);
    let said = |range: locant_text::Range| String::from_utf8_lossy(&text[range.indices()]).into_owned();
    let mut lines: Vec<String> = file
        .declarations
        .iter()
        .filter(|declaration| declaration.form != Form::Oneof)
        .map(|declaration| {
            let mut path: Vec<String> = declaration.name.map(said).into_iter().collect();
            let mut parent = declaration.parent;
            while let Some(id) = parent {
                path.extend(file.get(id).name.map(said));
                parent = file.get(id).parent;
            }
            let is_source = file.options.iter().any(|option| {
                let is_own = file.get_holder(option).is_some_and(|holder| std::ptr::eq(holder, declaration));
                let name = file.name_of(option);
                let is_source = match option.value {
                    OptionValue::Identifier(range) => said(range) == "RETENTION_SOURCE",
                    _ => false,
                };
                is_own && is_source && name.len() == 1 && said(name[0].name) == "retention"
            });
            format!("{path:?} {} {is_source}", form(&declaration.form, &said))
        })
        .collect();
    lines.extend(file.reservations.iter().filter_map(|reservation| match reservation.what {
        Reserved::Extensions(start, end) => {
            let message = file.get(reservation.owner).name.map(said);
            Some(format!("{message:?} leaves {start} to {end:?}"))
        }
        Reserved::Numbers(..) | Reserved::Name(_) => None,
    }));
    lines.sort();
    lines
}

/// A form as text, without ranges.
fn form(form: &Form, said: &dyn Fn(locant_text::Range) -> String) -> String {
    // A type may be written with its package or without.
    let last = |range| said(range).rsplit('.').next().unwrap_or_default().to_owned();
    match form {
        Form::Field(Field { kind, label, number, extendee, .. }) => {
            let label = label.filter(|label| *label != locant_proto::Label::Optional);
            let kind = match kind {
                FieldKind::Type(range) => last(*range),
                FieldKind::Map { key, value } => format!("{} to {}", last(*key), last(*value)),
                other => format!("{other:?}"),
            };
            format!("{label:?} {kind} {number:?} {:?}", extendee.map(last))
        }
        Form::Message { .. } => "message".to_owned(),
        other => format!("{other:?}"),
    }
}

#[test]
fn the_table_declares_what_the_files_of_protoc_declare() {
    let folder = protoc_bin_vendored::include_path().expect("protoc comes with its files");
    let files = oracle::proto_files(&folder);
    assert_eq!(files.len(), known_files().count());
    for path in files {
        let name = path.strip_prefix(&folder).expect("it lies there").to_string_lossy().into_owned();
        let ours = known_file(&name).unwrap_or_else(|| panic!("{name} is not in the table"));
        let theirs = std::fs::read(&path).expect("it can be read");
        assert_eq!(declared(ours.as_bytes()), declared(&theirs), "{name}");
    }
}
