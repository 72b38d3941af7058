//! DynamoDB inside the process of a Rust program: durable in a directory or in memory, without a
//! server, a network or an account.
//!
//! ```
//! use serde_json::{json, Value};
//!
//! let db = dolmen::Database::in_memory()?; // Database::open("app.dolmen") is durable, on disk
//! db.execute_json::<Value>("CreateTable", &json!({
//!     "TableName": "users", "BillingMode": "PAY_PER_REQUEST",
//!     "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
//!     "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}]}))?;
//! let ann = json!({"id": {"S": "ann"}, "age": {"N": "42"}});
//! db.execute_json::<Value>("PutItem", &json!({"TableName": "users", "Item": ann}))?;
//! let found: Value =
//!     db.execute_json("GetItem", &json!({"TableName": "users", "Key": {"id": {"S": "ann"}}}))?;
//! assert_eq!(found["Item"], ann);
//! # Ok::<(), dolmen::Error>(())
//! ```
//!
//! With the feature `aws`, `Database::client` returns a client of aws-sdk-dynamodb whose requests
//! never leave the process. [`testing`] gives each test a fork of a database.

#[cfg(feature = "aws")]
pub mod aws;
mod database;
mod error;
mod native;
mod options;
mod response;
mod subscription;
pub mod testing;

pub use database::{restore, Copied, Database};
pub use error::Error;
pub use options::{Durability, OnConflict, Options};
pub use response::Response;
pub use subscription::{HandlerResult, Subscription};

/// Returns the release of the C library, for example "0.2.0".
///
/// - InternalServerError: the library cannot be loaded.
pub fn version() -> Result<&'static str, Error> {
    Ok(native::library()?.version())
}
