use std::process;

use dolmen::Database;

use crate::own_process;
use crate::support::*;

#[test]
fn an_exit_with_an_open_database_is_clean_and_loses_nothing() {
    let path = tempfile::tempdir().unwrap();
    let test = "exit::an_exit_with_an_open_database_is_clean_and_loses_nothing";
    own_process::run(test, path.path(), |path| {
        let db = Database::open(path).unwrap();
        execute(&db, "CreateTable", table());
        let _subscription = db.subscribe("app", "name", |_| Ok(())).unwrap();
        put(&db, "1");
        process::exit(0);
    });
    assert!(has(&Database::open(&path).unwrap(), "1"));
}
