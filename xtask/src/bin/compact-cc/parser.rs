//! Finds the tables of a parser in its object file, and writes the text of its `parser.c` with packed tables.
//!
//! One generator writes all parsers, so all tables have the same form: `static const TYPE NAME[…] = {`, lines, `};`.

use std::fmt::Write as _;

use anyhow::{Context, Result};

use crate::lz4;

/// The tables that can be large. None of them has pointers in it, so their bytes do not depend on their addresses.
const TABLES: [&str; 6] = [
    "ts_parse_table",
    "ts_small_parse_table",
    "ts_small_parse_table_map",
    "ts_parse_actions",
    "ts_lex_modes",
    "ts_primary_state_ids",
];

/// A table of a parser.
pub(crate) struct Table {
    name: &'static str,
    pub(crate) bytes: Vec<u8>,
}

/// The tables in an object file. `section` returns a section of the file. A parser need not have all tables.
pub(crate) fn tables(section: impl Fn(&str) -> Result<Option<Vec<u8>>>) -> Result<Vec<Table>> {
    let mut tables = Vec::new();
    for name in TABLES {
        if let Some(bytes) = section(&format!(".rodata.{name}"))? {
            tables.push(Table { name, bytes });
        }
    }
    Ok(tables)
}

/// The text of a parser with its tables packed. They are unpacked in the function that returns the language, at its
/// first call.
pub(crate) fn packed(text: &str, tables: &[Table]) -> Result<String> {
    let mut text = text.to_owned();
    let mut packed = String::new();
    let mut calls = String::new();
    for Table { name, bytes } in tables {
        replace(&mut text, name, bytes.len())?;
        let _ = write!(packed, "static const unsigned char packed_{name}[] = {{");
        for byte in lz4::packed(bytes) {
            let _ = write!(packed, "{byte},");
        }
        packed += "};\n";
        let _ = writeln!(
            calls,
            "  unpack(packed_{name}, sizeof packed_{name}, (unsigned char *)&{name}, sizeof {name});"
        );
    }
    let unpack = include_str!("unpack.c");
    let all = format!(
        "{unpack}\n{packed}\nstatic void unpack_all(void) {{\n{calls}}}\n\
         static pthread_once_t unpacked = PTHREAD_ONCE_INIT;\n\n"
    );
    let at = text.rfind("const TSLanguage *tree_sitter_").context("it has no function for its language")?;
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let open = at + text[at..].find('{').context("the function for its language has no body")? + 1;
    text.insert_str(open, "\n  pthread_once(&unpacked, unpack_all);");
    text.insert_str(line, &all);
    Ok(text)
}

/// Replaces the definition of a table by one without content, which takes no space in the compiled file.
fn replace(text: &mut String, name: &str, n_bytes: usize) -> Result<()> {
    let opening = format!(" {name}[");
    let lines = text.match_indices(&opening).map(|(at, _)| text[..at].rfind('\n').map_or(0, |end| end + 1));
    let start = lines
        .into_iter()
        .find(|start| text[*start..].starts_with("static const "))
        .with_context(|| format!("{name} is not defined as the generator does it"))?;
    let head_end = start + text[start..].find(" = {").context("a table has a content")?;
    let end = start + text[start..].find("\n};").context("a table has an end")? + "\n};".len();
    let declared = &text[start + "static const ".len()..head_end];
    let (kind, _) = declared.split_once(' ').context("a table has a type")?;
    // The length must be written out if the compiler counted it from the content before: `[]`.
    let counted = format!("[{n_bytes} / sizeof({kind})]");
    let new = format!("static {};", declared.replacen("[]", &counted, 1));
    text.replace_range(start..end, &new);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARSER: &str = "\
static const uint16_t ts_parse_table[2][3] = {
  [0] = {
    [1] = 7,
  },
};

static const uint16_t ts_small_parse_table[] = {
  [0] = 5,
};

TS_PUBLIC const TSLanguage *tree_sitter_x(void) {
  static const TSLanguage language = {
    .parse_table = &ts_parse_table[0][0],
  };
  return &language;
}
";

    #[test]
    fn tables_lose_their_content_and_are_unpacked_at_the_first_call() {
        let table = |name, n_bytes| Table { name, bytes: vec![0; n_bytes] };
        let text = packed(PARSER, &[table(TABLES[0], 12), table(TABLES[1], 2)]).expect("it is a parser");
        assert!(text.starts_with(
            "static uint16_t ts_parse_table[2][3];\n\nstatic uint16_t ts_small_parse_table[2 / sizeof(uint16_t)];\n"
        ));
        assert!(text.contains("(void) {\n  pthread_once(&unpacked, unpack_all);\n  static const TSLanguage"));
        assert!(text.contains("unpack(packed_ts_parse_table, sizeof packed_ts_parse_table, "));
    }

    #[test]
    fn a_text_of_another_form_is_refused() {
        let table = Table { name: "ts_lex_modes", bytes: vec![0; 8] };
        assert!(packed(PARSER, &[table]).is_err());
    }
}
