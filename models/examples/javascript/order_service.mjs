// A small order service, twice: FirstOrderService has four bugs, OrderService is mended.
//
// The table "shop" is in ../orders.json.

import { setTimeout } from 'node:timers/promises';
import {
  BatchWriteCommand,
  GetCommand,
  paginateQuery,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';

const orderKey = (customer, id) => ({ PK: `CUSTOMER#${customer}`, SK: `ORDER#${id}` });
const orderItem = ({ customer, id, product }) => ({ ...orderKey(customer, id), id, product });
const putRequests = (orders) => orders.map((order) => ({ PutRequest: { Item: orderItem(order) } }));

// Returns the update that takes one product from the stock.
const takeOne = (product) => ({
  TableName: 'shop',
  Key: { PK: `PRODUCT#${product}`, SK: 'STOCK' },
  UpdateExpression: 'SET stock = stock - :one',
  ConditionExpression: 'stock >= :one',
  ExpressionAttributeValues: { ':one': 1 },
});

// Returns the query of a customer's orders.
const ordersOf = (customer) => ({
  TableName: 'shop',
  KeyConditionExpression: 'PK = :customer',
  ExpressionAttributeValues: { ':customer': `CUSTOMER#${customer}` },
});

// The members of both versions.
class OrderServiceBase {
  // Takes a document client. A test gives functions that use its own clock.
  constructor(client, { now = () => Date.now() / 1000, wait = (s) => setTimeout(s * 1000) } = {}) {
    Object.assign(this, { client, now, wait });
  }
}

// The first version. It passes every test without faults.
export class FirstOrderService extends OrderServiceBase {
  // Takes one product from the stock and stores the order.
  // Bug: if the answer is lost, the SDK sends the update again, which takes a second product.
  async place(order) {
    await this.client.send(new UpdateCommand(takeOne(order.product)));
    await this.client.send(new PutCommand({ TableName: 'shop', Item: orderItem(order) }));
  }

  // Stores up to 25 orders that another shop has sold.
  // Bug: the answer can hold unprocessed items, which are lost.
  async importAll(orders) {
    const RequestItems = { shop: putRequests(orders) };
    await this.client.send(new BatchWriteCommand({ RequestItems }));
  }

  // Returns the ids of the customer's orders.
  // Bug: a query returns one page.
  async list(customer) {
    const { Items } = await this.client.send(new QueryCommand(ordersOf(customer)));
    return Items.map((item) => item.id);
  }

  // Returns the order, or undefined if it does not exist or was reserved and has expired.
  // Bug: an expired item can be read until AWS deletes it, which can take some days.
  async find(customer, id) {
    const Key = orderKey(customer, id);
    return (await this.client.send(new GetCommand({ TableName: 'shop', Key }))).Item;
  }
}

// The mended version.
export class OrderService extends OrderServiceBase {
  // Does the same in one transaction, which can be sent several times. The token makes a repeated
  // request harmless for ten minutes, and the condition makes it harmless after that time.
  async place(order) {
    const ConditionExpression = 'attribute_not_exists(PK)';
    const put = { TableName: 'shop', Item: orderItem(order), ConditionExpression };
    const TransactItems = [{ Update: takeOne(order.product) }, { Put: put }];
    await this.client.send(
      new TransactWriteCommand({ ClientRequestToken: order.id, TransactItems }),
    );
  }

  // Sends unprocessed items again until none are left, and waits longer each time.
  async importAll(orders) {
    let RequestItems = { shop: putRequests(orders) };
    for (let delay = 0.05; ; delay *= 2) {
      const answer = await this.client.send(new BatchWriteCommand({ RequestItems }));
      RequestItems = answer.UnprocessedItems;
      if (Object.keys(RequestItems).length === 0) return;
      await this.wait(delay);
    }
  }

  // Reads all pages.
  async list(customer) {
    const ids = [];
    for await (const page of paginateQuery({ client: this.client }, ordersOf(customer))) {
      ids.push(...page.Items.map((item) => item.id));
    }
    return ids;
  }

  // Compares the time of the item with the clock.
  async find(customer, id) {
    const Key = orderKey(customer, id);
    const { Item } = await this.client.send(new GetCommand({ TableName: 'shop', Key }));
    return Item?.expires <= (await this.now()) ? undefined : Item;
  }
}
