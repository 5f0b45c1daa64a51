//! An S3-compatible server on loopback, and a proxy before it that makes faults.
//!
//! The protocol (signatures, XML, errors) is that of the crate `s3s`; objects live in memory and go away with the
//! server. Its own file system (`s3s-fs`) cannot hold names as long as ours, and tells no two creations apart that
//! happen at the same instant.

mod fault;
mod proxy;
mod storage;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::TokioIo;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use steno_vault::s3::{Access, Address, Credentials, ObjectStore, RetryPolicy};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

pub use fault::{Asked, Fault, Faults};
pub use proxy::Proxy;
pub use storage::Conditions;
use storage::Storage;

const BUCKET: &str = "bucket";
const KEY: &str = "AKIATESTKIT";
const SECRET: &str = "secret of the testkit";

#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    storage: Storage,
    asked: Arc<Mutex<Vec<String>>>,
    runtime: Option<Runtime>,
}

impl Server {
    pub fn start() -> Self {
        Self::with(Conditions::Kept)
    }

    /// One that keeps conditions, or does not know them.
    pub fn with(conditions: Conditions) -> Self {
        let storage = Storage::new(BUCKET, conditions);
        let mut builder = S3ServiceBuilder::new(storage.clone());
        builder.set_auth(SimpleAuth::from_single(KEY, SECRET));
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::default();
        runtime.spawn(accept(listener, builder.build(), Arc::clone(&asked)));
        Self { address, storage, asked, runtime: Some(runtime) }
    }

    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn bucket(&self) -> &'static str {
        BUCKET
    }

    pub fn credentials(&self) -> Credentials {
        Credentials { key_id: KEY.to_owned(), secret: SECRET.to_owned(), token: None }
    }

    pub fn address(&self, prefix: &str) -> Address {
        Address::parse(&format!("s3://{BUCKET}/{prefix}")).unwrap()
    }

    /// By way of an endpoint: of the server, or of a proxy before it.
    pub fn access(&self, endpoint: String) -> Access {
        let credentials = Some(self.credentials());
        Access { endpoint: Some(endpoint), credentials, retry: impatient(), ..Access::default() }
    }

    pub fn object_store(&self, prefix: &str) -> ObjectStore {
        ObjectStore::open(&self.address(prefix), self.access(self.endpoint())).unwrap()
    }

    /// A proxy before this server.
    pub fn behind(&self, faults: Faults) -> Proxy {
        Proxy::start(self.address, faults)
    }

    /// Everything in the bucket, by key.
    pub fn objects(&self) -> BTreeMap<String, Vec<u8>> {
        self.storage.objects()
    }

    /// As any client with write access could.
    pub fn put(&self, key: &str, bytes: &[u8]) {
        self.storage.put(key, bytes);
    }

    pub fn remove(&self, key: &str) {
        self.storage.remove(key);
    }

    /// Method and target of each request so far.
    pub fn requests(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    /// Gone, with all connections; what it held can still be looked at.
    pub fn stop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(Duration::from_secs(5));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Enough for a server on loopback, and an end within seconds where there is none.
pub fn impatient() -> RetryPolicy {
    RetryPolicy {
        answer: Duration::from_secs(2),
        whole: Duration::from_secs(4),
        unreached: Duration::from_millis(300),
        pause: Duration::from_millis(5),
    }
}

async fn accept(listener: TcpListener, service: S3Service, asked: Arc<Mutex<Vec<String>>>) {
    while let Ok((stream, _)) = listener.accept().await {
        let (service, asked) = (service.clone(), Arc::clone(&asked));
        let answer = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
            asked.lock().unwrap().push(format!("{} {}", request.method(), request.uri()));
            Service::call(&service, request)
        });
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), answer));
    }
}
