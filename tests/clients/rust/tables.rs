use aws_sdk_dynamodb::client::Waiters;
use aws_sdk_dynamodb::types::{
    CreateGlobalSecondaryIndexAction, GlobalSecondaryIndexUpdate, IndexStatus, TableStatus,
    TimeToLiveSpecification, TimeToLiveStatus,
};

use crate::support::*;

#[tokio::test]
async fn a_table_is_described_as_it_was_created() {
    let Table { client, name } = Table::new("described").await;
    let wait = client.wait_until_table_exists().table_name(&name);
    wait.wait(std::time::Duration::from_secs(20)).await.unwrap();
    let found = client
        .describe_table()
        .table_name(&name)
        .send()
        .await
        .unwrap()
        .table
        .unwrap();
    assert_eq!(Some(&TableStatus::Active), found.table_status());
    assert_eq!(key_schema("PK", "SK"), found.key_schema());
    let index = &found.global_secondary_indexes()[0];
    assert_eq!(key_schema("GSI1PK", "GSI1SK"), index.key_schema());
    assert_eq!(Some(&all_attributes()), index.projection());
}

#[tokio::test]
async fn tables_are_listed_page_by_page() {
    for name in ["list_1", "list_2", "list_3"] {
        Table::new(name).await;
    }
    let client = client();
    let mut names = Vec::new();
    let mut pages = client.list_tables().limit(1).into_paginator().send();
    while let Some(page) = pages.next().await {
        names.extend(page.unwrap().table_names.unwrap_or_default());
    }
    names.retain(|name| name.starts_with("list_"));
    assert_eq!(["list_1", "list_2", "list_3"], names[..]);
}

#[tokio::test]
async fn a_deleted_table_is_not_found() {
    let Table { client, name } = Table::new("gone").await;
    client
        .delete_table()
        .table_name(&name)
        .send()
        .await
        .unwrap();
    let wait = client.wait_until_table_not_exists().table_name(&name);
    wait.wait(std::time::Duration::from_secs(20)).await.unwrap();
    let scan = client.scan().table_name(&name).send().await;
    message(scan, "ResourceNotFoundException");
}

#[tokio::test]
async fn a_new_index_gets_the_existing_items() {
    let table = Table::new("new_index").await;
    table.put_sorts("a", ["1".to_owned(), "2".to_owned()]).await;
    let index = CreateGlobalSecondaryIndexAction::builder()
        .index_name("BySort")
        .set_key_schema(Some(key_schema("SK", "PK")))
        .projection(all_attributes())
        .build();
    let change = GlobalSecondaryIndexUpdate::builder()
        .create(index.unwrap())
        .build();
    let update = table.client.update_table().table_name(&table.name);
    let update = update.set_attribute_definitions(Some(["PK", "SK"].map(definition).to_vec()));
    update
        .global_secondary_index_updates(change)
        .send()
        .await
        .unwrap();
    for _ in 0..10_000 {
        let describe = table
            .client
            .describe_table()
            .table_name(&table.name)
            .send()
            .await;
        let found = describe.unwrap().table.unwrap();
        let mut indexes = found.global_secondary_indexes().iter();
        let index = indexes
            .find(|index| index.index_name() == Some("BySort"))
            .unwrap();
        if index.index_status() == Some(&IndexStatus::Active) {
            break;
        }
    }
    let scan = table
        .client
        .scan()
        .table_name(&table.name)
        .index_name("BySort");
    let mut found = texts(scan.send().await.unwrap().items(), "SK");
    found.sort();
    assert_eq!(["1", "2"], found[..]);
}

#[tokio::test]
async fn time_to_live_is_enabled_and_described() {
    let Table { client, name } = Table::new("time_to_live").await;
    let ttl = TimeToLiveSpecification::builder()
        .attribute_name("expires")
        .enabled(true)
        .build();
    let update = client.update_time_to_live().table_name(&name);
    update
        .time_to_live_specification(ttl.unwrap())
        .send()
        .await
        .unwrap();
    // The status is Enabling until the table has been searched for expired items.
    let found = loop {
        let described = client.describe_time_to_live().table_name(&name).send();
        let found = described.await.unwrap().time_to_live_description.unwrap();
        if found.time_to_live_status() != Some(&TimeToLiveStatus::Enabling) {
            break found;
        }
    };
    assert_eq!(
        Some(&TimeToLiveStatus::Enabled),
        found.time_to_live_status()
    );
    assert_eq!(Some("expires"), found.attribute_name());
}
