//! `signature`: the signatures of the call around a place.

use clap::Args;
use locant_engine::names::{self, Question};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use crate::answer::Answer;
use crate::failure::Failure;
use crate::flags::Flags;
use crate::how_found::HowFound;
use crate::name_query::Around;
use crate::phrase::Voice;
use crate::request::Context;
use crate::show;

/// Show the ways to call what is called around a place
///
/// .rho files are answered by locant itself, other languages by their language servers; nothing in a .proto file is
/// called.
///
///   locant signature 'a.rho@send!(<|>'
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Signature {
    #[command(flatten)]
    #[serde(flatten)]
    around: Around,
}

/// The ways to call something.
#[derive(Debug, JsonSchema, Serialize)]
pub struct SignatureAnswer {
    /// The signatures.
    signatures: Vec<Way>,
    /// The index of the signature that fits best.
    active: usize,
    /// The index of the argument that is being written.
    active_parameter: usize,
    /// The provider that answered.
    server: String,
}

/// One way to call something.
#[derive(Debug, JsonSchema, Serialize)]
struct Way {
    /// The signature as it is written in code.
    label: String,
    /// The parameters, as the label writes them.
    parameters: Vec<String>,
    /// The documentation, in Markdown.
    docs: String,
    /// The same.
    documentation: String,
    /// The index of the argument that is being written.
    active_parameter: usize,
}

impl Ask for Signature {
    type Answer = HowFound<SignatureAnswer>;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<HowFound<SignatureAnswer>, Failure> {
        let asked = self.around.open(Question::Signature, flags, context)?;
        let known = asked.ask(|provider, asked| provider.signatures(asked))?;
        let help = known.value.ok_or_else(|| asked.nothing())?;
        Ok(asked.told(SignatureAnswer {
            signatures: help.signatures.iter().map(|one| Way::new(one, help.active_parameter)).collect(),
            active: help.active,
            active_parameter: help.active_parameter,
            server: known.who,
        }))
    }
}

impl Way {
    fn new(signature: &names::Signature, active_parameter: usize) -> Way {
        let text = |parameter: &names::Parameter| signature.label.get(parameter.label.clone());
        let parameters = signature.parameters.iter().filter_map(text).map(str::to_owned).collect();
        Way {
            label: signature.label.clone(),
            parameters,
            docs: signature.docs.clone(),
            documentation: signature.docs.clone(),
            active_parameter,
        }
    }
}

impl Answer for SignatureAnswer {
    fn text(&self, _: &dyn Voice) -> String {
        self.signatures.iter().map(|way| format!("{}\n", way.label)).collect()
    }

    fn markdown(&self, _: &dyn Voice) -> String {
        let way = |way: &Way| {
            let now = way.parameters.get(way.active_parameter);
            let now = now.map(|now| format!(" (now {})", show::code(now))).unwrap_or_default();
            let docs = if way.docs.is_empty() { String::new() } else { format!("\n{}\n", way.docs.trim()) };
            format!("- {}{now}\n{docs}", show::code(&way.label))
        };
        self.signatures.iter().map(way).collect()
    }
}
