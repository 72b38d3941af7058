use std::time::{Duration, SystemTime};

use dolmen::testing::Fixture;
use dolmen::{Database, Error};
use serde_json::{json, Value};

fn place_order(db: &Database, customer: &str, expires: u64) -> Result<(), Error> {
    let put = json!({
        "TableName": "shop", "ConditionExpression": "attribute_not_exists(PK)",
        "Item": {"PK": {"S": format!("CUSTOMER#{customer}")}, "SK": {"S": "ORDER#1"},
            "expires": {"N": expires.to_string()}}
    });
    db.execute_json::<Value>("PutItem", &put)?;
    Ok(())
}

static SHOP: Fixture = Fixture::from_seed(
    r#"{"Tables": [{
        "TableName": "shop", "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [
            {"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
        "AttributeDefinitions": [
            {"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "SK", "AttributeType": "S"}],
        "TimeToLiveSpecification": {"AttributeName": "expires", "Enabled": true},
        "Items": [{"PK": {"S": "CUSTOMER#1"}, "SK": {"S": "ORDER#1"}}]}]}"#,
);

#[test]
fn an_order_number_is_used_once() {
    let error = place_order(&SHOP.fork(), "1", 0).unwrap_err();
    assert_eq!("ConditionalCheckFailedException", error.name);
}

#[test]
fn a_throttled_order_is_not_placed() {
    let db = SHOP.fork();
    db.simulate(r#"{"Rules": [{"Operation": "PutItem", "Fault": "Throttling", "CallsMax": 1}]}"#)
        .unwrap();
    let error = place_order(&db, "2", 0).unwrap_err();
    assert_eq!("ThrottlingException", error.name);
    place_order(&db, "2", 0).unwrap();
}

#[test]
fn an_order_expires() {
    let db = SHOP.fork();
    let now = db
        .clock()
        .unwrap()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap();
    place_order(&db, "3", now.as_secs() + 60).unwrap();
    db.advance(Duration::from_secs(3600)).unwrap();
    assert_eq!(1, db.expire().unwrap());
}
