// Tests of the request handler for the AWS SDK v3. tests/clients has many more.

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
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
  const db = openDatabase(t);
  const client = db.client(DynamoDBClient);
  const request = { TableName: 'app', Item, ConditionExpression: 'attribute_exists(PK)' };
  await assert.rejects(client.send(new PutItemCommand(request)), (error) => {
    assert.equal(error.name, 'ConditionalCheckFailedException');
    assert.equal(error.message, 'The conditional request failed');
    assert.equal(error.$metadata.httpStatusCode, 400);
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
