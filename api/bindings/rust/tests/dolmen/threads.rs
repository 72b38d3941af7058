use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Barrier;
use std::thread;

use dolmen::testing::{Fixture, TestDatabase};
use dolmen::{Database, Error, Options, Response, Subscription};
use serde_json::{json, Value};

use crate::support::*;

const THREADS: usize = 8;

/// Runs the function in 8 threads, which begin at the same time, and waits for them.
fn together(run: impl Fn(usize) + Sync) {
    let barrier = Barrier::new(THREADS);
    thread::scope(|scope| {
        for number in 0..THREADS {
            let (barrier, run) = (&barrier, &run);
            scope.spawn(move || {
                barrier.wait();
                run(number);
            });
        }
    });
}

#[test]
fn threads_may_share_all_types() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Database>();
    is_shared::<Response>();
    is_shared::<Subscription>();
    is_shared::<Error>();
    is_shared::<Options>();
    is_shared::<Fixture>();
    is_shared::<TestDatabase>();
}

#[test]
fn threads_share_a_database() {
    const ROUNDS: usize = 100;
    let db = new_database();
    let increment = json!({
        "TableName": "app", "Key": item("count"), "UpdateExpression": "ADD n :one",
        "ExpressionAttributeValues": {":one": {"N": "1"}}});
    together(|number| {
        for round in 0..ROUNDS {
            let sort = format!("{number}-{round}");
            put(&db, &sort);
            execute(&db, "UpdateItem", increment.clone());
            assert!(has(&db, &sort));
            if round % 10 == 0 {
                assert!(has(&db.fork().unwrap(), &sort));
            }
        }
    });
    let page = execute(&db, "Scan", json!({"TableName": "app"}));
    assert_eq!(THREADS * ROUNDS + 1, page["Count"]);
    let counted = page["Items"].as_array().unwrap().last().unwrap();
    assert_eq!((THREADS * ROUNDS).to_string(), counted["n"]["N"]);
}

#[test]
fn threads_drop_their_clones_while_others_write() {
    let path = tempfile::tempdir().unwrap();
    let db = Database::open(&path).unwrap();
    execute(&db, "CreateTable", table());
    let clones: Vec<_> = (0..THREADS)
        .map(|_| std::sync::Mutex::new(Some(db.clone())))
        .collect();
    drop(db);
    together(|number| {
        let db = clones[number].lock().unwrap().take().unwrap();
        for round in 0..number {
            put(&db, &format!("{number}-{round}"));
        }
    });
    let db = Database::open(&path).unwrap(); // the last drop has closed the database
    let page = execute(&db, "Scan", json!({"TableName": "app", "Select": "COUNT"}));
    assert_eq!(THREADS * (THREADS - 1) / 2, page["Count"]);
}

#[test]
fn a_reset_is_before_or_after_a_call() {
    let db = new_database();
    put(&db, "1");
    let (fork, done) = (db.fork().unwrap(), AtomicBool::new(false));
    together(|number| {
        if number == 0 {
            for _ in 0..20 {
                fork.reset().unwrap();
            }
            done.store(true, Ordering::SeqCst);
        }
        while !done.load(Ordering::SeqCst) {
            put(&fork, "2");
            let page: Value = execute(&fork, "Scan", json!({"TableName": "app"}));
            assert_eq!(item("1"), page["Items"][0]);
        }
    });
}
