// Gives each test a database of its own, on a server that README.md tells how to start.

import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { test as base } from 'vitest';

const endpoint = process.env.DOLMEN_ENDPOINT ?? 'http://127.0.0.1:8000';

// A database with the contents of orders.json. Its access key belongs to one test.
class Shop {
  accessKey = randomUUID();
  client = DynamoDBDocumentClient.from(
    new DynamoDBClient({
      endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: this.accessKey, secretAccessKey: 'any' },
    }),
  );

  // Sends a control request and returns the answer.
  async control(method, path, body) {
    const response = await fetch(`${endpoint}/_dolmen/${path}`, {
      method,
      headers: { 'X-Dolmen-Access-Key': this.accessKey },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  }

  // Begins the faults of the rules, which follow from the seed.
  simulate = (...Rules) => this.control('POST', 'simulate', { Seed: 4, Rules });
  setClock = (time) => this.control('POST', `clock?set=${time}`);
  advance = (seconds) => this.control('POST', `clock?advance=${seconds}`);

  // Returns the seconds since 1970.
  now = async () => Date.parse((await this.control('GET', 'clock')).Now) / 1000;

  async stock(product) {
    const Key = { PK: `PRODUCT#${product}`, SK: 'STOCK' };
    return (await this.client.send(new GetCommand({ TableName: 'shop', Key }))).Item.stock;
  }
}

export const test = base.extend({
  shop: async ({ onTestFailed }, use) => {
    const shop = new Shop();
    onTestFailed(async () => {
      const { Trace } = await shop.control('GET', 'simulate');
      console.log(Trace.join('\n'));
    });
    await use(shop);
  },
});
