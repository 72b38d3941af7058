// Tests of the request handler for the AWS SDK v3. tests/clients has many more.

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient, ListStreamsCommand } from '@aws-sdk/client-dynamodb-streams';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { ClosedError } from 'dolmen';
import { openDatabase } from './support.mjs';

const Item = { PK: { S: 'a' }, SK: { S: '1' }, picture: { B: new Uint8Array([0, 255]) } };

for (const sync of [false, true]) {
  test(`a client reads what it has written, with sync: ${sync}`, async (t) => {
    const client = openDatabase(t).client(DynamoDBClient, { sync });
    const put = await client.send(new PutItemCommand({ TableName: 'app', Item }));
    assert.equal(put.$metadata.httpStatusCode, 200);
    assert.match(put.$metadata.requestId, /^[0-9A-V]{52}$/);
    const Key = { PK: Item.PK, SK: Item.SK };
    const found = await client.send(new GetItemCommand({ TableName: 'app', Key }));
    assert.deepEqual(found.Item, Item);
  });
}

test('a document client that shares a client', async (t) => {
  const documents = DynamoDBDocumentClient.from(openDatabase(t).client(DynamoDBClient));
  const item = { PK: 'a', SK: '1', tags: new Set(['x']), bytes: new Uint8Array([1]), deep: [{}] };
  await documents.send(new PutCommand({ TableName: 'app', Item: item }));
  const Key = { PK: 'a', SK: '1' };
  const found = await documents.send(new GetCommand({ TableName: 'app', Key }));
  assert.deepEqual(found.Item, item);
});

test('bytes at every place of an item, and members that are null', async (t) => {
  const client = openDatabase(t).client(DynamoDBClient);
  const Key = { PK: { S: 'a' }, SK: { S: '1' } };
  const bytes = new Uint8Array([0, 1, 255]);
  const attributes = {
    B: { B: bytes },
    BS: { BS: [bytes, new Uint8Array([7])] },
    deep: { L: [{ M: { B: { B: bytes } } }, { B: bytes.subarray(1) }, { S: '"B":' }] },
  };
  const Item = { ...Key, ...attributes, buffer: { B: Buffer.from(bytes) }, absent: null };
  const put = { TableName: 'app', Item, ConditionExpression: null, ReturnValues: undefined };
  await client.send(new PutItemCommand(put));
  const RequestItems = { app: { Keys: [Key] } };
  const { Responses } = await client.send(new BatchGetItemCommand({ RequestItems }));
  assert.deepEqual(Responses, { app: [{ ...Key, ...attributes, buffer: { B: bytes } }] });
});

test('a transaction that is sent again is executed once', async (t) => {
  const db = openDatabase(t, { simulate: {} });
  const client = db.client(DynamoDBClient);
  const Update = {
    TableName: 'app',
    Key: { PK: { S: 'a' }, SK: { S: '1' } },
    UpdateExpression: 'ADD visits :one',
    ExpressionAttributeValues: { ':one': { N: '1' } },
  };
  db.simulate({ Rules: [{ Fault: 'InternalServerError', Moment: 'After', CallsMax: 1 }] });
  const { $metadata } = await client.send(
    new TransactWriteItemsCommand({ TransactItems: [{ Update }] }),
  );
  assert.equal($metadata.attempts, 2);
  const { Item } = await client.send(new GetItemCommand({ TableName: 'app', Key: Update.Key }));
  assert.deepEqual(Item.visits, { N: '1' });
});

test('answers of other operations have the types of the SDK', async (t) => {
  const client = openDatabase(t).client(DynamoDBClient);
  const { Table } = await client.send(new DescribeTableCommand({ TableName: 'app' }));
  assert.ok(Table.CreationDateTime instanceof Date);
});

test('a logger gets each request and answer', async (t) => {
  const messages = [];
  const info = (message) => messages.push(message);
  const logger = { trace() {}, debug() {}, info, warn() {}, error() {} };
  const client = openDatabase(t).client(DynamoDBClient, { logger });
  await client.send(new PutItemCommand({ TableName: 'app', Item }));
  assert.deepEqual(messages.map(({ input }) => input.Item), [Item]);
});

test('a document client, and a client that signs its requests', async (t) => {
  const db = openDatabase(t);
  const credentials = { accessKeyId: 'any', secretAccessKey: 'any' };
  const requestHandler = db.requestHandler();
  const client = new DynamoDBClient({ requestHandler, region: 'us-east-1', credentials });
  const documents = DynamoDBDocumentClient.from(client);
  const item = { PK: 'a', SK: '1', tags: new Set(['x']), list: [1, null, { deep: true }] };
  await documents.send(new PutCommand({ TableName: 'app', Item: item }));
  const Key = { PK: 'a', SK: '1' };
  const found = await documents.send(new GetCommand({ TableName: 'app', Key }));
  assert.deepEqual(found.Item, item);
});

test('a client of streams', async (t) => {
  const client = new DynamoDBStreamsClient(openDatabase(t).clientOptions());
  const { Streams } = await client.send(new ListStreamsCommand({}));
  assert.deepEqual(
    Streams.map((stream) => stream.TableName),
    ['app'],
  );
});

test('errors are exceptions of the SDK', async (t) => {
  const client = openDatabase(t).client(DynamoDBClient);
  await client.send(new PutItemCommand({ TableName: 'app', Item }));
  const request = { TableName: 'app', Item, ConditionExpression: 'attribute_not_exists(PK)' };
  const input = { ...request, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
  await assert.rejects(client.send(new PutItemCommand(input)), (error) => {
    assert.ok(error instanceof ConditionalCheckFailedException);
    assert.equal(error.name, 'ConditionalCheckFailedException');
    assert.equal(error.message, 'The conditional request failed');
    assert.equal(error.$fault, 'client');
    assert.equal(error.$metadata.httpStatusCode, 400);
    assert.deepEqual(error.Item, Item);
    return true;
  });
});

test('the region is that of the database', async (t) => {
  const db = openDatabase(t, { region: 'eu-west-1' });
  const client = db.client(DynamoDBClient);
  assert.equal(await client.config.region(), 'eu-west-1');
  const { Table } = await db.execute('DescribeTable', { TableName: 'app' });
  assert.match(Table.TableArn, /:eu-west-1:/);
});

test('an aborted request is an error', async (t) => {
  const client = new DynamoDBClient(openDatabase(t).clientOptions());
  const abort = new AbortController();
  abort.abort();
  const sent = client.send(new ListTablesCommand({}), { abortSignal: abort.signal });
  await assert.rejects(sent, { name: 'AbortError' });
});

test('a request after close is an error', async (t) => {
  const db = openDatabase(t);
  const client = db.client(DynamoDBClient);
  await db.close();
  await assert.rejects(client.send(new ListTablesCommand({})), ClosedError);
  client.destroy();
});
