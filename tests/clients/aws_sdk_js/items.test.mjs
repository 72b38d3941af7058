// Tests of put, get, update and delete of single items, their conditions and their return values.

import assert from 'node:assert/strict';
import test from 'node:test';
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamodbLocal, unlessLocal } from '../support/peer.mjs';
import { client, createTable, index, schema } from '../support/tables.mjs';
import { fails, invalid, send } from './helpers.mjs';

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

test('each operator and function of conditions is evaluated', async () => {
  await put({
    pk: 'p',
    sk: 'operators',
    n: 5,
    s: 'hello',
    letters: new Set(['a', 'b']),
    parts: ['x', 'y'],
    doc: { k: 'v' },
    nothing: null,
  });
  const values = { ':n': 5, ':four': 4, ':six': 6, ':he': 'he', ':a': 'a', ':x': 'x', ':SS': 'SS' };
  // Sends an UpdateItem with this condition and without changes. Expects that the condition is true
  // or, if `expected` is false, that the update fails.
  const holds = async (ConditionExpression, expected) => {
    const used = Object.keys(values).filter((key) => ConditionExpression.match(`${key}\\b`));
    const command = new UpdateCommand({
      TableName,
      Key: { pk: 'p', sk: 'operators' },
      ConditionExpression,
      ...(used.length > 0 && {
        ExpressionAttributeValues: Object.fromEntries(used.map((key) => [key, values[key]])),
      }),
    });
    if (expected) assert.deepEqual(await send(command), {});
    else await fails(command, 'ConditionalCheckFailedException', 'The conditional request failed');
  };
  await holds('n = :n', true);
  await holds('n <> :n', false);
  await holds('absent <> :n', true);
  await holds('n > :four AND n < :six', true);
  await holds('n >= :six OR n <= :four', false);
  await holds('n BETWEEN :four AND :six', true);
  await holds('n IN (:four, :n)', true);
  await holds('NOT n IN (:four, :six)', true);
  await holds('begins_with(s, :he)', true);
  await holds('contains(s, :he)', true);
  await holds('contains(letters, :a)', true);
  await holds('contains(letters, :x)', false);
  await holds('contains(parts, :x)', true);
  await holds('size(s) = :n', true);
  await holds('size(parts) < :four', true);
  await holds('attribute_exists(doc.k)', true);
  await holds('attribute_not_exists(doc.absent)', true);
  await holds('attribute_exists(nothing)', true);
  await holds('attribute_type(n, :SS)', false);
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

test('all operands of an update refer to the old item', async () => {
  await put({ pk: 'p', sk: 'swapped', a: 1, b: 2, parts: ['x', 'y', 'z'] });
  await update('swapped', 'SET a = b, b = a, parts[2] = :w REMOVE parts[0]', { ':w': 'w' });
  assert.deepEqual(await get('swapped'), {
    Item: { pk: 'p', sk: 'swapped', a: 2, b: 1, parts: ['y', 'w'] },
  });
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

test('an update that cannot be evaluated is rejected and changes nothing', async () => {
  const Item = { pk: 'p', sk: 'impossible', body: 'x' };
  await put(Item);
  const refused = (expression, values, message) =>
    invalid(updateCommand('impossible', expression, values), message);
  await refused(
    'SET a = absent + :one',
    { ':one': 1 },
    'The provided expression refers to an attribute that does not exist in the item',
  );
  await refused(
    'SET a = body + :one',
    { ':one': 1 },
    'An operand in the update expression has an incorrect data type',
  );
  await refused(
    'SET absent.k = :one',
    { ':one': 1 },
    'The document path provided in the update expression is invalid for update',
  );
  await refused(
    'SET sk = :one',
    { ':one': 'x' },
    'One or more parameter values were invalid: Cannot update attribute sk. ' +
      'This attribute is part of the key',
  );
  assert.deepEqual(await get('impossible'), { Item });
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
