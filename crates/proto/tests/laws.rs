//! Laws that hold for any bytes.

use locant_proto::{
    Columns, File, Interpretation, Lookup, Names, NoSources, Pool, TableKind, descriptor_set, nodes, outline,
    tree,
};
use locant_text::Offset;
use proptest::prelude::*;

const WORDS: &str = "message enum service rpc returns extend oneof option optional repeated group map reserved \
                     extensions to max import package syntax edition export stream int32 string Foo a.b .a default \
                     json_name deprecated true 1 - 0x1F 1.5 \"s\" ' \"proto3\" = ; { } [ ] ( ) < > , . : //c /*c*/ \
                     /* é \u{feff} \u{0} #";

/// Random text that is nearly a .proto file: words of the language, mixed with others.
fn nearly_proto() -> impl Strategy<Value = String> {
    let words: Vec<&str> = WORDS.split(' ').chain(["\n", "\t", "\r\n", "//c\n"]).collect();
    prop::collection::vec(prop::sample::select(words), 0..80).prop_map(|words| words.join(" "))
}

/// Asks all questions about a text.
fn ask_all(text: &[u8]) {
    let file = File::parse(text);
    let len = Offset::of_index(text.len());
    for location in file.table.iter() {
        assert!(location.start() <= len && location.end() <= len);
    }
    outline(&file, text);
    let packed: Vec<_> = tree(&file, text).nodes().iter().map(|node| (node.label, node.range)).collect();
    assert_eq!(packed, nodes(&file, text));
    let pool = Pool::of("a.proto", text, file, &NoSources);
    let interpretation = Interpretation::new(&pool);
    let lookup = Lookup::new(&pool, &interpretation);
    let names = Names::new(&pool);
    for kind in [TableKind::Raw, TableKind::Retained, TableKind::Default] {
        descriptor_set(&pool, &interpretation, kind);
        for row in lookup.rows(kind) {
            row.location.leading(text);
            row.location.trailing(text);
            row.location.detached(text);
            let name = names.name(&row.path);
            let is_named = !name.split('.').any(|part| part.starts_with(|c: char| c.is_ascii_digit()));
            if is_named {
                assert_eq!(names.path(&name), Some(row.path), "{name}");
            }
        }
    }
    for at in (0..=text.len()).step_by(text.len() / 20 + 1) {
        let rows = lookup.at(Offset::of_index(at), TableKind::Default);
        assert!(rows.windows(2).all(|pair| pair[0].range().extent() <= pair[1].range().extent()));
        lookup.why_nothing_at(Offset::of_index(at));
    }
}

proptest! {
    #[test]
    fn any_text_has_a_table(text in nearly_proto()) {
        ask_all(text.as_bytes());
    }

    #[test]
    fn any_bytes_have_a_table(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        ask_all(&bytes);
    }

    #[test]
    fn columns_lead_back(
        bytes in prop::collection::vec(prop::sample::select(b"ab\t\n\r\xc3\xa9\xef\xbb\xbf ".to_vec()), 0..60)
    ) {
        let columns = Columns::new(&bytes);
        for at in 0..=bytes.len() {
            let place = columns.place(Offset::of_index(at)).expect("it lies in the text");
            prop_assert_eq!(columns.offset(place), Some(Offset::of_index(at)));
        }
        prop_assert_eq!(columns.place(Offset::of_index(bytes.len() + 1)), None);
    }
}

#[test]
fn a_place_inside_a_tab_is_none() {
    let columns = Columns::new(b"a\tb");
    let place = |column| columns.offset(locant_proto::LineColumn { line: 0, column });
    let offsets: Vec<Option<u32>> = (0..11).map(|column| place(column).map(Offset::to_u32)).collect();
    let inside = [None; 6];
    assert_eq!(offsets[..2], [Some(0), Some(1)]);
    assert_eq!(offsets[2..8], inside);
    assert_eq!(offsets[8..], [Some(2), Some(3), None]);
}
