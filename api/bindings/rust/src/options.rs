use std::ffi::CStr;
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::{json, Map, Value};

use crate::error::{c_path, c_text};
use crate::{Database, Error};

/// The events that an acknowledged write survives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Durability {
    /// A power cut.
    #[default]
    Sync,
    /// A crash of the process. Writes are faster.
    Buffered,
}

/// The effect of a running transaction that has locked the item of a write.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OnConflict {
    /// The write waits for the transaction.
    #[default]
    Wait,
    /// The write fails with TransactionConflictException, as in DynamoDB.
    Fail,
}

/// The options of a new or reopened database.
///
/// ```
/// let options = dolmen::Options { region: Some("eu-west-1".into()), ..Default::default() };
/// let db = options.in_memory()?; // or options.open("app.dolmen")
/// # Ok::<(), dolmen::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Options {
    pub durability: Durability,
    pub on_conflict: OnConflict,
    /// Opens the directory without changing it, and refuses writes.
    pub read_only: bool,
    /// Fails if the directory has no database.
    pub must_exist: bool,
    /// The key of all files. None: the files are not encrypted.
    pub encryption_key: Option<[u8; 32]>,
    /// The size of the read cache. None: 64 MiB.
    pub cache_bytes: Option<u64>,
    /// The size of the row cache. None: 32 MiB. 0: no row cache.
    pub row_cache_bytes: Option<u64>,
    /// The time with which a manual clock begins. The clock then stands still until
    /// [`Database::set_clock`] or [`Database::advance`]. None: the clock of the machine.
    pub manual_clock: Option<SystemTime>,
    /// The time within which an expired item is deleted, rounded up to seconds. None: one minute.
    /// Zero: only [`Database::expire`] deletes expired items.
    pub expiry_lag: Option<Duration>,
    /// The simulation that begins with the database, as for [`Database::simulate`]. `{}` simulates
    /// no failures until then. None: the database cannot simulate failures.
    pub simulate: Option<Value>,
    /// The region in ARNs. None: "us-east-1".
    pub region: Option<String>,
    /// The account in ARNs, 12 digits. None: "000000000000".
    pub account: Option<String>,
}

impl Options {
    /// Opens the database in a directory, and creates it if it is missing. Only one process at a
    /// time can have a directory open.
    ///
    /// - ValidationException: an option is wrong, or the directory holds something else.
    /// - ResourceInUseException: the database is open already.
    /// - InternalServerError: the files cannot be read or written, or are from a newer release; or
    ///   the C library cannot be loaded.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Database, Error> {
        self.create(Some(&c_path(path.as_ref())?))
    }

    /// Opens a new database in memory.
    ///
    /// - ValidationException: an option is wrong.
    /// - InternalServerError: the C library cannot be loaded.
    pub fn in_memory(&self) -> Result<Database, Error> {
        self.create(None)
    }

    fn create(&self, path: Option<&CStr>) -> Result<Database, Error> {
        let options = c_text(&Value::Object(self.members()).to_string())?;
        Database::create(path, &options)
    }

    /// Returns the options in the form of dolmen_open. The library has the defaults.
    fn members(&self) -> Map<String, Value> {
        let mut members = Map::new();
        let mut set = |name: &str, value: Value| members.insert(name.to_owned(), value);
        set("ReadOnly", json!(self.read_only));
        set("CreateIfMissing", json!(!self.must_exist));
        set("CacheBytes", json!(self.cache_bytes));
        set("RowCacheBytes", json!(self.row_cache_bytes));
        set("ExpiryLagSeconds", json!(self.expiry_lag.map(seconds)));
        set("Simulate", json!(self.simulate));
        set("Region", json!(self.region));
        set("Account", json!(self.account));
        set("EncryptionKey", json!(self.encryption_key.map(hexadecimal)));
        set("Clock", json!(self.manual_clock.map(milliseconds)));
        if self.durability == Durability::Buffered {
            set("Durability", json!("buffered"));
        }
        if self.on_conflict == OnConflict::Fail {
            set("OnConflict", json!("fail"));
        }
        members
    }
}

/// Returns the time in milliseconds since 1970. No clock can show an earlier time, which is -1.
pub(crate) fn milliseconds(time: SystemTime) -> i64 {
    time.duration_since(SystemTime::UNIX_EPOCH)
        .map_or(-1, |since| {
            i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
        })
}

fn seconds(duration: Duration) -> u64 {
    duration
        .as_secs()
        .saturating_add(u64::from(duration.subsec_nanos() > 0))
}

/// Returns the key in the form of dolmen_open and dolmen_restore.
pub(crate) fn hexadecimal(key: [u8; 32]) -> String {
    key.iter().map(|byte| format!("{byte:02x}")).collect()
}
