//! Gives each test a database of its own.
//!
//! ```
//! use dolmen::testing::Fixture;
//!
//! static SHOP: Fixture = Fixture::new(); // or from_seed(...), fill(...)
//!
//! // #[test]
//! fn a_test() {
//!     let db = SHOP.fork();
//!     db.advance(std::time::Duration::from_secs(60)).unwrap();
//! }
//! # a_test()
//! ```

use std::ops::Deref;
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, SystemTime};

use serde_json::json;

use crate::{Database, Error, Options};

/// A database in memory that is filled once, by its first test. Each test gets a fork, so tests
/// cannot disturb each other, also if they run in parallel.
///
/// The clock stands still until a test advances it. Only [`Database::expire`] deletes expired items.
/// Each fork can simulate failures ([`Database::simulate`]).
pub struct Fixture {
    seed: &'static str,
    fill: fn(&Database) -> Result<(), Error>,
    options: fn() -> Options,
    base: OnceLock<Result<Database, Error>>,
}

impl Fixture {
    /// A fixture without tables.
    pub const fn new() -> Self {
        Self::from_seed("")
    }

    /// A fixture with the tables of a seed of [`Database::load_seed`]. Empty: no tables.
    pub const fn from_seed(seed: &'static str) -> Self {
        Self {
            seed,
            fill: |_| Ok(()),
            options: Options::default,
            base: OnceLock::new(),
        }
    }

    /// Calls the function after the seed is loaded.
    pub const fn fill(mut self, fill: fn(&Database) -> Result<(), Error>) -> Self {
        self.fill = fill;
        self
    }

    /// Sets the options of the database. Without a manual clock the clock begins with the machine's
    /// time and stands still.
    pub const fn options(mut self, options: fn() -> Options) -> Self {
        self.options = options;
        self
    }

    /// Returns a fork for one test. Panics if the fixture cannot be filled.
    pub fn fork(&self) -> TestDatabase {
        let base = self.base.get_or_init(|| self.base());
        match base.as_ref().map(Database::fork) {
            Ok(Ok(fork)) => TestDatabase(fork),
            Ok(Err(error)) => panic!("the fixture cannot be forked: {error}"),
            Err(error) => panic!("the fixture cannot be filled: {error}"),
        }
    }

    fn base(&self) -> Result<Database, Error> {
        let mut options = (self.options)();
        options.manual_clock.get_or_insert_with(SystemTime::now);
        options.expiry_lag.get_or_insert(Duration::ZERO);
        options.simulate.get_or_insert_with(|| json!({}));
        let db = options.in_memory()?;
        if !self.seed.is_empty() {
            db.load_seed(self.seed)?;
        }
        (self.fill)(&db)?;
        db.wait()?;
        Ok(db)
    }
}

impl Default for Fixture {
    fn default() -> Self {
        Self::new()
    }
}

/// The database of one test, which is a [`Database`]. If the test panics, the trace of the simulated
/// failures is printed.
#[derive(Debug)]
pub struct TestDatabase(Database);

impl Deref for TestDatabase {
    type Target = Database;

    fn deref(&self) -> &Database {
        &self.0
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        if !thread::panicking() {
            return;
        }
        for line in self.0.trace().unwrap_or_default() {
            eprintln!("simulated failure: {line}");
        }
    }
}

/// Returns a database in memory without tables for one test, with the clock of a [`Fixture`].
pub fn database() -> TestDatabase {
    static EMPTY: Fixture = Fixture::new();
    EMPTY.fork()
}
