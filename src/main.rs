//! The `coax` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().collect();
    if args.get(1).is_some_and(|word| word == coax::client::HOST) {
        coax::host::main();
        return ExitCode::SUCCESS;
    }
    ExitCode::from(coax::cli::run(args).0)
}
