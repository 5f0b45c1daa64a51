//! A connection in between that counts requests and changes nothing.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use memchr::memmem;

use crate::Error;

/// How the first line of every request ends. What is sent is compressed, so that it is not in a body by chance.
const MARK: &[u8] = b" HTTP/1.1\r\n";

#[derive(Debug)]
pub(crate) struct Counter {
    address: SocketAddr,
    requests: Arc<AtomicU64>,
    is_over: Arc<AtomicBool>,
}

impl Counter {
    pub(crate) fn before(server: SocketAddr) -> Result<Self, Error> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(Error::Loopback)?;
        let address = listener.local_addr().map_err(Error::Loopback)?;
        let counter = Self { address, requests: Arc::default(), is_over: Arc::default() };
        let (requests, is_over) = (Arc::clone(&counter.requests), Arc::clone(&counter.is_over));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if is_over.load(Ordering::Relaxed) {
                    return;
                }
                let requests = Arc::clone(&requests);
                thread::spawn(move || pass(stream, server, &requests));
            }
        });
        Ok(counter)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        // Wakes the thread, so that it sees that it is over.
        let _ = TcpStream::connect(self.address);
    }
}

/// One connection, both ways; an end on either side ends it.
fn pass(client: TcpStream, server: SocketAddr, requests: &AtomicU64) -> Option<()> {
    let server = TcpStream::connect(server).ok()?;
    let (answers, to) = (server.try_clone().ok()?, client.try_clone().ok()?);
    thread::spawn(move || copy(answers, to, &mut |_| {}));
    let mut tail = Tail::default();
    copy(client, server, &mut |bytes| {
        requests.fetch_add(tail.marks(bytes), Ordering::Relaxed);
    });
    Some(())
}

fn copy(mut from: TcpStream, mut to: TcpStream, see: &mut dyn FnMut(&[u8])) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        let bytes = buffer.get(..length).unwrap_or_default();
        see(bytes);
        if to.write_all(bytes).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Write);
}

/// The end of what was seen, because a mark may come in two pieces.
#[derive(Debug, Default)]
struct Tail(Vec<u8>);

impl Tail {
    fn marks(&mut self, bytes: &[u8]) -> u64 {
        self.0.extend_from_slice(bytes);
        let count = memmem::find_iter(&self.0, MARK).count();
        // Shorter than a mark, so that none is counted twice.
        self.0.drain(..self.0.len().saturating_sub(MARK.len() - 1));
        count as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_counted_once_however_they_come() {
        let text = b"GET / HTTP/1.1\r\nHost: a\r\n\r\nPUT /b HTTP/1.1\r\n\r\n";
        for size in 1..text.len() {
            let mut tail = Tail::default();
            assert_eq!(text.chunks(size).map(|piece| tail.marks(piece)).sum::<u64>(), 2, "{size}");
        }
    }

    #[test]
    fn what_passes_is_unchanged_and_counted() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let counter = Counter::before(listener.local_addr().unwrap()).unwrap();
        let mut client = TcpStream::connect(counter.address()).unwrap();
        client.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
        client.shutdown(Shutdown::Write).unwrap();
        let (mut server, _) = listener.accept().unwrap();
        let mut asked = String::new();
        server.read_to_string(&mut asked).unwrap();
        assert_eq!(asked, "GET / HTTP/1.1\r\n\r\n");
        server.write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
        drop(server);
        let mut answer = String::new();
        client.read_to_string(&mut answer).unwrap();
        assert_eq!(answer, "HTTP/1.1 200 OK\r\n\r\n");
        assert_eq!(counter.requests(), 1);
    }
}
