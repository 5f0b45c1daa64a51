//! As much of HTTP/1.1 as the client needs: one request and one answer for each connection.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;

#[derive(Debug)]
pub(super) struct Request {
    pub(super) method: String,
    /// Path and query, or the host that a proxy is asked to connect to.
    pub(super) target: String,
    pub(super) body: Vec<u8>,
}

#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: &'static str,
    pub(super) content_type: &'static str,
    pub(super) body: String,
}

impl Answer {
    pub(super) fn json(status: &'static str, body: impl ToString) -> Self {
        Self { status, content_type: "application/json", body: body.to_string() }
    }

    pub(super) fn events(body: String) -> Self {
        Self { status: "200 OK", content_type: "text/event-stream", body }
    }

    pub(super) fn send(&self, mut stream: &TcpStream) -> io::Result<()> {
        let Self { status, content_type, body } = self;
        let length = body.len();
        write!(
            stream,
            "HTTP/1.1 {status}\r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\n\
             connection: close\r\n\r\n{body}"
        )
    }
}

/// None where a connection was opened ahead of time and never used.
pub(super) fn read(stream: &TcpStream) -> io::Result<Option<Request>> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split_whitespace().map(str::to_owned);
    let (Some(method), Some(target)) = (words.next(), words.next()) else {
        return Ok(None);
    };
    let mut body = vec![0; body_length(&mut reader)?];
    reader.read_exact(&mut body)?;
    Ok(Some(Request { method, target, body }))
}

/// Reads the headers to their end.
fn body_length(reader: &mut impl BufRead) -> io::Result<usize> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim_end().is_empty() {
            return Ok(length);
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().map_err(io::Error::other)?;
        }
    }
}
