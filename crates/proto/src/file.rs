//! What a .proto file declares, and where in the text.

use locant_text::Range;

use crate::flaw::Problem;
use crate::table::{LocationId, Table};

/// A .proto file as it was read. It does not hold the text; functions that need the text take it as an argument.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// The dialect it is written in.
    pub syntax: Syntax,
    /// The package as written: there may be blanks between its names.
    pub package: Option<Range>,
    /// The imports, in the order of the text.
    pub imports: Vec<Import>,
    /// Invariant: a parent comes before its children.
    pub declarations: Vec<Declaration>,
    /// The options, in the order of the text.
    pub options: Vec<OptionUse>,
    /// The parts of the names of all options, one after the other.
    pub name_parts: Vec<NamePart>,
    /// Reserved names and numbers, and numbers for extensions.
    pub reservations: Vec<Reservation>,
    /// The locations.
    pub table: Table,
    /// What is wrong with the text.
    pub problems: Vec<Problem>,
}

/// The dialect of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Syntax {
    /// The first dialect, which is also the default for files without a syntax statement.
    #[default]
    Proto2,
    /// The dialect without required fields, groups and defaults.
    Proto3,
    /// An edition, by its year.
    Edition(u32),
}

impl Syntax {
    /// The edition for tests. It has no year and comes after all others.
    pub(crate) const UNSTABLE: Syntax = Syntax::Edition(9999);

    /// The number of an edition in descriptor.proto; `None` for other dialects and unknown editions.
    pub(crate) fn edition_number(self) -> Option<i32> {
        match self {
            Syntax::Edition(2023) => Some(1000),
            Syntax::Edition(2024) => Some(1001),
            Syntax::Edition(2026) => Some(1002),
            Syntax::UNSTABLE => Some(9999),
            _ => None,
        }
    }
}

/// An import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Import {
    /// The name of the file, as string literals; `None` when it is missing.
    pub path: Option<Range>,
    /// How it is imported.
    pub manner: Manner,
    /// The location of the statement.
    pub location: LocationId,
}

/// How a file is imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Its names can be used in this file.
    Plain,
    /// Its names can be used in this file and in all files that import this one.
    Public,
    /// The imported file may be missing when the program runs.
    Weak,
    /// Only the options that it declares can be used.
    Option,
}

/// The number of a declaration in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeclarationId(u32);

/// A named part of the descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The message, enum or service it is a member of.
    pub parent: Option<DeclarationId>,
    /// The location of the whole declaration.
    pub location: LocationId,
    /// Its name; `None` when it is missing.
    pub name: Option<Range>,
    /// The declaration from its modifier, if it has one, to its `;` or `}`.
    pub range: Range,
    /// The declaration up to its block; all of it when it has no block.
    pub header: Range,
    /// What it is.
    pub form: Form,
}

/// What a declaration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A message.
    Message {
        /// The field that declares it, when it is a group.
        group: Option<DeclarationId>,
    },
    /// A field, or an extension.
    Field(Field),
    /// A oneof; its fields are fields of the message.
    Oneof,
    /// An enum.
    Enum,
    /// A value of an enum.
    Value {
        /// Its number.
        number: Option<i32>,
    },
    /// A service.
    Service,
    /// A method of a service.
    Method(Method),
}

/// A field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The label, when it is written.
    pub label: Option<Label>,
    /// The type.
    pub kind: FieldKind,
    /// The number.
    pub number: Option<i32>,
    /// The message it extends, when it is an extension.
    pub extendee: Option<Range>,
    /// The oneof it belongs to.
    pub oneof: Option<DeclarationId>,
    /// The default value.
    pub default: Option<Range>,
    /// The name in JSON, as string literals.
    pub json_name: Option<Range>,
}

/// How often a field may occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// At most once.
    Optional,
    /// Exactly once.
    Required,
    /// Any number of times.
    Repeated,
}

