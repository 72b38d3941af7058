use std::collections::BTreeMap;
use std::ffi::{c_int, CStr, CString};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde::de::DeserializeOwned;
use serde::Serialize;
use serde_json::Value;

use crate::error::{c_path, c_text};
use crate::native::{self, Buffer, Library, RawDatabase};
use crate::options::{hexadecimal, milliseconds};
use crate::subscription::{self, HandlerResult, Subscription};
use crate::{Error, Options, Response};

/// An open database. It is `Send` and `Sync`: all threads may use it at the same time, without a lock.
///
/// A clone is the same database. It is closed when its last clone is dropped; a client of the AWS
/// SDK and a [`Subscription`] hold a clone. A program that ends with an open database loses no
/// acknowledged write. A child process of fork(2) cannot use the database: each call is an error.
#[derive(Debug, Clone)]
pub struct Database(Arc<Handle>);

/// Owns the library's database.
struct Handle {
    raw: *mut RawDatabase,
    library: &'static Library,
    #[cfg_attr(not(feature = "aws"), allow(dead_code))]
    in_memory: bool,
}

// SAFETY: the functions of the library are thread-safe. Only drop calls dolmen_close.
unsafe impl Send for Handle {}
unsafe impl Sync for Handle {}

impl fmt::Debug for Handle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}", self.raw)
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: this is the last use of the database.
        unsafe { (self.library.dolmen_close)(self.raw) }
    }
}

/// The result of [`Database::backup`] and [`restore`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Copied {
    /// The size of the backup or of the restored database.
    pub bytes: u64,
    /// The size of the files that were copied.
    pub copied_bytes: u64,
}

