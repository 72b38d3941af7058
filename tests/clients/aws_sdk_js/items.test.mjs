// Tests of put, get, update and delete of single items, their conditions and their return values.

import assert from 'node:assert/strict';
import test from 'node:test';
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamodbLocal, unlessLocal } from '../support/peer.mjs';
import { client, createTable, index, schema } from '../support/tables.mjs';
import { fails, send } from './helpers.mjs';

const TableName = await createTable('items');

const put = (Item, others) => send(new PutCommand({ TableName, Item, ...others }));
const get = (sk, others) =>
  send(new GetCommand({ TableName, Key: { pk: 'p', sk }, ConsistentRead: true, ...others }));
const update = (sk, UpdateExpression, values, others) =>
  send(updateCommand(sk, UpdateExpression, values, others));
const updateCommand = (sk, UpdateExpression, ExpressionAttributeValues, others) =>
  new UpdateCommand({
    TableName,
    Key: { pk: 'p', sk },
    UpdateExpression,
    ExpressionAttributeValues,
    ...others,
  });

test('get returns the item that was put, and nothing for an absent item', async () => {
  const Item = { pk: 'p', sk: 'got', body: 'stone', parts: [1, { deep: true }], none: null };
  assert.deepEqual(await put(Item), {});
  assert.deepEqual(await get('got'), { Item });
  assert.deepEqual(await get('absent'), {});
});

test('a put replaces the whole item and returns the old item on request', async () => {
  const old = { pk: 'p', sk: 'replaced', a: 1, b: 2 };
  const ReturnValues = 'ALL_OLD';
  assert.deepEqual(await put(old, { ReturnValues }), {});
  assert.deepEqual(await put({ pk: 'p', sk: 'replaced', c: 3 }, { ReturnValues }), {
    Attributes: old,
  });
  assert.deepEqual(await get('replaced'), { Item: { pk: 'p', sk: 'replaced', c: 3 } });
});

test('a projection keeps the structure of the item', async () => {
  await put({ pk: 'p', sk: 'projected', doc: { a: 1, b: 2 }, parts: [10, 11, 12], other: 'x' });
  assert.deepEqual(
    await get('projected', {
      ProjectionExpression: 'doc.#b, parts[2], parts[0], absent',
      ExpressionAttributeNames: { '#b': 'b' },
    }),
    { Item: { doc: { b: 2 }, parts: [10, 12] } },
  );
  assert.deepEqual(await get('projected', { ProjectionExpression: 'absent' }), { Item: {} });
});

