//! A reader of SCIP indexes. It reads only the parts that `export` writes, and fails on anything else.

/// An index.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pub(crate) root: String,
    pub(crate) documents: Vec<Document>,
}

/// A file of the index.
#[derive(Debug, Default)]
pub(crate) struct Document {
    pub(crate) path: String,
    pub(crate) occurrences: Vec<Occurrence>,
    pub(crate) symbols: Vec<Symbol>,
}

/// A place that refers to a symbol.
#[derive(Debug, Default)]
pub(crate) struct Occurrence {
    pub(crate) range: Vec<u64>,
    pub(crate) symbol: String,
    pub(crate) roles: u64,
    pub(crate) enclosing_range: Vec<u64>,
}

/// The information about a symbol.
#[derive(Debug, Default)]
pub(crate) struct Symbol {
    pub(crate) symbol: String,
    pub(crate) name: String,
    pub(crate) enclosing: String,
}

impl Index {
    pub(crate) fn read(bytes: &[u8]) -> Index {
        let mut index = Index::default();
        for (field, value) in fields(bytes) {
            match field {
                1 => index.root = fields(value.bytes()).find(|(field, _)| *field == 3).unwrap().1.text(),
                2 => index.documents.push(Document::read(value.bytes())),
                field => panic!("an index has no field {field}"),
            }
        }
        index
    }

    pub(crate) fn symbols(&self) -> impl Iterator<Item = (&Document, &Symbol)> {
        self.documents
            .iter()
            .flat_map(|document| document.symbols.iter().map(move |symbol| (document, symbol)))
    }
}

impl Document {
    fn read(bytes: &[u8]) -> Document {
        let mut document = Document::default();
        for (field, value) in fields(bytes) {
            match field {
                1 => document.path = value.text(),
                2 => document.occurrences.push(Occurrence::read(value.bytes())),
                3 => document.symbols.push(Symbol::read(value.bytes())),
                4 => assert!(!value.text().is_empty(), "every document is in a language"),
                6 => assert!((1..=3).contains(&value.number()), "an encoding of columns is named"),
                field => panic!("a document has no field {field}"),
            }
        }
        document
    }
}

impl Occurrence {
    pub(crate) fn is_definition(&self) -> bool {
        self.roles == 1
    }

    fn read(bytes: &[u8]) -> Occurrence {
        let mut occurrence = Occurrence::default();
        for (field, value) in fields(bytes) {
            match field {
                1 => occurrence.range = numbers(value.bytes()),
                2 => occurrence.symbol = value.text(),
                3 => occurrence.roles = value.number(),
                7 => occurrence.enclosing_range = numbers(value.bytes()),
                field => panic!("an occurrence has no field {field}"),
            }
        }
        occurrence
    }
}

impl Symbol {
    fn read(bytes: &[u8]) -> Symbol {
        let mut symbol = Symbol::default();
        for (field, value) in fields(bytes) {
            match field {
                1 => symbol.symbol = value.text(),
                6 => symbol.name = value.text(),
                8 => symbol.enclosing = value.text(),
                // The fields for documentation, kind and signature.
                3 | 5 | 7 => {}
                field => panic!("a symbol has no field {field}"),
            }
        }
        symbol
    }
}

/// The value of a field.
enum Value<'b> {
    Number(u64),
    Bytes(&'b [u8]),
}

impl<'b> Value<'b> {
    fn bytes(&self) -> &'b [u8] {
        match self {
            Value::Bytes(bytes) => bytes,
            Value::Number(number) => panic!("{number} is not a list of bytes"),
        }
    }

    fn number(&self) -> u64 {
        match self {
            Value::Number(number) => *number,
            Value::Bytes(bytes) => panic!("{bytes:?} is not a number"),
        }
    }

    fn text(&self) -> String {
        String::from_utf8(self.bytes().to_vec()).unwrap()
    }
}

/// The fields of a message with their numbers.
fn fields(mut bytes: &[u8]) -> impl Iterator<Item = (u64, Value<'_>)> {
    std::iter::from_fn(move || {
        let tag = (!bytes.is_empty()).then(|| varint(&mut bytes))?;
        let value = varint(&mut bytes);
        match tag & 7 {
            0 => Some((tag >> 3, Value::Number(value))),
            2 => {
                let (inside, rest) = bytes.split_at(usize::try_from(value).unwrap());
                bytes = rest;
                Some((tag >> 3, Value::Bytes(inside)))
            }
            kind => panic!("fields are not written in the way {kind}"),
        }
    })
}

fn numbers(mut bytes: &[u8]) -> Vec<u64> {
    std::iter::from_fn(|| (!bytes.is_empty()).then(|| varint(&mut bytes))).collect()
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (first, rest) = bytes.split_first().unwrap();
        *bytes = rest;
        value |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            break;
        }
    }
    value
}
