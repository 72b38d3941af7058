//! The functions of `dolmen.h`.
//!
//! A program loads the library when it first uses it. Cargo does not pass a path for the loader from
//! a dependency to the program, so a linked library would need settings in each program.

use std::env;
use std::ffi::{c_char, c_int, c_void, CStr};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::{Error, Response};

/// The version of the functions below (`DOLMEN_ABI`).
const ABI: c_int = 2;

pub const OK: c_int = 200;

const FILE: &str = "libdolmen_c.so";

/// `dolmen_database`.
pub enum RawDatabase {}

/// `dolmen_subscription`.
pub enum RawSubscription {}

/// `dolmen_buffer`.
#[repr(C)]
pub struct Buffer {
    pub data: *const c_char,
    pub size: usize,
}

/// `dolmen_handler`.
pub type Handler = unsafe extern "C" fn(*mut c_void, *const c_char, usize) -> c_int;

/// Declares the loaded functions as members of a structure.
macro_rules! functions {
    ($(fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)?;)*) => {
        /// The loaded library. Its functions are those of `dolmen.h`, with the same contracts.
        pub struct Library {
            $(pub $name: unsafe extern "C" fn($($argument: $type),*) $(-> $result)?,)*
        }

        impl Library {
            /// # Safety
            /// The library has the functions of `dolmen.h`.
            unsafe fn of(library: &libloading::Library) -> Result<Self, libloading::Error> {
                Ok(Self {
                    $($name: *library.get(concat!(stringify!($name), "\0").as_bytes())?,)*
                })
            }
        }
    };
}

functions! {
    fn dolmen_version() -> *const c_char;
    fn dolmen_free(buffer: *mut Buffer);
    fn dolmen_open_directory(
        directory: *const c_char, options: *const c_char, database: *mut *mut RawDatabase,
        response: *mut Buffer,
    ) -> c_int;
    fn dolmen_close(database: *mut RawDatabase);
    fn dolmen_fork(
        database: *mut RawDatabase, directory: *const c_char, fork: *mut *mut RawDatabase,
        response: *mut Buffer,
    ) -> c_int;
    fn dolmen_reset(database: *mut RawDatabase, response: *mut Buffer) -> c_int;
    fn dolmen_execute(
        database: *mut RawDatabase, operation: *const c_char, request: *const c_char, size: usize,
        response: *mut Buffer,
    ) -> c_int;
    fn dolmen_load_seed(
        database: *mut RawDatabase, json: *const c_char, size: usize, response: *mut Buffer,
    ) -> c_int;
    fn dolmen_expire(database: *mut RawDatabase, response: *mut Buffer) -> c_int;
    fn dolmen_wait(database: *mut RawDatabase, response: *mut Buffer) -> c_int;
    fn dolmen_clock(
        database: *mut RawDatabase, milliseconds: *mut i64, response: *mut Buffer,
    ) -> c_int;
    fn dolmen_set_clock(
        database: *mut RawDatabase, milliseconds: i64, response: *mut Buffer,
    ) -> c_int;
    fn dolmen_backup(
        database: *mut RawDatabase, directory: *const c_char, response: *mut Buffer,
    ) -> c_int;
    fn dolmen_restore(
        backup: *const c_char, directory: *const c_char, encryption_key: *const c_char,
        response: *mut Buffer,
    ) -> c_int;
    fn dolmen_simulate(
        database: *mut RawDatabase, json: *const c_char, size: usize, response: *mut Buffer,
    ) -> c_int;
    fn dolmen_trace(database: *mut RawDatabase, response: *mut Buffer) -> c_int;
    fn dolmen_subscribe(
        database: *mut RawDatabase, table: *const c_char, name: *const c_char, handler: Handler,
        context: *mut c_void, subscription: *mut *mut RawSubscription, response: *mut Buffer,
    ) -> c_int;
    fn dolmen_unsubscribe(subscription: *mut RawSubscription);
}

impl Library {
    pub fn version(&self) -> &'static str {
        // SAFETY: the text lives as long as the library, which is never unloaded.
        let text = unsafe { CStr::from_ptr((self.dolmen_version)()) };
        text.to_str().unwrap_or_default()
    }

    /// Calls a function that sets a buffer. Returns the status and the response.
    ///
    /// # Safety
    /// The function sets the buffer to bytes that `dolmen_free` frees.
    pub unsafe fn respond(
        &'static self,
        function: impl FnOnce(*mut Buffer) -> c_int,
    ) -> (c_int, Response) {
        let mut buffer = Buffer {
            data: std::ptr::null(),
            size: 0,
        };
        let status = function(&mut buffer);
        (status, Response::new(buffer, self))
    }

    /// Calls a function as `respond` does. Returns the response of a success.
    ///
    /// # Safety
    /// That of `respond`.
    pub unsafe fn call(
        &'static self,
        function: impl FnOnce(*mut Buffer) -> c_int,
    ) -> Result<Response, Error> {
        match self.respond(function) {
            (OK, response) => Ok(response),
            (status, response) => Err(Error::of_response(status, &response)),
        }
    }
}

/// Returns the library. The first call loads it.
///
/// - InternalServerError: the library cannot be loaded, or is older than this package.
pub fn library() -> Result<&'static Library, Error> {
    static LOADED: OnceLock<Result<Library, String>> = OnceLock::new();
    LOADED
        .get_or_init(load)
        .as_ref()
        .map_err(|message| Error::new("InternalServerError", message, 500))
}

/// Returns the functions of a library, or nothing if the library is too old to have them all.
///
/// # Safety
/// That of `Library::of`.
unsafe fn of_file(file: &libloading::Library) -> Result<Option<Library>, libloading::Error> {
    let abi: libloading::Symbol<unsafe extern "C" fn() -> c_int> = file.get(b"dolmen_abi\0")?;
    (abi() >= ABI).then(|| Library::of(file)).transpose()
}

fn load() -> Result<Library, String> {
    // SAFETY: the library has no constructors that need anything of this program. The ABI is checked
    // before any other call, and a newer library keeps all functions.
    unsafe {
        let file = libloading::Library::new(path()).map_err(|error| error.to_string())?;
        let functions = of_file(&file).map_err(|error| error.to_string());
        std::mem::forget(file); // its threads may still run when the program ends
        functions?.ok_or_else(|| "the C library is older than this package".to_owned())
    }
}

/// Returns the library beside the program, otherwise that of build.rs, otherwise the name by which
/// the system finds an installed library.
fn path() -> PathBuf {
    let beside = env::current_exe()
        .ok()
        .and_then(|program| Some(program.parent()?.join(FILE)));
    let built = Path::new(env!("DOLMEN_LIB_DIR")).join(FILE);
    beside
        .into_iter()
        .chain([built])
        .find(|path| path.exists())
        .unwrap_or_else(|| FILE.into())
}
