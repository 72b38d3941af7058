use std::sync::mpsc::{channel, Receiver, Sender};
use std::sync::{Arc, Mutex};

use dolmen::{Database, Subscription};
use serde_json::{json, Value};

use crate::support::*;

/// Returns the sort keys of the records.
fn sorts(records: &[u8]) -> Vec<String> {
    let found: Vec<Value> = serde_json::from_slice(records).unwrap();
    let sort = |record: &Value| {
        record["dynamodb"]["Keys"]["SK"]["S"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    found.iter().map(sort).collect()
}

/// Begins a subscription that sends the sort key of each change.
fn subscribe(db: &Database, seen: &Sender<String>) -> Subscription {
    let seen = seen.clone();
    db.subscribe("app", "name", move |records| {
        for sort in sorts(records) {
            seen.send(sort)?;
        }
        Ok(())
    })
    .unwrap()
}

#[test]
fn a_handler_gets_the_changes_in_order() {
    let (db, (sender, seen)) = (new_database(), channel());
    let subscription = subscribe(&db, &sender);
    put(&db, "1");
    put(&db, "2");
    assert_eq!("1", seen.recv().unwrap());
    assert_eq!("2", seen.recv().unwrap());
    drop(subscription);
    put(&db, "3");
    let _resumed = subscribe(&db, &sender);
    assert_eq!("3", seen.recv().unwrap());
}

#[test]
fn a_subscription_that_cannot_begin_is_an_error() {
    let db = new_database();
    let _running = db.subscribe("app", "name", |_| Ok(())).unwrap();
    for (table, name, error) in [
        ("app", "name", "ResourceInUseException"),
        ("none", "name", "ResourceNotFoundException"),
        ("app", "", "ValidationException"),
        ("app", "a\0b", "ValidationException"),
    ] {
        message(db.subscribe(table, name, |_| Ok(())), error);
    }
}

/// Returns the batches of a handler whose first call has the result of `first`.
fn batches(
    db: &Database,
    first: fn() -> dolmen::HandlerResult,
) -> (Subscription, Receiver<Vec<u8>>) {
    let (sender, seen) = channel();
    let mut calls = 0;
    let subscription = db.subscribe("app", "name", move |records| {
        sender.send(records.to_vec())?;
        calls += 1;
        if calls == 1 {
            first()
        } else {
            Ok(())
        }
    });
    (subscription.unwrap(), seen)
}

#[test]
fn a_failed_handler_gets_the_records_again() {
    let db = new_database();
    let (_subscription, seen) = batches(&db, || Err("not now".into()));
    put(&db, "1");
    assert_eq!(seen.recv().unwrap(), seen.recv().unwrap());
}

#[test]
fn a_handler_that_panics_gets_the_records_again() {
    let db = new_database();
    let (_subscription, seen) = batches(&db, || panic!("this panic is part of the test"));
    put(&db, "1");
    assert_eq!(seen.recv().unwrap(), seen.recv().unwrap());
}

#[test]
fn a_subscription_keeps_its_database_open() {
    let (db, (sender, seen)) = (new_database(), channel());
    let (within, item) = (db.clone(), item("1"));
    let subscription = db.subscribe("app", "name", move |_| {
        let found = execute(&within, "GetItem", get_request("1"));
        sender.send(found["Item"].clone())?;
        Ok(())
    });
    put(&db, "1");
    drop(db);
    assert_eq!(item, seen.recv().unwrap());
    drop(subscription);
}

#[test]
fn drop_waits_for_the_handler() {
    let (db, (called, calls), finished) = (new_database(), channel(), Arc::new(Mutex::new(false)));
    let (within, (finish, finishes)) = (finished.clone(), channel());
    let subscription = db.subscribe("app", "name", move |_| {
        called.send(())?;
        finishes.recv()?;
        *within.lock().unwrap() = true;
        Ok(())
    });
    put(&db, "1");
    calls.recv().unwrap();
    let other = std::thread::spawn(move || finish.send(()));
    drop(subscription);
    assert!(*finished.lock().unwrap());
    other.join().unwrap().unwrap();
}

#[test]
fn a_handler_can_drop_its_own_subscription() {
    let (db, (sender, seen)) = (new_database(), channel());
    let own: Arc<Mutex<Option<Subscription>>> = Arc::default();
    let within = own.clone();
    let begun = own.lock().unwrap();
    let subscription = db.subscribe("app", "name", move |_| {
        drop(within.lock().unwrap().take());
        sender.send(())?;
        Ok(())
    });
    { begun }.replace(subscription.unwrap());
    put(&db, "1");
    seen.recv().unwrap();
    assert!(seen.recv().is_err()); // the handler has been freed
    let request = json!({"TableName": "app", "Item": item("2")});
    execute(&db, "PutItem", request);
}
