//! Names the directory in which programs find the C library: the variable DOLMEN_LIB_DIR of the build,
//! or the directory `native` of this package.

use std::env;
use std::path::PathBuf;

fn main() {
    println!("cargo:rerun-if-env-changed=DOLMEN_LIB_DIR");
    println!("cargo:rerun-if-changed=build.rs");
    let directory = env::var_os("DOLMEN_LIB_DIR").map_or_else(
        || PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("native"),
        PathBuf::from,
    );
    println!("cargo:rustc-env=DOLMEN_LIB_DIR={}", directory.display());
}
