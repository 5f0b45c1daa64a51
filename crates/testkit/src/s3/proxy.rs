//! A proxy before the server: passes requests on as they are, but for those that it makes fail.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use super::fault::{Asked, Fault, Faults};

#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    state: Arc<State>,
}

#[derive(Debug)]
struct State {
    server: SocketAddr,
    seen: Mutex<Seen>,
    is_over: AtomicBool,
}

#[derive(Debug)]
struct Seen {
    faults: Faults,
    asked: Vec<String>,
    made: Vec<Fault>,
}

impl Proxy {
    pub(super) fn start(server: SocketAddr, faults: Faults) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback port");
        let address = listener.local_addr().expect("the port that was given");
        let seen = Mutex::new(Seen { faults, asked: Vec::new(), made: Vec::new() });
        let state = Arc::new(State { server, seen, is_over: AtomicBool::new(false) });
        let own = Arc::clone(&state);
        thread::spawn(move || listen(&listener, &own));
        Self { address, state }
    }

    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Method and target of each request so far.
    pub fn requests(&self) -> Vec<String> {
        self.state.seen.lock().unwrap().asked.clone()
    }

    /// The faults that were made so far.
    pub fn made(&self) -> Vec<Fault> {
        self.state.seen.lock().unwrap().made.clone()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.state.is_over.store(true, Ordering::Relaxed);
        // The listener sees the flag at the next connection; if connecting fails, it has ended already.
        let _ = TcpStream::connect(self.address);
    }
}

fn listen(listener: &TcpListener, state: &Arc<State>) {
    for stream in listener.incoming().flatten() {
        if state.is_over.load(Ordering::Relaxed) {
            return;
        }
        let state = Arc::clone(state);
        // A client that hangs up in between shows its error in the test.
        thread::spawn(move || state.serve(&stream).ok());
    }
}

#[derive(Debug)]
struct Request {
    method: String,
    target: String,
    head: String,
    body: Vec<u8>,
}

impl State {
    fn serve(&self, mut stream: &TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        let Some(request) = read(stream)? else { return Ok(()) };
        match self.decide(&request) {
            Some(Fault::CutBefore) => Ok(()),
            Some(Fault::Status(status)) => stream.write_all(answer(status).as_bytes()),
            Some(Fault::CutWithin) => self.forward_half(&request),
            Some(Fault::CutAfter) => self.forward(&request).map(drop),
            Some(Fault::Partial) => {
                let answer = self.forward(&request)?;
                stream.write_all(&answer[..middle(&answer)])
            }
            Some(Fault::Slow(pause)) => {
                let answer = self.forward(&request)?;
                thread::sleep(pause);
                stream.write_all(&answer)
            }
            None => stream.write_all(&self.forward(&request)?),
        }
    }

    fn decide(&self, request: &Request) -> Option<Fault> {
        let mut seen = self.seen.lock().unwrap();
        seen.asked.push(format!("{} {}", request.method, request.target));
        let asked = Asked { number: seen.asked.len(), method: &request.method, target: &request.target };
        let fault = seen.faults.decide(&asked);
        seen.made.extend(fault);
        fault
    }

    fn forward(&self, request: &Request) -> io::Result<Vec<u8>> {
        let mut server = TcpStream::connect(self.server)?;
        server.set_nodelay(true)?;
        server.write_all(request.head.as_bytes())?;
        server.write_all(&request.body)?;
        let mut answer = Vec::new();
        server.read_to_end(&mut answer)?;
        Ok(answer)
    }

    fn forward_half(&self, request: &Request) -> io::Result<()> {
        let mut server = TcpStream::connect(self.server)?;
        let head = if request.body.is_empty() { request.head.len() / 2 } else { request.head.len() };
        server.write_all(&request.head.as_bytes()[..head])?;
        server.write_all(&request.body[..request.body.len() / 2])?;
        // Until the server has noticed, so that what comes next comes after it.
        server.shutdown(Shutdown::Write)?;
        server.read_to_end(&mut Vec::new()).map(drop)
    }
}

/// None where a connection was opened and never used. Asks the server to close its own, so that its answer ends.
fn read(stream: &TcpStream) -> io::Result<Option<Request>> {
    let mut reader = BufReader::new(stream);
    let (mut line, mut length) = (String::new(), 0);
    reader.read_line(&mut line)?;
    let mut words = line.split_whitespace().map(str::to_owned);
    let (Some(method), Some(target)) = (words.next(), words.next()) else { return Ok(None) };
    let mut head = format!("{line}connection: close\r\n");
    while line != "\r\n" {
        line.clear();
        if reader.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        if let Some(("content-length", value)) = line.to_ascii_lowercase().split_once(':') {
            length = value.trim().parse().map_err(io::Error::other)?;
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(Some(Request { method, target, head, body }))
}

/// Between head and end, or within the head of an answer that has nothing else.
fn middle(answer: &[u8]) -> usize {
    let head = answer.windows(4).position(|four| four == b"\r\n\r\n").map_or(0, |at| at + 4);
    if head == answer.len() { head / 2 } else { (head + answer.len()) / 2 }
}

fn answer(status: u16) -> String {
    let code = match status {
        403 => "AccessDenied",
        404 => "NoSuchBucket",
        500 => "InternalError",
        503 => "SlowDown",
        _ => "Other",
    };
    let body =
        format!("<?xml version=\"1.0\"?><Error><Code>{code}</Code><Message>made by a test</Message></Error>");
    let length = body.len();
    format!("HTTP/1.1 {status} X\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
}
