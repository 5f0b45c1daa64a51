//! The `steno` command.

fn main() -> std::process::ExitCode {
    steno_cli::main()
}
