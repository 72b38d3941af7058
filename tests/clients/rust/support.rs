use std::collections::HashMap;
use std::fmt::Debug;

use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, GlobalSecondaryIndex, KeySchemaElement,
    KeyType, Projection, ProjectionType, ScalarAttributeType, StreamSpecification, StreamViewType,
};
use aws_sdk_dynamodb::Client;

use crate::peer;

pub type Item = HashMap<String, AttributeValue>;

pub fn s(text: impl Into<String>) -> AttributeValue {
    AttributeValue::S(text.into())
}

pub fn n(number: impl ToString) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

pub fn item<const N: usize>(attributes: [(&str, AttributeValue); N]) -> Item {
    attributes
        .map(|(name, value)| (name.to_owned(), value))
        .into()
}

pub fn key(pk: &str, sk: &str) -> Item {
    item([("PK", s(pk)), ("SK", s(sk))])
}

/// Returns the texts of an attribute.
pub fn texts(items: &[Item], name: &str) -> Vec<String> {
    items
        .iter()
        .map(|item| item[name].as_s().unwrap().clone())
        .collect()
}

pub fn key_schema(pk: &str, sk: &str) -> Vec<KeySchemaElement> {
    let element = |name: &str, role| {
        KeySchemaElement::builder()
            .attribute_name(name)
            .key_type(role)
            .build()
            .unwrap()
    };
    vec![element(pk, KeyType::Hash), element(sk, KeyType::Range)]
}

pub fn definition(name: &str) -> AttributeDefinition {
    let definition = AttributeDefinition::builder().attribute_name(name);
    definition
        .attribute_type(ScalarAttributeType::S)
        .build()
        .unwrap()
}

pub fn all_attributes() -> Projection {
    Projection::builder()
        .projection_type(ProjectionType::All)
        .build()
}

/// Returns a client that sends each request once. A retry could hide a failure.
pub fn client() -> Client {
    Client::from_conf(peer::config().retry_config(RetryConfig::disabled()).build())
}

/// A table of one test, with the index GSI1 and a stream.
pub struct Table {
    pub client: Client,
    pub name: String,
}

impl Table {
    pub async fn new(name: &str) -> Self {
        let table = Self {
            client: client(),
            name: name.to_owned(),
        };
        table.create().await;
        table
    }

    async fn create(&self) {
        let index = GlobalSecondaryIndex::builder()
            .index_name("GSI1")
            .set_key_schema(Some(key_schema("GSI1PK", "GSI1SK")))
            .projection(all_attributes());
        let stream = StreamSpecification::builder()
            .stream_enabled(true)
            .stream_view_type(StreamViewType::NewAndOldImages);
        self.client
            .create_table()
            .table_name(&self.name)
            .billing_mode(BillingMode::PayPerRequest)
            .set_key_schema(Some(key_schema("PK", "SK")))
            .set_attribute_definitions(Some(
                ["PK", "SK", "GSI1PK", "GSI1SK"].map(definition).to_vec(),
            ))
            .global_secondary_indexes(index.build().unwrap())
            .stream_specification(stream.build().unwrap())
            .send()
            .await
            .unwrap();
    }

    pub async fn put(&self, item: Item) {
        let put = self
            .client
            .put_item()
            .table_name(&self.name)
            .set_item(Some(item));
        put.send().await.unwrap();
    }

    /// Puts items with these sort keys.
    pub async fn put_sorts(&self, pk: &str, sorts: impl IntoIterator<Item = String>) {
        for sort in sorts {
            self.put(key(pk, &sort)).await;
        }
    }

    pub async fn get(&self, pk: &str, sk: &str) -> Option<Item> {
        let get = self
            .client
            .get_item()
            .table_name(&self.name)
            .set_key(Some(key(pk, sk)));
        get.send().await.unwrap().item
    }
}

/// Checks that the result is an error of DynamoDB with this name, and returns its message.
#[track_caller]
pub fn message<T: Debug, E>(result: Result<T, SdkError<E>>, name: &str) -> String
where
    E: ProvideErrorMetadata + Debug,
{
    let error = result.unwrap_err();
    assert_eq!(Some(name), error.code(), "{error:?}");
    error.message().unwrap().to_owned()
}
