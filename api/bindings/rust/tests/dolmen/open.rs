use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

use dolmen::{restore, Database, Durability, OnConflict, Options};
use serde_json::json;

use crate::support::*;

#[test]
fn a_directory_keeps_its_items() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("app.dolmen");
    let db = Database::open(&path).unwrap();
    execute(&db, "CreateTable", table());
    put(&db, "1");
    drop(db);
    assert!(has(&Database::open(&path).unwrap(), "1"));
}

#[test]
fn a_directory_is_open_once() {
    let path = tempfile::tempdir().unwrap();
    let db = Database::open(&path).unwrap();
    message(Database::open(&path), "ResourceInUseException");
    let clone = db.clone();
    drop(db);
    message(Database::open(&path), "ResourceInUseException");
    drop(clone);
    Database::open(&path).unwrap();
}

#[test]
fn a_read_only_database_refuses_writes() {
    let path = tempfile::tempdir().unwrap();
    execute(&Database::open(&path).unwrap(), "CreateTable", table());
    let options = Options {
        read_only: true,
        ..Options::default()
    };
    let db = options.open(&path).unwrap();
    assert!(!has(&db, "1"));
    let request = put_request("1").to_string();
    db.execute("PutItem", request.as_bytes()).unwrap_err();
}

#[test]
fn an_encrypted_database_needs_its_key() {
    let path = tempfile::tempdir().unwrap();
    let options = Options {
        encryption_key: Some(*b"0123456789abcdef0123456789abcdef"),
        ..Options::default()
    };
    drop(options.open(&path).unwrap());
    Database::open(&path).unwrap_err();
    options.open(&path).unwrap();
}

#[test]
fn a_wrong_option_is_an_error_and_opens_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let none = directory.path().join("none");
    let options = || Options::default();
    for (word, options) in [
        (
            "none",
            Options {
                must_exist: true,
                ..options()
            },
        ),
        (
            "Account",
            Options {
                account: Some("1".into()),
                ..options()
            },
        ),
        (
            "NoSuchMember",
            Options {
                simulate: Some(json!({"NoSuchMember": 1})),
                ..options()
            },
        ),
        (
            "1970",
            Options {
                manual_clock: Some(std::time::UNIX_EPOCH - Duration::from_secs(1)),
                ..options()
            },
        ),
        (
            "9998",
            Options {
                manual_clock: Some(begin() + Duration::from_secs(1 << 38)),
                ..options()
            },
        ),
        (
            "CacheBytes",
            Options {
                cache_bytes: Some(u64::MAX),
                ..options()
            },
        ),
        (
            "ExpiryLagSeconds",
            Options {
                expiry_lag: Some(Duration::MAX),
                ..options()
            },
        ),
    ] {
        let message = message(options.open(&none), "ValidationException");
        assert!(message.contains(word), "{word}: {message}");
        assert!(!none.exists(), "{word}");
    }
    Database::open(&none).unwrap();
}

#[test]
fn every_option_is_accepted() {
    let options = Options {
        durability: Durability::Buffered,
        on_conflict: OnConflict::Fail,
        cache_bytes: Some(8 << 20),
        row_cache_bytes: Some(0),
        manual_clock: Some(begin()),
        expiry_lag: Some(Duration::from_millis(3_600_001)),
        region: Some("eu-west-1".into()),
        account: Some("123456789012".into()),
        ..Options::default()
    };
    let path = tempfile::tempdir().unwrap();
    let db = options.open(&path).unwrap();
    let description = execute(&db, "CreateTable", table());
    assert_eq!(
        "arn:aws:dynamodb:eu-west-1:123456789012:table/app",
        description["TableDescription"]["TableArn"]
    );
}

#[test]
fn a_backup_becomes_a_database() {
    let (db, directory) = (new_database(), tempfile::tempdir().unwrap());
    let (backup, restored) = (directory.path().join("backup"), directory.path().join("db"));
    put(&db, "1");
    let copied = db.backup(&backup).unwrap();
    assert!(copied.bytes >= copied.copied_bytes && copied.copied_bytes > 0);
    restore(&backup, &restored, None).unwrap();
    assert!(has(&Database::open(&restored).unwrap(), "1"));
    message(
        restore(directory.path(), &restored, None),
        "ValidationException",
    );
}

#[test]
fn a_path_is_the_bytes_of_the_file_system() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &[u8]| directory.path().join(OsStr::from_bytes(name));
    let db = Database::open(path(b"\xff\xfe")).unwrap();
    execute(&db, "CreateTable", table());
    put(&db, "1");
    db.backup(path(b"\xff backup")).unwrap();
    restore(path(b"\xff backup"), path(b"\xff copy"), None).unwrap();
    db.fork_to(path(b"\xff fork")).unwrap();
    drop(db);
    let options = Options {
        must_exist: true,
        ..Options::default()
    };
    for made in [&b"\xff\xfe"[..], b"\xff copy", b"\xff fork"] {
        assert!(has(&options.open(path(made)).unwrap(), "1"));
    }
    assert_eq!(4, directory.path().read_dir().unwrap().count());
}

#[test]
fn a_path_that_is_no_path_is_an_error() {
    let db = new_database();
    for path in [OsStr::new(""), OsStr::new("a\0b")] {
        message(Database::open(path), "ValidationException");
        message(db.fork_to(path), "ValidationException");
        message(db.backup(path), "ValidationException");
        message(restore(path, "b", None), "ValidationException");
    }
}

#[test]
fn the_version_is_that_of_the_library() {
    assert_eq!(2, dolmen::version().unwrap().matches('.').count());
}
