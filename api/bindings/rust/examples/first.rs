use aws_sdk_dynamodb::types::AttributeValue::{N, S};
use dolmen::Database;
use serde_json::{json, Value};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let db = Database::open("app.dolmen")?; // Database::in_memory() is in memory
    let table = json!({
        "TableName": "chat", "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [
            {"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
        "AttributeDefinitions": [
            {"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "SK", "AttributeType": "S"}]
    });
    db.execute_json::<Value>("CreateTable", &table)?;

    let client = db.client(); // an ordinary aws_sdk_dynamodb::Client
    client
        .put_item()
        .table_name("chat")
        .item("PK", S("CHAT#1".into()))
        .item("SK", S("MSG#1".into()))
        .item("likes", N("3".into()))
        .send()
        .await?;
    let newest = client
        .query()
        .table_name("chat")
        .key_condition_expression("PK = :chat")
        .expression_attribute_values(":chat", S("CHAT#1".into()))
        .scan_index_forward(false)
        .limit(50)
        .send()
        .await?;
    for message in newest.items() {
        println!("{:?} {:?}", message["SK"], message["likes"]);
    }
    Ok(())
}
