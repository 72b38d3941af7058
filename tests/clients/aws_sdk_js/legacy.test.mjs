// Tests of the legacy parameters, which are older than expressions. Old programs still send them.

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { createTable } from '../support/tables.mjs';
import { fails, invalid, invalidValues, send } from './helpers.mjs';

const TableName = await createTable('legacy');
const key = (sk) => ({ pk: 'p', sk });
const put = (sk, others, more) =>
  send(new PutCommand({ TableName, Item: { ...key(sk), ...others }, ...more }));
const get = async (sk, others) =>
  (await send(new GetCommand({ TableName, Key: key(sk), ConsistentRead: true, ...others }))).Item;

test('AttributesToGet selects attributes', async () => {
  await put('attributes', { a: 1, b: { c: 2 }, d: 3 });
  assert.deepEqual(await get('attributes', { AttributesToGet: ['b', 'a', 'absent'] }), {
    a: 1,
    b: { c: 2 },
  });
  const { Responses } = await send(
    new BatchGetCommand({
      RequestItems: { [TableName]: { Keys: [key('attributes')], AttributesToGet: ['d'] } },
    }),
  );
  assert.deepEqual(Responses, { [TableName]: [{ d: 3 }] });
});

test('Expected checks values, existence and operators', async () => {
  await put('expected', { n: 5, body: 'hello' });
  const expected = async (Expected, holds, ConditionalOperator) => {
    const command = new PutCommand({
      TableName,
      Item: { ...key('expected'), n: 5, body: 'hello' },
      Expected,
      ConditionalOperator,
    });
    if (holds) assert.deepEqual(await send(command), {});
    else await fails(command, 'ConditionalCheckFailedException', 'The conditional request failed');
  };
  const compare = (ComparisonOperator, ...AttributeValueList) => ({
    ComparisonOperator,
    AttributeValueList,
  });
  await expected({ n: { Value: 5 } }, true);
  await expected({ n: { Value: 6 } }, false);
  await expected({ absent: { Exists: false } }, true);
  await expected({ n: { Exists: false } }, false);
  await expected({ n: compare('GT', 4) }, true);
  await expected({ n: compare('BETWEEN', 6, 7) }, false);
  await expected({ n: compare('IN', 4, 5) }, true);
  await expected({ body: compare('BEGINS_WITH', 'he') }, true);
  await expected({ body: compare('CONTAINS', 'll') }, true);
  await expected({ body: compare('NOT_CONTAINS', 'll') }, false);
  await expected({ absent: compare('NULL') }, true);
  await expected({ n: compare('NOT_NULL') }, true);
  await expected({ n: compare('NE', 5), body: compare('EQ', 'hello') }, false);
  await expected({ n: compare('NE', 5), body: compare('EQ', 'hello') }, true, 'OR');
});

test('AttributeUpdates puts, adds and deletes', async () => {
  await put('updated', { n: 1, old: 'x', letters: new Set(['a', 'b']), more: new Set(['x']) });
  const { Attributes } = await send(
    new UpdateCommand({
      TableName,
      Key: key('updated'),
      AttributeUpdates: {
        fresh: { Action: 'PUT', Value: { deep: [1] } },
        n: { Action: 'ADD', Value: 2 },
        m: { Action: 'ADD', Value: -1 },
        more: { Action: 'ADD', Value: new Set(['y']) },
        letters: { Action: 'DELETE', Value: new Set(['a', 'z']) },
        old: { Action: 'DELETE' },
      },
      ReturnValues: 'ALL_NEW',
    }),
  );
  const updated = {
    ...key('updated'),
    fresh: { deep: [1] },
    n: 3,
    m: -1,
    more: new Set(['x', 'y']),
    letters: new Set(['b']),
  };
  assert.deepEqual(Attributes, updated);
  assert.deepEqual(await get('updated'), updated);
});

test('a delete with Expected checks the condition', async () => {
  await put('deleted', { n: 1 });
  const remove = (Value) =>
    new DeleteCommand({
      TableName,
      Key: key('deleted'),
      Expected: { n: { Value } },
      ReturnValues: 'ALL_OLD',
    });
  await fails(remove(2), 'ConditionalCheckFailedException', 'The conditional request failed');
  assert.deepEqual(await send(remove(1)), { Attributes: { ...key('deleted'), n: 1 } });
});

test('KeyConditions, QueryFilter and ScanFilter select items', async () => {
  const table = await createTable('legacy-query');
  const items = Array.from({ length: 6 }, (_, i) => ({
    pk: 'q',
    sk: `s${i}`,
    odd: i % 2 === 1,
    i,
  }));
  for (const Item of items) await send(new PutCommand({ TableName: table, Item }));
  const equals = (value) => ({ ComparisonOperator: 'EQ', AttributeValueList: [value] });
  const query = (sk, others) =>
    send(
      new QueryCommand({ TableName: table, KeyConditions: { pk: equals('q'), ...sk }, ...others }),
    );
  assert.deepEqual(await query({}, { ScanIndexForward: false, Limit: 2 }), {
    Items: [items[5], items[4]],
    Count: 2,
    ScannedCount: 2,
    LastEvaluatedKey: { pk: 'q', sk: 's4' },
  });
  const between = { ComparisonOperator: 'BETWEEN', AttributeValueList: ['s1', 's3'] };
  assert.deepEqual((await query({ sk: between })).Items, items.slice(1, 4));
  assert.deepEqual(
    await query({ sk: between }, { QueryFilter: { odd: equals(true) }, AttributesToGet: ['i'] }),
    { Items: [{ i: 1 }, { i: 3 }], Count: 2, ScannedCount: 3 },
  );
  const scanned = await send(
    new ScanCommand({
      TableName: table,
      ScanFilter: { i: equals(4), sk: equals('s5') },
      ConditionalOperator: 'OR',
    }),
  );
  assert.deepEqual(scanned, { Items: [items[4], items[5]], Count: 2, ScannedCount: 6 });
});

test('invalid legacy parameters are rejected', async () => {
  await invalid(
    new GetCommand({
      TableName,
      Key: key('x'),
      AttributesToGet: ['a'],
      ProjectionExpression: 'a',
    }),
    'Can not use both expression and non-expression parameters in the same request: ' +
      'Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}',
  );
  await invalidValues(
    new UpdateCommand({ TableName, Key: key('x'), AttributeUpdates: { a: { Action: 'PUT' } } }),
    'Only DELETE action is allowed when no attribute value is specified',
  );
  const expecting = (a) => new PutCommand({ TableName, Item: key('x'), Expected: { a } });
  await invalidValues(
    expecting({ Exists: false, Value: 1 }),
    'Value cannot be used when Exists is false for Attribute: a',
  );
  await invalidValues(
    expecting({ ComparisonOperator: 'EQ', AttributeValueList: [1, 2] }),
    'Invalid number of argument(s) for the EQ ComparisonOperator',
  );
  await invalid(
    new ScanCommand({ TableName, ConditionalOperator: 'AND' }),
    'ConditionalOperator cannot be used without Filter or Expected',
  );
  assert.equal(await get('x'), undefined);
});
