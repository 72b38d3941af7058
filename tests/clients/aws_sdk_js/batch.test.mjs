// Tests of BatchWriteItem and BatchGetItem.

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  BatchGetCommand,
  BatchWriteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import { createTable } from '../support/tables.mjs';
import { fails, invalid, send } from './helpers.mjs';

const TableName = await createTable('batch');
const other = await createTable('batch-other', { keys: ['id:N'] });

const item = (pk, i) => ({ pk, sk: String(i).padStart(3, '0'), i });
const write = (requests) => send(new BatchWriteCommand({ RequestItems: requests }));
const putRequests = (items) => items.map((Item) => ({ PutRequest: { Item } }));
const range = (count) => Array.from({ length: count }, (_, i) => i);
const bySortKey = (a, b) => a.sk.localeCompare(b.sk);

async function partition(pk) {
  const { Items } = await send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
    }),
  );
  return Items;
}

test('a batch of 25 writes puts and deletes in two tables', async () => {
  const old = range(5).map((i) => item('written', i));
  assert.deepEqual(await write({ [TableName]: putRequests(old) }), { UnprocessedItems: {} });

  const added = range(15).map((i) => item('written', i + 100));
  const numbered = range(5).map((id) => ({ id }));
  assert.deepEqual(
    await write({
      [TableName]: [
        ...putRequests(added),
        ...old.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
      ],
      [other]: putRequests(numbered),
    }),
    { UnprocessedItems: {} },
  );
  assert.deepEqual(await partition('written'), added);
  assert.deepEqual(await send(new GetCommand({ TableName: other, Key: { id: 4 } })), {
    Item: { id: 4 },
  });
});

test('a batch of 100 reads leaves out absent items', async () => {
  const items = range(60).map((i) => item('read', i));
  for (const first of [0, 20, 40]) {
    await write({ [TableName]: putRequests(items.slice(first, first + 20)) });
  }
  const Keys = range(100).map((i) => ({ pk: 'read', sk: String(i).padStart(3, '0') }));
  const { Responses, UnprocessedKeys } = await send(
    new BatchGetCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } }),
  );
  assert.deepEqual(UnprocessedKeys, {});
  assert.deepEqual(Object.keys(Responses), [TableName]);
  assert.deepEqual(Responses[TableName].sort(bySortKey), items);
});

test('each table of a batch of reads has its own projection', async () => {
  await send(new PutCommand({ TableName, Item: { pk: 'projected', sk: 's', a: 1, b: 2 } }));
  await send(new PutCommand({ TableName: other, Item: { id: 1000, c: 3 } }));
  const { Responses } = await send(
    new BatchGetCommand({
      RequestItems: {
        [TableName]: {
          Keys: [{ pk: 'projected', sk: 's' }],
          ProjectionExpression: '#a',
          ExpressionAttributeNames: { '#a': 'a' },
        },
        [other]: { Keys: [{ id: 1000 }, { id: 1001 }] },
      },
    }),
  );
  assert.deepEqual(Responses, { [TableName]: [{ a: 1 }], [other]: [{ id: 1000, c: 3 }] });
});

test('a table without any of the items has an empty list', async () => {
  const { Responses } = await send(
    new BatchGetCommand({ RequestItems: { [other]: { Keys: [{ id: 9999 }] } } }),
  );
  assert.deepEqual(Responses, { [other]: [] });
});

test('keys beyond 16 MB are left unprocessed for the next call', async () => {
  const body = 'x'.repeat(390_000);
  for (const first of range(3)) {
    const items = range(15).map((i) => ({ ...item('large', first * 15 + i), body }));
    await write({ [TableName]: putRequests(items) });
  }
  const keyOf = (i) => ({ pk: 'large', sk: String(i).padStart(3, '0') });
  let request = { [TableName]: { Keys: range(45).map(keyOf), ConsistentRead: true } };
  const found = [];
  let calls = 0;
  while (Object.keys(request).length > 0) {
    const { Responses, UnprocessedKeys } = await send(
      new BatchGetCommand({ RequestItems: request }),
    );
    found.push(...Responses[TableName]);
    calls += 1;
    if (UnprocessedKeys[TableName]) assert.equal(UnprocessedKeys[TableName].ConsistentRead, true);
    request = UnprocessedKeys;
  }
  assert.equal(calls, 2);
  assert.deepEqual(
    found.sort(bySortKey).map(({ i }) => i),
    range(45),
  );
});

test('consumed capacity is reported for each table', async () => {
  const { ConsumedCapacity } = await send(
    new BatchWriteCommand({
      RequestItems: {
        [TableName]: putRequests([item('capacity', 1), item('capacity', 2)]),
        [other]: putRequests([{ id: 2000 }]),
      },
      ReturnConsumedCapacity: 'TOTAL',
    }),
  );
  assert.deepEqual(
    ConsumedCapacity.sort((a, b) => a.TableName.localeCompare(b.TableName)),
    [
      { TableName, CapacityUnits: 2 },
      { TableName: other, CapacityUnits: 1 },
    ],
  );
});

test('an invalid batch is rejected and writes nothing', async () => {
  const writes = (RequestItems) => new BatchWriteCommand({ RequestItems });
  const twice = [item('refused', 1), item('refused', 1)];
  const duplicates = 'Provided list of item keys contains duplicates';
  await invalid(writes({ [TableName]: putRequests(twice) }), duplicates);
  const key = { pk: 'refused', sk: '1' };
  await invalid(
    new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [key, key] } } }),
    duplicates,
  );
  await fails(
    writes({ [TableName]: putRequests([item('refused', 2)]), absent: putRequests([{ id: 1 }]) }),
    'ResourceNotFoundException',
    'Requested resource not found',
  );
  await invalid(
    writes({ [TableName]: putRequests([item('refused', 3), { pk: 'refused', sk: 3 }]) }),
    'The provided key element does not match the schema',
  );
  assert.deepEqual(await partition('refused'), []);
});
