use std::collections::VecDeque;
use std::path::Path;

use dolmen::Database;
use serde_json::json;

use crate::own_process;
use crate::support::*;

/// The memory that a process takes while its caches and its heap find their final size.
const MARGIN: usize = 8 << 20;

/// Calls the function this many times, or DOLMEN_STEPS times, and checks that the process does not
/// grow. The process is one of its own, because other tests use memory, too.
pub fn check(test: &str, calls: usize, begin: impl FnOnce() -> Box<dyn FnMut(usize)>) {
    own_process::run(test, Path::new(""), |_| {
        let mut call = begin();
        (0..calls / 2).for_each(&mut call);
        let calls = steps(calls);
        let before = resident_bytes();
        (0..calls).for_each(&mut call);
        let growth = resident_bytes().saturating_sub(before);
        let (before, growth) = (before >> 10, growth >> 10);
        println!("{calls} calls, resident memory {before} kB, growth {growth} kB");
        assert!(growth <= MARGIN >> 10, "the process has grown");
    });
}

fn resident_bytes() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    text.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

#[test]
fn calls_do_not_make_the_process_grow() {
    check("growth::calls_do_not_make_the_process_grow", 20_000, || {
        let db = new_database();
        (0..100).for_each(|sort| put(&db, &sort.to_string()));
        let query = json!({
            "TableName": "app", "KeyConditionExpression": "PK = :p", "Limit": 50,
            "ExpressionAttributeValues": {":p": {"S": "a"}}});
        let refused = json!({
            "TableName": "app", "Item": item("7"),
            "ConditionExpression": "attribute_not_exists(PK)"});
        Box::new(move |number| {
            match number % 3 {
                0 => assert!(has(&db, "7")),
                1 => assert_eq!(50, execute(&db, "Query", query.clone())["Count"]),
                _ => {
                    let result = db.execute("PutItem", refused.to_string().as_bytes());
                    message(result, "ConditionalCheckFailedException");
                }
            }
            if number % 1000 == 0 {
                let fork = db.fork().unwrap();
                let _subscription = fork.subscribe("app", "name", |_| Ok(())).unwrap();
                fork.reset().unwrap();
            }
        })
    });
}

/// Puts an item that is larger than the memory that a call may keep.
pub fn put_large(db: &Database) {
    let mut large = put_request("large");
    large["Item"]["text"] = json!({"S": "x".repeat(20_000)});
    execute(db, "PutItem", large);
}

#[test]
fn a_dropped_response_frees_its_bytes() {
    check("growth::a_dropped_response_frees_its_bytes", 20_000, || {
        let db = new_database();
        put_large(&db);
        let request = get_request("large").to_string();
        let mut held = VecDeque::new();
        Box::new(move |_| {
            held.push_back(db.execute("GetItem", request.as_bytes()).unwrap());
            if held.len() > 8 {
                assert!(held.pop_front().unwrap().len() > 20_000);
            }
        })
    });
}
