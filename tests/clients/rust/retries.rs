use std::time::Duration;

use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::types::{BillingMode, KeysAndAttributes, PutRequest, WriteRequest};
use aws_sdk_dynamodb::Client;

use crate::peer::Simulated;
use crate::support::*;

const TABLE: &str = "app";

/// Calls each operation that DynamoDB throttles, and the SDK retries, once.
async fn use_every_operation(client: &Client, pk: &str) {
    let keys = || Some(key(pk, "1"));
    client
        .put_item()
        .table_name(TABLE)
        .set_item(keys())
        .send()
        .await
        .unwrap();
    let update = client.update_item().table_name(TABLE).set_key(keys());
    let update = update
        .update_expression("ADD n :one")
        .expression_attribute_values(":one", n(1));
    update.send().await.unwrap();
    client
        .get_item()
        .table_name(TABLE)
        .set_key(keys())
        .send()
        .await
        .unwrap();
    let query = client
        .query()
        .table_name(TABLE)
        .key_condition_expression("PK = :pk");
    query
        .expression_attribute_values(":pk", s(pk))
        .send()
        .await
        .unwrap();
    client.scan().table_name(TABLE).send().await.unwrap();
    let read = KeysAndAttributes::builder()
        .set_keys(keys().map(|key| vec![key]))
        .build()
        .unwrap();
    client
        .batch_get_item()
        .request_items(TABLE, read)
        .send()
        .await
        .unwrap();
    let put = PutRequest::builder()
        .set_item(Some(key(pk, "2")))
        .build()
        .unwrap();
    let write = WriteRequest::builder().put_request(put).build();
    client
        .batch_write_item()
        .request_items(TABLE, vec![write])
        .send()
        .await
        .unwrap();
    client
        .delete_item()
        .table_name(TABLE)
        .set_key(keys())
        .send()
        .await
        .unwrap();
}

#[tokio::test]
async fn each_operation_gets_through_when_a_fifth_of_all_requests_is_throttled() {
    let database = Simulated::new();
    // Three attempts, as usual, but shorter waits.
    let retries = RetryConfig::standard().with_max_backoff(Duration::from_millis(50));
    let client = Client::from_conf(database.config().retry_config(retries).build());
    let create = client
        .create_table()
        .table_name(TABLE)
        .billing_mode(BillingMode::PayPerRequest);
    let create = create.set_attribute_definitions(Some(["PK", "SK"].map(definition).to_vec()));
    create
        .set_key_schema(Some(key_schema("PK", "SK")))
        .send()
        .await
        .unwrap();
    database.simulate(r#"{"Seed": 7, "Rules": [{"Fault": "Throttling", "Chance": 0.2}]}"#);
    for pk in ["0", "1", "2", "3", "4"] {
        use_every_operation(&client, pk).await;
    }
    assert!(database.failures() > 5);
}
