use std::cell::Cell;
use std::ffi::{c_char, c_int, c_void, CStr};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::{fmt, ptr, slice, thread};

use crate::native::RawSubscription;
use crate::{Database, Error};

/// The result of a handler. After an error the handler gets the same records again.
pub type HandlerResult = Result<(), Box<dyn std::error::Error + Send + Sync>>;

type Handler = Box<dyn FnMut(&[u8]) -> HandlerResult + Send>;

/// A running subscription to a table. Drop ends it and waits for its handler. The database keeps the
/// position.
///
/// A handler that drops its own subscription does not wait: the subscription ends after the handler
/// has returned.
#[must_use = "a dropped subscription has ended"]
pub struct Subscription(Option<Running>);

/// Owns the library's subscription, its handler, and the database that both use.
struct Running {
    raw: *mut RawSubscription,
    handler: *mut Handler,
    database: Database,
}

// SAFETY: only `end` uses the pointers, once. The handler is Send, and any thread may end the
// subscription.
unsafe impl Send for Running {}
// SAFETY: a shared reference gives access to nothing.
unsafe impl Sync for Running {}

thread_local! {
    /// The handler that this thread runs, or null.
    static RUNNING: Cell<*mut Handler> = const { Cell::new(ptr::null_mut()) };
}

pub(crate) fn begin(
    database: &Database,
    table: &CStr,
    name: &CStr,
    handler: Handler,
) -> Result<Subscription, Error> {
    let handler = Box::into_raw(Box::new(handler));
    let mut raw = ptr::null_mut();
    let begun = database.call(|library, database, response| {
        let (table, name) = (table.as_ptr(), name.as_ptr());
        let (function, context) = (handle as _, handler.cast());
        // SAFETY: the handler lives until `end`.
        unsafe {
            (library.dolmen_subscribe)(database, table, name, function, context, &mut raw, response)
        }
    });
    if let Err(error) = begun {
        // SAFETY: no subscription has the handler.
        drop(unsafe { Box::from_raw(handler) });
        return Err(error);
    }
    let database = database.clone();
    Ok(Subscription(Some(Running {
        raw,
        handler,
        database,
    })))
}

/// The `dolmen_handler` of all subscriptions. Returns 0 once the records are handled.
unsafe extern "C" fn handle(context: *mut c_void, records: *const c_char, size: usize) -> c_int {
    let handler: *mut Handler = context.cast();
    let records = slice::from_raw_parts(records.cast(), size);
    RUNNING.set(handler);
    let result = catch_unwind(AssertUnwindSafe(|| (*handler)(records)));
    RUNNING.set(ptr::null_mut());
    c_int::from(!matches!(result, Ok(Ok(()))))
}

impl Running {
    /// Waits for the handler, and frees both.
    fn end(self) {
        // SAFETY: this is the last use of both. After dolmen_unsubscribe no thread uses the handler.
        unsafe {
            (self.database.library().dolmen_unsubscribe)(self.raw);
            drop(Box::from_raw(self.handler));
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let Some(running) = self.0.take() else { return };
        if RUNNING.get() == running.handler {
            // If no thread can be created, the subscription runs until the program ends.
            let _ = thread::Builder::new().spawn(move || running.end());
        } else {
            running.end();
        }
    }
}

impl fmt::Debug for Subscription {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Subscription")
    }
}
