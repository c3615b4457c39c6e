//! The models learned from real histories: `model/model.toml`, written by the build script as arrays of numbers.

use super::model::{Model, Tree};
use super::thresholds::Thresholds;
use super::{by_anchor, by_location};

include!(concat!(env!("OUT_DIR"), "/model.rs"));
