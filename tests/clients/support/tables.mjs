// Helpers that create tables for tests through the AWS SDK.

import {
  CreateTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { connect } from './peer.mjs';

// Returns a client that sends each request once, so that a test sees the first response.
export const newClient = () => connect(DynamoDBClient, { maxAttempts: 1 });
export const client = newClient();

// Options for the SDK's waiters: the shortest delays, and at most 20 seconds.
export const waiting = { client, minDelay: 0.05, maxDelay: 0.1, maxWaitTime: 20 };

// Creates a table, by default with the string keys `pk` and `sk`. A name like 'age:N' gives the key
// the type N instead of S.
export async function createTable(TableName, { keys = ['pk', 'sk'], ...others } = {}) {
  await client.send(new CreateTableCommand({ TableName, ...schema(keys), ...onDemand, ...others }));
  await waitUntilTableExists(waiting, { TableName });
  return TableName;
}

// Waits until the status of time to live is not ENABLING, and returns the description.
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
