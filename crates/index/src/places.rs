//! Files → the places where something stands that is known of them.

use crate::rows::FileId;

/// Files are numbered one after the other: a number like this is none of ours, and nobody makes room for it.
const MOST: u64 = (1 << 24) - 1;

/// In a list, by the number of a file: asked for every passage that answers.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// From one on; none is nothing.
    by_file: Vec<u32>,
    count: usize,
}

impl Places {
    /// Whether a file can have one.
    pub(crate) fn admit(file: FileId) -> bool {
        file.0 < MOST
    }

    #[inline]
    pub fn get(&self, file: FileId) -> Option<usize> {
        let place = *self.by_file.get(usize::try_from(file.0).ok()?)?;
        (place as usize).checked_sub(1)
    }

    /// How many files have one.
    pub fn count(&self) -> usize {
        self.count
    }

    pub fn iter(&self) -> impl Iterator<Item = (FileId, usize)> {
        let places = (0..).map(FileId).zip(&self.by_file);
        places.filter_map(|(file, place)| Some((file, (*place as usize).checked_sub(1)?)))
    }

    /// Nothing happens where the file is none of ours.
    pub fn insert(&mut self, file: FileId, place: usize) {
        let Some(number) = usize::try_from(file.0).ok().filter(|_| Self::admit(file)) else { return };
        if self.by_file.len() <= number {
            self.by_file.resize((number + 1).next_power_of_two(), 0);
        }
        if let (Some(slot), Ok(place)) = (self.by_file.get_mut(number), u32::try_from(place + 1)) {
            self.count += usize::from(*slot == 0);
            *slot = place;
        }
    }
}

impl FromIterator<(FileId, usize)> for Places {
    fn from_iter<I: IntoIterator<Item = (FileId, usize)>>(all: I) -> Self {
        let mut places = Self::default();
        all.into_iter().for_each(|(file, place)| places.insert(file, place));
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_the_place_that_it_was_given_last() {
        let given = [(7, 0), (3, 5), (7, 2), (u64::MAX, 1)].map(|(file, place)| (FileId(file), place));
        let places: Places = given.into_iter().collect();
        assert_eq!((places.get(FileId(7)), places.get(FileId(3)), places.count()), (Some(2), Some(5), 2));
        assert!([0, 4, 1000, u64::MAX].iter().all(|file| places.get(FileId(*file)).is_none()));
        assert_eq!(places.iter().collect::<Vec<_>>(), [(FileId(3), 5), (FileId(7), 2)]);
    }
}
