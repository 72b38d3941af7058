//! The server that the environment names.

use std::env;
use std::io::{Read, Write};
use std::net::TcpStream;

use aws_sdk_dynamodb::config::{
    BehaviorVersion, Builder, Credentials, Region, SharedCredentialsProvider, SharedHttpClient,
};

const SECRET: &str = "secret";

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} must be set"))
}

pub fn endpoint() -> String {
    variable("DOLMEN_ENDPOINT")
}

pub fn http_client() -> SharedHttpClient {
    aws_smithy_http_client::Builder::new().build_http()
}

pub fn credentials() -> SharedCredentialsProvider {
    SharedCredentialsProvider::new(credentials_of(&variable("AWS_ACCESS_KEY_ID")))
}

fn credentials_of(access_key: &str) -> Credentials {
    Credentials::new(access_key, SECRET, None, None, "environment")
}

/// Returns the configuration of a client of DynamoDB.
pub fn config() -> Builder {
    Builder::new()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new(variable("AWS_REGION")))
        .endpoint_url(endpoint())
        .credentials_provider(credentials())
        .http_client(http_client())
}

/// A database that no other test uses, which can simulate failures.
pub struct Simulated;

impl Simulated {
    const ACCESS_KEY: &str = "throttled";

    pub fn new() -> Self {
        Self
    }

    pub fn config(&self) -> Builder {
        config().credentials_provider(credentials_of(Self::ACCESS_KEY))
    }

    pub fn simulate(&self, simulation: &str) {
        Self::control("POST", simulation);
    }

    /// Returns the number of the simulated failures.
    pub fn failures(&self) -> usize {
        Self::control("GET", "").matches("Throttling").count()
    }

    /// Sends a control request and returns the answer.
    fn control(method: &str, body: &str) -> String {
        let endpoint = endpoint();
        let address = endpoint.strip_prefix("http://").unwrap();
        let mut server = TcpStream::connect(address).unwrap();
        write!(
            server,
            "{method} /_dolmen/simulate HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
             X-Dolmen-Access-Key: {}\r\nContent-Length: {}\r\n\r\n{body}",
            Self::ACCESS_KEY,
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        server.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        answer
    }
}
