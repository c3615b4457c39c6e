//! Random programs that protoc accepts: all statements of the language, with any blanks and comments between tokens.

/// A random program. The same number always gives the same program.
pub(crate) fn program(number: u64) -> String {
    let seed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let dialect =
        [Dialect::Proto2, Dialect::Proto3, Dialect::Edition][usize::try_from(number % 3).expect("small")];
    let mut writer = Writer { state: seed, text: String::new(), n_names: 0, dialect, number };
    // The first random numbers are too similar for similar seeds, so they are skipped.
    for _ in 0..8 {
        writer.random(2);
    }
    writer.file();
    writer.text
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Dialect {
    Proto2,
    Proto3,
    Edition,
}

const SCALARS: &[&str] =
    &["int32", "uint64", "sint32", "fixed64", "bool", "string", "bytes", "double", "float"];
const KEYS: &[&str] = &["int32", "string", "bool", "sfixed64"];
const BLANKS: &[&str] = &[
    " ",
    " ",
    " ",
    "\n",
    "\n  ",
    "\t",
    " \t ",
    "\r\n",
    "\n\n",
    "\u{c} ",
    " /* a */ ",
    " // b\n",
    "\n// c\n// d\n",
    "\n\n/* e\n * f\n */\n",
    " /**/ ",
    "\n// g\n\n// h\n",
    " /* é */ ",
    " // i\r\n",
    "/* j */\n\n",
];

struct Writer {
    state: u64,
    text: String,
    n_names: usize,
    dialect: Dialect,
    number: u64,
}

impl Writer {
    fn random(&mut self, below: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from(self.state % below as u64).expect("less than a length")
    }

    fn one_of<'w>(&mut self, words: &[&'w str]) -> &'w str {
        words[self.random(words.len())]
    }

    /// Writes tokens with random blanks and comments between them. In `tokens`, they are separated by blanks.
    fn put(&mut self, tokens: &str) {
        for token in tokens.split(' ').filter(|token| !token.is_empty()) {
            let blank = if self.random(3) == 0 { self.one_of(BLANKS) } else { " " };
            self.text.push_str(blank);
            self.text.push_str(token);
        }
    }

    /// A name that is used nowhere else.
    fn name(&mut self, start: &str) -> String {
        self.n_names += 1;
        format!("{start}{}", self.n_names)
    }

    fn file(&mut self) {
        match self.dialect {
            Dialect::Proto2 => self.put("syntax = \"proto2\" ;"),
            Dialect::Proto3 => self.put("syntax = \"pro\" 'to3' ;"),
            Dialect::Edition => self.put("edition = \"2023\" ;"),
        }
        self.put("package probe_0000 . inner ;");
        self.put("import \"google/protobuf/descriptor.proto\" ;");
        if self.random(2) == 0 {
            self.put("import public \"google/protobuf/any.proto\" ;");
        }
        let number = 100_000 + 10 * self.number;
        let label = self.label();
        self.put("message Held { ");
        self.put(&format!("{label} int32 a = 1 ; repeated Held held = 2 ; {label} string text = 3 ; }}"));
        for (index, holder) in
            ["File", "Message", "Field", "Enum", "EnumValue", "Method", "Oneof"].iter().enumerate()
        {
            let number = number + index as u64;
            let holder_name = holder.to_lowercase();
            self.put(&format!(
                "extend google . protobuf . {holder}Options {{ {label} Held of_{holder_name} = {number} ; }}"
            ));
        }
        for _ in 0..3 + self.random(5) {
            match self.random(6) {
                0 => self.enumeration(),
                1 => self.service(),
                2 => self.option("file"),
                3 => self.put(";"),
                _ => self.message(0),
            }
        }
        // The file has at least one message, and no line break at the end.
        self.message(0);
    }

    fn label(&self) -> &'static str {
        if self.dialect == Dialect::Proto2 { "optional" } else { "" }
    }

    fn value(&mut self) -> &'static str {
        self.one_of(&[
            "{ a : 1 }",
            "{ held { text : 'x' } held < a : - 2 > }",
            "{ }",
            "{ held : [ { a : 3 } , { } ] ; }",
        ])
    }

    fn option(&mut self, holder: &str) {
        let plain = self.random(3) == 0 && matches!(holder, "file" | "message" | "enum" | "method");
        if plain {
            // A second plain option with the same name would be an error, so an empty statement is written instead.
            return self.put(";");
        }
        let value = self.value();
        self.n_names += 1;
        match self.random(2) {
            0 => self.put(&format!("option ( probe_0000 . inner . of_{holder} ) . held = {value} ;")),
            _ => self.put(&format!("option ( of_{holder} ) . held = {value} ;")),
        }
    }

    fn in_brackets(&mut self, holder: &str) -> String {
        let value = self.value();
        match self.random(5) {
            0 => "[ deprecated = true ]".to_owned(),
            1 => format!("[ ( of_{holder} ) . held = {value} , ( of_{holder} ) . a = 0x1F ]"),
            2 => format!("[ ( . probe_0000 . inner . of_{holder} ) = {value} , deprecated = false ]"),
            _ => String::new(),
        }
    }

    fn message(&mut self, depth: usize) {
        let name = self.name("Message");
        self.put(&format!("message {name} {{"));
        let mut number = 1;
        for _ in 0..self.random(9) {
            match self.random(12) {
                0 if depth < 3 => self.message(depth + 1),
                1 => self.enumeration(),
                2 => self.option("message"),
                3 => self.put(";"),
                4 => self.oneof(&mut number),
                5 => self.map(&mut number),
                6 => self.reserved(&mut number),
                7 if self.dialect != Dialect::Proto3 => self.extensions(&mut number),
                8 if self.dialect == Dialect::Proto2 => self.group(depth, &mut number),
                _ => self.field(&mut number),
            }
        }
        self.put("}");
    }

    fn field(&mut self, number: &mut usize) {
        let (name, options) = (self.name("field_"), self.in_brackets("field"));
        let label = match self.dialect {
            Dialect::Proto2 => self.one_of(&["optional", "required", "repeated"]),
            Dialect::Proto3 => self.one_of(&["optional", "", "", "repeated"]),
            Dialect::Edition => self.one_of(&["", "", "repeated"]),
        };
        let kind = match self.random(4) {
            0 => self.one_of(&["Held", ". probe_0000 . inner . Held", "inner . Held"]),
            _ => self.one_of(SCALARS),
        };
        let given = match (options.is_empty(), self.random(4)) {
            (true, 0) => format!("[ json_name = \"json\" '{name}' ]"),
            _ => options,
        };
        self.put(&format!("{label} {kind} {name} = {number} {given} ;"));
        *number += 1;
    }

    fn map(&mut self, number: &mut usize) {
        let (name, key) = (self.name("map_"), self.one_of(KEYS));
        let value = self.one_of(&["int32", "Held", "string", "inner . Held"]);
        let options = self.in_brackets("field");
        self.put(&format!("map < {key} , {value} > {name} = {number} {options} ;"));
        *number += 1;
    }

    fn oneof(&mut self, number: &mut usize) {
        let name = self.name("oneof_");
        self.put(&format!("oneof {name} {{"));
        if self.random(3) == 0 {
            self.option("oneof");
        }
        for _ in 0..=self.random(3) {
            let (name, kind) = (self.name("field_"), self.one_of(SCALARS));
            self.put(&format!("{kind} {name} = {number} ;"));
            *number += 1;
        }
        self.put("}");
    }

    fn group(&mut self, depth: usize, number: &mut usize) {
        let (name, own) = (self.name("Group"), *number);
        *number += 1;
        self.put(&format!("optional group {name} = {own} {{"));
        let mut inner = 1;
        self.field(&mut inner);
        if depth < 2 && self.random(2) == 0 {
            self.group(depth + 1, &mut inner);
        }
        self.put("}");
    }

    fn reserved(&mut self, number: &mut usize) {
        let (name, other) = (self.name("kept_"), self.name("kept_"));
        let start = *number;
        match self.random(3) {
            0 if self.dialect == Dialect::Edition => self.put(&format!("reserved {name} , {other} ;")),
            0 => self.put(&format!("reserved \"{name}\" , 'kept' \"{other}\" ;")),
            1 => self.put(&format!("reserved {start} ;")),
            _ => self.put(&format!("reserved {start} to {} , {} ;", start + 2, start + 3)),
        }
        *number += 4;
    }

    fn extensions(&mut self, number: &mut usize) {
        let start = *number;
        *number += 10;
        let options = self.one_of(&["", "[ verification = UNVERIFIED ]"]);
        self.put(&format!("extensions {start} to {} , {} {options} ;", start + 4, start + 6));
    }

    fn enumeration(&mut self) {
        let name = self.name("Enum");
        self.put(&format!("enum {name} {{"));
        if self.random(4) == 0 {
            self.option("enum");
        }
        for number in 0..=self.random(4) {
            let (name, options) = (self.name("VALUE_"), self.in_brackets("enumvalue"));
            let sign = if number > 1 && self.random(2) == 0 { "-" } else { "" };
            self.put(&format!("{name} = {sign} {number} {options} ;"));
        }
        if self.random(3) == 0 {
            self.put("reserved -5 ; reserved - 9 to -7 , 100 to max ;");
        }
        self.put("}");
    }

    fn service(&mut self) {
        let name = self.name("Service");
        self.put(&format!("service {name} {{"));
        for _ in 0..self.random(3) {
            let name = self.name("Method");
            let (from, to) = (self.one_of(&["", "stream"]), self.one_of(&["", "stream"]));
            self.put(&format!("rpc {name} ( {from} Held ) returns ( {to} . probe_0000 . inner . Held )"));
            match self.random(3) {
                0 => self.put(";"),
                1 => self.put("{ }"),
                _ => {
                    self.put("{");
                    self.option("method");
                    self.put("}");
                }
            }
        }
        self.put("}");
    }
}
