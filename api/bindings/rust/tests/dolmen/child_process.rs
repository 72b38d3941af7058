use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;
use std::process;

use dolmen::Database;

use crate::own_process;
use crate::support::*;

/// The child ends by exit(3), which must not wait for the threads of the parent.
#[test]
fn a_child_process_of_fork_cannot_use_the_database() {
    let test = "child_process::a_child_process_of_fork_cannot_use_the_database";
    own_process::run(test, Path::new(""), |_| {
        let db = new_database();
        // SAFETY: the child allocates memory, which glibc allows after fork(2).
        let child = unsafe { libc::fork() };
        if child == 0 {
            let refused = catch_unwind(AssertUnwindSafe(|| be_refused(db)));
            process::exit(i32::from(refused.is_err()));
        }
        let mut status = -1;
        // SAFETY: the status lives during the call.
        unsafe { libc::waitpid(child, &mut status, 0) };
        assert_eq!(0, status, "the child has failed");
        put(&db, "1");
        assert!(has(&db, "1"));
    });
}

fn be_refused(db: Database) {
    let request = get_request("1").to_string();
    for result in [
        db.execute("GetItem", request.as_bytes()).map(drop),
        db.fork().map(drop),
        Database::in_memory().map(drop),
    ] {
        let message = message(result, "InternalServerError");
        assert!(message.contains("child of fork(2)"), "{message}");
        assert!(message.contains("exec"), "{message}");
    }
}
