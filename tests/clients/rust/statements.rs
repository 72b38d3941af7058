use aws_sdk_dynamodb::operation::execute_statement::builders::ExecuteStatementFluentBuilder;
use aws_sdk_dynamodb::operation::execute_transaction::ExecuteTransactionError;
use aws_sdk_dynamodb::types::{
    AttributeValue, BatchStatementErrorCodeEnum, BatchStatementRequest, ParameterizedStatement,
};

use crate::support::*;

fn statement<const N: usize>(
    table: &Table,
    statement: &str,
    parameters: [AttributeValue; N],
) -> ExecuteStatementFluentBuilder {
    let statement = table.client.execute_statement().statement(statement);
    // DynamoDB refuses an empty list.
    statement.set_parameters((N > 0).then(|| parameters.to_vec()))
}

#[tokio::test]
async fn statements_insert_select_update_and_delete() {
    let table = Table::new("statements").await;
    let insert = "INSERT INTO statements VALUE {'PK': 'a', 'SK': ?, 'n': 1}";
    statement(&table, insert, [s("1")]).send().await.unwrap();
    let update = "UPDATE statements SET n = n + ? WHERE PK = 'a' AND SK = '1' RETURNING ALL NEW *";
    let updated = statement(&table, update, [n(2)]).send().await.unwrap();
    let mut expected = key("a", "1");
    expected.insert("n".into(), n(3));
    assert_eq!([expected], updated.items());
    let select = "SELECT n FROM statements WHERE PK = ? AND n > 2";
    let selected = statement(&table, select, [s("a")]).send().await.unwrap();
    assert_eq!([item([("n", n(3))])], selected.items());
    let delete = "DELETE FROM statements WHERE PK = 'a' AND SK = '1'";
    statement(&table, delete, []).send().await.unwrap();
    assert_eq!(None, table.get("a", "1").await);
}

#[tokio::test]
async fn a_statement_reads_an_index_page_by_page() {
    let table = Table::new("statement_pages").await;
    for sk in ["1", "2", "3", "4", "5"] {
        let mut item = key("a", sk);
        item.extend([("GSI1PK".into(), s("all")), ("GSI1SK".into(), s(sk))]);
        table.put(item).await;
    }
    let select = "SELECT SK FROM \"statement_pages\".\"GSI1\" WHERE GSI1PK = 'all'";
    let mut pages = Vec::new();
    let mut token = None;
    loop {
        let page = statement(&table, select, []).limit(2).set_next_token(token);
        let page = page.send().await.unwrap();
        pages.push(texts(page.items(), "SK"));
        token = page.next_token;
        if token.is_none() {
            break;
        }
    }
    assert_eq!(["1", "2", "3", "4", "5"], pages.concat()[..]);
    assert_eq!(2, pages[0].len());
}

#[tokio::test]
async fn errors_of_statements_have_their_types() {
    let table = Table::new("statement_errors").await;
    table.put(key("a", "1")).await;
    let insert = "INSERT INTO statement_errors VALUE {'PK': 'a', 'SK': '1'}";
    let error = statement(&table, insert, []).send().await.unwrap_err();
    assert!(error.into_service_error().is_duplicate_item_exception());
    let update = "UPDATE statement_errors SET n = 1 WHERE PK = 'a' AND SK = '2'";
    let error = statement(&table, update, []).send().await.unwrap_err();
    assert!(error
        .into_service_error()
        .is_conditional_check_failed_exception());
    message(
        statement(&table, "SELECT", []).send().await,
        "ValidationException",
    );
}

#[tokio::test]
async fn a_batch_of_statements_has_a_result_for_each() {
    let table = Table::new("statement_batch").await;
    table.put(key("a", "1")).await;
    let statements = ["1", "2", "3"].map(|sk| {
        let select = "SELECT * FROM statement_batch WHERE PK = 'a' AND SK = ?";
        let insert = "INSERT INTO statement_batch VALUE {'PK': 'a', 'SK': '1', 'n': ?}";
        let request = BatchStatementRequest::builder().parameters(s(sk));
        request
            .statement(if sk == "3" { insert } else { select })
            .build()
            .unwrap()
    });
    for (statements, expected) in [
        (
            &statements[..2],
            vec![(Some(key("a", "1")), None), (None, None)],
        ),
        (
            &statements[2..],
            vec![(None, Some(BatchStatementErrorCodeEnum::DuplicateItem))],
        ),
    ] {
        let batch = table.client.batch_execute_statement();
        let done = batch
            .set_statements(Some(statements.to_vec()))
            .send()
            .await
            .unwrap();
        let found = done.responses.unwrap_or_default().into_iter();
        let found = found.map(|one| (one.item, one.error.and_then(|error| error.code)));
        assert_eq!(expected, found.collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn a_transaction_of_statements_is_executed_as_a_whole() {
    let table = Table::new("statement_transaction").await;
    table.put(key("a", "1")).await;
    let insert = |sk: &str| {
        let insert = "INSERT INTO statement_transaction VALUE {'PK': 'a', 'SK': ?}";
        ParameterizedStatement::builder()
            .statement(insert)
            .parameters(s(sk))
            .build()
            .unwrap()
    };
    let transaction = |statements| {
        table
            .client
            .execute_transaction()
            .set_transact_statements(Some(statements))
            .send()
    };
    let error = transaction(vec![insert("2"), insert("1")])
        .await
        .unwrap_err();
    match error.into_service_error() {
        ExecuteTransactionError::TransactionCanceledException(cancelled) => {
            let codes = cancelled
                .cancellation_reasons()
                .iter()
                .map(|reason| reason.code());
            let expected = [Some("None"), Some("DuplicateItem")];
            assert_eq!(expected, codes.collect::<Vec<_>>()[..]);
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(None, table.get("a", "2").await);
    transaction(vec![insert("2"), insert("3")]).await.unwrap();
    assert_eq!(Some(key("a", "3")), table.get("a", "3").await);
}
