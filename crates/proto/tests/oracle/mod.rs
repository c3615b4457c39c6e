//! Runs protoc, reads the tables that it writes, and compares them with the tables of this crate.

#![allow(dead_code, reason = "not every user needs all of it")]
#![allow(clippy::cast_possible_truncation, reason = "protoc writes numbers that fit")]

pub(crate) mod generate;
pub(crate) mod laid_out;
pub(crate) mod lost;
pub(crate) mod positions;

use std::collections::HashMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use locant_proto::{Columns, Interpretation, Pool, Sources, TableKind, UnitId};

/// A location as protoc writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) path: Vec<i32>,
    pub(crate) span: Vec<u32>,
    pub(crate) leading: Option<Vec<u8>>,
    pub(crate) trailing: Option<Vec<u8>>,
    pub(crate) detached: Vec<Vec<u8>>,
}

/// The output of protoc for some files.
#[derive(Default)]
pub(crate) struct Compiled {
    /// The file descriptors, by name.
    pub(crate) descriptors: HashMap<String, Vec<u8>>,
    /// The warnings of protoc.
    pub(crate) said: String,
}

impl Compiled {
    /// The imports of a file that protoc warns about as unused, sorted.
    pub(crate) fn unused_imports(&self, path: &Path) -> Vec<&str> {
        let start = format!("{}:", path.display());
        let own = self.said.lines().filter(|line| line.starts_with(&start));
        let unused =
            own.filter_map(|line| line.split_once("warning: Import ")?.1.strip_suffix(" is unused."));
        let mut unused: Vec<&str> = unused.collect();
        unused.sort_unstable();
        unused
    }
}

/// Runs protoc on files. If it fails, `Err` holds its messages.
pub(crate) fn protoc(roots: &[PathBuf], files: &[String], flags: &[&str]) -> Result<Compiled, String> {
    let output = std::env::temp_dir().join(format!("locant-proto-{}-{}", std::process::id(), unique()));
    let mut command = command(roots)?;
    command.arg("--include_source_info").args(flags);
    command.arg(format!("--descriptor_set_out={}", output.display())).args(files);
    let done = command.output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    if !done.status.success() {
        return Err(said);
    }
    let bytes = std::fs::read(&output).map_err(|error| error.to_string())?;
    let _ = std::fs::remove_file(&output);
    Ok(Compiled { descriptors: descriptors(&bytes), said })
}

/// Runs a program that reads the paths of files and writes a FileDescriptorSet. Returns the descriptors by file name.
pub(crate) fn parsed(program: &str, files: &[PathBuf]) -> std::io::Result<HashMap<String, Vec<u8>>> {
    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = child.stdin.take().expect("it is piped");
    let paths: String = files.iter().map(|file| format!("{}\n", file.display())).collect();
    let writing = std::thread::spawn(move || input.write_all(paths.as_bytes()));
    let output = child.wait_with_output()?;
    writing.join().expect("writing does not panic")?;
    Ok(descriptors(&output.stdout))
}

fn command(roots: &[PathBuf]) -> Result<Command, String> {
    let program = protoc_bin_vendored::protoc_bin_path().map_err(|error| error.to_string())?;
    let known = protoc_bin_vendored::include_path().map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command.args(roots.iter().map(|root| format!("-I{}", root.display())));
    command.arg(format!("-I{}", known.display())).arg("--experimental_editions");
    Ok(command)
}

