use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{
    ConditionCheck, Delete, Get, Put, TransactGetItem, TransactWriteItem, Update,
};

use crate::support::*;

fn increment(table: &str, by: u32) -> TransactWriteItem {
    let update = Update::builder()
        .table_name(table)
        .set_key(Some(key("a", "count")));
    let update = update
        .update_expression("ADD n :n")
        .expression_attribute_values(":n", n(by));
    TransactWriteItem::builder()
        .update(update.build().unwrap())
        .build()
}

fn put_new(table: &str, sk: &str) -> TransactWriteItem {
    let put = Put::builder()
        .table_name(table)
        .set_item(Some(key("a", sk)));
    let put = put.condition_expression("attribute_not_exists(PK)");
    TransactWriteItem::builder()
        .put(put.build().unwrap())
        .build()
}

fn delete(table: &str, sk: &str) -> TransactWriteItem {
    let delete = Delete::builder()
        .table_name(table)
        .set_key(Some(key("a", sk)));
    TransactWriteItem::builder()
        .delete(delete.build().unwrap())
        .build()
}

fn check_exists(table: &str, sk: &str) -> TransactWriteItem {
    let check = ConditionCheck::builder()
        .table_name(table)
        .set_key(Some(key("a", sk)));
    let check = check.condition_expression("attribute_exists(PK)");
    TransactWriteItem::builder()
        .condition_check(check.build().unwrap())
        .build()
}

#[tokio::test]
async fn a_transaction_combines_all_kinds_of_actions() {
    let table = Table::new("transaction").await;
    table
        .put_sorts("a", ["old".to_owned(), "checked".to_owned()])
        .await;
    let actions = [
        put_new("transaction", "new"),
        increment("transaction", 2),
        delete("transaction", "old"),
        check_exists("transaction", "checked"),
    ];
    let write = table.client.transact_write_items();
    write
        .set_transact_items(Some(actions.to_vec()))
        .send()
        .await
        .unwrap();
    let gets = ["new", "count", "old"].map(|sk| {
        let get = Get::builder()
            .table_name("transaction")
            .set_key(Some(key("a", sk)));
        TransactGetItem::builder().get(get.build().unwrap()).build()
    });
    let read = table
        .client
        .transact_get_items()
        .set_transact_items(Some(gets.to_vec()));
    let found = read.send().await.unwrap().responses.unwrap();
    assert_eq!(Some(key("a", "new")), found[0].item);
    assert_eq!(n(2), found[1].item().unwrap()["n"]);
    assert_eq!(0, found[2].item.as_ref().map_or(0, |item| item.len()));
}

#[tokio::test]
async fn a_cancelled_transaction_has_its_reasons_and_writes_nothing() {
    let table = Table::new("cancelled").await;
    table.put(key("a", "1")).await;
    let actions = vec![put_new("cancelled", "2"), put_new("cancelled", "1")];
    let write = table
        .client
        .transact_write_items()
        .set_transact_items(Some(actions));
    match write.send().await.unwrap_err().into_service_error() {
        TransactWriteItemsError::TransactionCanceledException(cancelled) => {
            assert_eq!(
                Some(
                    "Transaction cancelled, please refer cancellation reasons for specific \
                     reasons [None, ConditionalCheckFailed]"
                ),
                cancelled.message()
            );
            let reasons = cancelled.cancellation_reasons();
            assert_eq!(Some("None"), reasons[0].code());
            assert_eq!(Some("The conditional request failed"), reasons[1].message());
        }
        other => panic!("{other:?}"),
    }
    assert!(table.get("a", "2").await.is_none());
}

#[tokio::test]
async fn a_repeated_transaction_with_the_same_token_changes_nothing() {
    let table = Table::new("token").await;
    let add = |by, token: &str| {
        let write = table
            .client
            .transact_write_items()
            .client_request_token(token);
        write.transact_items(increment("token", by)).send()
    };
    add(1, "first").await.unwrap();
    add(1, "first").await.unwrap();
    add(1, "second").await.unwrap();
    message(
        add(2, "first").await,
        "IdempotentParameterMismatchException",
    );
    assert_eq!(n(2), table.get("a", "count").await.unwrap()["n"]);
}
