//! Whose a passage is, in what role it was said, and when ↔ one number: a common word asks for all three of them a hundred
//! thousand times.

use jiff::Timestamp;

use crate::passage::Role;
use crate::rows::FileId;

/// More than two thousand years: a clock may be wrong.
const MOMENT_BITS: u32 = 36;
const LAST_MOMENT: u64 = (1 << MOMENT_BITS) - 1;
const ROLE_BITS: u32 = 4;
/// Larger numbers of files become this one, which no file has.
const NO_FILE: u64 = u64::MAX >> (MOMENT_BITS + ROLE_BITS);

/// The file stands first: passages of one file, said one after the other, have numbers that are near each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark(pub(super) u64);

/// To the second. What is of no time comes before all that is of some.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment(u64);

impl Mark {
    pub(super) fn new(file: FileId, role: Role, time: Option<Timestamp>) -> Self {
        let (file, moment) = (file.0.min(NO_FILE), Moment::of(time.map(Timestamp::as_second)));
        Self((file << ROLE_BITS | number(role)) << MOMENT_BITS | moment.0)
    }

    pub(super) fn file(self) -> FileId {
        FileId(self.0 >> (MOMENT_BITS + ROLE_BITS))
    }

    pub(super) fn role(self) -> Role {
        let number = (self.0 >> MOMENT_BITS) & ((1 << ROLE_BITS) - 1);
        Role::SPOKEN.get(number as usize).copied().unwrap_or(Role::System)
    }

    pub(super) fn moment(self) -> Moment {
        Moment(self.0 & LAST_MOMENT)
    }
}

impl Moment {
    /// From one on: no client wrote before 1970.
    pub(super) fn of(second: Option<i64>) -> Self {
        let number = second.and_then(|second| u64::try_from(second).ok());
        Self(number.map_or(0, |number| LAST_MOMENT.min(number + 1)))
    }

    pub(super) fn second(self) -> Option<i64> {
        self.0.checked_sub(1).and_then(|second| i64::try_from(second).ok())
    }

    /// So many seconds later, if it is of a time at all.
    pub(super) fn later(self, seconds: u64) -> Self {
        if self.0 == 0 { self } else { Self(self.0.saturating_add(seconds)) }
    }
}

/// A role as the index holds it.
pub(super) fn number(role: Role) -> u64 {
    role as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::places::Places;

    #[test]
    fn what_was_put_in_comes_out() {
        for file in [0, 1, NO_FILE - 1] {
            for role in Role::SPOKEN {
                for second in
                    [None, Some(0), Some(1_700_000_000), Some(5_700_000_000), Some(LAST_MOMENT as i64 - 1)]
                {
                    let time = second.and_then(|second| Timestamp::from_second(second).ok());
                    let mark = Mark::new(FileId(file), role, time);
                    assert_eq!((mark.file(), mark.role()), (FileId(file), role));
                    assert_eq!(mark.moment().second(), second);
                }
            }
        }
    }

    #[test]
    fn what_has_no_room_in_it_changes_nothing_else() {
        let mark = Mark::new(FileId(u64::MAX), Role::Title, Some(Timestamp::MAX));
        assert_eq!(
            (mark.file(), mark.role(), mark.moment()),
            (FileId(NO_FILE), Role::Title, Moment(LAST_MOMENT))
        );
        assert!(!Places::admit(FileId(NO_FILE)) && Places::admit(FileId(NO_FILE - 1)));
        assert_eq!(Mark::new(FileId(3), Role::User, Some(Timestamp::MIN)).moment().second(), None);
        assert_eq!(Mark(u64::MAX).role(), Role::System, "a number that stands for none");
    }

    #[test]
    fn what_is_of_no_time_is_never_later() {
        assert_eq!(Moment::default().later(5), Moment::default());
        assert_eq!(Moment::of(Some(7)).later(5), Moment::of(Some(12)));
        assert!(Moment::default() < Moment::of(Some(0)) && Moment::of(Some(i64::MAX)) == Moment(LAST_MOMENT));
    }
}