pub(crate) fn unique() -> usize {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The file descriptors of a FileDescriptorSet, by file name.
pub(crate) fn descriptors(set: &[u8]) -> HashMap<String, Vec<u8>> {
    let of_file = |bytes: &[u8]| {
        let name = fields(bytes).into_iter().find(|(number, _)| *number == 1);
        let name = name.map(|(_, value)| String::from_utf8_lossy(value.bytes()).into_owned());
        (name.unwrap_or_default(), bytes.to_vec())
    };
    fields(set).iter().filter(|(number, _)| *number == 1).map(|(_, value)| of_file(value.bytes())).collect()
}

/// The table of a file descriptor.
pub(crate) fn table(descriptor: &[u8]) -> Vec<Row> {
    let info = fields(descriptor).into_iter().find(|(number, _)| *number == 9);
    let Some((_, info)) = info else { return Vec::new() };
    fields(info.bytes()).iter().map(|(_, location)| row(location.bytes())).collect()
}

fn row(bytes: &[u8]) -> Row {
    let mut row = Row { path: vec![], span: vec![], leading: None, trailing: None, detached: vec![] };
    for (number, value) in fields(bytes) {
        match number {
            1 => row.path = varints(value.bytes()).into_iter().map(|value| value as i32).collect(),
            2 => row.span = varints(value.bytes()).into_iter().map(|value| value as u32).collect(),
            3 => row.leading = Some(value.bytes().to_vec()),
            4 => row.trailing = Some(value.bytes().to_vec()),
            6 => row.detached.push(value.bytes().to_vec()),
            _ => {}
        }
    }
    row
}

/// A value of a field in the wire format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value<'b> {
    Varint(u64),
    Fixed(&'b [u8]),
    Bytes(&'b [u8]),
    Group(Vec<(u32, Value<'b>)>),
}

impl<'b> Value<'b> {
    pub(crate) fn bytes(&self) -> &'b [u8] {
        match self {
            Value::Bytes(bytes) | Value::Fixed(bytes) => bytes,
            _ => &[],
        }
    }
}

/// The fields of a message in the wire format, each with its number.
pub(crate) fn fields(mut bytes: &[u8]) -> Vec<(u32, Value<'_>)> {
    read_fields(&mut bytes, None)
}

fn read_fields<'b>(bytes: &mut &'b [u8], group: Option<u32>) -> Vec<(u32, Value<'b>)> {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let key = varint(bytes);
        let number = (key >> 3) as u32;
        let value = match key & 7 {
            0 => Value::Varint(varint(bytes)),
            1 => Value::Fixed(take(bytes, 8)),
            2 => {
                let len = varint(bytes) as usize;
                Value::Bytes(take(bytes, len))
            }
            3 => Value::Group(read_fields(bytes, Some(number))),
            4 => {
                assert_eq!(Some(number), group, "a group is closed by its own number");
                return fields;
            }
            5 => Value::Fixed(take(bytes, 4)),
            other => panic!("wire type {other}"),
        };
        fields.push((number, value));
    }
    fields
}

fn take<'b>(bytes: &mut &'b [u8], len: usize) -> &'b [u8] {
    let (taken, rest) = bytes.split_at(len);
    *bytes = rest;
    taken
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..).step_by(7) {
        let byte = take(bytes, 1)[0];
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    value
}

fn varints(mut bytes: &[u8]) -> Vec<u64> {
    let mut values = Vec::new();
    while !bytes.is_empty() {
        values.push(varint(&mut bytes));
    }
    values
}

/// All .proto files below a folder.
pub(crate) fn proto_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "proto") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The files below these folders, as sources of imports.
pub(crate) struct Roots(pub(crate) Vec<PathBuf>);

impl Sources for Roots {
    fn text(&self, path: &str) -> Option<Vec<u8>> {
        self.0.iter().find_map(|root| std::fs::read(root.join(path)).ok())
    }
}

/// The table of this crate for the file that a pool was made for.
pub(crate) fn ours(pool: &Pool, kind: TableKind) -> Vec<Row> {
    let text = &pool.unit(UnitId::MAIN).text;
    let interpretation = Interpretation::new(pool);
    let columns = Columns::new(text);
    let rows = interpretation.rows(pool, kind).into_iter().map(|(path, location)| Row {
        path: path.into_owned(),
        span: columns.span(location.start(), location.end()).expect("it lies in the text"),
        leading: location.leading(text),
        trailing: location.trailing(text),
        detached: location.detached(text),
    });
    rows.collect()
}

