//! The calls in the files that bench.py writes.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::AnyError;

/// An item in DynamoDB's JSON.
pub type Item = BTreeMap<String, Value>;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Call {
    pub operation: String,
    pub request: Value,
    /// The items that a read must find.
    #[serde(default)]
    pub items: Option<Vec<Item>>,
}

impl Call {
    pub fn is_get(&self) -> bool {
        self.operation == "GetItem"
    }

    /// Returns the texts of a member of the request, for example of "Key".
    pub fn texts(&self, member: &str) -> BTreeMap<String, String> {
        let values = self.request[member].as_object().into_iter().flatten();
        values
            .map(|(name, value)| (name.clone(), text(value).to_owned()))
            .collect()
    }
}

pub fn text(value: &Value) -> &str {
    value["S"].as_str().unwrap_or_default()
}

/// Reads the file of this name.
pub fn read_calls(name: &str) -> Result<Vec<Call>, AnyError> {
    let path = std::env::var(format!("DOLMEN_BENCH_{name}"))?;
    let lines = std::fs::read_to_string(path)?;
    lines
        .lines()
        .map(|line| Ok(serde_json::from_str(line)?))
        .collect()
}
