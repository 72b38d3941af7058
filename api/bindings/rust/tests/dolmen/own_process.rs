use std::env;
use std::path::Path;
use std::process::Command;

const DIRECTORY: &str = "DOLMEN_DIRECTORY_OF_CHILD";

/// Runs the test with this name again in a process of its own, and checks that it passes there.
/// Calls the function in that process. Returns its errors in the other one.
pub fn run(test: &str, directory: &Path, function: impl FnOnce(&Path)) -> Option<String> {
    if let Some(directory) = env::var_os(DIRECTORY) {
        function(Path::new(&directory));
        return None;
    }
    let child = Command::new(env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(DIRECTORY, directory)
        .output()
        .unwrap();
    let output = String::from_utf8_lossy(&child.stdout);
    let errors = String::from_utf8_lossy(&child.stderr).into_owned();
    println!("{output}");
    assert!(child.status.success(), "{}: {errors}", child.status);
    assert!(output.contains("running 1 test"), "there is no test {test}");
    Some(errors)
}