/// A text that shows the first row in which two tables differ.
pub(crate) fn difference(ours: &[Row], expected: &[Row]) -> Option<String> {
    if ours == expected {
        return None;
    }
    let n_same = ours.iter().zip(expected).take_while(|(one, other)| one == other).count();
    Some(format!("row {n_same}\n   ours {}\n protoc {}", show(ours.get(n_same)), show(expected.get(n_same))))
}

fn show(row: Option<&Row>) -> String {
    let Some(row) = row else { return "nothing".to_owned() };
    let said = |text: &Vec<u8>| String::from_utf8_lossy(text).chars().take(80).collect::<String>();
    let (leading, trailing) = (row.leading.as_ref().map(said), row.trailing.as_ref().map(said));
    let detached: Vec<String> = row.detached.iter().map(said).collect();
    format!("{:?} {:?} {leading:?} {trailing:?} {detached:?}", row.path, row.span)
}

/// The ranges of the tokens of a text, found without the lexer of the crate.
pub(crate) fn tokens(text: &[u8]) -> Vec<std::ops::Range<usize>> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let after = |at: usize, ending: &[u8]| {
        let found = text[at..].windows(ending.len()).position(|window| window == ending);
        found.map_or(text.len(), |found| at + found + ending.len())
    };
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let start = at;
        match &text[at..] {
            [b'/', b'/', ..] => at = after(at, b"\n"),
            [b'/', b'*', ..] => at = after(at + 2, b"*/"),
            [quote @ (b'"' | b'\''), rest @ ..] => {
                let mut escaped = false;
                let end = rest.iter().position(|byte| {
                    let ends = byte == quote && !escaped;
                    escaped = *byte == b'\\' && !escaped;
                    ends
                });
                at += end.map_or(rest.len(), |end| end + 1) + 1;
                tokens.push(start..at.min(text.len()));
            }
            [byte, ..] if byte.is_ascii_whitespace() || *byte == 0x0b => at += 1,
            [byte, rest @ ..] if is_word(*byte) => {
                at += 1 + rest.iter().take_while(|byte| is_word(**byte)).count();
                tokens.push(start..at);
            }
            _ => {
                at += 1;
                tokens.push(start..at);
            }
        }
    }
    tokens
}

/// The first difference between the descriptors of this crate and of protoc, with the path of field numbers that leads
/// to it.
pub(crate) fn descriptor_difference(pool: &Pool, kind: TableKind, expected: &[u8]) -> Option<String> {
    let set = locant_proto::descriptor_set(pool, &Interpretation::new(pool), kind);
    let ours = descriptors(&set).into_values().next().unwrap_or_default();
    if kind == TableKind::Retained {
        // With `--retain_options`, protoc writes a custom option once for each statement. The meaning is the same, but
        // the bytes differ.
        return None;
    }
    (ours != expected).then(|| format!("descriptor {}", first_difference(&ours, expected)))
}

/// Follows two messages down to the first difference.
fn first_difference(ours: &[u8], expected: &[u8]) -> String {
    let (one, other) = (fields(ours), fields(expected));
    let n_same = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    match (one.get(n_same), other.get(n_same)) {
        (Some((number, Value::Bytes(one))), Some((same, Value::Bytes(other)))) if number == same => {
            if looks_like_message(one) && looks_like_message(other) {
                format!("{number}/{}", first_difference(one, other))
            } else {
                format!(
                    "{number}: {:?} for {:?}",
                    String::from_utf8_lossy(one),
                    String::from_utf8_lossy(other)
                )
            }
        }
        (one, other) => format!("{one:?} for {other:?}"),
    }
}

fn looks_like_message(bytes: &[u8]) -> bool {
    let is_text = bytes.iter().all(|byte| (0x20..0x7f).contains(byte));
    !is_text && std::panic::catch_unwind(|| fields(bytes).len()).is_ok()
}
