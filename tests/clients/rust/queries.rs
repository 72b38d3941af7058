use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::ReturnConsumedCapacity;
use tokio::task::JoinSet;

use crate::support::*;

fn query(table: &Table, pk: &str) -> QueryFluentBuilder {
    let query = table.client.query().table_name(&table.name);
    query
        .key_condition_expression("PK = :pk")
        .expression_attribute_values(":pk", s(pk))
}

fn sorts(numbers: impl Iterator<Item = u32>) -> Vec<String> {
    numbers.map(|number| format!("{number:02}")).collect()
}

#[tokio::test]
async fn a_query_returns_a_partition_in_the_order_of_the_sort_keys() {
    let table = Table::new("order").await;
    table.put_sorts("a", sorts((0..10).rev())).await;
    table.put_sorts("b", sorts(0..3)).await;
    let page = query(&table, "a").send().await.unwrap();
    assert_eq!(sorts(0..10), texts(page.items(), "SK"));
    let page = query(&table, "a")
        .scan_index_forward(false)
        .limit(3)
        .send()
        .await
        .unwrap();
    assert_eq!(sorts((7..10).rev()), texts(page.items(), "SK"));
    assert_eq!(Some(key("a", "07")), page.last_evaluated_key);
}

#[tokio::test]
async fn pages_have_no_gap_and_no_overlap() {
    let table = Table::new("pages").await;
    table.put_sorts("a", sorts(0..25)).await;
    let items = query(&table, "a").limit(4).into_paginator().items().send();
    let items = items.collect::<Result<Vec<_>, _>>().await.unwrap();
    assert_eq!(sorts(0..25), texts(&items, "SK"));
}

#[tokio::test]
async fn an_index_has_the_items_with_its_keys() {
    let table = Table::new("index").await;
    for (sk, sort) in [("1", "z"), ("2", "y")] {
        let mut item = key("a", sk);
        item.extend([("GSI1PK".into(), s("all")), ("GSI1SK".into(), s(sort))]);
        table.put(item).await;
    }
    table.put(key("a", "3")).await;
    let query = table.client.query().table_name("index").index_name("GSI1");
    let query = query.key_condition_expression("GSI1PK = :all");
    let query = query.return_consumed_capacity(ReturnConsumedCapacity::Total);
    let page = query
        .expression_attribute_values(":all", s("all"))
        .send()
        .await
        .unwrap();
    assert_eq!(["2", "1"], texts(page.items(), "SK")[..]);
    assert_eq!(Some(0.5), page.consumed_capacity.unwrap().capacity_units);
}

#[tokio::test]
async fn the_segments_of_a_scan_together_have_every_item() {
    let table = Table::new("segments").await;
    let keys = (0..60).map(|number| (format!("p{}", number % 20), format!("{number:02}")));
    for (pk, sk) in keys {
        table.put(key(&pk, &sk)).await;
    }
    let mut segments = JoinSet::new();
    for segment in 0..5 {
        let scan = table.client.scan().table_name("segments").limit(4);
        let scan = scan
            .segment(segment)
            .total_segments(5)
            .into_paginator()
            .items()
            .send();
        segments.spawn(async { scan.collect::<Result<Vec<_>, _>>().await.unwrap() });
    }
    let mut found: Vec<_> = segments
        .join_all()
        .await
        .iter()
        .flat_map(|items| texts(items, "SK"))
        .collect();
    found.sort();
    assert_eq!(sorts(0..60), found);
}
