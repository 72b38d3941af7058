// Tests of Query and Scan: key conditions, order, pages, filters, indexes and segments.

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  BatchWriteCommand,
  QueryCommand,
  ScanCommand,
  paginateQuery,
  paginateScan,
} from '@aws-sdk/lib-dynamodb';
import { createTable, index, schema } from '../support/tables.mjs';
import { documents, pagesOf, send } from './helpers.mjs';

// A table with 20 letters in two partitions. Every third letter is starred. Only the starred
// letters are in the sparse index.
const TableName = await createTable('query', {
  ...schema(['pk', 'sk'], ['star:N', 'size:N']),
  LocalSecondaryIndexes: [index('by-size', ['pk', 'size:N'], { ProjectionType: 'KEYS_ONLY' })],
  GlobalSecondaryIndexes: [
    index('starred', ['star:N', 'sk'], { ProjectionType: 'INCLUDE', NonKeyAttributes: ['text'] }),
  ],
});
const letters = Array.from({ length: 20 }, (_, i) => ({
  pk: i < 15 ? 'many' : 'few',
  sk: `letter#${String(i).padStart(2, '0')}`,
  size: (i * 7) % 20,
  text: `letter ${i}`,
  ...(i % 3 === 0 && { star: 1 }),
}));
await send(
  new BatchWriteCommand({
    RequestItems: { [TableName]: letters.map((Item) => ({ PutRequest: { Item } })) },
  }),
);
const many = letters.slice(0, 15);
const starred = letters.filter(({ star }) => star);
const keyOf = ({ pk, sk }) => ({ pk, sk });

const input = (condition, values, others) => ({
  TableName,
  KeyConditionExpression: condition,
  ExpressionAttributeValues: values,
  ...others,
});
const query = (...query) => send(new QueryCommand(input(...query)));
const page = (Items, ScannedCount = Items.length) => ({
  Items,
  Count: Items.length,
  ScannedCount,
});

test('a query returns a partition in sort key order, or in reverse order', async () => {
  const values = { ':pk': 'many' };
  assert.deepEqual(await query('pk = :pk', values), page(many));
  assert.deepEqual(
    await query('pk = :pk', values, { ScanIndexForward: false }),
    page([...many].reverse()),
  );
  assert.deepEqual(await query('pk = :pk', { ':pk': 'none' }), page([]));
});

test('each condition on the sort key selects its range', async () => {
  const found = async (condition, a, b) => {
    const values = { ':pk': 'many', ':a': a, ...(b && { ':b': b }) };
    const { Items } = await query(`pk = :pk AND ${condition}`, values);
    return Items.map(({ sk }) => sk.slice(-2)).join(' ');
  };
  assert.equal(await found('sk = :a', 'letter#03'), '03');
  assert.equal(await found('sk < :a', 'letter#03'), '00 01 02');
  assert.equal(await found('sk <= :a', 'letter#03'), '00 01 02 03');
  assert.equal(await found('sk > :a', 'letter#12'), '13 14');
  assert.equal(await found('sk >= :a', 'letter#12'), '12 13 14');
  assert.equal(await found('sk BETWEEN :a AND :b', 'letter#03', 'letter#05'), '03 04 05');
  assert.equal(await found('begins_with(sk, :a)', 'letter#1'), '10 11 12 13 14');
});

test('pages have no gap and no overlap, and the last page can be empty', async () => {
  const sizes = async (pageSize, ScanIndexForward) => {
    const pages = await pagesOf(
      paginateQuery(
        { client: documents, pageSize },
        input('pk = :pk', { ':pk': 'many' }, { ScanIndexForward }),
      ),
    );
    const items = pages.flatMap(({ Items }) => Items);
    assert.deepEqual(items, ScanIndexForward ? many : [...many].reverse());
    for (const { Items, LastEvaluatedKey } of pages.slice(0, -1)) {
      assert.deepEqual(LastEvaluatedKey, keyOf(Items.at(-1)));
    }
    assert.equal(pages.at(-1).LastEvaluatedKey, undefined);
    return pages.map(({ Count }) => Count);
  };
  assert.deepEqual(await sizes(4, true), [4, 4, 4, 3]);
  assert.deepEqual(await sizes(5, true), [5, 5, 5, 0]);
  assert.deepEqual(await sizes(7, false), [7, 7, 1]);
});

test('a page ends after 1 MB', async () => {
  const large = await createTable('query-large');
  const texts = Array.from({ length: 8 }, (_, i) => ({
    pk: 'p',
    sk: `${i}`,
    text: String(i).repeat(200_000),
  }));
  await send(
    new BatchWriteCommand({
      RequestItems: { [large]: texts.map((Item) => ({ PutRequest: { Item } })) },
    }),
  );
  const pages = await pagesOf(
    paginateQuery(
      { client: documents },
      {
        TableName: large,
        KeyConditionExpression: 'pk = :p',
        ExpressionAttributeValues: { ':p': 'p' },
      },
    ),
  );
  assert.deepEqual(
    pages.flatMap(({ Items }) => Items),
    texts,
  );
  assert.deepEqual(
    pages.map(({ Count }) => Count),
    [6, 2],
  );
});

