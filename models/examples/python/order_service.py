"""A small order service, twice: FirstOrderService has four bugs, OrderService is mended.

The table "shop" is in ../orders.json.
"""

import time

from boto3.dynamodb.conditions import Key


def order_key(customer, order_id):
    return {"PK": f"CUSTOMER#{customer}", "SK": f"ORDER#{order_id}"}


def order_item(order):
    key = order_key(order["customer"], order["id"])
    return {**key, "id": order["id"], "product": order["product"]}


def take_one(product):
    """Returns the update that takes one product from the stock."""
    return {
        "Key": {"PK": f"PRODUCT#{product}", "SK": "STOCK"},
        "UpdateExpression": "SET stock = stock - :one",
        "ConditionExpression": "stock >= :one",
        "ExpressionAttributeValues": {":one": 1},
    }


class OrderServiceBase:
    """The members of both versions."""

    def __init__(self, dynamodb, now=time.time, wait=time.sleep):
        """Takes boto3's resource. A test gives functions that use its own clock."""
        self.dynamodb = dynamodb
        self.client = dynamodb.meta.client
        self.table = dynamodb.Table("shop")
        self.now = now
        self.wait = wait


class FirstOrderService(OrderServiceBase):
    """The first version. It passes every test without faults."""

    def place(self, order):
        """Takes one product from the stock and stores the order."""
        # Bug: if the answer is lost, boto3 sends the update again, which takes a second product.
        self.table.update_item(**take_one(order["product"]))
        self.table.put_item(Item=order_item(order))

    def import_all(self, orders):
        """Stores up to 25 orders that another shop has sold."""
        # Bug: the answer can hold unprocessed items, which are lost.
        puts = [{"PutRequest": {"Item": order_item(order)}} for order in orders]
        self.dynamodb.batch_write_item(RequestItems={"shop": puts})

    def list(self, customer):
        """Returns the ids of the customer's orders."""
        # Bug: a query returns one page.
        page = self.table.query(KeyConditionExpression=Key("PK").eq(f"CUSTOMER#{customer}"))
        return [item["id"] for item in page["Items"]]

    def find(self, customer, order_id):
        """Returns the order, or None if it does not exist or was reserved and has expired."""
        # Bug: an expired item can be read until AWS deletes it, which can take some days.
        return self.table.get_item(Key=order_key(customer, order_id)).get("Item")


class OrderService(OrderServiceBase):
    """The mended version."""

    def place(self, order):
        """Does the same in one transaction, which can be sent several times."""
        # The token makes a repeated request harmless for ten minutes, and the condition makes it
        # harmless after that time.
        put = {"Item": order_item(order), "ConditionExpression": "attribute_not_exists(PK)"}
        self.client.transact_write_items(
            ClientRequestToken=order["id"],
            TransactItems=[
                {"Update": {"TableName": "shop", **take_one(order["product"])}},
                {"Put": {"TableName": "shop", **put}},
            ],
        )

    def import_all(self, orders):
        """Sends unprocessed items again until none are left, and waits longer each time."""
        left = {"shop": [{"PutRequest": {"Item": order_item(order)}} for order in orders]}
        delay = 0.05
        while left := self.dynamodb.batch_write_item(RequestItems=left)["UnprocessedItems"]:
            self.wait(delay)
            delay *= 2

    def list(self, customer):
        """Reads all pages."""
        pages = self.client.get_paginator("query").paginate(
            TableName="shop", KeyConditionExpression=Key("PK").eq(f"CUSTOMER#{customer}")
        )
        return [item["id"] for page in pages for item in page["Items"]]

    def find(self, customer, order_id):
        """Compares the time of the item with the clock."""
        item = self.table.get_item(Key=order_key(customer, order_id)).get("Item")
        expired = item is not None and "expires" in item and item["expires"] <= self.now()
        return None if expired else item
