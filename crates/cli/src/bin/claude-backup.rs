//! The same program under the name that its command set comes from.

fn main() -> std::process::ExitCode {
    steno_cli::main()
}
