//! Calls and events of the developer tools' protocol: JSON over a WebSocket on loopback.

use std::io::ErrorKind;
use std::net::TcpStream;
use std::time::Instant;

use serde_json::{Value, json};
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Error, Message, WebSocket};

use super::PATIENCE;

/// A connection to the browser or to one page. Events are kept in the order in which they came.
#[derive(Debug)]
pub(super) struct Wire {
    socket: WebSocket<TcpStream>,
    calls: u64,
    events: Vec<Value>,
}

impl Wire {
    pub(super) fn connect(port: u16, path: &str) -> Self {
        Self::try_connect(port, path).expect("the browser listens")
    }

    fn try_connect(port: u16, path: &str) -> Option<Self> {
        let stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        // Pictures and printed pages come in one message, however large.
        let config = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        let url = format!("ws://127.0.0.1:{port}{path}");
        let (socket, _) = tungstenite::client::client_with_config(url, stream, Some(config)).ok()?;
        Some(Self { socket, calls: 0, events: Vec::new() })
    }

    /// Tells the browser to end, if it still listens.
    pub(super) fn ask_to_close(port: u16, path: &str) {
        if let Some(mut wire) = Self::try_connect(port, path) {
            wire.tell("Browser.close");
        }
    }

    /// Sends a message; a browser that is gone is no error.
    pub(super) fn tell(&mut self, method: &str) {
        self.send(method, &json!({})).ok();
    }

    /// What the call gives; panics where the browser refuses it.
    pub(super) fn call(&mut self, method: &str, parameters: Value) -> Value {
        let call = self.send(method, &parameters).unwrap_or_else(|error| panic!("{method}: {error}"));
        let start = Instant::now();
        loop {
            let mut message = self.receive(method, start);
            if message["id"] == call {
                assert!(message["error"].is_null(), "{method} {parameters}: {}", message["error"]);
                return message["result"].take();
            }
            self.keep(message);
        }
    }

    /// The next event of that name among those that came since `from`.
    pub(super) fn wait_for(&mut self, event: &str, from: usize) -> Value {
        let start = Instant::now();
        let mut seen = from;
        loop {
            if let Some(found) = self.events.iter().skip(seen).find(|found| found["method"] == event) {
                return found["params"].clone();
            }
            seen = self.events.len();
            let message = self.receive(event, start);
            self.keep(message);
        }
    }

    pub(super) fn events(&self) -> &[Value] {
        &self.events
    }

    fn send(&mut self, method: &str, parameters: &Value) -> Result<u64, Error> {
        self.calls += 1;
        let call = json!({"id": self.calls, "method": method, "params": parameters});
        self.socket.send(Message::text(call.to_string()))?;
        Ok(self.calls)
    }

    fn receive(&mut self, what: &str, since: Instant) -> Value {
        loop {
            assert!(since.elapsed() < PATIENCE, "the browser took more than {PATIENCE:?} for {what}");
            match self.socket.read() {
                Ok(Message::Text(text)) => return serde_json::from_str(&text).expect("messages are JSON"),
                Ok(_) => {}
                // The socket's own patience has ended.
                Err(Error::Io(error)) if is_late(&error) => {}
                Err(error) => panic!("the browser did not answer {what}: {error}"),
            }
        }
    }

    fn keep(&mut self, message: Value) {
        assert!(message["method"] != "Inspector.targetCrashed", "the page crashed");
        self.events.push(message);
    }
}

fn is_late(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}
