use std::time::{Duration, SystemTime};

use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::types::AttributeValue::{N, S};
use aws_sdk_dynamodb::Client;
use dolmen::testing::Fixture;

async fn place_order(client: &Client, customer: &str, expires: u64) -> Result<(), PutItemError> {
    let put = client
        .put_item()
        .table_name("shop")
        .item("PK", S(format!("CUSTOMER#{customer}")))
        .item("SK", S("ORDER#1".into()))
        .item("expires", N(expires.to_string()))
        .condition_expression("attribute_not_exists(PK)");
    put.send()
        .await
        .map_err(|error| error.into_service_error())?;
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

#[tokio::test]
async fn an_order_number_is_used_once() {
    let error = place_order(&SHOP.fork().client(), "1", 0)
        .await
        .unwrap_err();
    assert!(error.is_conditional_check_failed_exception());
}

#[tokio::test]
async fn an_order_is_placed_after_a_throttle() {
    let db = SHOP.fork();
    db.simulate(r#"{"Rules": [{"Operation": "PutItem", "Fault": "Throttling", "CallsMax": 1}]}"#)
        .unwrap();
    place_order(&db.client(), "2", 0).await.unwrap(); // the SDK tries twice
}

#[tokio::test]
async fn an_order_expires() {
    let db = SHOP.fork();
    let now = db
        .clock()
        .unwrap()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap();
    place_order(&db.client(), "3", now.as_secs() + 60)
        .await
        .unwrap();
    db.advance(Duration::from_secs(3600)).unwrap();
    assert_eq!(1, db.expire().unwrap());
}
