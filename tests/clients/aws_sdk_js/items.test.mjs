// Tests of put, get, update and delete of single items, their conditions and their return values.

import assert from 'node:assert/strict';
import test from 'node:test';
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { client, createTable } from '../support/tables.mjs';
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

test('a delete returns the old item, and succeeds for an absent item', async () => {
  const Item = { pk: 'p', sk: 'deleted', a: 1 };
  await put(Item);
  const command = new DeleteCommand({
    TableName,
    Key: { pk: 'p', sk: 'deleted' },
    ReturnValues: 'ALL_OLD',
  });
  assert.deepEqual(await send(command), { Attributes: Item });
  assert.deepEqual(await send(command), {}); // the item no longer exists
  assert.deepEqual(await get('deleted'), {});
});

test("every response has a request id of the service's form", async () => {
  const { $metadata } = await client.send(
    new GetItemCommand({ TableName, Key: { pk: { S: 'p' }, sk: { S: 'absent' } } }),
  );
  assert.match($metadata.requestId, /^[0-9A-Z]{52}$/);
  const error = await client
    .send(new PutItemCommand({ TableName, Item: {} }))
    .catch((thrown) => thrown);
  assert.match(error.$metadata.requestId, /^[0-9A-Z]{52}$/);
});
