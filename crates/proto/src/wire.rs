//! Writes messages in the wire format of protocol buffers.

use std::collections::BTreeMap;

/// A message: for each field number its values. Fields are written in the order of their numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Message {
    fields: BTreeMap<i32, Vec<Value>>,
}

/// A value of a field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Varint(u64),
    Fixed32(u32),
    Fixed64(u64),
    Bytes(Vec<u8>),
    Message(Message),
    Group(Message),
}

impl Value {
    /// Whether it is the value that a field has when it is not set.
    pub(crate) fn is_zero(&self) -> bool {
        match self {
            Value::Varint(value) | Value::Fixed64(value) => *value == 0,
            Value::Fixed32(value) => *value == 0,
            Value::Bytes(bytes) => bytes.is_empty(),
            Value::Message(_) | Value::Group(_) => false,
        }
    }
}

impl Message {
    /// Adds a value to a field, after the values that it already has.
    pub(crate) fn add(&mut self, number: i32, value: Value) {
        self.fields.entry(number).or_default().push(value);
    }

    pub(crate) fn add_text(&mut self, number: i32, text: impl AsRef<[u8]>) {
        self.add(number, Value::Bytes(text.as_ref().to_vec()));
    }

    /// Adds a varint. Negative numbers take ten bytes, because they are not zigzag-encoded.
    pub(crate) fn add_number(&mut self, number: i32, value: i32) {
        self.add(number, Value::Varint(i64::from(value).cast_unsigned()));
    }

    pub(crate) fn add_message(&mut self, number: i32, message: Message) {
        self.add(number, Value::Message(message));
    }

    /// Adds a number to the packed list in a field. The whole list is one value.
    pub(crate) fn add_packed(&mut self, number: i32, value: &Value) {
        let values = self.fields.entry(number).or_insert_with(|| vec![Value::Bytes(Vec::new())]);
        let Some(Value::Bytes(bytes)) = values.last_mut() else { return };
        match value {
            Value::Varint(value) => varint(bytes, *value),
            Value::Fixed32(value) => bytes.extend(value.to_le_bytes()),
            Value::Fixed64(value) => bytes.extend(value.to_le_bytes()),
            Value::Bytes(_) | Value::Message(_) | Value::Group(_) => {}
        }
    }

    /// The last group in a field. An empty field gets one. `None` when the field holds something else.
    pub(crate) fn inner_group(&mut self, number: i32) -> Option<&mut Message> {
        self.fields.entry(number).or_insert_with(|| vec![Value::Group(Message::default())]);
        self.inner(number)
    }

    /// The last message or group in a field. An empty field gets a message. `None` when the field holds something else.
    pub(crate) fn inner(&mut self, number: i32) -> Option<&mut Message> {
        let values = self.fields.entry(number).or_insert_with(|| vec![Value::Message(Message::default())]);
        match values.last_mut() {
            Some(Value::Message(message) | Value::Group(message)) => Some(message),
            _ => None,
        }
    }

    /// Whether a field has a value.
    pub(crate) fn has(&self, number: i32) -> bool {
        self.fields.contains_key(&number)
    }

    /// The values of a field.
    pub(crate) fn values(&self, number: i32) -> &[Value] {
        self.fields.get(&number).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (&number, values) in &self.fields {
            for value in values {
                write_value(&mut bytes, number, value);
            }
        }
        bytes
    }
}

/// A packed list of numbers, as one value.
pub(crate) fn packed(numbers: impl IntoIterator<Item = u64>) -> Value {
    let mut bytes = Vec::new();
    numbers.into_iter().for_each(|number| varint(&mut bytes, number));
    Value::Bytes(bytes)
}

/// Writes a value with its key. A key holds the number of the field and, in its lowest three bits, the wire type: field
/// 1 with wire type 2 is `0a`.
fn write_value(bytes: &mut Vec<u8>, number: i32, value: &Value) {
    let key = |bytes: &mut Vec<u8>, how: u64| varint(bytes, u64::from(number.cast_unsigned()) << 3 | how);
    match value {
        Value::Varint(value) => {
            key(bytes, 0);
            varint(bytes, *value);
        }
        Value::Fixed64(value) => {
            key(bytes, 1);
            bytes.extend(value.to_le_bytes());
        }
        Value::Bytes(value) => {
            key(bytes, 2);
            varint(bytes, value.len() as u64);
            bytes.extend(value);
        }
        Value::Message(message) => write_value(bytes, number, &Value::Bytes(message.bytes())),
        Value::Group(message) => {
            key(bytes, 3);
            bytes.extend(message.bytes());
            key(bytes, 4);
        }
        Value::Fixed32(value) => {
            key(bytes, 5);
            bytes.extend(value.to_le_bytes());
        }
    }
}

/// Writes seven bits in each byte, the lowest first. The eighth bit is set on all bytes but the last: 300 is `ac 02`.
fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(u8::try_from(value & 0x7f).expect("seven bits") | 0x80);
        value >>= 7;
    }
    bytes.push(u8::try_from(value).expect("less than 0x80"));
}
