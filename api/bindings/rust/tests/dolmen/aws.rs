use std::time::Duration;

use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::RequestId;
use aws_sdk_dynamodb::types::AttributeValue;
use aws_sdk_dynamodb::{Client, Config};
use aws_smithy_runtime_api::client::http::HttpConnector;
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_types::body::SdkBody;
use dolmen::aws::{config, HttpClient};
use dolmen::{testing, Database, Durability, Options};
use serde_json::json;
use tempfile::TempDir;

use crate::growth;
use crate::support::*;

fn text(value: &str) -> AttributeValue {
    AttributeValue::S(value.to_owned())
}

async fn put_item(client: &Client, sort: &str) -> String {
    let put = client.put_item().table_name("app");
    let put = put.item("PK", text("a")).item("SK", text(sort));
    put.send().await.unwrap().request_id().unwrap().to_owned()
}

#[tokio::test]
async fn a_client_reads_and_writes() {
    let db = new_database();
    let client = db.client();
    let first = put_item(&client, "1").await;
    assert_ne!(first, put_item(&client, "2").await);
    assert!(has(&db, "1"));
    let get = client.get_item().table_name("app");
    let found = get.key("PK", text("a")).key("SK", text("1")).send().await;
    assert_eq!(text("1"), found.unwrap().item.unwrap()["SK"]);
}

#[tokio::test]
async fn an_error_is_that_of_the_sdk() {
    let client = new_database().client();
    put_item(&client, "1").await;
    let put = client.put_item().table_name("app");
    let put = put.item("PK", text("a")).item("SK", text("1"));
    let error = put
        .condition_expression("attribute_not_exists(PK)")
        .send()
        .await
        .unwrap_err();
    assert!(error
        .as_service_error()
        .unwrap()
        .is_conditional_check_failed_exception());
    assert_eq!(Some("The conditional request failed"), error.message());
    assert!(error.request_id().is_some());
}

#[tokio::test]
async fn the_sdk_repeats_a_throttled_request() {
    let db = testing::database();
    execute(&db, "CreateTable", table());
    db.simulate(r#"{"Rules": [{"Fault": "Throttling", "CallsMax": 1}]}"#)
        .unwrap();
    put_item(&db.client(), "1").await;
    assert_eq!(1, db.trace().unwrap().len());
}

#[tokio::test]
async fn a_configuration_can_be_changed() {
    let db = testing::database();
    execute(&db, "CreateTable", table());
    db.simulate(r#"{"Rules": [{"Fault": "Throttling", "CallsMax": 1}]}"#)
        .unwrap();
    let once = config(&db).retry_config(RetryConfig::disabled());
    let scan = Client::from_conf(once.build()).scan().table_name("app");
    let error = scan.send().await.unwrap_err();
    assert_eq!(Some("ThrottlingException"), error.code());
}

#[tokio::test]
async fn a_configuration_of_the_program_needs_only_the_http_client() {
    let db = new_database();
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("eu-west-1"))
        .credentials_provider(Credentials::new("a", "b", None, None, "test"))
        .http_client(HttpClient::new(&db));
    put_item(&Client::from_conf(config.build()), "1").await;
    assert!(has(&db, "1"));
}

#[tokio::test]
async fn a_client_keeps_its_database_open() {
    let client = new_database().client();
    put_item(&client, "1").await;
}

/// Opens a database on disk with the table app. The directory is deleted with the first value.
fn on_disk() -> (TempDir, Database) {
    let directory = tempfile::tempdir().unwrap();
    let options = Options {
        durability: Durability::Buffered,
        ..Options::default()
    };
    let db = options.open(&directory).unwrap();
    execute(&db, "CreateTable", table());
    (directory, db)
}

#[tokio::test]
async fn a_client_reads_and_writes_on_disk() {
    let (_directory, db) = on_disk();
    put_item(&db.client(), "1").await;
    assert!(has(&db, "1"));
}

/// The other task shares the thread, so it waits until this task lets it run. The calls do not pass
/// the SDK, which lets it run, too.
#[tokio::test]
async fn a_task_that_calls_without_end_lets_other_tasks_run() {
    let http_client = HttpClient::new(&new_database());
    let other = tokio::spawn(async {});
    for _ in 0..1000 {
        if other.is_finished() {
            return;
        }
        let mut request = HttpRequest::new(SdkBody::from("{}"));
        let target = "DynamoDB_20120810.ListTables";
        request.headers_mut().insert("x-amz-target", target);
        http_client.call(request).await.unwrap();
    }
    panic!("the other task does not run");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_calls_wait_for_each_other() {
    let (_directory, db) = on_disk();
    let client = db.client();
    let mut calls = tokio::task::JoinSet::new();
    for sort in 0..500 {
        let client = client.clone();
        calls.spawn(async move { put_item(&client, &sort.to_string()).await });
    }
    assert_eq!(500, calls.join_all().await.len());
    let page = execute(&db, "Scan", json!({"TableName": "app", "Select": "COUNT"}));
    assert_eq!(500, page["Count"]);
}

/// Another call holds the only thread for blocking calls, so the request waits until it is dropped.
#[test]
fn a_request_that_times_out_while_it_waits_is_not_executed() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .max_blocking_threads(1)
        .build()
        .unwrap();
    let (_directory, db) = on_disk();
    runtime.block_on(async {
        let (finish, finishes) = std::sync::mpsc::channel::<()>();
        let other = tokio::task::spawn_blocking(move || finishes.recv());
        let timeout = TimeoutConfig::builder().operation_timeout(Duration::from_millis(1));
        let config = config(&db).timeout_config(timeout.build());
        let put = Client::from_conf(config.build())
            .put_item()
            .table_name("app");
        let put = put.item("PK", text("a")).item("SK", text("1"));
        let error = put.send().await.unwrap_err();
        assert!(matches!(error, SdkError::TimeoutError(_)), "{error:?}");
        finish.send(()).unwrap();
        other.await.unwrap().unwrap();
        tokio::task::spawn_blocking(|| ()).await.unwrap(); // the request would have run before this
    });
    assert!(!has(&db, "1"));
}

/// The SDK takes milliseconds for a call if it is compiled without optimization.
#[test]
fn calls_of_a_client_do_not_make_the_process_grow() {
    let test = "aws::calls_of_a_client_do_not_make_the_process_grow";
    growth::check(test, 2000, || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let db = new_database();
        growth::put_large(&db);
        let get = db.client().get_item().table_name("app");
        let get = get.key("PK", text("a")).key("SK", text("large"));
        Box::new(move |_| {
            let found = runtime.block_on(get.clone().send()).unwrap();
            assert_eq!(3, found.item.unwrap().len());
        })
    });
}
