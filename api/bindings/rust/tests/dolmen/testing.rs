use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use dolmen::testing::{database, Fixture};
use dolmen::Options;
use serde_json::json;

use crate::own_process;
use crate::support::*;

static FILLS: AtomicUsize = AtomicUsize::new(0);

static FIXTURE: Fixture = Fixture::from_seed(
    r#"{"Tables": [{
        "TableName": "app",
        "KeySchema": [
            {"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
        "AttributeDefinitions": [
            {"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "SK", "AttributeType": "S"}],
        "BillingMode": "PAY_PER_REQUEST"}]}"#,
)
.fill(|db| {
    FILLS.fetch_add(1, Ordering::SeqCst);
    put(db, "filled");
    Ok(())
})
.options(|| Options {
    manual_clock: Some(begin()),
    ..Options::default()
});

#[test]
fn each_test_gets_a_fork_of_the_fixture() {
    thread::scope(|scope| {
        for sort in ["1", "2", "3"] {
            scope.spawn(move || {
                let db = FIXTURE.fork();
                put(&db, sort);
                let page = execute(&db, "Scan", json!({"TableName": "app"}));
                assert_eq!(json!([item(sort), item("filled")]), page["Items"]);
            });
        }
    });
    assert_eq!(1, FILLS.load(Ordering::SeqCst));
}

#[test]
fn the_clock_of_a_fork_stands_still() {
    let (db, hour) = (FIXTURE.fork(), Duration::from_secs(3600));
    assert_eq!(begin() + hour, db.advance(hour).unwrap());
    assert_eq!(begin(), FIXTURE.fork().clock().unwrap());
    let empty = database();
    assert_eq!(empty.clock().unwrap(), empty.clock().unwrap());
    assert_eq!(
        json!({"TableNames": []}),
        execute(&empty, "ListTables", json!({}))
    );
}

#[test]
fn a_test_that_panics_prints_the_simulated_failures() {
    let test = "testing::a_test_that_panics_prints_the_simulated_failures";
    let printed = own_process::run(test, Path::new(""), |_| {
        let test = || {
            let db = FIXTURE.fork();
            db.simulate(r#"{"Rules": [{"Fault": "Throttling"}]}"#)
                .unwrap();
            put(&db, "1");
        };
        catch_unwind(AssertUnwindSafe(test)).unwrap_err();
    });
    if let Some(printed) = printed {
        assert!(printed.contains("simulated failure: "), "{printed}");
        assert!(printed.contains("PutItem table=app"), "{printed}");
    }
}

#[test]
fn a_fixture_that_cannot_be_filled_fails_each_test() {
    static WRONG: Fixture = Fixture::from_seed("no seed");
    for _ in 0..2 {
        let panic = catch_unwind(|| WRONG.fork()).unwrap_err();
        let message = panic.downcast_ref::<String>().unwrap();
        assert!(message.starts_with("the fixture cannot be filled: ValidationException: "));
    }
}
