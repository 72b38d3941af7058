use std::collections::HashMap;
use std::time::SystemTime;

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

/// Returns a number without an exponent, as a response writes it.
fn random_number(random: &mut impl FnMut(usize) -> usize) -> String {
    let mut digits = |count: usize| -> String {
        let digit = |i| if i == 0 { 1 + random(9) } else { random(10) };
        (0..count).map(digit).map(|d| d.to_string()).collect()
    };
    let (whole, fraction) = (digits(19), digits(19));
    // The reverse of a fraction ends with a digit that is not zero.
    format!("{whole}.{}", fraction.chars().rev().collect::<String>())
}

#[test]
fn each_digit_of_a_number_is_read_as_it_was_written() {
    let db = new_database();
    let seed = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let seed = seed.unwrap().subsec_nanos() as usize;
    let mut state = seed + 1;
    let mut random = |bound| {
        state = (state * 48_271) % 2_147_483_647; // the generator of Park and Miller
        state % bound
    };
    for _ in 0..1_000 {
        let written: Vec<String> = (0..100).map(|_| random_number(&mut random)).collect();
        let mut item = item("1");
        item["value"] = json!({"L": written.iter().map(|n| json!({"N": n})).collect::<Vec<_>>()});
        execute(&db, "PutItem", json!({"TableName": "app", "Item": item}));
        let read = execute(&db, "GetItem", get_request("1"));
        assert_eq!(item, read["Item"], "seed {seed}");
    }
}
