use dolmen::Database;
use serde_json::{json, Value};

fn main() -> Result<(), dolmen::Error> {
    let db = Database::open("app.dolmen")?; // Database::in_memory() is in memory
    let table = json!({
        "TableName": "chat", "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [
            {"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
        "AttributeDefinitions": [
            {"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "SK", "AttributeType": "S"}]
    });
    db.execute_json::<Value>("CreateTable", &table)?;
    let message = json!({"PK": {"S": "CHAT#1"}, "SK": {"S": "MSG#1"}, "likes": {"N": "3"}});
    let put = json!({"TableName": "chat", "Item": message});
    db.execute_json::<Value>("PutItem", &put)?;
    let query = json!({
        "TableName": "chat", "KeyConditionExpression": "PK = :chat",
        "ExpressionAttributeValues": {":chat": {"S": "CHAT#1"}},
        "ScanIndexForward": false, "Limit": 50
    });
    let newest: Value = db.execute_json("Query", &query)?;
    println!("{}", newest["Items"]);
    Ok(())
}
