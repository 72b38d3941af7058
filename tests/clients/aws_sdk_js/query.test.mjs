// Tests of Query and Scan: order, pages, indexes and segments.

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  BatchWriteCommand,
  QueryCommand,
  paginateQuery,
  paginateScan,
} from '@aws-sdk/lib-dynamodb';
import { createTable, index, schema } from '../support/tables.mjs';
import { documents, pagesOf, send } from './helpers.mjs';

// A table with 20 letters in two partitions. Every third letter is starred. Only the starred
// letters are in the sparse index.
const TableName = await createTable('query', {
  ...schema(['pk', 'sk'], ['star:N']),
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
