"""Tests that PynamoDB and Dolmen's entities read each other's items."""

import unittest
from datetime import datetime, timezone

from pynamodb.attributes import (
    BinaryAttribute,
    BooleanAttribute,
    DiscriminatorAttribute,
    ListAttribute,
    NumberAttribute,
    TTLAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
    UTCDateTimeAttribute,
    VersionAttribute,
)
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex
from pynamodb.models import Model

from recorded import RECORDED, UPDATED, put_updated
from shop import Line, Settings


class ByState(GlobalSecondaryIndex):
    class Meta:
        index_name = "by-state"
        projection = AllProjection()

    state = UnicodeAttribute(hash_key=True)
    placed = UTCDateTimeAttribute(range_key=True)


class Entry(Model):
    """The items of one table. The attribute `kind` holds the class of each."""

    class Meta(Settings):
        table_name = RECORDED
        billing_mode = "PAY_PER_REQUEST"

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    kind = DiscriminatorAttribute()


class Customer(Entry, discriminator="customer"):
    name = UnicodeAttribute()
    is_active = BooleanAttribute(default=True)


class Purchase(Entry, discriminator="purchase"):
    state = UnicodeAttribute()
    placed = UTCDateTimeAttribute()
    total = NumberAttribute(default=0)
    lines = ListAttribute(of=Line, null=True)
    labels = UnicodeSetAttribute(null=True)
    receipt = BinaryAttribute(null=True, legacy_encoding=False)
    expires = TTLAttribute(null=True)
    version = VersionAttribute()
    by_state = ByState()


DAY = datetime(2026, 4, 1, 12, 30, tzinfo=timezone.utc)
EXPIRES = datetime(2100, 1, 1, tzinfo=timezone.utc)


def customer():
    return Customer("CUSTOMER#ada", "PROFILE", name="Ada")


def purchase():
    return Purchase(
        "CUSTOMER#ada",
        "PURCHASE#o1",
        state="open",
        placed=DAY,
        total=12.5,
        lines=[Line(product="pen", count=3, gift=True), Line(product="ink")],
        labels={"a", "b"},
        receipt=b"\x00\x01\xff",
        expires=EXPIRES,
    )


class Recorded(unittest.TestCase):
    def setUp(self):
        self.addCleanup(setattr, Entry.Meta, "table_name", RECORDED)

    def open(self, table):
        for model in (Entry, Customer, Purchase):
            model.Meta.table_name = table
            model._connection = None  # pylint: disable=protected-access
        Purchase.create_table(wait=True)

    def test_pynamodb_writes_the_recorded_items(self):
        self.open(RECORDED)
        customer().save()
        purchase().save()
        Purchase("CUSTOMER#ada", "PURCHASE#o2", state="closed", placed=DAY).save()

    def test_pynamodb_reads_and_changes_the_items_that_dolmen_has_updated(self):
        self.open(UPDATED)
        put_updated()
        found = list(Entry.query("CUSTOMER#ada"))
        self.assertEqual([Customer, Purchase, Purchase, Purchase], [type(item) for item in found])
        profile = customer()
        profile.is_active = False
        changed = purchase()
        changed.state, changed.total, changed.version = "paid", 20.5, 2
        changed.lines[0].count = 4
        closed = Purchase("CUSTOMER#ada", "PURCHASE#o2", state="closed", placed=DAY, version=1)
        created = Purchase("CUSTOMER#ada", "PURCHASE#o3", state="paid", placed=DAY, version=1)
        self.assertEqual(
            [item.serialize() for item in (profile, changed, closed, created)],
            [item.serialize() for item in found],
        )
        paid = [item.sk for item in Purchase.by_state.query("paid", Purchase.placed >= DAY)]
        self.assertEqual(["PURCHASE#o1", "PURCHASE#o3"], sorted(paid))
        found[1].update(actions=[Purchase.total.add(1)])
        self.assertEqual((21.5, 3), (found[1].total, found[1].version))
