//! Connects clients of aws-sdk-dynamodb to a database in the process.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use aws_sdk_dynamodb::config::{BehaviorVersion, Builder, Region, StalledStreamProtectionConfig};
use aws_sdk_dynamodb::Client;
use aws_smithy_runtime_api::client::http::{
    HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::coop::consume_budget;
use tokio::task::JoinSet;

use crate::{Database, Response};

/// The largest number of calls that a database executes for one [`HttpClient`] at the same time.
/// Writes that wait for the disk together share one wait, so it is larger than the number of cores.
const CALLS_MAX: usize = 64;

impl Database {
    /// Returns a client whose requests this database executes ([`aws::config`](config)).
    pub fn client(&self) -> Client {
        Client::from_conf(config(self).build())
    }
}

/// Returns a configuration whose requests the database executes, in the region "us-east-1". The SDK
/// neither signs the requests nor watches for stalled streams. Retries, timeouts and all other parts
/// work as over HTTP.
pub fn config(db: &Database) -> Builder {
    Builder::new()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::from_static("us-east-1"))
        .allow_no_auth()
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
        .http_client(HttpClient::new(db))
}

/// Executes the requests of AWS SDKs without a network. It also serves clients of DynamoDB Streams.
/// Signatures are not checked.
///
/// ```
/// # use aws_sdk_dynamodb::config::{BehaviorVersion, Region};
/// # let db = dolmen::Database::in_memory()?;
/// let config = aws_sdk_dynamodb::Config::builder()
///     .behavior_version(BehaviorVersion::latest())
///     .region(Region::new("us-east-1"))
///     .allow_no_auth()
///     .http_client(dolmen::aws::HttpClient::new(&db))
///     .build();
/// let client = aws_sdk_dynamodb::Client::from_conf(config);
/// # Ok::<(), dolmen::Error>(())
/// ```
///
/// A database in memory executes a request in the task that awaits it, because a request never waits
/// for a disk. Such a task lets other tasks run from time to time.
///
/// A database on disk executes requests in tokio's threads for blocking calls, so they do not hold up
/// other tasks. A clone shares the limit of 64 calls at the same time; further calls wait. A request
/// that is dropped while it waits is not executed.
#[derive(Debug, Clone)]
pub struct HttpClient {
    database: Database,
    calls: Arc<Semaphore>,
}

impl HttpClient {
    pub fn new(db: &Database) -> Self {
        Self {
            database: db.clone(),
            calls: Arc::new(Semaphore::new(CALLS_MAX)),
        }
    }
}

impl aws_smithy_runtime_api::client::http::HttpClient for HttpClient {
    fn http_connector(
        &self,
        _: &HttpConnectorSettings,
        _: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl HttpConnector for HttpClient {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let Self { database, calls } = self.clone();
        HttpConnectorFuture::new(async move {
            if database.is_in_memory() {
                consume_budget().await;
                return execute(&database, &request);
            }
            let permit = calls.acquire_owned().await.map_err(other)?;
            execute_in_thread(database, request, permit).await
        })
    }
}

async fn execute_in_thread(
    database: Database,
    request: HttpRequest,
    permit: OwnedSemaphorePermit,
) -> Result<HttpResponse, ConnectorError> {
    let runtime = Handle::try_current().map_err(other)?;
    let mut call = JoinSet::new(); // ends the call if the request is dropped before it begins
    let execute = move || {
        let response = execute(&database, &request);
        drop(permit);
        response
    };
    call.spawn_blocking_on(execute, &runtime);
    call.join_next()
        .await
        .expect("the set has one call")
        .map_err(other)?
}

fn execute(database: &Database, request: &HttpRequest) -> Result<HttpResponse, ConnectorError> {
    let target = request
        .headers()
        .get("x-amz-target")
        .ok_or_else(|| user("the request has no header X-Amz-Target"))?;
    let operation = target.rsplit('.').next().unwrap_or_default();
    let body = request
        .body()
        .bytes()
        .ok_or_else(|| user("the body of the request is a stream"))?;
    let (status, response) = database.status_and_response(operation, body);
    response_of(u16::try_from(status).map_err(other)?, response)
}

/// Returns the response with the headers that the SDK reads.
fn response_of(status: u16, response: Response) -> Result<HttpResponse, ConnectorError> {
    static CALLS: AtomicU64 = AtomicU64::new(1);
    let number = CALLS.fetch_add(1, Ordering::Relaxed);
    let body = SdkBody::from(Bytes::from_owner(response));
    let mut response = HttpResponse::new(status.try_into().map_err(other)?, body);
    let headers = response.headers_mut();
    headers.insert("content-type", "application/x-amz-json-1.0");
    headers.insert("x-amzn-requestid", format!("{number:052}"));
    Ok(response)
}

fn other(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> ConnectorError {
    ConnectorError::other(error.into(), None)
}

fn user(message: &str) -> ConnectorError {
    ConnectorError::user(message.into())
}
