"""Tests of the order service by faults and a clock.

Each test runs with both versions of the service: it finds a bug of the first version, and the
mended version passes. The value beside a version is the result that the test expects from it.
"""

import pytest

from order_service import FirstOrderService, OrderService


def both_versions(first, mended):
    return pytest.mark.parametrize(
        "version, expected", [(FirstOrderService, first), (OrderService, mended)]
    )


@both_versions(8, 9)
def test_an_order_takes_one_lamp_although_an_answer_is_lost(shop, version, expected):
    shop.simulate({"Fault": "DroppedConnection", "Moment": "After", "Chance": 0.5, "CallsMax": 1})
    version(shop.dynamodb).place({"customer": "ann", "id": "7", "product": "lamp"})
    assert shop.stock("lamp") == expected


@both_versions(["3"], ["1", "2", "3"])
def test_all_orders_are_stored_although_a_batch_is_cut(shop, version, expected):
    service = version(shop.dynamodb, wait=shop.advance)
    shop.simulate({"Fault": "PartialBatch", "Chance": 0.5})
    service.import_all([{"customer": "eve", "id": n, "product": "lamp"} for n in ("1", "2", "3")])
    assert service.list("eve") == expected


@both_versions(["1", "2"], ["1", "2", "3", "4", "5"])
def test_a_list_has_all_orders_although_pages_are_short(shop, version, expected):
    shop.simulate({"Fault": "PageItems", "AmountMin": 1, "AmountMax": 3})
    assert version(shop.dynamodb).list("ann") == expected


@both_versions(True, False)
def test_a_reserved_order_is_found_until_it_expires(shop, version, expected):
    service = version(shop.dynamodb, now=shop.now)
    shop.set_clock("2026-04-15T10:14:59Z")
    assert service.find("bob", "6")
    shop.advance(1)
    assert (service.find("bob", "6") is not None) == expected
