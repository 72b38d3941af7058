use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue::{Bool, Bs, Ns, Null, Ss, B, L, M};
use aws_sdk_dynamodb::types::{ReturnValue, ReturnValuesOnConditionCheckFailure};

use crate::support::*;

/// An item with each type of attribute.
fn sample() -> Item {
    let nested = item([("deep", L(vec![n(2)])), ("a.b", n(1))]);
    let mut sample = key("p", "1");
    sample.extend(item([
        ("text", s("Grüße, 世界 🎓")),
        ("bytes", B(Blob::new([0, 255, 16]))),
        ("number", n(i64::MIN)),
        ("fraction", n("0.1")),
        ("flag", Bool(true)),
        ("nothing", Null(true)),
        ("texts", Ss(vec!["a".into(), "b".into()])),
        ("numbers", Ns(vec!["1".into(), "2".into()])),
        ("blobs", Bs(vec![Blob::new([1]), Blob::new([2])])),
        (
            "list",
            L(vec![s("x"), n("1.5"), Null(true), Bool(false), M(item([]))]),
        ),
        ("nested", M(nested)),
    ]));
    sample
}

#[tokio::test]
async fn every_type_is_returned_as_it_was_put() {
    let table = Table::new("every_type").await;
    table.put(sample()).await;
    let mut found = table.get("p", "1").await.unwrap();
    for value in found.values_mut() {
        match value {
            Ss(members) | Ns(members) => members.sort(),
            Bs(members) => members.sort_by(|a, b| a.as_ref().cmp(b.as_ref())),
            _ => {}
        }
    }
    assert_eq!(sample(), found);
    assert_eq!(None, table.get("p", "2").await);
}

#[tokio::test]
async fn numbers_keep_38_digits() {
    let table = Table::new("numbers").await;
    let digits = "1234567890123456789012345678901234.5678";
    for (put, found) in [(digits, digits), ("1E2", "100"), ("-0.50", "-0.5")] {
        let mut item = key("p", "1");
        item.insert("n".into(), n(put));
        table.put(item).await;
        assert_eq!(n(found), table.get("p", "1").await.unwrap()["n"]);
    }
}

#[tokio::test]
async fn a_put_replaces_the_item_and_returns_the_old_one_on_request() {
    let table = Table::new("replaced").await;
    table.put(sample()).await;
    let put = table
        .client
        .put_item()
        .table_name("replaced")
        .set_item(Some(key("p", "1")));
    let old = put.return_values(ReturnValue::AllOld).send().await.unwrap();
    assert_eq!(
        Some(&s("Grüße, 世界 🎓")),
        old.attributes().unwrap().get("text")
    );
    assert_eq!(Some(key("p", "1")), table.get("p", "1").await);
}

#[tokio::test]
async fn a_failed_condition_returns_the_item_on_request() {
    let table = Table::new("failed_condition").await;
    table.put(key("p", "1")).await;
    let put = table.client.put_item().table_name("failed_condition");
    let put = put
        .set_item(Some(sample()))
        .condition_expression("attribute_not_exists(PK)");
    let put =
        put.return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
    match put.send().await.unwrap_err().into_service_error() {
        PutItemError::ConditionalCheckFailedException(failed) => {
            assert_eq!(Some("The conditional request failed"), failed.message());
            assert_eq!(Some(&key("p", "1")), failed.item());
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(Some(key("p", "1")), table.get("p", "1").await);
}

#[tokio::test]
async fn one_update_sets_removes_adds_and_deletes() {
    let table = Table::new("updated").await;
    table.put(sample()).await;
    let updated = table
        .client
        .update_item()
        .table_name("updated")
        .set_key(Some(key("p", "1")))
        .update_expression(
            "SET #n = #n + :one, #l = list_append(#l, :y), absent = if_not_exists(absent, :found) \
             REMOVE nothing ADD fraction :one DELETE texts :a",
        )
        .expression_attribute_names("#n", "number")
        .expression_attribute_names("#l", "list")
        .expression_attribute_values(":one", n(1))
        .expression_attribute_values(":y", L(vec![s("y")]))
        .expression_attribute_values(":found", s("found"))
        .expression_attribute_values(":a", Ss(vec!["a".into()]))
        .return_values(ReturnValue::UpdatedNew)
        .send()
        .await
        .unwrap();
    let list = L(vec![
        s("x"),
        n("1.5"),
        Null(true),
        Bool(false),
        M(item([])),
        s("y"),
    ]);
    let expected = item([
        ("number", n(i64::MIN + 1)),
        ("fraction", n("1.1")),
        ("absent", s("found")),
        ("texts", Ss(vec!["b".into()])),
        ("list", list),
    ]);
    assert_eq!(Some(expected), updated.attributes);
    assert!(!table.get("p", "1").await.unwrap().contains_key("nothing"));
}

#[tokio::test]
async fn a_delete_returns_the_old_item_and_succeeds_for_an_absent_item() {
    let table = Table::new("deleted").await;
    table.put(sample()).await;
    for expected in [Some(s("Grüße, 世界 🎓")), None] {
        let delete = table.client.delete_item().table_name("deleted");
        let delete = delete
            .set_key(Some(key("p", "1")))
            .return_values(ReturnValue::AllOld);
        let old = delete.send().await.unwrap().attributes.unwrap_or_default();
        assert_eq!(expected.as_ref(), old.get("text"));
    }
}
