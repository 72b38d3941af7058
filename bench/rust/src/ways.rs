//! The ways to a database.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;

use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
use aws_sdk_dynamodb::types::AttributeValue;
use aws_sdk_dynamodb::{Client, Config};
use dolmen::Database;
use serde_json::{json, Value};

use crate::calls::{read_calls, Call, Item};
use crate::sqlite::{sqlite, Row};
use crate::AnyError;

/// The result of a read before its conversion to items.
pub enum Found {
    Bytes(dolmen::Response),
    Json(Value),
    Sdk(Vec<HashMap<String, AttributeValue>>),
    Rows(Vec<Row>),
}

impl Found {
    pub fn items(self) -> Result<Option<Vec<Item>>, AnyError> {
        match self {
            Self::Bytes(response) => Self::Json(serde_json::from_slice(&response)?).items(),
            Self::Json(mut response) => Ok(Some(match response["Item"].take() {
                Value::Null => serde_json::from_value(response["Items"].take())?,
                item => vec![serde_json::from_value(item)?],
            })),
            Self::Sdk(items) => Ok(Some(items.into_iter().map(item_of).collect())),
            Self::Rows(rows) => Ok(Some(rows.iter().map(Row::item).collect())),
        }
    }
}

/// Converts an item of the SDK. The items of the bench have only texts and booleans.
fn item_of(item: HashMap<String, AttributeValue>) -> Item {
    let value = |value| match value {
        AttributeValue::S(text) => json!({"S": text}),
        AttributeValue::Bool(flag) => json!({"BOOL": flag}),
        other => panic!("{other:?}"),
    };
    item.into_iter()
        .map(|(name, attribute)| (name, value(attribute)))
        .collect()
}

/// A prepared read.
pub type Read =
    Box<dyn Fn() -> Pin<Box<dyn Future<Output = Result<Found, AnyError>> + Send>> + Send + Sync>;

/// Prepares a read.
pub type Prepare = Box<dyn Fn(&Call) -> Read + Send + Sync>;

/// Returns all ways with their names.
pub fn all() -> Result<Vec<(&'static str, Prepare)>, AnyError> {
    let db = Database::in_memory()?;
    let directory = std::env::var("DOLMEN_BENCH_load")? + ".dolmen";
    let on_disk = Database::open(directory)?;
    for call in read_calls("load")? {
        db.execute_json::<Value>(&call.operation, &call.request)?;
        on_disk.execute_json::<Value>(&call.operation, &call.request)?;
    }
    Ok(vec![
        ("Execute", execute(db.clone())),
        ("ExecuteJson", execute_json(db.clone())),
        ("SDKInProcess", sdk(db.client())),
        ("SDKOnDisk", sdk(on_disk.client())),
        ("SDKOverHTTP", sdk(client_over_http()?)),
        ("SQLite", sqlite()?),
    ])
}

fn execute(db: Database) -> Prepare {
    Box::new(move |call| {
        let (db, operation) = (db.clone(), call.operation.clone());
        let request = call.request.to_string();
        Box::new(move || {
            let found = db.execute(&operation, request.as_bytes());
            Box::pin(async { Ok(Found::Bytes(found?)) })
        })
    })
}

fn execute_json(db: Database) -> Prepare {
    Box::new(move |call| {
        let (db, operation, request) = (db.clone(), call.operation.clone(), call.request.clone());
        Box::new(move || {
            let found = db.execute_json(&operation, &request);
            Box::pin(async { Ok(Found::Json(found?)) })
        })
    })
}

fn client_over_http() -> Result<Client, AnyError> {
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::from_static("us-east-1"))
        .endpoint_url(std::env::var("DOLMEN_ENDPOINT")?)
        .credentials_provider(Credentials::new("dolmen", "secret", None, None, "bench"))
        .http_client(aws_smithy_http_client::Builder::new().build_http());
    Ok(Client::from_conf(config.build()))
}

fn sdk(client: Client) -> Prepare {
    Box::new(move |call| {
        if call.is_get() {
            get(&client, call)
        } else {
            query(&client, call)
        }
    })
}

fn attributes(call: &Call, member: &str) -> HashMap<String, AttributeValue> {
    let texts = call.texts(member).into_iter();
    texts
        .map(|(name, text)| (name, AttributeValue::S(text)))
        .collect()
}

fn get(client: &Client, call: &Call) -> Read {
    let request = client
        .get_item()
        .set_table_name(call.request["TableName"].as_str().map(str::to_owned))
        .set_key(Some(attributes(call, "Key")));
    Box::new(move || {
        let sent = request.clone().send();
        Box::pin(async { Ok(Found::Sdk(sent.await?.item.into_iter().collect())) })
    })
}

fn query(client: &Client, call: &Call) -> Read {
    let text = |name: &str| call.request[name].as_str().map(str::to_owned);
    let limit = call.request["Limit"]
        .as_i64()
        .and_then(|limit| i32::try_from(limit).ok());
    let request = client
        .query()
        .set_table_name(text("TableName"))
        .set_key_condition_expression(text("KeyConditionExpression"))
        .set_expression_attribute_values(Some(attributes(call, "ExpressionAttributeValues")))
        .set_scan_index_forward(call.request["ScanIndexForward"].as_bool())
        .set_limit(limit);
    Box::new(move || {
        let sent = request.clone().send();
        Box::pin(async { Ok(Found::Sdk(sent.await?.items.unwrap_or_default())) })
    })
}
