//! The models that were learned from real histories. The build script generates them from `model/model.toml`.

use super::model::{Model, Tree};
use super::thresholds::Thresholds;
use super::{by_anchor, by_location};

include!(concat!(env!("OUT_DIR"), "/model.rs"));
