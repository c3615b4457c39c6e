//! Turns `model/model.toml`, the learned models for finding places again, into Rust code with plain arrays of numbers.
//!
//! The generated code names each feature, in struct literals and enum variants. So the compiler reports a feature
//! without a weight, a weight for an unknown feature, and a tree that asks about an unknown feature.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use toml::{Table, Value};

const SOURCE: &str = "model/model.toml";

/// Each model of the file, and the module that declares its features.
const MODELS: [(&str, &str); 4] = [
    ("anchor", "by_anchor"),
    ("old_text", "by_anchor"),
    ("location", "by_location"),
    ("check", "by_location"),
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={SOURCE}");
    let code = packed().unwrap_or_else(|message| fail(&format!("{SOURCE}: {message}")));
    let target = PathBuf::from(variable("OUT_DIR")).join("model.rs");
    fs::write(target, code).unwrap_or_else(|error| fail(&format!("cannot write the model: {error}")));
}

fn packed() -> Result<String, String> {
    let source = Path::new(&variable("CARGO_MANIFEST_DIR")).join(SOURCE);
    let text = fs::read_to_string(source).map_err(|error| error.to_string())?;
    let models = text.parse::<Table>().map_err(|error| error.to_string())?;
    only(&models, &MODELS.map(|(name, _)| name))?;
    MODELS.into_iter().map(|(name, features)| model(&models, name, features)).collect()
}

/// One model as a static.
fn model(models: &Table, name: &str, features: &str) -> Result<String, String> {
    let model = table(models, name)?;
    only(model, &["thresholds", "weights", "confidence"])?;
    let confidence = table(model, "confidence")?;
    only(confidence, &["accepted", "possible", "bias", "trees"])?;
    let trees = list(confidence.get("trees").ok_or(format!("{name} has no trees"))?)?;
    let mut code = format!(
        "/// The learned model for this kind of knowledge about a place.\n\
         pub static {}: Model<{{ {features}::N_FEATURES }}> = Model {{\n",
        name.to_uppercase()
    );
    // Writing to a string does not fail.
    let _ =
        writeln!(code, "weights: {features}::Features {{ {} }}.list(),", fields(table(model, "weights")?)?);
    let _ = writeln!(code, "thresholds: Thresholds {{ {} }},", fields(table(model, "thresholds")?)?);
    for key in ["accepted", "possible", "bias"] {
        let value = confidence.get(key).ok_or(format!("{name} has no {key}"))?;
        let _ = writeln!(code, "{key}: {:?},", number(value)?);
    }
    let _ = writeln!(code, "trees: [");
    for value in trees {
        let _ = writeln!(code, "{},", tree(value, features)?);
    }
    Ok(code + "],\n};\n")
}

/// A decision tree of depth two: three questions, each a feature and the bound that it must exceed, and four results.
fn tree(value: &Value, features: &str) -> Result<String, String> {
    let [first, left, right, says] = list(value)? else {
        return Err(format!("a tree has three questions and what it says: {value}"));
    };
    let mut asks = String::new();
    let mut exceeds = String::new();
    for question in [first, left, right] {
        let [Value::String(feature), bound] = list(question)? else {
            return Err(format!("a question is a feature and what it must exceed: {question}"));
        };
        let _ = write!(asks, "{features}::Feature::{feature} as u8, ");
        let _ = write!(exceeds, "{:?}, ", number(bound)?);
    }
    let says = list(says)?.iter().map(number).collect::<Result<Vec<f64>, String>>()?;
    Ok(format!("Tree {{ asks: [{asks}], exceeds: [{exceeds}], says: {says:?} }}"))
}

/// Named numbers, written as the fields of a struct literal.
fn fields(table: &Table) -> Result<String, String> {
    let fields = table.iter().map(|(name, value)| Ok(format!("{name}: {:?}, ", number(value)?)));
    fields.collect()
}

fn number(value: &Value) -> Result<f64, String> {
    value.as_float().ok_or(format!("not a number with a decimal point: {value}"))
}

fn list(value: &Value) -> Result<&[Value], String> {
    value.as_array().map(Vec::as_slice).ok_or(format!("not a list: {value}"))
}

fn table<'t>(table: &'t Table, key: &str) -> Result<&'t Table, String> {
    table.get(key).and_then(Value::as_table).ok_or(format!("there is no table {key}"))
}

/// Fails if a table has a key that is not in `known`.
fn only(table: &Table, known: &[&str]) -> Result<(), String> {
    let unknown = table.keys().find(|key| !known.contains(&key.as_str()));
    unknown.map_or(Ok(()), |key| Err(format!("{key} is not one of {}", known.join(", "))))
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| fail(&format!("{name} is not set; cargo sets it")))
}

fn fail(message: &str) -> ! {
    println!("cargo::error={}", message.replace('\n', " "));
    std::process::exit(1)
}
