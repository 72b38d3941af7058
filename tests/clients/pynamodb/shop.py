"""A shop in PynamoDB: orders, which are found by state and by total, and carts that expire."""

import os

from pynamodb.attributes import (
    BinaryAttribute,
    BooleanAttribute,
    ListAttribute,
    MapAttribute,
    NumberAttribute,
    TTLAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
    UTCDateTimeAttribute,
    VersionAttribute,
)
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex, KeysOnlyProjection
from pynamodb.indexes import LocalSecondaryIndex
from pynamodb.models import Model


class Settings:
    """The settings that all models share. A request is sent once. A retry could hide a failure."""

    host = os.environ["DOLMEN_ENDPOINT"]
    region = "us-east-1"
    max_retry_attempts = 0


class Line(MapAttribute):
    product = UnicodeAttribute()
    count = NumberAttribute(default=1)
    gift = BooleanAttribute(default=False)


class ByState(GlobalSecondaryIndex):
    class Meta:
        index_name = "by-state"
        projection = AllProjection()
        read_capacity_units = 2
        write_capacity_units = 1

    state = UnicodeAttribute(hash_key=True)
    placed = UTCDateTimeAttribute(range_key=True)


class ByTotal(LocalSecondaryIndex):
    class Meta:
        index_name = "by-total"
        projection = KeysOnlyProjection()

    customer = UnicodeAttribute(hash_key=True)
    total = NumberAttribute(range_key=True)


class Order(Model):
    class Meta(Settings):
        table_name = "pynamodb-orders"
        read_capacity_units = 3
        write_capacity_units = 4
        stream_view_type = "NEW_AND_OLD_IMAGES"
        tags = {"team": "shop"}

    customer = UnicodeAttribute(hash_key=True)
    order = UnicodeAttribute(range_key=True)
    state = UnicodeAttribute(default="open")
    placed = UTCDateTimeAttribute(null=True)
    total = NumberAttribute(default=0)
    lines = ListAttribute(of=Line, null=True)
    labels = UnicodeSetAttribute(null=True)
    receipt = BinaryAttribute(null=True, legacy_encoding=False)
    version = VersionAttribute()
    by_state = ByState()
    by_total = ByTotal()


class Cart(Model):
    class Meta(Settings):
        table_name = "pynamodb-carts"
        billing_mode = "PAY_PER_REQUEST"

    customer = UnicodeAttribute(hash_key=True)
    products = UnicodeSetAttribute(null=True)
    expires = TTLAttribute(null=True)
