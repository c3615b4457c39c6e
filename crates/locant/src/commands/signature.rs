//! `signature`: the ways to call what is called around a place.

use clap::Args;
use locant_engine::names::{self, Question};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use crate::again::Again;
use crate::answer::Answer;
use crate::around::Around;
use crate::failure::Failure;
use crate::files::Files;
use crate::flags::Flags;
use crate::{show, wire};

/// Show the ways to call what is called around a place
///
/// Built for .rho files; nothing in a .proto file is called.
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
    /// The ways.
    signatures: Vec<Way>,
    /// Which of them fits best, from 0.
    active: usize,
    /// Which argument is being written, from 0.
    active_parameter: usize,
    /// Who has answered.
    server: String,
}

/// One way to call something.
#[derive(Debug, JsonSchema, Serialize)]
struct Way {
    /// How it is written.
    label: String,
    /// Its parameters, as the label writes them.
    parameters: Vec<String>,
    /// Its documentation, in Markdown.
    docs: String,
}

struct Help {
    help: names::SignatureHelp,
    who: String,
}

impl Ask for Signature {
    type Wire = Again<SignatureAnswer>;

    fn run(self, flags: &Flags, files: &Files) -> Result<Box<dyn Answer>, Failure> {
        let asked = self.around.open(Question::Signature, flags, files)?;
        let known = asked.ask(|provider, asked| provider.signatures(asked))?;
        let help = known.value.ok_or_else(|| asked.nothing())?;
        Ok(asked.told(Help { help, who: known.who }))
    }
}

impl Answer for Help {
    fn json(&self) -> String {
        let way = |signature: &names::Signature| {
            let text = |parameter: &names::Parameter| signature.label.get(parameter.label.clone());
            let parameters = signature.parameters.iter().filter_map(text).map(str::to_owned).collect();
            Way { label: signature.label.clone(), parameters, docs: signature.docs.clone() }
        };
        wire::to_json(&SignatureAnswer {
            signatures: self.help.signatures.iter().map(way).collect(),
            active: self.help.active,
            active_parameter: self.help.active_parameter,
            server: self.who.clone(),
        })
    }

    fn text(&self) -> String {
        self.help.signatures.iter().map(|signature| format!("{}\n", signature.label)).collect()
    }

    fn markdown(&self) -> String {
        self.help.signatures.iter().map(|signature| format!("- {}\n", show::code(&signature.label))).collect()
    }
}
