use std::time::{Duration, SystemTime};

use dolmen::{Database, Options};
use serde_json::json;

use crate::support::*;

const HOUR: Duration = Duration::from_secs(3600);

#[test]
fn forks_are_independent() {
    let db = new_database();
    put(&db, "1");
    let fork = db.fork().unwrap();
    let path = tempfile::tempdir().unwrap();
    let on_disk = db.fork_to(&path).unwrap();
    put(&fork, "2");
    put(&db, "3");
    assert!(has(&db, "1") && has(&fork, "1") && has(&on_disk, "1"));
    assert!(!has(&db, "2") && !has(&fork, "3") && !has(&on_disk, "3"));
    fork.reset().unwrap();
    assert!(has(&fork, "1") && !has(&fork, "2"));
    message(on_disk.reset(), "ValidationException");
}

#[test]
fn a_fork_outlives_its_database() {
    let db = new_database();
    let fork = db.fork().unwrap();
    drop(db);
    put(&fork, "1");
    assert!(has(&fork, "1"));
}

#[test]
fn a_seed_creates_tables_with_items() {
    let db = Database::in_memory().unwrap();
    let mut table = table();
    table["Items"] = json!([item("1")]);
    db.load_seed(&json!({ "Tables": [table] }).to_string())
        .unwrap();
    assert!(has(&db, "1"));
    message(db.load_seed("no seed"), "ValidationException");
}

#[test]
fn a_manual_clock_stands_still() {
    let db = new_database();
    assert_eq!(begin(), db.clock().unwrap());
    assert_eq!(begin() + HOUR, db.advance(HOUR).unwrap());
    let time = begin() + Duration::from_millis(1);
    db.set_clock(time).unwrap();
    assert_eq!(time, db.clock().unwrap());
    message(db.advance(Duration::MAX), "ValidationException");
    message(
        db.advance(Duration::from_secs(1 << 40)),
        "ValidationException",
    );
}

#[test]
fn the_clock_of_the_machine_cannot_be_set() {
    let db = Database::in_memory().unwrap();
    let (now, machine) = (db.clock().unwrap(), SystemTime::now());
    assert!(machine - HOUR < now && now < machine + HOUR, "{now:?}");
    message(db.set_clock(begin()), "ValidationException");
}

#[test]
fn expire_deletes_by_the_clock() {
    let db = new_database();
    execute(
        &db,
        "UpdateTimeToLive",
        json!({
        "TableName": "app",
        "TimeToLiveSpecification": {"AttributeName": "expires", "Enabled": true}}),
    );
    let mut expiring = put_request("1");
    expiring["Item"]["expires"] = json!({"N": "1776250000"}); // 17 minutes after the beginning
    execute(&db, "PutItem", expiring);
    put(&db, "2");
    for expected in [0, 1, 0] {
        assert_eq!(expected, db.expire().unwrap());
        db.advance(HOUR).unwrap();
    }
    assert!(!has(&db, "1") && has(&db, "2"));
}

#[test]
fn wait_returns_when_indexes_are_built() {
    let db = new_database();
    put(&db, "1");
    execute(
        &db,
        "UpdateTable",
        json!({
        "TableName": "app",
        "AttributeDefinitions": [{"AttributeName": "SK", "AttributeType": "S"}],
        "GlobalSecondaryIndexUpdates": [{"Create": {"IndexName": "BySort",
            "KeySchema": [{"AttributeName": "SK", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "KEYS_ONLY"}}}]}),
    );
    db.wait().unwrap();
    assert_eq!(
        json!({"Count": 1, "ScannedCount": 1, "Items": [item("1")]}),
        execute(
            &db,
            "Scan",
            json!({"TableName": "app", "IndexName": "BySort"})
        )
    );
}

#[test]
fn a_simulation_lets_requests_fail() {
    let options = Options {
        simulate: Some(json!({})),
        ..Options::default()
    };
    let db = options.in_memory().unwrap();
    execute(&db, "CreateTable", table());
    db.simulate(r#"{"Seed": 7, "Rules": [{"Fault": "Throttling", "CallsMax": 1}]}"#)
        .unwrap();
    let request = put_request("1").to_string();
    message(
        db.execute("PutItem", request.as_bytes()),
        "ThrottlingException",
    );
    put(&db, "1");
    assert_eq!(1, db.trace().unwrap().len());
    db.simulate("{}").unwrap();
    put(&db, "1");
    let told = message(db.simulate(r#"{"NoSuchMember": 1}"#), "ValidationException");
    assert!(told.contains("NoSuchMember"), "{told}");
    message(new_database().simulate("{}"), "ValidationException");
    message(new_database().trace(), "ValidationException");
}
