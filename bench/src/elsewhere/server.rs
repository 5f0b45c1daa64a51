//! An S3-compatible server on loopback, as a process of its own that ends with its round.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::Error;
use crate::elsewhere::tools::{BUCKET, KEY, SECRET};
use crate::peers::on_path;
use crate::run::Plan;

const PATIENCE: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(50);

/// The servers that are known, the quickest first.
const KINDS: [Kind; 2] = [Kind::Files, Kind::Moto];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Every object is a file.
    Files,
    /// A stand-in for tests, written in Python: its own time is most of what is measured.
    Moto,
}

impl Kind {
    fn program(self) -> &'static str {
        match self {
            Self::Files => "s3s-fs",
            Self::Moto => "moto_server",
        }
    }

    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Files => "s3s-fs on loopback",
            Self::Moto => "moto_server on loopback, which is slow: most of each time is its own",
        }
    }
}

/// The best one that is here.
pub(crate) fn found(search_path: &OsStr) -> Option<Kind> {
    KINDS.into_iter().find(|kind| on_path(kind.program(), search_path).is_some())
}

/// The better ones that are not.
pub(crate) fn absent(search_path: &OsStr) -> Vec<&'static str> {
    let is_absent = |kind: &Kind| on_path(kind.program(), search_path).is_none();
    KINDS.into_iter().take_while(is_absent).map(Kind::program).collect()
}

#[derive(Debug)]
pub(crate) struct Server {
    kind: Kind,
    process: Child,
    address: SocketAddr,
    place: PathBuf,
}

impl Server {
    /// With one empty bucket; `place` is its own.
    pub(crate) fn start(kind: Kind, plan: &Plan, place: &Path) -> Result<Self, Error> {
        let bucket = place.join(BUCKET);
        fs::create_dir_all(&bucket).map_err(Error::file("create", &bucket))?;
        let address = free_address().map_err(Error::Loopback)?;
        let port = address.port().to_string();
        let program = on_path(kind.program(), &plan.search_path).unwrap_or_default();
        let mut command = Command::new(&program);
        command.args(["--host", "127.0.0.1", "--port", &port]);
        if kind == Kind::Files {
            command.args(["--access-key", KEY, "--secret-key", SECRET]).arg(place);
        }
        command.env_clear().env("PATH", &plan.search_path).current_dir(place);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let process = command.spawn();
        let process = process.map_err(|source| Error::Run { program: kind.program().into(), source })?;
        let server = Self { kind, process, address, place: place.to_owned() };
        server.wait()?;
        Ok(server)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where the objects below a prefix are, if they are files.
    pub(crate) fn directory(&self, prefix: &str) -> Option<PathBuf> {
        (self.kind == Kind::Files).then(|| self.place.join(BUCKET).join(prefix))
    }

    fn wait(&self) -> Result<(), Error> {
        let start = Instant::now();
        loop {
            let outcome = match self.kind {
                Kind::Files => TcpStream::connect(self.address).map(drop),
                Kind::Moto => put_bucket(self.address),
            };
            match outcome {
                Ok(()) => return Ok(()),
                Err(error) if start.elapsed() > PATIENCE => return Err(Error::Loopback(error)),
                Err(_) => thread::sleep(PAUSE),
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Its files are in a temporary directory; it may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.place);
    }
}

/// A port that is free at the moment; a server cannot be asked which port it took.
fn free_address() -> io::Result<SocketAddr> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()
}

fn put_bucket(address: SocketAddr) -> io::Result<()> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    write!(
        stream,
        "PUT /{BUCKET} HTTP/1.1\r\nHost: {address}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let status = answer.lines().next().unwrap_or_default();
    if status.contains(" 200 ") { Ok(()) } else { Err(io::Error::other(format!("no bucket: {status}"))) }
}
