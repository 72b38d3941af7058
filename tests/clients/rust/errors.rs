use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use aws_sdk_dynamodb::operation::RequestId;
use aws_sdk_dynamodb::types::BillingMode;

use crate::support::*;

#[tokio::test]
async fn errors_have_the_types_of_the_api_model() {
    let client = Table::new("used").await.client;
    let missing = client
        .describe_table()
        .table_name("nowhere")
        .send()
        .await
        .unwrap_err();
    assert!(missing
        .into_service_error()
        .is_resource_not_found_exception());
    let create = client
        .create_table()
        .table_name("used")
        .billing_mode(BillingMode::PayPerRequest);
    let create = create.set_attribute_definitions(Some(["PK", "SK"].map(definition).to_vec()));
    let used = create
        .set_key_schema(Some(key_schema("PK", "SK")))
        .send()
        .await
        .unwrap_err();
    assert!(used.into_service_error().is_resource_in_use_exception());
}

#[tokio::test]
async fn an_error_has_code_message_status_and_request_id() {
    let client = Table::new("invalid").await.client;
    let scan = client
        .scan()
        .table_name("invalid")
        .filter_expression("a = :a");
    let error = scan.send().await.unwrap_err();
    assert_eq!(Some("ValidationException"), error.code());
    assert_eq!(
        Some(
            "Invalid FilterExpression: An expression attribute value used in expression is not \
             defined; attribute value: :a"
        ),
        error.message()
    );
    assert_eq!(400, error.raw_response().unwrap().status().as_u16());
    assert_ne!("", error.request_id().unwrap());
}
