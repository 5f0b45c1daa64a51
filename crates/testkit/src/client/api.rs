//! A stand-in for the API, on a loopback port of its own: answers by script and remembers what it was asked.

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

use super::http::{self, Answer, Request};
use super::{message, script};

/// Of the whole process, so that two stand-ins never give one id to two messages of a session.
static MESSAGES: AtomicUsize = AtomicUsize::new(1);

/// The scripts are listed in `script.rs`; a prompt names one with a word such as `mock:echo=hello`.
#[derive(Debug)]
pub struct MockApi {
    address: SocketAddr,
    heard: Arc<Heard>,
}

#[derive(Debug, Default)]
struct Heard {
    requests: Mutex<Vec<Value>>,
    refused: Mutex<Vec<String>>,
    is_over: AtomicBool,
}

impl MockApi {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback port");
        let address = listener.local_addr().expect("the port that was given");
        let heard = Arc::new(Heard::default());
        let ears = Arc::clone(&heard);
        thread::spawn(move || listen(&listener, &ears));
        Self { address, heard }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The body of each request for a message, in the order in which they came.
    pub fn requests(&self) -> Vec<Value> {
        self.heard.requests.lock().expect("no listener panicked").clone()
    }

    /// Method and target of everything else, hosts that it should have been a proxy for included.
    pub fn refused(&self) -> Vec<String> {
        self.heard.refused.lock().expect("no listener panicked").clone()
    }
}

impl Drop for MockApi {
    fn drop(&mut self) {
        self.heard.is_over.store(true, Ordering::Relaxed);
        // The listener sees the flag at the next connection; if connecting fails, it has ended already.
        let _ = TcpStream::connect(self.address);
    }
}

fn listen(listener: &TcpListener, heard: &Arc<Heard>) {
    for stream in listener.incoming().flatten() {
        if heard.is_over.load(Ordering::Relaxed) {
            return;
        }
        let heard = Arc::clone(heard);
        // A client that hangs up in between has its reasons; the test sees them in what it said.
        thread::spawn(move || serve(&stream, &heard).ok());
    }
}

fn serve(stream: &TcpStream, heard: &Heard) -> io::Result<()> {
    match http::read(stream)? {
        Some(request) => heard.answer(&request).send(stream),
        None => Ok(()),
    }
}

impl Heard {
    fn answer(&self, request: &Request) -> Answer {
        let path = request.target.split('?').next().unwrap_or_default();
        match (request.method.as_str(), path) {
            ("POST", "/v1/messages") => self.message(&request.body),
            ("POST", "/v1/messages/count_tokens") => {
                Answer::json("200 OK", json!({ "input_tokens": message::INPUT_TOKENS }))
            }
            _ => self.refuse(request),
        }
    }

    fn message(&self, body: &[u8]) -> Answer {
        let Ok(request) = serde_json::from_slice::<Value>(body) else {
            return Answer::json("400 Bad Request", error("invalid_request_error"));
        };
        let step = script::next(&request);
        let number = MESSAGES.fetch_add(1, Ordering::Relaxed);
        let message = message::whole(&step.acts, &request["model"], number);
        let is_stream = request["stream"] == true;
        self.requests.lock().expect("no listener panicked").push(request);
        thread::sleep(step.after);
        if is_stream { Answer::events(message::events(&message)) } else { Answer::json("200 OK", message) }
    }

    fn refuse(&self, request: &Request) -> Answer {
        let asked = format!("{} {}", request.method, request.target);
        self.refused.lock().expect("no listener panicked").push(asked);
        Answer::json("404 Not Found", error("not_found_error"))
    }
}

fn error(kind: &str) -> Value {
    json!({ "type": "error", "error": { "type": kind, "message": "the stand-in knows no better" } })
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    fn ask(api: &MockApi, line: &str, body: &Value) -> String {
        let body = body.to_string();
        let mut stream = TcpStream::connect(api.address).unwrap();
        write!(stream, "{line} HTTP/1.1\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn prompt(text: &str, is_stream: bool) -> Value {
        json!({ "model": "m", "stream": is_stream, "messages": [{ "role": "user", "content": text }] })
    }

    #[test]
    fn a_message_comes_whole_or_as_events() {
        let api = MockApi::start();
        let whole = ask(&api, "POST /v1/messages?beta=true", &prompt("mock:echo=hello", false));
        let message: Value = serde_json::from_str(whole.split("\r\n\r\n").last().unwrap()).unwrap();
        assert_eq!(message["content"][0]["input"]["command"], "echo hello");
        let events = ask(&api, "POST /v1/messages", &prompt("mock:echo=hello", true));
        let names: Vec<&str> = events.lines().filter_map(|line| line.strip_prefix("event: ")).collect();
        let block = ["content_block_start", "content_block_delta", "content_block_stop"];
        assert_eq!(names, [&["message_start"], &block[..], &["message_delta", "message_stop"]].concat());
        assert_eq!(api.requests(), [false, true].map(|is_stream| prompt("mock:echo=hello", is_stream)));
    }

    #[test]
    fn everything_else_is_refused_and_remembered() {
        let api = MockApi::start();
        for line in ["GET /api/hello", "CONNECT example.com:443"] {
            assert!(ask(&api, line, &Value::Null).starts_with("HTTP/1.1 404 "));
        }
        assert_eq!(api.refused(), ["GET /api/hello", "CONNECT example.com:443"]);
        assert_eq!(api.requests(), [Value::Null; 0]);
    }
}
