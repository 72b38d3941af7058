use std::time::{Duration, SystemTime};

use dolmen::{Database, Error, Options};
use serde_json::{json, Value};

/// 2026-04-15T10:30:00Z.
pub fn begin() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_776_249_000)
}

pub fn table() -> Value {
    json!({
        "TableName": "app",
        "KeySchema": [
            {"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
        "AttributeDefinitions": [
            {"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "SK", "AttributeType": "S"}],
        "BillingMode": "PAY_PER_REQUEST",
        "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"}
    })
}

/// Opens a database in memory with the table app and a manual clock.
pub fn new_database() -> Database {
    let options = Options {
        manual_clock: Some(begin()),
        expiry_lag: Some(Duration::ZERO),
        ..Options::default()
    };
    let db = options.in_memory().unwrap();
    execute(&db, "CreateTable", table());
    db
}

pub fn execute(db: &Database, operation: &str, request: Value) -> Value {
    db.execute_json(operation, &request).unwrap()
}

pub fn item(sort: &str) -> Value {
    json!({"PK": {"S": "a"}, "SK": {"S": sort}})
}

pub fn put_request(sort: &str) -> Value {
    json!({"TableName": "app", "Item": item(sort)})
}

pub fn get_request(sort: &str) -> Value {
    json!({"TableName": "app", "Key": item(sort)})
}

pub fn put(db: &Database, sort: &str) {
    execute(db, "PutItem", put_request(sort));
}

/// Returns true if the database has the item.
pub fn has(db: &Database, sort: &str) -> bool {
    execute(db, "GetItem", get_request(sort)) == json!({"Item": item(sort)})
}

/// Checks that the result is an error with this name, and returns its message.
#[track_caller]
pub fn message<T: std::fmt::Debug>(result: Result<T, Error>, name: &str) -> String {
    let error = result.unwrap_err();
    assert_eq!(name, error.name, "{error}");
    assert_ne!("", error.message);
    error.message
}

/// Returns the number in DOLMEN_STEPS, or the default.
pub fn steps(standard: usize) -> usize {
    std::env::var("DOLMEN_STEPS").map_or(standard, |text| text.parse().unwrap())
}
