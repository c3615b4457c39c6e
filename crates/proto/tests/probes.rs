//! Compares the tables of this crate with protoc's, on difficult files.

mod oracle;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use locant_proto::{NoSources, Pool, TableKind};

/// A folder that is removed when the value is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("locant-probes-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder can be made");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn probes() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/probes");
    let probe = |path: PathBuf| {
        let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        (name, fs::read_to_string(&path).expect("probes are UTF-8"))
    };
    oracle::proto_files(&folder).into_iter().map(probe).collect()
}

/// Compares the tables of texts. Each text gets its own package, so that protoc can compile all of them in one run.
fn check(name: &str, texts: Vec<(String, Vec<u8>)>) {
    let folder = Folder::new(name);
    let mut files = HashMap::new();
    for (number, (what, text)) in texts.into_iter().enumerate() {
        let text = replace(&text, b"probe_0000", format!("probe_{number:04}").as_bytes());
        let file = format!("{number:04}.proto");
        fs::write(folder.0.join(&file), &text).expect("a file can be written");
        files.insert(file, (what, text));
    }
    let mut names: Vec<String> = files.keys().cloned().collect();
    names.sort();
    let mut wrong = Vec::new();
    for (kind, flags) in [(TableKind::Default, &[][..]), (TableKind::Retained, &["--retain_options"][..])] {
        let tables = oracle::protoc(std::slice::from_ref(&folder.0), &names, flags);
        let tables =
            tables.unwrap_or_else(|said| panic!("{name}: protoc refuses a probe: {said}")).descriptors;
        assert_eq!(tables.len(), files.len(), "{name}: every probe has a table");
        for file in &names {
            let (what, text) = &files[file];
            let pool = Pool::new(file, text, &NoSources);
            assert_eq!(pool.unit(locant_proto::UnitId::MAIN).file.problems, [], "{what}: nothing is wrong");
            let difference = oracle::difference(&oracle::ours(&pool, kind), &oracle::table(&tables[file]))
                .or_else(|| oracle::descriptor_difference(&pool, kind, &tables[file]));
            wrong.extend(difference.map(|text| format!("{what} ({kind:?}): {text}")));
        }
    }
    let shown = &wrong[..wrong.len().min(5)];
    assert!(
        wrong.is_empty(),
        "{name}: {} of {} tables differ\n{}",
        wrong.len(),
        names.len(),
        shown.join("\n")
    );
}

fn replace(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut replaced = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.windows(from.len()).position(|window| window == from) {
        replaced.extend_from_slice(&rest[..at]);
        replaced.extend_from_slice(to);
        rest = &rest[at + from.len()..];
    }
    replaced.extend_from_slice(rest);
    replaced
}

#[test]
fn tables_are_those_of_protoc() {
    check("plain", probes().into_iter().map(|(name, text)| (name, text.into_bytes())).collect());
}

#[test]
fn blanks_and_marks_count_as_in_protoc() {
    type Way = (&'static str, fn(&str) -> String);
    let ways: &[Way] = &[
        ("crlf", |text| text.replace('\n', "\r\n")),
        ("lone cr", |text| text.replace("  ", " \r")),
        ("mark", |text| format!("\u{FEFF}{text}")),
        ("tabs", |text| text.replace("  ", "\t")),
        ("tabs inside", |text| text.replace(' ', "\t ")),
        ("form feed", |text| text.replace("  ", "\u{c}\u{b}")),
        ("no break at the end", |text| text.trim_end().to_owned()),
        ("blank lines", |text| text.replace('\n', "\n \n")),
    ];
    let of = |(name, text): &(String, String)| {
        let made = ways.iter().map(|(way, make)| (format!("{name}, {way}"), make(text).into_bytes()));
        made.collect::<Vec<_>>()
    };
    check("blanks", probes().iter().flat_map(of).collect());
}

#[test]
fn files_without_declarations_have_one_location() {
    let texts = [
        "",
        "\n",
        "// x",
        "// x\n",
        "/* x\n */",
        " ;",
        "\u{FEFF}",
        "\u{FEFF}// x\n",
        "\n\n// x\n\n/* y */ ;;",
    ];
    for (number, text) in texts.iter().enumerate() {
        // Files without a package would share one, so each is compiled alone.
        check(&format!("empty-{number}"), vec![(format!("{text:?}"), text.as_bytes().to_vec())]);
    }
}

/// Every boundary between two tokens of `text`.
fn boundaries(text: &str) -> Vec<usize> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let bytes = text.as_bytes();
    let mut boundaries = Vec::new();
    let mut quote = None;
    for at in 0..bytes.len() {
        match (quote, bytes[at]) {
            (None, byte @ (b'"' | b'\'')) => {
                quote = Some(byte);
                boundaries.push(at);
            }
            (Some(open), byte) if open == byte => quote = None,
            (None, byte) if !(at > 0 && is_word(byte) && is_word(bytes[at - 1])) => boundaries.push(at),
            _ => {}
        }
    }
    boundaries
}

#[test]
fn comments_at_every_boundary_go_where_protoc_puts_them() {
    let shapes = [
        " /* c */ ",
        " // c\n",
        "\n// c\n",
        "\n\n// c\n\n",
        "\n/* c\n * d */",
        " /* c\n*/\n// d\n",
        "\n// c\n\n/* d */\n// e\n",
        "/**/",
        " // c\n // d\n\n",
        "\n /* c */ /* d */\n",
    ];
    let text = "syntax = \"proto2\"; package probe_0000; option java_package = \"x\"; message A { option deprecated = \
                true; optional int32 a = 1 [default = 2]; optional group G = 2 { } oneof o { int32 b = 3; } extensions \
                9 to 10; reserved 5; reserved \"x\"; map<int32, A> m = 4; } enum E { X = 1; } extend A { \
                optional int32 x = 10; } ; service S { rpc M(A) returns (A) { option deprecated = true; } \
                rpc N(A) returns (A); }\n";
    // Line breaks in place of some blanks change which comments are trailing and which are leading.
    let texts = [text.to_owned(), text.replace("; ", ";\n"), text.replace("{ ", "{\n").replace("} ", "}\n")];
    let mut made = Vec::new();
    for text in &texts {
        for at in boundaries(text) {
            for shape in shapes {
                let text = format!("{}{shape}{}", &text[..at], &text[at..]);
                made.push((format!("{shape:?} at {at}"), text.into_bytes()));
            }
        }
    }
    assert!(made.len() > 3000, "{}", made.len());
    check("comments", made);
}

/// How many random programs are tried, unless `LOCANT_PROGRAMS` says otherwise.
const N_PROGRAMS: u64 = 60;

#[test]
fn random_programs_have_the_tables_of_protoc() {
    let said = std::env::var("LOCANT_PROGRAMS").ok().and_then(|said| said.parse().ok());
    let programs = 0..said.unwrap_or(N_PROGRAMS);
    let text = |number| (format!("program {number}"), oracle::generate::program(number).into_bytes());
    check("random", programs.map(text).collect());
}
