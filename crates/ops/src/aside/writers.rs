//! A file → whether another program has it open for writing, and so may write to it under whatever name it has.
//!
//! Linux tells by `/proc`, for the processes of this user. Elsewhere a file that was written to a moment ago is left
//! alone for a moment, which is enough for programs that open, append and close.

#[cfg(target_os = "linux")]
use std::collections::HashSet;
use std::fs;
use std::path::Path;
#[cfg(target_os = "linux")]
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

use crate::error::Error;

const PAUSE: Duration = Duration::from_millis(5);
const PAUSES: u32 = 200;
#[cfg(not(target_os = "linux"))]
const QUIET: Duration = Duration::from_millis(250);

/// Waits a second at most for files, each with the place that it has or had; then it is an error, which names the place.
pub(crate) fn wait_until_unwritten<'a>(
    files: impl Iterator<Item = (&'a Path, &'a Path)>,
) -> Result<(), Error> {
    let mut files: Vec<Watched<'_>> = files.filter_map(|(file, place)| Watched::of(file, place)).collect();
    for _ in 0..PAUSES {
        // A file that is set aside and that no program has open cannot be opened again.
        files = written_of(files);
        if files.is_empty() {
            return Ok(());
        }
        sleep(PAUSE);
    }
    files.first().map_or(Ok(()), |one| Err(super::written(one.place)))
}

struct Watched<'a> {
    #[cfg(not(target_os = "linux"))]
    file: &'a Path,
    place: &'a Path,
    #[cfg(target_os = "linux")]
    inode: (u64, u64),
}

#[cfg(target_os = "linux")]
impl<'a> Watched<'a> {
    fn of(file: &'a Path, place: &'a Path) -> Option<Self> {
        Some(Self { place, inode: inode_of(file)? })
    }

    fn is(&self, name: &[u8]) -> bool {
        let own = self.place.file_name().unwrap_or_default().as_encoded_bytes();
        name.ends_with(own)
    }
}

#[cfg(target_os = "linux")]
fn inode_of(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

#[cfg(target_os = "linux")]
fn written_of(files: Vec<Watched<'_>>) -> Vec<Watched<'_>> {
    let mut open = HashSet::new();
    let listed = |path: &Path| fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_process = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.as_encoded_bytes().iter().all(u8::is_ascii_digit))
    };
    for process in listed(Path::new("/proc")).filter(is_process) {
        for path in listed(&process.join("fd")) {
            // Reading the link is cheap. Only files of such a name are looked at: others may be on a disk that hangs.
            let Ok(link) = fs::read_link(&path) else { continue };
            let name = link.as_os_str().as_encoded_bytes();
            if files.iter().any(|one| one.is(name)) && is_for_writing(&process, &path) {
                open.extend(inode_of(&path));
            }
        }
    }
    files.into_iter().filter(|one| open.contains(&one.inode)).collect()
}

/// By the access mode among the flags, in octal; what cannot be told might be.
#[cfg(target_os = "linux")]
fn is_for_writing(process: &Path, open: &Path) -> bool {
    let Some(number) = open.file_name() else { return true };
    let Ok(text) = fs::read_to_string(process.join("fdinfo").join(number)) else { return open.exists() };
    let flags = text.lines().find_map(|line| line.strip_prefix("flags:"));
    let flags = flags.and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok());
    flags.is_none_or(|flags| flags & 0b11 != 0)
}

#[cfg(not(target_os = "linux"))]
impl<'a> Watched<'a> {
    fn of(file: &'a Path, place: &'a Path) -> Option<Self> {
        Some(Self { file, place })
    }
}

#[cfg(not(target_os = "linux"))]
fn written_of(files: Vec<Watched<'_>>) -> Vec<Watched<'_>> {
    let is_fresh = |file: &Path| {
        let modified = fs::metadata(file).and_then(|metadata| metadata.modified());
        modified.is_ok_and(|modified| modified.elapsed().is_ok_and(|age| age < QUIET))
    };
    files.into_iter().filter(|one| is_fresh(one.file)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use steno_testkit::Home;

    #[cfg(target_os = "linux")]
    #[test]
    fn who_only_reads_is_no_writer() {
        let home = Home::new();
        let path = home.file("one", "bytes");
        let moved = path.with_file_name("set aside");
        fs::create_dir(&moved).unwrap();
        let moved = moved.join("one");
        let is_written = |file: &Path| !written_of(vec![Watched::of(file, &path).unwrap()]).is_empty();
        let reader = fs::File::open(&path).unwrap();
        assert!(!is_written(&path));
        let writer = fs::File::options().append(true).open(&path).unwrap();
        assert!(is_written(&path));
        fs::rename(&path, &moved).unwrap();
        assert!(is_written(&moved), "by whatever name");
        drop((reader, writer));
        assert!(!is_written(&moved));
    }
}
