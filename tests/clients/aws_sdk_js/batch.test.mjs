// Tests of BatchWriteItem and BatchGetItem.

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  BatchGetCommand,
  BatchWriteCommand,
  GetCommand,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import { createTable } from '../support/tables.mjs';
import { send } from './helpers.mjs';

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
