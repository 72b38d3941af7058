//! The AWS SDK for Rust: each operation, its results and its errors.

#![cfg(test)]

mod batches;
mod errors;
mod items;
#[cfg_attr(feature = "in_process", path = "in_process.rs")]
#[cfg_attr(not(feature = "in_process"), path = "over_http.rs")]
mod peer;
mod queries;
mod retries;
mod statements;
mod streams;
mod support;
mod tables;
mod transactions;
