"""Tests of an application with PynamoDB: tables, items, queries, batches and transactions."""

import contextlib
import unittest
from datetime import datetime, timedelta, timezone

from pynamodb.connection import Connection
from pynamodb.exceptions import DeleteError, PutError, TransactWriteError, UpdateError
from pynamodb.transactions import TransactGet, TransactWrite

from shop import Cart, Line, Order, Settings

DAY = datetime(2026, 4, 1, tzinfo=timezone.utc)


class Shop(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for model in (Order, Cart):
            model.create_table(wait=True)

    @property
    def customer(self):
        return self._testMethodName

    def place(self, count):
        """Saves the orders o1, o2, ... of the test's customer. Every second order is closed."""
        orders = [
            Order(
                self.customer,
                f"o{n}",
                state=f"{'closed' if n % 2 else 'open'}-{self.customer}",
                placed=DAY + timedelta(days=n),
                total=100 - n,
            )
            for n in range(1, count + 1)
        ]
        with Order.batch_write() as batch:
            for order in orders:
                batch.save(order)
        return orders

    @contextlib.contextmanager
    def assert_fails(self, error):
        """Expects the enclosed call to fail because of its condition."""
        with self.assertRaises(error) as caught:
            yield
        self.assertEqual("ConditionalCheckFailedException", caught.exception.cause_response_code)

    def names(self, orders):
        return [order.order for order in orders]

    def test_tables_have_what_their_models_declare(self):
        self.assertTrue(Order.exists())
        table = Order.describe_table()
        self.assertEqual("ACTIVE", table["TableStatus"])
        self.assertEqual(3, table["ProvisionedThroughput"]["ReadCapacityUnits"])
        self.assertEqual("NEW_AND_OLD_IMAGES", table["StreamSpecification"]["StreamViewType"])
        (of_all,) = table["GlobalSecondaryIndexes"]
        self.assertEqual("by-state", of_all["IndexName"])
        self.assertEqual(2, of_all["ProvisionedThroughput"]["ReadCapacityUnits"])
        (local,) = table["LocalSecondaryIndexes"]
        self.assertEqual({"ProjectionType": "KEYS_ONLY"}, local["Projection"])
        self.assertEqual(
            "PAY_PER_REQUEST", Cart.describe_table()["BillingModeSummary"]["BillingMode"]
        )
        Order.create_table(wait=True)  # the table exists, so this changes nothing
        tables = Connection(region=Settings.region, host=Settings.host).list_tables()
        self.assertLessEqual({"pynamodb-carts", "pynamodb-orders"}, set(tables["TableNames"]))

    def test_an_item_keeps_every_type_of_attribute(self):
        order = Order(
            self.customer,
            "o1",
            placed=DAY,
            total=12.5,
            lines=[Line(product="pen", count=3, gift=True), Line(product="ink")],
            labels={"a", "b"},
            receipt=b"\x00\x01\xff",
        )
        order.save()
        found = Order.get(self.customer, "o1", consistent_read=True)
        self.assertEqual(order.serialize(), found.serialize())
        self.assertEqual((DAY, 12.5), (found.placed, found.total))
        self.assertEqual(("open", 1), (found.state, found.version))
        self.assertEqual(["pen", "ink"], [line.product for line in found.lines])
        with self.assertRaises(Order.DoesNotExist):
            Order.get(self.customer, "absent")

    def test_an_update_changes_parts_of_an_item(self):
        order = Order(self.customer, "o1", lines=[Line(product="pen")], labels={"a", "b"}, total=5)
        order.save()
        order.update(
            actions=[
                Order.total.add(7),
                Order.labels.delete({"a"}),
                Order.lines[0].count.set(9),
                Order.placed.set(DAY),
            ],
            condition=Order.total.between(1, 5) & Order.lines[0].product.startswith("p"),
        )
        self.assertEqual((12, {"b"}), (order.total, order.labels))
        self.assertEqual((DAY, 2), (order.placed, order.version))
        order.update(
            actions=[
                Order.placed.remove(),
                Order.lines.set(Order.lines.append([Line(product="ink")])),
            ]
        )
        self.assertIsNone(order.placed)
        lines = [(line.product, line.count) for line in order.lines]
        self.assertEqual([("pen", 9), ("ink", 1)], lines)

    def test_conditions_fail(self):
        order = Order(self.customer, "o1")
        order.save(Order.customer.does_not_exist())
        with self.assert_fails(PutError):
            Order(self.customer, "o1").save(Order.customer.does_not_exist())
        with self.assert_fails(UpdateError):
            order.update(actions=[Order.total.set(1)], condition=Order.state.is_in("shipped"))
        with self.assert_fails(DeleteError):
            order.delete(Order.total > 0)
        order.delete(Order.total == 0)
        with self.assertRaises(Order.DoesNotExist):
            order.refresh()

    def test_a_stale_version_is_rejected(self):
        Order(self.customer, "o1").save()
        first, second = (Order.get(self.customer, "o1") for _ in range(2))
        first.total = 1
        first.save()
        second.total = 2
        with self.assert_fails(PutError):
            second.save()
        second.refresh()
        self.assertEqual((1, 2), (second.total, second.version))

    def test_orders_are_queried_by_key_and_by_index(self):
        self.place(7)
        orders = Order.query(self.customer, Order.order.between("o2", "o4"))
        self.assertEqual(["o2", "o3", "o4"], self.names(orders))
        orders = Order.query(self.customer, scan_index_forward=False, limit=2)
        self.assertEqual(["o7", "o6"], self.names(orders))
        orders = Order.by_state.query(
            f"closed-{self.customer}", Order.placed > DAY + timedelta(days=1)
        )
        self.assertEqual(["o3", "o5", "o7"], self.names(orders))
        orders = Order.by_total.query(self.customer, Order.total >= 98)
        self.assertEqual(["o2", "o1"], self.names(orders))
        is_open = Order.state.contains("open")
        self.assertEqual(3, Order.count(self.customer, filter_condition=is_open))

    def test_a_query_continues_at_its_last_key(self):
        self.place(5)
        page = Order.query(self.customer, page_size=2, limit=3)
        self.assertEqual(["o1", "o2", "o3"], self.names(page))
        rest = Order.query(self.customer, last_evaluated_key=page.last_evaluated_key)
        self.assertEqual(["o4", "o5"], self.names(rest))

    def test_a_scan_has_segments(self):
        self.place(20)
        mine = Order.customer == self.customer
        found = [
            order.order
            for segment in range(3)
            for order in Order.scan(mine, segment=segment, total_segments=3, page_size=4)
        ]
        self.assertEqual(sorted(f"o{n}" for n in range(1, 21)), sorted(found))

    def test_items_are_written_read_and_deleted_in_batches(self):
        orders = self.place(60)
        keys = [(self.customer, order.order) for order in orders]
        found = Order.batch_get(keys + [(self.customer, "absent")])
        self.assertEqual(sorted(self.names(orders)), sorted(self.names(found)))
        with Order.batch_write() as batch:
            for order in orders[1:]:
                batch.delete(order)
        self.assertEqual(["o1"], self.names(Order.query(self.customer)))

    def test_a_transaction_changes_all_its_items_or_none(self):
        connection = Connection(region=Settings.region, host=Settings.host, max_retry_attempts=0)
        Cart(self.customer, products={"pen"}).save()

        def check_out():
            with TransactWrite(connection=connection) as transaction:
                transaction.save(
                    Order(self.customer, "o1", total=5), condition=Order.customer.does_not_exist()
                )
                transaction.delete(Cart(self.customer), condition=Cart.products.contains("pen"))

        check_out()
        with self.assertRaises(TransactWriteError) as caught:
            check_out()
        self.assertEqual("TransactionCanceledException", caught.exception.cause_response_code)
        codes = [reason.code for reason in caught.exception.cancellation_reasons]
        self.assertEqual(["ConditionalCheckFailed"] * 2, codes)
        with TransactGet(connection=connection) as transaction:
            order = transaction.get(Order, self.customer, "o1")
            cart = transaction.get(Cart, self.customer)
        self.assertEqual(5, order.get().total)
        with self.assertRaises(Cart.DoesNotExist):
            cart.get()

    def test_carts_expire(self):
        client = Connection(region=Settings.region, host=Settings.host).client
        found = client.describe_time_to_live(TableName=Cart.Meta.table_name)
        self.assertEqual("expires", found["TimeToLiveDescription"]["AttributeName"])
        cart = Cart(self.customer, expires=timedelta(hours=1))
        cart.save()
        self.assertEqual(cart.expires, Cart.get(self.customer).expires)
