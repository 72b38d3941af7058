use std::collections::HashMap;

use serde_json::{json, Value};

use crate::support::*;

#[test]
fn a_response_outlives_its_database() {
    let db = new_database();
    put(&db, "1");
    let request = get_request("1").to_string();
    let response = db.execute("GetItem", request.as_bytes()).unwrap();
    drop(db);
    let expected = br#"{"Item":{"PK":{"S":"a"},"SK":{"S":"1"}}}"#;
    assert_eq!(expected, &response[..]);
    assert_eq!(expected, response.as_ref());
    assert_eq!(String::from_utf8_lossy(expected), format!("{response:?}"));
}

#[test]
fn an_error_has_name_message_status_and_item() {
    let db = new_database();
    put(&db, "1");
    let request = json!({
        "TableName": "app", "Item": item("1"), "ConditionExpression": "attribute_not_exists(PK)",
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD"});
    let error = db.execute_json::<Value>("PutItem", &request).unwrap_err();
    assert_eq!("ConditionalCheckFailedException", error.name);
    assert_eq!("The conditional request failed", error.message);
    assert_eq!(400, error.status);
    let response: Value = serde_json::from_slice(&error.response).unwrap();
    assert_eq!(item("1"), response["Item"]);
    assert_eq!(
        "ConditionalCheckFailedException: The conditional request failed",
        error.to_string()
    );
}

#[test]
fn requests_that_are_no_requests_are_errors() {
    let db = new_database();
    for (operation, request, name) in [
        ("NoOperation", "{}", "UnknownOperationException"),
        ("GetItem\0", "{}", "UnknownOperationException"),
        ("", "{}", "UnknownOperationException"),
        ("GetItem", "{", "SerializationException"),
        ("GetItem", "", "SerializationException"),
        ("GetItem", "\0", "SerializationException"),
    ] {
        let error = db.execute(operation, request.as_bytes()).unwrap_err();
        assert_eq!(name, error.name, "{operation:?} {request:?}");
    }
}

#[test]
fn a_response_is_read_into_a_type() {
    let (db, none) = (new_database(), json!({}));
    let tables: HashMap<String, Vec<String>> = db.execute_json("ListTables", &none).unwrap();
    assert_eq!(["app"], tables["TableNames"][..]);
    let numbers = db.execute_json::<HashMap<String, u32>>("ListTables", &none);
    let told = message(numbers, "SerializationException");
    assert!(
        told.contains("the response does not fit the type"),
        "{told}"
    );
}
