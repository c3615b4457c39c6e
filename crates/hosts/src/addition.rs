//! What an addition to settings is.

use crate::catalogue::{Format, Host};
use crate::fault::Fault;
use crate::value::Value;
use crate::{in_json, in_toml};

/// The name under which locant is listed.
pub(crate) const NAME: &str = "locant";

/// A text that is put in.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Insertion {
    /// Where, as a number of bytes from the start of the settings.
    pub offset: usize,
    /// What.
    pub text: String,
}

/// What is to be done so that settings have the entry.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Addition {
    /// Nothing: they have it.
    Present,
    /// Nothing: they have an entry of that name with other content, which the user may have chosen.
    Different,
    /// These texts are put in, in the order of their places.
    Missing(Vec<Insertion>),
}

/// What is to be done so that these settings of a host start `program` as a server.
pub fn add(settings: &str, host: &Host, program: &str) -> Result<Addition, Fault> {
    let entry = host.entry.with("{program}", program);
    match host.format {
        Format::Json => in_json::add(settings, host, &entry),
        Format::Toml => in_toml::add(settings, host, &entry),
    }
}

/// What is to be done if there is an entry already.
pub(crate) fn beside(entry: &Value, standing: &Value) -> Addition {
    if entry.is_within(standing) { Addition::Present } else { Addition::Different }
}
