// Tests that the SDK's own retries get through throttling.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { database } from '../support/in_process.mjs';
import { endpoint } from '../support/peer.mjs';
import { onDemand, schema } from '../support/tables.mjs';

const TableName = 'app';
const credentials = { accessKeyId: 'throttled', secretAccessKey: 'secret' };
const throttled = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, credentials }));

// Sends a control request and returns the answer.
async function control(method, path, body) {
  const headers = { 'X-Dolmen-Access-Key': credentials.accessKeyId };
  const url = `${endpoint}/_dolmen/${path}`;
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  assert.equal(response.status, 200);
  return response.json();
}

// Calls each operation that DynamoDB throttles, and the SDK retries, once.
async function useEveryOperation(PK) {
  const Key = { PK, SK: '1' };
  for (const command of [
    new PutCommand({ TableName, Item: { ...Key, n: 1 } }),
    new UpdateCommand({
      TableName,
      Key,
      UpdateExpression: 'ADD n :one',
      ExpressionAttributeValues: { ':one': 1 },
    }),
    new GetCommand({ TableName, Key }),
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'PK = :pk',
      ExpressionAttributeValues: { ':pk': PK },
    }),
    new ScanCommand({ TableName }),
    new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [Key] } } }),
    new BatchWriteCommand({
      RequestItems: { [TableName]: [{ PutRequest: { Item: { PK, SK: '2' } } }] },
    }),
    new DeleteCommand({ TableName, Key }),
  ]) {
    await throttled.send(command);
  }
}

test(
  'each operation gets through when a fifth of all requests is throttled',
  { skip: database && 'only a server has control requests' },
  async () => {
    await throttled.send(
      new CreateTableCommand({ TableName, ...schema(['PK', 'SK']), ...onDemand }),
    );
    await control('POST', 'simulate', { Seed: 7, Rules: [{ Fault: 'Throttling', Chance: 0.2 }] });
    for (const pk of ['0', '1', '2', '3', '4']) await useEveryOperation(pk);
    const { Trace } = await control('GET', 'simulate');
    assert.ok(Trace.length > 5, `${Trace}`);
    const { Requests } = await control('GET', 'requests');
    const count = (status) => Requests.filter((request) => request.Status === status).length;
    assert.equal(count(400), Trace.length);
    assert.equal(count(200), 1 + 5 * 8);
  },
);
