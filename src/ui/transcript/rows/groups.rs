//! Finished calls in a row, folded into one.

use super::{Direction, Group, Role, Rows, block_of};
use crate::core::tool_call::ToolCallStatus;
use crate::ui::transcript::folds::{FoldPart, Folds};

/// How many finished calls in a row become a group.
const GROUP_LEAST: usize = 3;

impl Rows {
    /// Looks again at the calls around a row.
    pub(super) fn regroup(&mut self, row: usize, folds: &Folds) {
        if self.extend_group(row) {
            return;
        }
        let mut before = Vec::new();
        while let Some(next) =
            self.neighbor(before.last().copied().unwrap_or(row), row, Direction::Back)
        {
            before.push(next);
        }
        before.reverse();
        let mut after = Vec::new();
        while let Some(next) = self.neighbor(
            after.last().copied().unwrap_or(row),
            row,
            Direction::Forward,
        ) {
            after.push(next);
        }
        if self
            .list
            .get(row)
            .is_some_and(|row| row.finished_call.is_some())
        {
            before.push(row);
            before.extend(after);
            self.make_group(&before, folds);
        } else {
            self.make_group(&before, folds);
            self.make_group(&[row], folds);
            self.make_group(&after, folds);
        }
    }

    /// Adds the newest call to the group above it, whatever its size.
    fn extend_group(&mut self, row: usize) -> bool {
        let above = self.neighbor(row, row, Direction::Back);
        let head = match above
            .and_then(|above| self.list.get(above))
            .map(|above| above.role)
        {
            Some(Role::Member { head }) => head,
            Some(Role::Head | Role::Single | Role::Step { .. }) | None => return false,
        };
        let is_alone = self.neighbor(row, row, Direction::Forward).is_none();
        let call = self
            .list
            .get(row)
            .filter(|row| row.role == Role::Single)
            .and_then(|row| row.finished_call);
        let (Some(group), Some((status, millis)), true) =
            (self.groups.get_mut(&head), call, is_alone)
        else {
            return false;
        };
        group.count += 1;
        group.last = row;
        group.millis += u64::from(millis);
        group.failed += usize::from(status == ToolCallStatus::Failed);
        if badness(status) > badness(group.worst) {
            group.worst = status;
        }
        let is_open = group.is_open;
        self.take_role(row, Role::Member { head }, is_open);
        true
    }

    /// The row beside this one, if it may stand in one group with `origin`.
    fn neighbor(&self, row: usize, origin: usize, direction: Direction) -> Option<usize> {
        let mut next = row;
        loop {
            next = match direction {
                Direction::Back => next.checked_sub(1)?,
                Direction::Forward => next + 1,
            };
            let row = self.list.get(next)?;
            if !matches!(row.role, Role::Step { .. }) {
                let is_alike = row.is_late == self.list.get(origin)?.is_late;
                return (row.finished_call.is_some() && is_alike).then_some(next);
            }
        }
    }

    fn make_group(&mut self, members: &[usize], folds: &Folds) {
        let (Some(head), Some(last)) = (members.first().copied(), members.last().copied()) else {
            return;
        };
        for member in members {
            self.groups.remove(member);
        }
        if members.len() < GROUP_LEAST {
            for member in members {
                self.take_role(*member, Role::Single, true);
            }
            return;
        }
        let calls: Vec<(ToolCallStatus, u32)> = members
            .iter()
            .filter_map(|member| self.list.get(*member)?.finished_call)
            .collect();
        let is_open = folds
            .choice(block_of(head), FoldPart::Group)
            .unwrap_or_else(|| {
                members
                    .iter()
                    .any(|member| folds.is_open(block_of(*member), FoldPart::Body))
            });
        let group = Group {
            count: members.len(),
            last,
            worst: calls
                .iter()
                .map(|call| call.0)
                .max_by_key(|status| badness(*status))
                .unwrap_or(ToolCallStatus::Completed),
            failed: calls
                .iter()
                .filter(|call| call.0 == ToolCallStatus::Failed)
                .count(),
            millis: calls.iter().map(|call| u64::from(call.1)).sum(),
            is_open,
        };
        self.groups.insert(head, group);
        self.take_role(head, Role::Head, true);
        for member in members.iter().skip(1) {
            self.take_role(*member, Role::Member { head }, is_open);
        }
    }

    fn take_role(&mut self, row: usize, role: Role, is_shown: bool) {
        let Some(known) = self.list.get_mut(row) else {
            return;
        };
        if matches!(known.role, Role::Step { .. }) {
            return;
        }
        if std::mem::replace(&mut known.role, role) != role {
            self.measured.remove(&row);
        }
        self.settle(row, is_shown);
    }
}

/// Which state a group shows.
fn badness(status: ToolCallStatus) -> u8 {
    match status {
        ToolCallStatus::Pending | ToolCallStatus::InProgress | ToolCallStatus::Completed => 0,
        ToolCallStatus::NoResult => 1,
        ToolCallStatus::Cancelled => 2,
        ToolCallStatus::Stopped => 3,
        ToolCallStatus::Denied => 4,
        ToolCallStatus::Failed => 5,
    }
}
