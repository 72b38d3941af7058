//! A database in the process, which cannot open sockets.

use std::io::ErrorKind;
use std::net::TcpListener;
use std::sync::LazyLock;

use aws_sdk_dynamodb::config::{Builder, Credentials, SharedCredentialsProvider, SharedHttpClient};
use dolmen::aws::HttpClient;
use dolmen::testing::{self, TestDatabase};
use dolmen::Database;

fn database() -> &'static Database {
    static DATABASE: LazyLock<Database> = LazyLock::new(|| {
        LazyLock::force(&WITHOUT_SOCKETS);
        Database::in_memory().unwrap()
    });
    &DATABASE
}

static WITHOUT_SOCKETS: LazyLock<()> = LazyLock::new(|| {
    forbid_sockets();
    let error = TcpListener::bind("127.0.0.1:0").expect_err("a socket can be opened");
    assert_eq!(ErrorKind::PermissionDenied, error.kind());
});

/// Makes Linux refuse socket(2) in all threads of this process (seccomp(2)).
fn forbid_sockets() {
    const fn instruction(code: u32, equal: u8, other: u8, value: u32) -> libc::sock_filter {
        libc::sock_filter {
            code: code as u16,
            jt: equal,
            jf: other,
            k: value,
        }
    }
    const LOAD_NUMBER: u32 = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
    const JUMP_IF_EQUAL: u32 = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
    const RETURN: u32 = libc::BPF_RET | libc::BPF_K;
    let mut program = [
        instruction(LOAD_NUMBER, 0, 0, 0),
        instruction(JUMP_IF_EQUAL, 0, 1, libc::SYS_socket as u32),
        instruction(RETURN, 0, 0, libc::SECCOMP_RET_ERRNO | libc::EPERM as u32),
        instruction(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW),
    ];
    let filter = libc::sock_fprog {
        len: program.len() as u16,
        filter: program.as_mut_ptr(),
    };
    // SAFETY: the filter lives during the calls.
    let result = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        let flags = libc::SECCOMP_FILTER_FLAG_TSYNC;
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            flags,
            &filter,
        )
    };
    assert_eq!(0, result, "{}", std::io::Error::last_os_error());
}

pub fn endpoint() -> String {
    "http://in-process.invalid".to_owned()
}

pub fn http_client() -> SharedHttpClient {
    SharedHttpClient::new(HttpClient::new(database()))
}

pub fn credentials() -> SharedCredentialsProvider {
    SharedCredentialsProvider::new(Credentials::new("dolmen", "secret", None, None, "test"))
}

/// Returns the configuration of a client of DynamoDB.
pub fn config() -> Builder {
    dolmen::aws::config(database())
}

/// A database that no other test uses, which can simulate failures.
pub struct Simulated(TestDatabase);

impl Simulated {
    pub fn new() -> Self {
        LazyLock::force(&WITHOUT_SOCKETS);
        Self(testing::database())
    }

    pub fn config(&self) -> Builder {
        dolmen::aws::config(&self.0)
    }

    pub fn simulate(&self, simulation: &str) {
        self.0.simulate(simulation).unwrap();
    }

    /// Returns the number of the simulated failures.
    pub fn failures(&self) -> usize {
        self.0.trace().unwrap().len()
    }
}
