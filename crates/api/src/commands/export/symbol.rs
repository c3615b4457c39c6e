//! SCIP names of symbols. Each name is unique in its tree.
//!
//! A name consists of a scheme, a package and descriptors. A descriptor is a name with a suffix for its kind. The
//! package is empty, and the first descriptors are the folders and the file: ``locant . . .
//! src/`models.py`/User#save().``

use std::collections::{HashMap, HashSet};

use locant_engine::{Outline, Symbol, SymbolId, SymbolKind};

use super::tree::Listed;

/// The scheme and the empty package, which come before all descriptors.
const SCHEME: &str = "locant . . . ";

/// The descriptor of a symbol with an empty name, since descriptors must not be empty.
const NAMELESS: &str = "<empty>";

/// The kind of a descriptor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Suffix {
    Namespace,
    Type,
    Term,
    Method,
    Macro,
}

/// The names of the listed symbols of a file.
#[derive(Default)]
pub(super) struct Symbols(HashMap<SymbolId, String>);

impl Symbols {
    pub(super) fn of(path: &str, outline: &Outline, listed: &Listed) -> Symbols {
        let mut file = SCHEME.to_owned();
        for part in path.split('/') {
            describe(&mut file, part, Suffix::Namespace, 0);
        }
        let mut naming = Naming::default();
        let mut symbols = Symbols::default();
        for &id in &listed.ids {
            let symbol = outline.get(id);
            let above = symbol.parent.and_then(|parent| symbols.get(parent)).unwrap_or(&file);
            let name = naming.name(above, symbol);
            symbols.0.insert(id, name);
        }
        symbols
    }

    pub(super) fn get(&self, id: SymbolId) -> Option<&str> {
        self.0.get(&id).map(String::as_str)
    }
}

/// Gives each symbol of a file a name that no other has.
#[derive(Default)]
struct Naming {
    taken: HashSet<String>,
    /// For each name that several symbols have: the last of the numbers by which these symbols are told apart.
    twins: HashMap<String, usize>,
}

impl Naming {
    fn name(&mut self, above: &str, symbol: &Symbol) -> String {
        let mut above = above.to_owned();
        // Names between a symbol and its parent, as in `void A::f()`, are types in other files.
        for name in &symbol.qualifier {
            describe(&mut above, name, Suffix::Type, 0);
        }
        let suffix = Suffix::of(symbol.kind);
        let numbered = |number: usize| {
            let mut name = above.clone();
            describe(&mut name, &symbol.name, suffix, number);
            name
        };
        let plain = numbered(0);
        let n_twins = self.twins.entry(plain.clone()).or_default();
        let mut name = plain;
        // A symbol may have the name that a numbered twin would get, such as a JSON key `x[1]`.
        while !self.taken.insert(name.clone()) {
            *n_twins += 1;
            name = numbered(*n_twins);
        }
        name
    }
}

impl Suffix {
    fn of(kind: SymbolKind) -> Suffix {
        use SymbolKind as Kind;
        match kind {
            Kind::Module => Suffix::Namespace,
            Kind::Class | Kind::Struct | Kind::Interface | Kind::Enum | Kind::Type => Suffix::Type,
            Kind::Function | Kind::Method | Kind::Constructor => Suffix::Method,
            Kind::Macro => Suffix::Macro,
            Kind::EnumMember | Kind::Field | Kind::Property | Kind::Constant | Kind::Variable => Suffix::Term,
            Kind::Key | Kind::Heading | Kind::Selector | Kind::Element => Suffix::Term,
        }
    }

    fn mark(self) -> &'static str {
        match self {
            Suffix::Namespace => "/",
            Suffix::Type => "#",
            Suffix::Term => ".",
            Suffix::Method => "().",
            Suffix::Macro => "!",
        }
    }
}

/// Adds a descriptor. If several symbols have the same name, those after the first get a number. A method gets it as a
/// disambiguator of SCIP, `x(+1).`, and any other symbol as an index, `x[1]`.
fn describe(above: &mut String, name: &str, suffix: Suffix, number: usize) {
    let name = if name.is_empty() { NAMELESS } else { name };
    match (suffix, number) {
        (suffix, 0) => {
            push_name(above, name);
            above.push_str(suffix.mark());
        }
        (Suffix::Method, number) => {
            push_name(above, name);
            above.push_str(&format!("(+{number})."));
        }
        (suffix, number) => {
            push_name(above, &format!("{name}[{number}]"));
            above.push_str(suffix.mark());
        }
    }
}

/// Adds a name. It is put in backticks unless it has only letters, digits, `_`, `+`, `-` and `$` of ASCII.
fn push_name(above: &mut String, name: &str) {
    let is_simple = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'-' | b'$');
    if name.bytes().all(is_simple) {
        above.push_str(name);
    } else {
        above.push('`');
        above.push_str(&name.replace('`', "``"));
        above.push('`');
    }
}

#[cfg(test)]
mod tests {
    use locant_engine::Document;

    use super::*;

    /// The names of the symbols of a file, without the common prefix.
    fn names(path: &str, text: &str) -> Vec<String> {
        let document = Document::new(path, text).expect("it is text");
        let outline = document.outline().expect("it is in a language that is read");
        let listed = Listed::of(outline);
        let symbols = Symbols::of(path, outline, &listed);
        let name = |id: &SymbolId| symbols.get(*id).expect("it is listed")[SCHEME.len()..].to_owned();
        listed.ids.iter().map(name).collect()
    }

    #[test]
    fn a_descriptor_tells_what_it_is() {
        assert_eq!(
            names("src/a.py", "class C:\n    x = 1\n    def f(self): pass\n"),
            ["src/`a.py`/C#", "src/`a.py`/C#x.", "src/`a.py`/C#f()."]
        );
        assert_eq!(names("a.rs", "mod m { macro_rules! x { () => {} } }\n"), ["`a.rs`/m/", "`a.rs`/m/x!"]);
        assert_eq!(names("a.rs", "impl Elsewhere { fn f() {} }\n"), ["`a.rs`/Elsewhere#f()."]);
    }

    #[test]
    fn twins_have_numbers_and_other_characters_backticks() {
        assert_eq!(
            names("A.java", "class A { void f() {} void f(int x) {} void f(String x) {} }\n"),
            ["`A.java`/A#", "`A.java`/A#f().", "`A.java`/A#f(+1).", "`A.java`/A#f(+2)."]
        );
        assert_eq!(
            names("a b.json", "{\"x\": 1, \"x[1]\": 2, \"x\": 3, \"`\": 4}\n"),
            ["`a b.json`/x.", "`a b.json`/`x[1]`.", "`a b.json`/`x[2]`.", "`a b.json`/````."]
        );
    }
}