/// The type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// The type is missing.
    Missing,
    /// A scalar type, or the name of a message or an enum. There may be blanks inside the name.
    Type(Range),
    /// A map. The descriptor has a message for its entries, which is not in the text.
    Map {
        /// The type of its keys.
        key: Range,
        /// The type of its values.
        value: Range,
    },
    /// A group: a field that declares its message too.
    Group,
}

/// A method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// The type of the request.
    pub input: Option<Range>,
    /// The type of the response.
    pub output: Option<Range>,
    /// Whether the client sends many requests.
    pub is_client_streaming: bool,
    /// Whether the server sends many responses.
    pub is_server_streaming: bool,
}

/// An option as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionUse {
    /// The file, declaration or range that has the option.
    pub holder: Holder,
    /// Its location.
    pub location: LocationId,
    /// Its name: the start and the end of its parts in [`File::name_parts`].
    pub name: (u32, u32),
    /// Its value.
    pub value: OptionValue,
}

/// The parts of a file that can have options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Holder {
    /// The file.
    File,
    /// A declaration.
    Declaration(DeclarationId),
    /// A range of numbers for extensions.
    ExtensionRange {
        /// The message of the range.
        message: DeclarationId,
        /// The index of the range in the message.
        index: i32,
    },
}

/// One part of an option's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamePart {
    /// The name, without parentheses.
    pub name: Range,
    /// Whether it is in parentheses, which means an extension.
    pub is_extension: bool,
}

/// The value of an option, and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// The value is missing.
    Missing,
    /// A word.
    Identifier(Range),
    /// A whole number, including its sign.
    Integer(Range),
    /// A number with a fraction or an exponent, or a whole number that is too large, including its sign.
    Float(Range),
    /// One or more string literals.
    String(Range),
    /// Fields in braces, including the braces.
    Aggregate(Range),
}

/// Names or numbers that a message or an enum reserves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reservation {
    /// The message or the enum.
    pub owner: DeclarationId,
    /// The reserved names or numbers.
    pub what: Reserved,
}

/// The reserved names or numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reserved {
    /// Numbers for extensions, from the first to the last; `None` stands for `max`.
    Extensions(i32, Option<i32>),
    /// Numbers that no field or value may have, from the first to the last; `None` stands for `max`.
    Numbers(i32, Option<i32>),
    /// A name that no field or value may have, written as a word or as string literals.
    Name(Range),
}

impl File {
    /// One declaration.
    pub fn get(&self, id: DeclarationId) -> &Declaration {
        &self.declarations[id.index()]
    }

    /// All declarations with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (DeclarationId, &Declaration)> {
        (0..).map(DeclarationId).zip(&self.declarations)
    }

    /// The members of a declaration, or with `None` the declarations at the top of the file.
    pub fn children(
        &self,
        parent: Option<DeclarationId>,
    ) -> impl Iterator<Item = (DeclarationId, &Declaration)> {
        self.iter().filter(move |(_, declaration)| declaration.parent == parent)
    }

    /// The parts of an option's name.
    pub fn name_of(&self, option: &OptionUse) -> &[NamePart] {
        &self.name_parts[option.name.0 as usize..option.name.1 as usize]
    }

    /// The declaration that has an option; `None` when the file or an extension range has it.
    pub fn get_holder(&self, option: &OptionUse) -> Option<&Declaration> {
        match option.holder {
            Holder::Declaration(id) => Some(self.get(id)),
            Holder::File | Holder::ExtensionRange { .. } => None,
        }
    }

    pub(crate) fn declare(&mut self, declaration: Declaration) -> DeclarationId {
        let id =
            DeclarationId(u32::try_from(self.declarations.len()).expect("fewer declarations than bytes"));
        self.declarations.push(declaration);
        id
    }
}

impl DeclarationId {
    /// Its index in [`File::declarations`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Declaration {
    /// The field, if the declaration is one.
    pub fn field(&self) -> Option<&Field> {
        match &self.form {
            Form::Field(field) => Some(field),
            _ => None,
        }
    }

    /// Whether the declaration is an extension.
    pub fn is_extension(&self) -> bool {
        self.field().is_some_and(|field| field.extendee.is_some())
    }
}