test('a filter is applied after the limit', async () => {
  const filtered = await query(
    'pk = :pk',
    { ':pk': 'many', ':one': 1 },
    { FilterExpression: 'star = :one', Limit: 4 },
  );
  assert.deepEqual(filtered, {
    ...page([many[0], many[3]], 4),
    LastEvaluatedKey: keyOf(many[3]),
  });
  const none = await query(
    'pk = :pk',
    { ':pk': 'many', ':two': 2 },
    { FilterExpression: 'star = :two', Limit: 4 },
  );
  assert.deepEqual(none, { ...page([], 4), LastEvaluatedKey: keyOf(many[3]) });
});

test('a query with Select COUNT returns no items', async () => {
  assert.deepEqual(
    await query(
      'pk = :pk',
      { ':pk': 'many', ':one': 1 },
      {
        FilterExpression: 'star = :one',
        Select: 'COUNT',
      },
    ),
    { Count: 5, ScannedCount: 15 },
  );
});

test('a query of a sparse index returns its items with the projected attributes', async () => {
  const values = { ':one': 1 };
  const found = await query('star = :one', values, { IndexName: 'starred' });
  const projected = starred.map(({ size, ...others }) => others);
  assert.deepEqual(found, page(projected));

  const first = await query('star = :one', values, { IndexName: 'starred', Limit: 3 });
  const { star, ...LastEvaluatedKey } = { star: 1, ...keyOf(starred[2]) };
  assert.deepEqual(first.LastEvaluatedKey, { star, ...LastEvaluatedKey });
  const rest = await query('star = :one', values, {
    IndexName: 'starred',
    ExclusiveStartKey: first.LastEvaluatedKey,
  });
  assert.deepEqual(rest.Items, projected.slice(3));
});

test('a local index sorts by another attribute and fetches attributes from the table', async () => {
  const bySize = [...many].sort((a, b) => a.size - b.size);
  const values = { ':pk': 'many', ':min': 10 };
  const condition = 'pk = :pk AND #size >= :min';
  const names = { ExpressionAttributeNames: { '#size': 'size' } };
  const large = bySize.filter(({ size }) => size >= 10);
  const asProjected = large.map(({ pk, sk, size }) => ({ pk, sk, size }));
  const local = { IndexName: 'by-size', ConsistentRead: true, ...names };
  assert.deepEqual(await query(condition, values, local), page(asProjected));
  assert.deepEqual(
    await query(condition, values, { ...local, Select: 'ALL_ATTRIBUTES' }),
    page(large),
  );
});

test('a scan returns every item once', async () => {
  const pages = await pagesOf(paginateScan({ client: documents, pageSize: 6 }, { TableName }));
  const items = pages.flatMap(({ Items }) => Items);
  assert.deepEqual(
    items.sort((a, b) => a.sk.localeCompare(b.sk)),
    letters,
  );
  assert.ok(pages.every(({ Count }) => Count <= 6));
});

test('each item and each partition is in exactly one segment', async () => {
  const wide = await createTable('query-segments');
  const items = Array.from({ length: 24 }, (_, i) => ({ pk: `p${i >> 1}`, sk: `${i & 1}` }));
  await send(
    new BatchWriteCommand({
      RequestItems: { [wide]: items.map((Item) => ({ PutRequest: { Item } })) },
    }),
  );
  const segmentOf = new Map();
  for (const Segment of [0, 1, 2]) {
    const scan = { TableName: wide, Segment, TotalSegments: 3 };
    const pages = await pagesOf(paginateScan({ client: documents, pageSize: 2 }, scan));
    for (const { pk, sk } of pages.flatMap(({ Items }) => Items)) {
      assert.ok(!segmentOf.has(`${pk} ${sk}`), 'an item is in one segment only');
      segmentOf.set(`${pk} ${sk}`, Segment);
    }
  }
  assert.equal(segmentOf.size, items.length);
  for (const { pk } of items) assert.equal(segmentOf.get(`${pk} 0`), segmentOf.get(`${pk} 1`));
});

test('a scan of an index filters on any attribute', async () => {
  const found = await send(
    new ScanCommand({
      TableName,
      IndexName: 'starred',
      FilterExpression: 'pk = :few',
      ExpressionAttributeValues: { ':few': 'few' },
      ProjectionExpression: 'sk',
    }),
  );
  assert.deepEqual(found, page([{ sk: 'letter#15' }, { sk: 'letter#18' }], starred.length));
});

test('the consumed capacity of a query counts the items that were read', async () => {
  const read = async (others) =>
    (await query('pk = :pk', { ':pk': 'many' }, { ReturnConsumedCapacity: 'TOTAL', ...others }))
      .ConsumedCapacity;
  assert.deepEqual(await read({}), { TableName, CapacityUnits: 0.5 });
  assert.deepEqual(await read({ ConsistentRead: true }), { TableName, CapacityUnits: 1 });
});
