use std::fmt;
use std::ops::Deref;

use crate::native::{Buffer, Library};

/// The bytes of a response, which the library owns until the response is dropped.
///
/// The bytes of an operation are DynamoDB's JSON. They are not copied, and stay valid after the
/// database is closed.
pub struct Response {
    buffer: Buffer,
    library: &'static Library,
}

// SAFETY: the bytes do not change, and any thread may free them.
unsafe impl Send for Response {}
unsafe impl Sync for Response {}

impl Response {
    /// # Safety
    /// The buffer is {NULL, 0}, or a function of the library has set it.
    pub(crate) unsafe fn new(buffer: Buffer, library: &'static Library) -> Self {
        Self { buffer, library }
    }
}

impl Deref for Response {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        if self.buffer.data.is_null() {
            return &[];
        }
        // SAFETY: the library has set the buffer, which lives until drop.
        unsafe { std::slice::from_raw_parts(self.buffer.data.cast(), self.buffer.size) }
    }
}

impl AsRef<[u8]> for Response {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl fmt::Debug for Response {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", String::from_utf8_lossy(self))
    }
}

impl Drop for Response {
    fn drop(&mut self) {
        // SAFETY: this is the last use of the buffer.
        unsafe { (self.library.dolmen_free)(&mut self.buffer) }
    }
}
