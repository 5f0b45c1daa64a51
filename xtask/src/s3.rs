//! `cargo xtask s3`: runs the tests of object stores against a server that is not ours.
//!
//! The testkit's server shares a crate's idea of the protocol; moto was written by others, in another language. It is
//! pinned, because what it knows of conditions and pages grows from version to version.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::invocation::Invocation;
use crate::options::Options;
use crate::python::Package;
use crate::workspace::Workspace;

/// Names the server to the tests; where it is set already, that one is used.
pub(crate) const VARIABLE: &str = "STENO_S3";
/// With `flask`, which its own extra `server` would bring along with all that the other services need.
pub(crate) const MOTO: Package = Package {
    name: "moto",
    version: "5.2.5",
    extra: "[s3]",
    with: &["flask==3.1.3", "flask-cors==6.0.2"],
    program: "moto_server",
};
/// What the tests expect to be there.
const BUCKET: &str = "steno-test";
const PATIENCE: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(100);

pub(crate) fn run(workspace: &Workspace, _options: &Options) -> Result<(), Failure> {
    MOTO.install(workspace)?;
    test(workspace)
}

/// Whether there is a server, or one was installed now.
pub(crate) fn within_reach(workspace: &Workspace) -> Result<(), Failure> {
    if named().is_some() { Ok(()) } else { MOTO.install(workspace) }
}

/// The tests whose names contain `another_server`, out of the same build as all others.
fn test(workspace: &Workspace) -> Result<(), Failure> {
    let tests = Invocation::cargo("test --workspace --locked --test it another_server");
    match started(workspace)? {
        Some(server) => tests.variable(VARIABLE, server.endpoint()).run(&workspace.root),
        None => tests.run(&workspace.root),
    }
}

/// A server of our own, where none is named.
pub(crate) fn started(workspace: &Workspace) -> Result<Option<Server>, Failure> {
    if named().is_some() { Ok(None) } else { Server::start(workspace).map(Some) }
}

fn named() -> Option<String> {
    std::env::var(VARIABLE).ok().filter(|named| !named.is_empty())
}

/// A process on loopback that ends with this value, and with it all it holds.
#[derive(Debug)]
pub(crate) struct Server {
    process: Child,
    address: SocketAddr,
}

impl Server {
    fn start(workspace: &Workspace) -> Result<Self, Failure> {
        let programs = MOTO.programs(workspace);
        let programs = programs.ok_or_else(|| Failure::new("the package moto brought no server"))?;
        let address = free_address().map_err(|error| Failure::new(format!("no free port: {error}")))?;
        let program = Invocation::new(programs.join(MOTO.program).display().to_string());
        let program = program.arguments(["--host", "127.0.0.1", "--port", &address.port().to_string()]);
        let mut server = Self { process: spawned(&program, &workspace.root)?, address };
        server.make_bucket()?;
        Ok(server)
    }

    pub(crate) fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// As soon as it answers at all.
    fn make_bucket(&mut self) -> Result<(), Failure> {
        let start = Instant::now();
        loop {
            let outcome = put_bucket(self.address);
            let has_ended = self.process.try_wait().is_ok_and(|status| status.is_some());
            match outcome {
                Ok(answer) if answer.starts_with("HTTP/1.1 200 ") => return Ok(()),
                Ok(answer) => {
                    let status = answer.lines().next().unwrap_or_default();
                    return Err(Failure::new(format!("the server makes no bucket: {status}")));
                }
                Err(error) if has_ended || start.elapsed() > PATIENCE => {
                    return Err(Failure::new(format!("the server does not answer: {error}")));
                }
                Err(_) => thread::sleep(PAUSE),
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn spawned(program: &Invocation, directory: &Path) -> Result<Child, Failure> {
    let mut command = program.command(directory);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map_err(|error| program.cannot_start(&error))
}

/// A port that is free at the moment; a server cannot be asked which port it took.
fn free_address() -> io::Result<SocketAddr> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()
}

fn put_bucket(address: SocketAddr) -> io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    write!(
        stream,
        "PUT /{BUCKET} HTTP/1.1\r\nHost: {address}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}