impl Database {
    /// Opens the database in a directory with the default [`Options`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Options::default().open(path)
    }

    /// Opens a new database in memory with the default [`Options`].
    pub fn in_memory() -> Result<Self, Error> {
        Options::default().in_memory()
    }

    pub(crate) fn create(directory: Option<&CStr>, options: &CStr) -> Result<Self, Error> {
        let library = native::library()?;
        let in_memory = directory.is_none();
        let directory = directory.map_or(std::ptr::null(), CStr::as_ptr);
        let mut raw = std::ptr::null_mut();
        // SAFETY: the arguments live during the call.
        unsafe {
            library.call(|response| {
                (library.dolmen_open_directory)(directory, options.as_ptr(), &mut raw, response)
            })?;
        }
        Ok(Self(Arc::new(Handle {
            raw,
            library,
            in_memory,
        })))
    }

    /// Executes an operation of DynamoDB or of DynamoDB Streams, for example "PutItem". The request
    /// and the response are DynamoDB's JSON.
    ///
    /// An error of the request has DynamoDB's name and message.
    pub fn execute(&self, operation: &str, request: &[u8]) -> Result<Response, Error> {
        match self.status_and_response(operation, request) {
            (native::OK, response) => Ok(response),
            (status, response) => Err(Error::of_response(status, &response)),
        }
    }

    /// Executes an operation. The response of an error describes it.
    pub(crate) fn status_and_response(&self, operation: &str, request: &[u8]) -> (c_int, Response) {
        // A name with a zero byte is unknown, as the empty name is.
        let operation = CString::new(operation).unwrap_or_default();
        let (library, raw) = (self.0.library, self.0.raw);
        // SAFETY: the arguments live during the call.
        unsafe {
            library.respond(|response| {
                let (start, size) = (request.as_ptr().cast(), request.len());
                (library.dolmen_execute)(raw, operation.as_ptr(), start, size, response)
            })
        }
    }

    /// Executes an operation. The request and the response are values of serde, for example
    /// `serde_json::Value`.
    ///
    /// - SerializationException: the request cannot be written as JSON. Or the response does not fit
    ///   the type, and the operation has taken effect.
    pub fn execute_json<T: DeserializeOwned>(
        &self,
        operation: &str,
        request: &impl Serialize,
    ) -> Result<T, Error> {
        let request = serde_json::to_vec(request).map_err(Error::serialization)?;
        parsed(&self.execute(operation, &request)?)
    }

    /// Creates an independent database in memory with the same contents, options and time. The cost
    /// does not depend on the number of items if this database is in memory, too.
    ///
    /// - ValidationException: the database is read-only.
    pub fn fork(&self) -> Result<Self, Error> {
        self.fork_into(None)
    }

    /// Creates an independent database with the same contents, options and time in a directory that
    /// is absent or empty. The cost does not depend on the number of items if both are on one volume.
    ///
    /// - ValidationException: the directory is in use or not empty, or the database is read-only.
    pub fn fork_to(&self, path: impl AsRef<Path>) -> Result<Self, Error> {
        self.fork_into(Some(&c_path(path.as_ref())?))
    }

    fn fork_into(&self, directory: Option<&CStr>) -> Result<Self, Error> {
        let in_memory = directory.is_none();
        let directory = directory.map_or(std::ptr::null(), CStr::as_ptr);
        let mut fork = std::ptr::null_mut();
        self.call(|library, raw, response| {
            // SAFETY: the arguments live during the call.
            unsafe { (library.dolmen_fork)(raw, directory, &mut fork, response) }
        })?;
        Ok(Self(Arc::new(Handle {
            raw: fork,
            library: self.0.library,
            in_memory,
        })))
    }

    /// Brings a database in memory back to its beginning. A fork gets back the contents with which
    /// it was created, and any other database loses its tables. The clock stays as it is.
    /// Subscriptions end.
    ///
    /// - ValidationException: the database is on disk.
    pub fn reset(&self) -> Result<(), Error> {
        self.call(|library, raw, response| unsafe { (library.dolmen_reset)(raw, response) })?;
        Ok(())
    }

    /// Creates the tables of a seed and stores their items. The seed is {"Tables": [...]}: each
    /// table is a request of CreateTable, with "Items" and "TimeToLiveSpecification" in addition. A
    /// data model of NoSQL Workbench is a seed, too. After an error the database has none of the
    /// tables.
    ///
    /// - ValidationException: the text is no seed, or a table or an item is wrong.
    /// - ResourceInUseException: a table exists already.
    pub fn load_seed(&self, seed: &str) -> Result<(), Error> {
        self.call(|library, raw, response| unsafe {
            (library.dolmen_load_seed)(raw, seed.as_ptr().cast(), seed.len(), response)
        })?;
        Ok(())
    }

    /// Waits until the indexes of all tables are built.
    ///
    /// - ValidationException: an index is not built, and the database is read-only.
    pub fn wait(&self) -> Result<(), Error> {
        self.call(|library, raw, response| unsafe { (library.dolmen_wait)(raw, response) })?;
        Ok(())
    }

    /// Deletes all expired items now, and returns their number.
    pub fn expire(&self) -> Result<u64, Error> {
        let response =
            self.call(|library, raw, response| unsafe { (library.dolmen_expire)(raw, response) })?;
        let found: Value = parsed(&response)?;
        Ok(found["ExpiredItems"].as_u64().unwrap_or_default())
    }

    /// Returns the time of the database's clock, in milliseconds.
    pub fn clock(&self) -> Result<SystemTime, Error> {
        let mut milliseconds = 0;
        self.call(|library, raw, response| unsafe {
            (library.dolmen_clock)(raw, &mut milliseconds, response)
        })?;
        let since = Duration::from_millis(milliseconds.unsigned_abs());
        Ok(SystemTime::UNIX_EPOCH + since)
    }

    /// Moves a manual clock, forward or back. Nothing is deleted until [`Database::expire`] or the
    /// next sweep.
    ///
    /// - ValidationException: the database has no manual clock, or the time is not in the years 1970
    ///   to 9998.
    pub fn set_clock(&self, time: SystemTime) -> Result<(), Error> {
        let milliseconds = milliseconds(time);
        self.call(|library, raw, response| unsafe {
            (library.dolmen_set_clock)(raw, milliseconds, response)
        })?;
        Ok(())
    }

    /// Advances a manual clock, and returns its new time. The errors are those of
    /// [`Database::set_clock`].
    pub fn advance(&self, duration: Duration) -> Result<SystemTime, Error> {
        let time = self
            .clock()?
            .checked_add(duration)
            .ok_or_else(|| Error::validation("the time is after the year 9998"))?;
        self.set_clock(time)?;
        Ok(time)
    }

    /// Replaces the simulation of failures and clears its trace. The same "Seed" and the same calls
    /// give the same failures. `{}`: no failures from now on. Whatever was acknowledged is stored.
    ///
    /// ```
    /// # let options = dolmen::Options { simulate: Some(serde_json::json!({})), ..Default::default() };
    /// # let db = options.in_memory()?;
    /// db.simulate(r#"{"Seed": 7, "Rules": [{"Operation": "PutItem", "Fault": "Throttling"}]}"#)?;
    /// # Ok::<(), dolmen::Error>(())
    /// ```
    ///
    /// - ValidationException: a member is unknown or wrong, or the database was opened without
    ///   [`Options::simulate`].
    pub fn simulate(&self, simulation: &str) -> Result<(), Error> {
        self.call(|library, raw, response| unsafe {
            (library.dolmen_simulate)(raw, simulation.as_ptr().cast(), simulation.len(), response)
        })?;
        Ok(())
    }

    /// Returns a line for each failure since the simulation began. The member "Replay" of a
    /// simulation repeats these lines.
    ///
    /// - ValidationException: the database was opened without [`Options::simulate`].
    pub fn trace(&self) -> Result<Vec<String>, Error> {
        let response =
            self.call(|library, raw, response| unsafe { (library.dolmen_trace)(raw, response) })?;
        let lines: BTreeMap<String, Vec<String>> = parsed(&response)?;
        Ok(lines.into_values().flatten().collect())
    }

    /// Copies the database into a directory while all operations continue. The directory is absent
    /// or empty, or holds an earlier backup of this database; then only new files are copied. After
    /// an error the earlier backup stays.
    ///
    /// - ValidationException: the directory holds something else, or is in the database's directory.
    pub fn backup(&self, path: impl AsRef<Path>) -> Result<Copied, Error> {
        let path = c_path(path.as_ref())?;
        let response = self.call(|library, raw, response| unsafe {
            (library.dolmen_backup)(raw, path.as_ptr(), response)
        })?;
        copied(&response)
    }

    /// Begins or resumes a subscription to a table with a stream. Each change is passed to the
    /// handler soon after its commit, in order and at least once, until the subscription is dropped.
    ///
    /// The records are a JSON array in the form of "Records" in the response of GetRecords. If the
    /// handler returns an error or panics, it gets the same records again a second later. The
    /// database stores the position under the name, 1 to 255 bytes: a later subscription of the name
    /// resumes there. A new name begins with the oldest record that the stream retains.
    ///
    /// The handler runs on a thread of its own, for one subscription never two calls at a time. It
    /// may use a clone of the database.
    ///
    /// - ValidationException: the table has no stream, the name is wrong, or the database is
    ///   read-only.
    /// - ResourceInUseException: a running subscription of the table has this name.
    /// - ResourceNotFoundException: the table does not exist.
    pub fn subscribe(
        &self,
        table: &str,
        name: &str,
        handler: impl FnMut(&[u8]) -> HandlerResult + Send + 'static,
    ) -> Result<Subscription, Error> {
        subscription::begin(self, &c_text(table)?, &c_text(name)?, Box::new(handler))
    }

    /// Calls a function of the library with this database, which is open during the call. The function
    /// sets the buffer and keeps no argument, so it is safe if its other arguments live during the call.
    pub(crate) fn call(
        &self,
        function: impl FnOnce(&'static Library, *mut RawDatabase, *mut Buffer) -> c_int,
    ) -> Result<Response, Error> {
        let (library, raw) = (self.0.library, self.0.raw);
        // SAFETY: the function sets the buffer.
        unsafe { library.call(|response| function(library, raw, response)) }
    }

    pub(crate) fn library(&self) -> &'static Library {
        self.0.library
    }

    #[cfg(feature = "aws")]
    pub(crate) fn is_in_memory(&self) -> bool {
        self.0.in_memory
    }
}

