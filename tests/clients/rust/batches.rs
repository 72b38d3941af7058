use std::collections::HashMap;

use aws_sdk_dynamodb::types::{DeleteRequest, KeysAndAttributes, PutRequest, WriteRequest};

use crate::support::*;

fn put_of(item: Item) -> WriteRequest {
    let put = PutRequest::builder().set_item(Some(item)).build().unwrap();
    WriteRequest::builder().put_request(put).build()
}

fn delete_of(key: Item) -> WriteRequest {
    let delete = DeleteRequest::builder().set_key(Some(key)).build().unwrap();
    WriteRequest::builder().delete_request(delete).build()
}

#[tokio::test]
async fn a_batch_puts_and_deletes_in_two_tables() {
    let (first, second) = (Table::new("batch_1").await, Table::new("batch_2").await);
    second.put(key("a", "old")).await;
    let puts = (0..20)
        .map(|number| put_of(key("a", &format!("{number:02}"))))
        .collect();
    let batch = first
        .client
        .batch_write_item()
        .request_items("batch_1", puts);
    let batch = batch.request_items("batch_2", vec![delete_of(key("a", "old"))]);
    let done = batch.send().await.unwrap();
    assert_eq!(0, done.unprocessed_items.unwrap_or_default().len());
    assert!(first.get("a", "19").await.is_some());
    assert!(second.get("a", "old").await.is_none());
}

#[tokio::test]
async fn a_batch_of_reads_leaves_out_absent_items() {
    let table = Table::new("batch_reads").await;
    table.put_sorts("a", ["1".to_owned(), "3".to_owned()]).await;
    let keys = ["1", "2", "3"].map(|sk| key("a", sk)).to_vec();
    let keys = KeysAndAttributes::builder()
        .set_keys(Some(keys))
        .projection_expression("SK");
    let batch = table.client.batch_get_item();
    let found = batch
        .request_items("batch_reads", keys.build().unwrap())
        .send()
        .await
        .unwrap();
    let mut found = texts(&found.responses.unwrap()["batch_reads"], "SK");
    found.sort();
    assert_eq!(["1", "3"], found[..]);
}

#[tokio::test]
async fn keys_beyond_16_mb_are_left_unprocessed_for_the_next_call() {
    let table = Table::new("batch_large").await;
    let sorts: Vec<_> = (0..45).map(|number| format!("{number:02}")).collect();
    for sk in &sorts {
        let mut item = key("a", sk);
        item.insert("body".into(), s("x".repeat(390_000)));
        table.put(item).await;
    }
    let keys = sorts.iter().map(|sk| key("a", sk)).collect();
    let keys = KeysAndAttributes::builder()
        .set_keys(Some(keys))
        .consistent_read(true);
    let mut request = HashMap::from([("batch_large".to_owned(), keys.build().unwrap())]);
    let mut found = Vec::new();
    let mut calls = 0;
    while !request.is_empty() {
        let batch = table
            .client
            .batch_get_item()
            .set_request_items(Some(request));
        let page = batch.send().await.unwrap();
        found.extend(texts(&page.responses.unwrap()["batch_large"], "SK"));
        request = page.unprocessed_keys.unwrap();
        assert!(request
            .values()
            .all(|keys| keys.consistent_read == Some(true)));
        calls += 1;
    }
    assert_eq!(2, calls);
    found.sort();
    assert_eq!(sorts, found);
}
