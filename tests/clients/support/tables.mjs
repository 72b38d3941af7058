// Tables for tests, by the AWS SDK alone.

import {
  CreateTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { endpoint } from './peer.mjs';

// One attempt: a test is to see the first answer.
export const newClient = () => new DynamoDBClient({ endpoint, maxAttempts: 1 });
export const client = newClient();

// For the SDK's waiters: as often as they can, and not for ever.
export const waiting = { client, minDelay: 0.05, maxDelay: 0.1, maxWaitTime: 20 };

// A table of string keys `pk` and `sk`; a name like 'age:N' has another type than S.
export async function createTable(TableName, { keys = ['pk', 'sk'], ...others } = {}) {
  await client.send(new CreateTableCommand({ TableName, ...schema(keys), ...onDemand, ...others }));
  await waitUntilTableExists(waiting, { TableName });
  return TableName;
}

// What DescribeTimeToLive says once the items that were there are looked through.
export async function timeToLive(TableName) {
  for (let i = 0; i < 10_000; ++i) {
    const { TimeToLiveDescription } = await client.send(
      new DescribeTimeToLiveCommand({ TableName }),
    );
    if (TimeToLiveDescription.TimeToLiveStatus !== 'ENABLING') return TimeToLiveDescription;
  }
}

export const onDemand = { BillingMode: 'PAY_PER_REQUEST' };

const nameOf = (key) => key.split(':')[0];

export const attributes = (keys) =>
  keys.map((key) => ({ AttributeName: nameOf(key), AttributeType: key.split(':')[1] ?? 'S' }));

export const keySchema = (keys) =>
  keys.map((key, i) => ({ AttributeName: nameOf(key), KeyType: i === 0 ? 'HASH' : 'RANGE' }));

export const schema = (keys, others = []) => ({
  AttributeDefinitions: attributes([...keys, ...others]),
  KeySchema: keySchema(keys),
});

export const index = (IndexName, keys, Projection = { ProjectionType: 'ALL' }) => ({
  IndexName,
  KeySchema: keySchema(keys),
  Projection,
});
