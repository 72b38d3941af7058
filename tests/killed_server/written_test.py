#!/usr/bin/env python3
"""What may be there after a kill, and what may not."""

import unittest

from written import Write, Written

FIRST, SECOND = ("p", "1"), ("p", "2")
OLD, NEW = {"text": {"S": "old"}}, {"text": {"S": "new"}}


def written(is_atomic=True):
    """FIRST is acknowledged; a request that changes it and adds SECOND is not."""
    held = Written()
    held.begin(Write("PutItem", {}, {FIRST: OLD}))
    held.acknowledged()
    held.begin(Write("TransactWriteItems", {}, {FIRST: NEW, SECOND: NEW}, is_atomic))
    return held


class WrittenTest(unittest.TestCase):
    def assert_faults(self, faults, *keys):
        self.assertEqual([fault.key for fault in faults], list(keys))

    def test_what_got_no_answer_is_there_as_a_whole_or_not_at_all(self):
        self.assert_faults(written().faults({FIRST: OLD}))
        self.assert_faults(written().faults({FIRST: NEW, SECOND: NEW}))

    def test_a_half_of_it_is_a_fault(self):
        self.assert_faults(written().faults({FIRST: OLD, SECOND: NEW}), SECOND)
        self.assert_faults(written().faults({FIRST: NEW}), FIRST)

    def test_a_batch_may_be_there_in_part(self):
        self.assert_faults(written(is_atomic=False).faults({FIRST: OLD, SECOND: NEW}))
        self.assert_faults(written(is_atomic=False).faults({FIRST: NEW}))

    def test_what_was_acknowledged_must_be_there(self):
        for is_atomic in (True, False):
            self.assert_faults(written(is_atomic).faults({}), FIRST)

    def test_what_nobody_wrote_must_not_be_there(self):
        for is_atomic in (True, False):
            found = {FIRST: OLD, ("p", "3"): OLD}
            self.assert_faults(written(is_atomic).faults(found), ("p", "3"))

    def test_what_was_deleted_stays_deleted(self):
        held = Written()
        held.settle({FIRST: OLD})
        held.begin(Write("DeleteItem", {}, {FIRST: None}))
        held.acknowledged()
        self.assert_faults(held.faults({}))
        self.assert_faults(held.faults({FIRST: OLD}), FIRST)

    def test_what_was_found_is_what_counts_from_then_on(self):
        held = written()
        held.settle({FIRST: NEW, SECOND: NEW})
        self.assert_faults(held.faults({FIRST: OLD, SECOND: NEW}), FIRST)


if __name__ == "__main__":
    unittest.main()
