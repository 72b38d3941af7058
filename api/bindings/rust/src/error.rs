use std::ffi::{c_int, CString};
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use serde_json::Value;

/// An error of a request or of the database.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Error {
    /// DynamoDB's name of the error, for example "ConditionalCheckFailedException".
    pub name: String,
    pub message: String,
    /// The HTTP status of DynamoDB's response, for example 400.
    pub status: u16,
    /// DynamoDB's JSON, for example with the Item of a failed condition. Empty if this package has
    /// found the error.
    pub response: Vec<u8>,
}

impl Error {
    pub(crate) fn new(name: &str, message: impl fmt::Display, status: u16) -> Self {
        Self {
            name: name.to_owned(),
            message: message.to_string(),
            status,
            response: Vec::new(),
        }
    }

    /// The error of a wrong argument that the library does not see.
    pub(crate) fn validation(message: impl fmt::Display) -> Self {
        Self::new("ValidationException", message, 400)
    }

    /// The error of JSON that cannot be written or read.
    pub(crate) fn serialization(message: impl fmt::Display) -> Self {
        Self::new("SerializationException", message, 400)
    }

    /// The error that a response with this status describes.
    pub(crate) fn of_response(status: c_int, response: &[u8]) -> Self {
        // An unreadable response has no members, and its bytes are in `response`.
        let members: Value = serde_json::from_slice(response).unwrap_or_default();
        let text = |name: &str| members[name].as_str();
        let name = text("__type").unwrap_or_default();
        Self {
            name: name.rsplit('#').next().unwrap_or_default().to_owned(),
            message: text("message")
                .or_else(|| text("Message"))
                .unwrap_or_default()
                .to_owned(),
            status: u16::try_from(status).unwrap_or(500),
            response: response.to_vec(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.name, self.message)
    }
}

impl std::error::Error for Error {}

/// Returns a text that C can read to its end.
pub(crate) fn c_text(text: &str) -> Result<CString, Error> {
    CString::new(text).map_err(|_| Error::validation("an argument contains a zero byte"))
}

/// Returns the bytes of a path, which need not be UTF-8.
pub(crate) fn c_path(path: &Path) -> Result<CString, Error> {
    match path.as_os_str().as_bytes() {
        b"" => Err(Error::validation("the path is empty")),
        bytes => {
            CString::new(bytes).map_err(|_| Error::validation("the path contains a zero byte"))
        }
    }
}