test('a failed condition leaves the item unchanged and returns it on request', async () => {
  const Item = { pk: 'p', sk: 'conditional', version: 1 };
  await put(Item);
  const name = 'ConditionalCheckFailedException';
  const message = 'The conditional request failed';
  const condition = { ConditionExpression: 'attribute_not_exists(pk)' };
  const another = new PutCommand({ TableName, Item: { ...Item, version: 2 }, ...condition });
  assert.equal((await fails(another, name, message)).Item, undefined);

  const shown = await fails(
    new PutCommand({
      TableName,
      Item: { ...Item, version: 2 },
      ...condition,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
    name,
    message,
  );
  assert.deepEqual(shown.Item, { pk: { S: 'p' }, sk: { S: 'conditional' }, version: { N: '1' } });
  assert.deepEqual(await get('conditional'), { Item });
});

test('a failed condition on an absent item returns no item', async () => {
  const error = await fails(
    new DeleteCommand({
      TableName,
      Key: { pk: 'p', sk: 'absent' },
      ConditionExpression: 'attribute_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
    'ConditionalCheckFailedException',
    'The conditional request failed',
  );
  assert.equal(error.Item, undefined);
});

test('one update sets, removes, adds and deletes', async () => {
  await put({
    pk: 'p',
    sk: 'updated',
    count: 1,
    gone: 'x',
    tags: new Set(['a', 'b']),
    parts: [1],
    doc: { k: 'v' },
  });
  const { Attributes } = await update(
    'updated',
    'SET doc.#new = :one, parts = list_append(parts, :more), given = if_not_exists(absent, :one) ' +
      'REMOVE gone ADD #count :one DELETE tags :tags',
    { ':one': 1, ':more': [2, 3], ':tags': new Set(['a']) },
    {
      ExpressionAttributeNames: { '#count': 'count', '#new': 'new' },
      ReturnValues: 'ALL_NEW',
    },
  );
  assert.deepEqual(Attributes, {
    pk: 'p',
    sk: 'updated',
    count: 2,
    given: 1,
    tags: new Set(['b']),
    parts: [1, 2, 3],
    doc: { k: 'v', new: 1 },
  });
});

test('an update creates an absent item', async () => {
  const values = { ':v': 'new' };
  assert.deepEqual(await update('created', 'SET a = :v', values, { ReturnValues: 'ALL_OLD' }), {});
  assert.deepEqual(await get('created'), { Item: { pk: 'p', sk: 'created', a: 'new' } });
});

test('an update returns the requested values', async () => {
  await put({ pk: 'p', sk: 'returned', a: 1, doc: { x: 1, y: 2 } });
  const change = async (ReturnValues, value) =>
    (await update('returned', 'SET a = :v, doc.x = :v', { ':v': value }, { ReturnValues }))
      .Attributes;
  assert.equal(await change('NONE', 2), undefined);
  // The update changes only doc.x, but DynamoDB Local returns the whole attribute `doc`.
  const changed = (v) => ({ a: v, doc: unlessLocal({ x: v }, { x: v, y: 2 }) });
  assert.deepEqual(await change('UPDATED_OLD', 3), changed(2));
  assert.deepEqual(await change('UPDATED_NEW', 4), changed(4));
  const whole = (v) => ({ pk: 'p', sk: 'returned', a: v, doc: { x: v, y: 2 } });
  assert.deepEqual(await change('ALL_OLD', 5), whole(4));
  assert.deepEqual(await change('ALL_NEW', 6), whole(6));
});

test('a delete returns the old item, and succeeds for an absent item', async () => {
  const Item = { pk: 'p', sk: 'deleted', a: 1 };
  await put(Item);
  const command = new DeleteCommand({
    TableName,
    Key: { pk: 'p', sk: 'deleted' },
    ReturnValues: 'ALL_OLD',
  });
  assert.deepEqual(await send(command), { Attributes: Item });
  // The item no longer exists. DynamoDB returns an empty response, but DynamoDB Local also returns
  // the consumed capacity, although the request does not ask for it.
  const ConsumedCapacity = { TableName, CapacityUnits: 1 };
  assert.deepEqual(await send(command), unlessLocal({}, { ConsumedCapacity }));
  assert.deepEqual(await get('deleted'), {});
});

test('consumed capacity is reported as requested', async () => {
  const indexed = await createTable('items-capacity', {
    ...schema(['pk', 'sk'], ['g']),
    GlobalSecondaryIndexes: [index('gsi', ['g'])],
  });
  const Item = { pk: 'p', sk: 's', g: 'g', body: 'x'.repeat(1500) };
  const written = await send(
    new PutCommand({ TableName: indexed, Item, ReturnConsumedCapacity: 'INDEXES' }),
  );
  assert.deepEqual(written, {
    ConsumedCapacity: {
      TableName: indexed,
      CapacityUnits: 4,
      Table: { CapacityUnits: 2 },
      GlobalSecondaryIndexes: { gsi: { CapacityUnits: 2 } },
    },
  });
  const Key = { pk: 'p', sk: 's' };
  const read = (ConsistentRead) =>
    send(
      new GetCommand({
        TableName: indexed,
        Key,
        ConsistentRead,
        ProjectionExpression: 'g',
        ReturnConsumedCapacity: 'TOTAL',
      }),
    );
  const cost = (CapacityUnits) => ({
    ConsumedCapacity: { TableName: indexed, CapacityUnits },
    Item: { g: 'g' },
  });
  assert.deepEqual(await read(false), cost(0.5));
  assert.deepEqual(await read(true), cost(1));
});

test(
  "every response has a request id of the service's form",
  { skip: dynamodbLocal('its request ids are UUIDs') },
  async () => {
    const { $metadata } = await client.send(
      new GetItemCommand({ TableName, Key: { pk: { S: 'p' }, sk: { S: 'absent' } } }),
    );
    assert.match($metadata.requestId, /^[0-9A-Z]{52}$/);
    const error = await client
      .send(new PutItemCommand({ TableName, Item: {} }))
      .catch((thrown) => thrown);
    assert.match(error.$metadata.requestId, /^[0-9A-Z]{52}$/);
  },
);