/// Copies a backup into a directory that is absent or empty and becomes a database. The key is the
/// [`Options::encryption_key`] of the database.
///
/// - ValidationException: the backup is not complete, the directory is not empty, or the key is
///   wrong.
pub fn restore(
    backup: impl AsRef<Path>,
    path: impl AsRef<Path>,
    encryption_key: Option<[u8; 32]>,
) -> Result<Copied, Error> {
    let library = native::library()?;
    let backup = c_path(backup.as_ref())?;
    let path = c_path(path.as_ref())?;
    let key = encryption_key
        .map(|key| c_text(&hexadecimal(key)))
        .transpose()?;
    let key = key.as_deref().map_or(std::ptr::null(), CStr::as_ptr);
    // SAFETY: the arguments live during the call.
    let response = unsafe {
        library.call(|response| {
            (library.dolmen_restore)(backup.as_ptr(), path.as_ptr(), key, response)
        })?
    };
    copied(&response)
}

fn copied(response: &[u8]) -> Result<Copied, Error> {
    let found: Value = parsed(response)?;
    let number = |name: &str| found[name].as_u64().unwrap_or_default();
    Ok(Copied {
        bytes: number("Bytes"),
        copied_bytes: number("CopiedBytes"),
    })
}

fn parsed<T: DeserializeOwned>(response: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(response).map_err(|error| {
        Error::serialization(format!("the response does not fit the type: {error}"))
    })
}
