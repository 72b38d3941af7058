use std::env;
use std::process::Command;

const README: &str = include_str!("../../README.md");

/// Returns the blocks of README.md in this language.
fn blocks(language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    let block = |text: &'static str| text.split_once("```").unwrap().0;
    README.split(&fence).skip(1).map(block).collect()
}

#[test]
fn the_first_program_prints_what_the_page_says() {
    let program = env::current_exe().unwrap();
    let program = program.ancestors().nth(2).unwrap().join("examples/first");
    let directory = tempfile::tempdir().unwrap();
    let done = Command::new(program)
        .current_dir(directory.path())
        .output()
        .unwrap();
    assert_eq!(
        blocks("text")[0],
        String::from_utf8_lossy(&done.stdout),
        "{done:?}"
    );
}

#[test]
fn the_page_has_the_programs_that_these_tests_run() {
    let programs = [
        include_str!("../../examples/first.rs"),
        include_str!("shop.rs"),
    ];
    for program in programs {
        assert!(
            blocks("rust").contains(&program),
            "the page must have {program}"
        );
    }
}
