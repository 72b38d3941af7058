use aws_sdk_dynamodbstreams::config::{BehaviorVersion, Region};
use aws_sdk_dynamodbstreams::types::{AttributeValue, OperationType, Record, ShardIteratorType};
use aws_sdk_dynamodbstreams::{Client, Config};

use crate::peer;
use crate::support::*;

fn streams() -> Client {
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .endpoint_url(peer::endpoint())
        .credentials_provider(peer::credentials())
        .http_client(peer::http_client());
    Client::from_conf(config.build())
}

/// Returns the first records of the table's stream.
async fn records(table: &Table, count: usize) -> Vec<Record> {
    let streams = streams();
    let described = table
        .client
        .describe_table()
        .table_name(&table.name)
        .send()
        .await
        .unwrap();
    let arn = described.table.unwrap().latest_stream_arn.unwrap();
    let stream = streams
        .describe_stream()
        .stream_arn(&arn)
        .send()
        .await
        .unwrap();
    let start = streams
        .get_shard_iterator()
        .stream_arn(&arn)
        .shard_id(
            stream.stream_description.unwrap().shards()[0]
                .shard_id()
                .unwrap(),
        )
        .shard_iterator_type(ShardIteratorType::TrimHorizon);
    let mut iterator = start.send().await.unwrap().shard_iterator;
    let mut records = Vec::new();
    for _ in 0..1000 {
        let page = streams
            .get_records()
            .set_shard_iterator(iterator)
            .send()
            .await
            .unwrap();
        records.extend(page.records.unwrap_or_default());
        iterator = page.next_shard_iterator;
        if records.len() >= count {
            break;
        }
    }
    records
}

#[tokio::test]
async fn a_stream_has_the_changes_of_an_item_in_order() {
    let table = Table::new("streamed").await;
    for number in [1, 2] {
        let mut item = key("a", "1");
        item.insert("n".into(), n(number));
        table.put(item).await;
    }
    let delete = table.client.delete_item().table_name("streamed");
    delete.set_key(Some(key("a", "1"))).send().await.unwrap();
    let records = records(&table, 3).await;
    let events: Vec<_> = records
        .iter()
        .map(|record| record.event_name().unwrap())
        .collect();
    let expected = [
        OperationType::Insert,
        OperationType::Modify,
        OperationType::Remove,
    ];
    assert_eq!(expected.iter().collect::<Vec<_>>(), events);
    let change = records[1].dynamodb().unwrap();
    let number = |number: &str| Some(AttributeValue::N(number.to_owned()));
    assert_eq!(number("1").as_ref(), change.old_image().unwrap().get("n"));
    assert_eq!(number("2").as_ref(), change.new_image().unwrap().get("n"));
    assert!(records[2].dynamodb().unwrap().new_image().is_none());
}
