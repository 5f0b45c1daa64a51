//! What the server keeps: one bucket in memory, where each object is there whole or not at all.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::SystemTime;

use futures_util::StreamExt;
use hyper::body::Bytes;
use s3s::dto::{
    DeleteObjectInput, DeleteObjectOutput, ETag, GetObjectInput, GetObjectOutput, HeadObjectInput,
    HeadObjectOutput, ListObjectsV2Input, ListObjectsV2Output, Object, PutObjectInput, PutObjectOutput,
    Timestamp,
};
use s3s::{Body, S3, S3Request, S3Response, S3Result, s3_error};

/// What a server makes of `If-None-Match`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conditions {
    Kept,
    /// Replaces an existing object silently.
    Ignored,
    /// Says that it knows no such thing.
    Refused,
}

#[derive(Debug, Clone)]
pub(super) struct Storage {
    bucket: &'static str,
    conditions: Conditions,
    kept: Arc<Mutex<BTreeMap<String, Kept>>>,
}

#[derive(Debug, Clone)]
struct Kept {
    bytes: Bytes,
    modified: SystemTime,
}

impl Kept {
    fn length(&self) -> i64 {
        self.bytes.len() as i64
    }
}

impl Storage {
    pub(super) fn new(bucket: &'static str, conditions: Conditions) -> Self {
        Self { bucket, conditions, kept: Arc::default() }
    }

    pub(super) fn objects(&self) -> BTreeMap<String, Vec<u8>> {
        self.kept().iter().map(|(key, kept)| (key.clone(), kept.bytes.to_vec())).collect()
    }

    pub(super) fn put(&self, key: &str, bytes: &[u8]) {
        let new = Kept { bytes: Bytes::copy_from_slice(bytes), modified: SystemTime::now() };
        self.kept().insert(key.to_owned(), new);
    }

    pub(super) fn remove(&self, key: &str) {
        self.kept().remove(key);
    }

    fn kept(&self) -> MutexGuard<'_, BTreeMap<String, Kept>> {
        self.kept.lock().unwrap()
    }

    fn check(&self, bucket: &str) -> S3Result<()> {
        if bucket == self.bucket { Ok(()) } else { Err(s3_error!(NoSuchBucket, "there is no such bucket")) }
    }

    fn find(&self, bucket: &str, key: &str) -> S3Result<Kept> {
        self.check(bucket)?;
        self.kept().get(key).cloned().ok_or_else(|| s3_error!(NoSuchKey))
    }
}

/// Not the hash that other servers give: no client may rely on that.
fn tag(kept: &Kept) -> ETag {
    ETag::Strong(format!("{:08x}", kept.bytes.len()))
}

#[async_trait::async_trait]
impl S3 for Storage {
    async fn put_object(&self, request: S3Request<PutObjectInput>) -> S3Result<S3Response<PutObjectOutput>> {
        let PutObjectInput { bucket, key, body, content_length, if_none_match, .. } = request.input;
        self.check(&bucket)?;
        let is_conditional = if_none_match.is_some();
        if is_conditional && self.conditions == Conditions::Refused {
            return Err(s3_error!(NotImplemented, "a header implies what is not implemented"));
        }
        let mut bytes = Vec::new();
        let mut body = body.ok_or_else(|| s3_error!(IncompleteBody))?;
        while let Some(piece) = body.next().await {
            bytes.extend_from_slice(&piece.map_err(|_| s3_error!(IncompleteBody))?);
        }
        if content_length.is_some_and(|length| length != bytes.len() as i64) {
            return Err(s3_error!(IncompleteBody));
        }
        let new = Kept { bytes: bytes.into(), modified: SystemTime::now() };
        let e_tag = Some(tag(&new));
        let mut kept = self.kept();
        if is_conditional && self.conditions == Conditions::Kept && kept.contains_key(&key) {
            return Err(s3_error!(PreconditionFailed));
        }
        kept.insert(key, new);
        Ok(S3Response::new(PutObjectOutput { e_tag, ..PutObjectOutput::default() }))
    }

    async fn get_object(&self, request: S3Request<GetObjectInput>) -> S3Result<S3Response<GetObjectOutput>> {
        let kept = self.find(&request.input.bucket, &request.input.key)?;
        Ok(S3Response::new(GetObjectOutput {
            content_length: Some(kept.length()),
            last_modified: Some(Timestamp::from(kept.modified)),
            e_tag: Some(tag(&kept)),
            body: Some(Body::from(kept.bytes).into()),
            ..GetObjectOutput::default()
        }))
    }

    async fn head_object(
        &self,
        request: S3Request<HeadObjectInput>,
    ) -> S3Result<S3Response<HeadObjectOutput>> {
        let kept = self.find(&request.input.bucket, &request.input.key)?;
        Ok(S3Response::new(HeadObjectOutput {
            content_length: Some(kept.length()),
            last_modified: Some(Timestamp::from(kept.modified)),
            e_tag: Some(tag(&kept)),
            ..HeadObjectOutput::default()
        }))
    }

    async fn delete_object(
        &self,
        request: S3Request<DeleteObjectInput>,
    ) -> S3Result<S3Response<DeleteObjectOutput>> {
        self.check(&request.input.bucket)?;
        self.kept().remove(&request.input.key);
        Ok(S3Response::new(DeleteObjectOutput::default()))
    }

    async fn list_objects_v2(
        &self,
        request: S3Request<ListObjectsV2Input>,
    ) -> S3Result<S3Response<ListObjectsV2Output>> {
        let input = request.input;
        self.check(&input.bucket)?;
        let prefix = input.prefix.clone().unwrap_or_default();
        let after = input.continuation_token.clone().or(input.start_after);
        let limit = input.max_keys.unwrap_or(1000).clamp(1, 1000) as usize;
        let kept = self.kept();
        let is_wanted =
            |key: &str| key.starts_with(&prefix) && after.as_deref().is_none_or(|after| key > after);
        let wanted: Vec<_> = kept.iter().filter(|(key, _)| is_wanted(key)).take(limit + 1).collect();
        let is_truncated = wanted.len() > limit;
        let object = |(key, kept): &(&String, &Kept)| Object {
            key: Some((*key).clone()),
            size: Some(kept.length()),
            last_modified: Some(Timestamp::from(kept.modified)),
            e_tag: Some(tag(kept)),
            ..Object::default()
        };
        let contents: Vec<Object> = wanted.iter().take(limit).map(object).collect();
        let last = contents.last().and_then(|object| object.key.clone());
        Ok(S3Response::new(ListObjectsV2Output {
            name: Some(input.bucket),
            prefix: input.prefix,
            key_count: Some(contents.len() as i32),
            max_keys: Some(limit as i32),
            is_truncated: Some(is_truncated),
            next_continuation_token: last.filter(|_| is_truncated),
            contents: Some(contents),
            ..ListObjectsV2Output::default()
        }))
    }
}
