//! Sentences that say what to ask next, as values: each door writes the calls and settings in them in its own way.

use std::borrow::Cow;

/// A sentence, without a full stop.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Phrase(Vec<Part>);

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Part {
    Words(Cow<'static, str>),
    Call(Call),
    Setting(Setting),
}

/// A command with its arguments, to be asked next.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The command.
    pub command: &'static str,
    /// The fields of its request in order. A flag that takes no value has an empty one.
    pub fields: Vec<(&'static str, String)>,
}

/// A field to add to the same request; its value is empty where it takes none.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Setting(&'static str, String);

/// How a door writes what can be asked of it.
pub trait Voice: Sync {
    /// A command with its arguments.
    fn call(&self, call: &Call) -> String;

    /// A field to add to the same request; its value is empty where it takes none.
    fn setting(&self, field: &str, value: &str) -> String;
}

impl Phrase {
    /// The pieces, one after the other.
    pub(crate) fn of<const N: usize>(parts: [Part; N]) -> Phrase {
        Phrase(parts.into())
    }

    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|part| matches!(part, Part::Words(words) if words.is_empty()))
    }

    /// The same with another phrase after it.
    #[must_use]
    pub(crate) fn and(mut self, other: impl Into<Phrase>) -> Phrase {
        self.0.extend(other.into().0);
        self
    }

    /// Several phrases as one.
    pub(crate) fn joined(phrases: impl IntoIterator<Item = Phrase>, between: &'static str) -> Phrase {
        let mut all = Phrase::default();
        for phrase in phrases {
            if !all.0.is_empty() {
                all = all.and(between);
            }
            all = all.and(phrase);
        }
        all
    }

    /// The sentence as a door says it.
    pub fn said(&self, voice: &dyn Voice) -> String {
        let said = |part: &Part| match part {
            Part::Words(words) => words.to_string(),
            Part::Call(call) => voice.call(call),
            Part::Setting(Setting(field, value)) => voice.setting(field, value),
        };
        self.0.iter().map(said).collect()
    }
}

/// A command to be asked, so far without arguments.
pub(crate) fn call(command: &'static str) -> Call {
    Call { command, fields: Vec::new() }
}

impl Call {
    /// The same with another field.
    #[must_use]
    pub(crate) fn with(mut self, field: &'static str, value: impl Into<String>) -> Call {
        self.fields.push((field, value.into()));
        self
    }
}

/// A field to add to the same request.
pub(crate) fn setting(field: &'static str, value: impl Into<String>) -> Setting {
    Setting(field, value.into())
}

impl From<&'static str> for Part {
    fn from(words: &'static str) -> Part {
        Part::Words(words.into())
    }
}

impl From<String> for Part {
    fn from(words: String) -> Part {
        Part::Words(words.into())
    }
}

impl From<Cow<'static, str>> for Part {
    fn from(words: Cow<'static, str>) -> Part {
        Part::Words(words)
    }
}

impl From<Call> for Part {
    fn from(call: Call) -> Part {
        Part::Call(call)
    }
}

impl From<Setting> for Part {
    fn from(setting: Setting) -> Part {
        Part::Setting(setting)
    }
}

impl<T: Into<Part>> From<T> for Phrase {
    fn from(part: T) -> Phrase {
        Phrase(vec![part.into()])
    }
}

/// A phrase of several pieces: words, calls and settings.
macro_rules! phrase {
    ($($part:expr),* $(,)?) => {
        $crate::phrase::Phrase::of([$($crate::phrase::Part::from($part)),*])
    };
}
pub(crate) use phrase;
