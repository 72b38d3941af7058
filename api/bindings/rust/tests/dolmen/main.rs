//! One program with all tests, because each program with the AWS SDK takes long to link.

#[cfg(feature = "aws")]
mod aws;
mod calls;
mod child_process;
mod database;
mod exit;
mod growth;
mod open;
mod own_process;
#[cfg(feature = "aws")]
mod readme;
#[cfg(feature = "aws")]
mod shop;
mod subscription;
mod support;
mod testing;
mod threads;
