//! The tests of the crate.

mod calls;
mod database;
mod exit;
mod growth;
mod open;
mod own_process;
mod readme;
mod shop;
mod subscription;
mod support;
mod testing;
mod threads;
