//! Putting what must replace nothing, on servers that know conditions and on those that do not.
//!
//! Some ignore the condition in silence, and would replace an object there. So the first object is looked for before
//! and put twice: a server that takes it twice knows no conditions, and is asked before each put from then on.

use object_store::PutPayload;

use super::Put;
use crate::error::Error;
use crate::s3::bucket::{Bucket, Created};
use crate::store::Existing;

/// Puts the smallest of those, and takes it out, unless it is known what the server knows.
pub(super) async fn learn(bucket: &Bucket, puts: &mut Vec<Put>) -> Result<(), Error> {
    if bucket.knows_conditions.get().is_some() {
        return Ok(());
    }
    let candidates = puts.iter().enumerate().filter(|(_, put)| put.existing == Existing::Refuse);
    let Some((at, _)) = candidates.min_by_key(|(_, put)| put.bytes.content_length()) else { return Ok(()) };
    let put = puts.remove(at);
    let knows = try_out(bucket, &put).await?;
    // Another thread may have learned the same.
    let _ = bucket.knows_conditions.set(knows);
    Ok(())
}

async fn try_out(bucket: &Bucket, put: &Put) -> Result<bool, Error> {
    if bucket.is_there(&put.name).await? {
        return Err(Error::Exists { name: put.name.clone() });
    }
    let first = bucket.create(&put.name, &put.bytes).await?;
    if first == Created::Unconditional {
        bucket.replace(&put.name, &put.bytes).await?;
        return Ok(false);
    }
    settle(bucket, put, first).await?;
    let second = bucket.create(&put.name, &put.bytes).await?;
    Ok(matches!(second, Created::Not | Created::Unsure))
}

pub(super) async fn create(bucket: &Bucket, put: &Put) -> Result<(), Error> {
    if bucket.knows_conditions.get() == Some(&true) {
        let created = bucket.create(&put.name, &put.bytes).await?;
        return settle(bucket, put, created).await;
    }
    if bucket.is_there(&put.name).await? {
        return Err(Error::Exists { name: put.name.clone() });
    }
    bucket.replace(&put.name, &put.bytes).await
}

async fn settle(bucket: &Bucket, put: &Put, created: Created) -> Result<(), Error> {
    match created {
        Created::New => Ok(()),
        // The answer to our own put was lost, if it is what we put.
        Created::Unsure if is_same(&bucket.get(&put.name, None).await?, &put.bytes) => Ok(()),
        Created::Unsure | Created::Not => Err(Error::Exists { name: put.name.clone() }),
        Created::Unconditional => bucket.replace(&put.name, &put.bytes).await,
    }
}

fn is_same(bytes: &[u8], put: &PutPayload) -> bool {
    let mut rest = bytes;
    let is_next = |piece: &[u8]| rest.split_off(..piece.len()).is_some_and(|next| next == piece);
    put.content_length() == bytes.len() && put.iter().map(AsRef::as_ref).all(is_next)
}
