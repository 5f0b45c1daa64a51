//! The directory that a session worked in → the user whose it was.

use steno_redact::Identity;

/// Where people's own directories lie; the names below are theirs.
const PARENTS: [&str; 4] = ["/home/", "/Users/", "/var/home/", "/export/home/"];

/// The home and the name of the person below whose home a directory lies.
pub(crate) fn owner(directory: &str) -> Option<Identity> {
    let is_root = directory == "/root" || directory.starts_with("/root/");
    let home = if is_root { "/root" } else { unix_home(directory).or_else(|| windows_home(directory))? };
    let user = home.rsplit(['/', '\\']).next()?;
    Some(Identity { homes: vec![home.to_owned()], users: vec![user.to_owned()] })
}

fn unix_home(directory: &str) -> Option<&str> {
    let parent = PARENTS.into_iter().find(|parent| directory.starts_with(parent))?;
    with_name(directory, parent.len())
}

/// `C:\Users\ann`, or the same as WSL and other shells call it.
fn windows_home(directory: &str) -> Option<&str> {
    let drive = directory.strip_prefix("/mnt/").unwrap_or(directory).trim_start_matches('/');
    let rest = drive.get(1..)?.trim_start_matches(':');
    let below = rest.strip_prefix(['/', '\\'])?.strip_prefix("Users")?.strip_prefix(['/', '\\'])?;
    with_name(directory, directory.len() - below.len())
}

fn with_name(directory: &str, start: usize) -> Option<&str> {
    let name = directory.get(start..)?.split(['/', '\\']).next().filter(|name| !name.is_empty())?;
    directory.get(..start + name.len())
}

#[cfg(test)]
mod tests {
    use super::owner;

    #[test]
    fn a_home_is_the_part_of_a_path_that_names_its_owner() {
        let home = |directory| owner(directory).map(|owner| owner.homes.concat());
        assert_eq!(home("/home/ann/work/api").as_deref(), Some("/home/ann"));
        assert_eq!(home("/Users/ann").as_deref(), Some("/Users/ann"));
        assert_eq!(home(r"C:\Users\ann b\work").as_deref(), Some(r"C:\Users\ann b"));
        assert_eq!(home("/mnt/c/Users/ann/x").as_deref(), Some("/mnt/c/Users/ann"));
        assert_eq!(home("/root/x").as_deref(), Some("/root"));
        assert_eq!((home("/srv/app"), home("/home/"), home(""), home("é")), (None, None, None, None));
    }
}
