//! The numbers of the fields of descriptor.proto that occur in the paths of locations.

pub(crate) mod file {
    pub(crate) const PACKAGE: i32 = 2;
    pub(crate) const DEPENDENCY: i32 = 3;
    pub(crate) const MESSAGE: i32 = 4;
    pub(crate) const ENUM: i32 = 5;
    pub(crate) const SERVICE: i32 = 6;
    pub(crate) const EXTENSION: i32 = 7;
    pub(crate) const OPTIONS: i32 = 8;
    pub(crate) const PUBLIC_DEPENDENCY: i32 = 10;
    pub(crate) const WEAK_DEPENDENCY: i32 = 11;
    pub(crate) const SYNTAX: i32 = 12;
    pub(crate) const OPTION_DEPENDENCY: i32 = 15;
}

pub(crate) mod message {
    pub(crate) const FIELD: i32 = 2;
    pub(crate) const NESTED: i32 = 3;
    pub(crate) const ENUM: i32 = 4;
    pub(crate) const EXTENSION_RANGE: i32 = 5;
    pub(crate) const EXTENSION: i32 = 6;
    pub(crate) const OPTIONS: i32 = 7;
    pub(crate) const ONEOF: i32 = 8;
    pub(crate) const RESERVED_RANGE: i32 = 9;
    pub(crate) const RESERVED_NAME: i32 = 10;
}

pub(crate) mod field {
    pub(crate) const EXTENDEE: i32 = 2;
    pub(crate) const NUMBER: i32 = 3;
    pub(crate) const LABEL: i32 = 4;
    pub(crate) const TYPE: i32 = 5;
    pub(crate) const TYPE_NAME: i32 = 6;
    pub(crate) const DEFAULT: i32 = 7;
    pub(crate) const OPTIONS: i32 = 8;
    pub(crate) const JSON_NAME: i32 = 10;
}

pub(crate) mod range {
    pub(crate) const START: i32 = 1;
    pub(crate) const END: i32 = 2;
    pub(crate) const OPTIONS: i32 = 3;
}

pub(crate) mod oneof {
    pub(crate) const OPTIONS: i32 = 2;
}

pub(crate) mod enumeration {
    pub(crate) const VALUE: i32 = 2;
    pub(crate) const OPTIONS: i32 = 3;
    pub(crate) const RESERVED_RANGE: i32 = 4;
    pub(crate) const RESERVED_NAME: i32 = 5;
}

pub(crate) mod value {
    pub(crate) const NUMBER: i32 = 2;
    pub(crate) const OPTIONS: i32 = 3;
}

pub(crate) mod service {
    pub(crate) const METHOD: i32 = 2;
    pub(crate) const OPTIONS: i32 = 3;
}

pub(crate) mod method {
    pub(crate) const INPUT: i32 = 2;
    pub(crate) const OUTPUT: i32 = 3;
    pub(crate) const OPTIONS: i32 = 4;
    pub(crate) const CLIENT_STREAMING: i32 = 5;
    pub(crate) const SERVER_STREAMING: i32 = 6;
}

pub(crate) mod option {
    pub(crate) const NAME: i32 = 2;
    pub(crate) const IDENTIFIER: i32 = 3;
    pub(crate) const POSITIVE: i32 = 4;
    pub(crate) const NEGATIVE: i32 = 5;
    pub(crate) const DOUBLE: i32 = 6;
    pub(crate) const STRING: i32 = 7;
    pub(crate) const AGGREGATE: i32 = 8;
    pub(crate) const NAME_PART: i32 = 1;
}

/// The field `name`, which has the same number in every declaration.
pub(crate) const NAME: i32 = 1;
/// The field `uninterpreted_option`, which has the same number in every options message.
pub(crate) const UNINTERPRETED: i32 = 999;
