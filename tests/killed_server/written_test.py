#!/usr/bin/env python3
"""Tests of Written.faults(), which checks the items that a killed server holds after a restart."""

import unittest

from written import Write, Written

FIRST, SECOND = ("p", "1"), ("p", "2")
OLD, NEW = {"text": {"S": "old"}}, {"text": {"S": "new"}}


def written(is_atomic=True):
    """Returns a record of two requests: an acknowledged put of FIRST, and an unanswered change.

    The unanswered request replaces FIRST and adds SECOND.
    """
    held = Written()
    held.begin(Write("PutItem", {}, {FIRST: OLD}))
    held.acknowledged()
    held.begin(Write("TransactWriteItems", {}, {FIRST: NEW, SECOND: NEW}, is_atomic))
    return held


class WrittenTest(unittest.TestCase):
    def assert_faults(self, faults, *keys):
        self.assertEqual([fault.key for fault in faults], list(keys))

    def test_an_unanswered_request_is_visible_as_a_whole_or_not_at_all(self):
        self.assert_faults(written().faults({FIRST: OLD}))
        self.assert_faults(written().faults({FIRST: NEW, SECOND: NEW}))

    def test_a_partly_visible_request_is_a_fault(self):
        self.assert_faults(written().faults({FIRST: OLD, SECOND: NEW}), SECOND)
        self.assert_faults(written().faults({FIRST: NEW}), FIRST)

    def test_a_batch_can_be_visible_in_part(self):
        self.assert_faults(written(is_atomic=False).faults({FIRST: OLD, SECOND: NEW}))
        self.assert_faults(written(is_atomic=False).faults({FIRST: NEW}))

    def test_a_missing_acknowledged_item_is_a_fault(self):
        for is_atomic in (True, False):
            self.assert_faults(written(is_atomic).faults({}), FIRST)

    def test_an_item_that_no_request_wrote_is_a_fault(self):
        for is_atomic in (True, False):
            found = {FIRST: OLD, ("p", "3"): OLD}
            self.assert_faults(written(is_atomic).faults(found), ("p", "3"))

    def test_a_deleted_item_that_reappears_is_a_fault(self):
        held = Written()
        held.settle({FIRST: OLD})
        held.begin(Write("DeleteItem", {}, {FIRST: None}))
        held.acknowledged()
        self.assert_faults(held.faults({}))
        self.assert_faults(held.faults({FIRST: OLD}), FIRST)

    def test_settle_makes_the_items_found_the_expected_items(self):
        held = written()
        held.settle({FIRST: NEW, SECOND: NEW})
        self.assert_faults(held.faults({FIRST: OLD, SECOND: NEW}), FIRST)


if __name__ == "__main__":
    unittest.main()
