//! Parents → the circles that they form.

/// The members of each circle among `count` records; `parent` gives the index of a record's parent.
pub(crate) fn circles(count: usize, parent: impl Fn(usize) -> Option<usize>) -> Vec<Vec<usize>> {
    let mut is_visited = vec![false; count];
    let mut circles = Vec::new();
    for start in 0..count {
        let mut walk = Vec::new();
        let mut next = Some(start);
        while let Some(index) = next
            && let Some(visited @ false) = is_visited.get_mut(index)
        {
            *visited = true;
            walk.push(index);
            next = parent(index);
        }
        // A walk that comes back to one of its own records has gone round.
        let back = walk.iter().position(|index| Some(*index) == next);
        circles.extend(back.map(|first| walk.split_off(first)));
    }
    circles
}
