// Tests of an application with Dynamoose: tables, items, queries, batches and transactions.

import assert from 'node:assert/strict';
import test from 'node:test';
import dynamoose from 'dynamoose';
import { DescribeTableCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { failureOf } from '../support/failure.mjs';
import { client, keySchema, timeToLive } from '../support/tables.mjs';
import { indexed, open, replySchema, threadSchema } from './forum.mjs';

const onDemand = { throughput: 'ON_DEMAND' };
const Thread = await open('dynamoose-threads', threadSchema(), onDemand);
const Reply = await open('dynamoose-replies', replySchema, {
  ...onDemand,
  expires: { ttl: 3_600_000, attribute: 'expires' },
});

const describe = async (TableName) =>
  (await client.send(new DescribeTableCommand({ TableName }))).Table;
const indexesOf = (table) =>
  (table.GlobalSecondaryIndexes ?? []).map((index) => index.IndexName).sort();
const plain = (items) => items.map((item) => item.toJSON());

async function failsOnCondition(promise) {
  const error = await failureOf(promise);
  assert.equal(error.name, 'ConditionalCheckFailedException');
  assert.equal(error.message, 'The conditional request failed');
}

// Creates the threads t1, t2, ... of a forum by two authors.
async function seed(forum, count) {
  for (let i = 1; i <= count; ++i) {
    const author = i % 2 === 1 ? `ada-${forum}` : `bob-${forum}`;
    await Thread.create({ forum, thread: `t${i}`, author, title: `title ${i}`, replies: i });
  }
}

test('a table has its index, its keys and its billing mode', async () => {
  const table = await describe('dynamoose-threads');
  assert.deepEqual(table.KeySchema, keySchema(['forum', 'thread']));
  assert.equal(table.BillingModeSummary.BillingMode, 'PAY_PER_REQUEST');
  assert.deepEqual(indexesOf(table), ['byAuthor']);
  assert.deepEqual(table.GlobalSecondaryIndexes[0].KeySchema, keySchema(['author', 'thread']));
});

test('an item keeps every type of attribute', async () => {
  const thread = {
    forum: 'types',
    thread: 't1',
    title: 'all',
    tags: new Set(['a', 'b']),
    openedAt: new Date('2026-04-05T06:07:08.009Z'),
    picture: Buffer.from([0, 1, 255]),
    origin: { site: 'x', pinned: true },
    editors: ['ada', 'bob'],
  };
  await Thread.create(thread);
  const found = await Thread.get({ forum: 'types', thread: 't1' }, { consistent: true });
  assert.deepEqual({ ...found }, { ...thread, state: 'open', replies: 0 });
  const Key = { forum: { S: 'types' }, thread: { S: 't1' } };
  const { Item } = await client.send(new GetItemCommand({ TableName: 'dynamoose-threads', Key }));
  assert.deepEqual(Item.openedAt, { N: String(thread.openedAt.getTime()) });
  assert.equal(await Thread.get({ forum: 'types', thread: 'absent' }), undefined);
});

test('an item is created only once, and updated under a condition', async () => {
  await seed('updates', 1);
  await failsOnCondition(Thread.create({ forum: 'updates', thread: 't1', title: 'second' }));
  const key = { forum: 'updates', thread: 't1' };
  const updated = await Thread.update(key, {
    $ADD: { replies: 2, tags: new Set(['new']) },
    $SET: { state: 'closed' },
    $REMOVE: ['author'],
  });
  assert.deepEqual({ ...updated }, {
    ...key,
    title: 'title 1',
    state: 'closed',
    replies: 3,
    tags: new Set(['new']),
  });
  const condition = new dynamoose.Condition().where('state').eq('open');
  await failsOnCondition(Thread.update(key, { title: 'other' }, { condition }));
  await failsOnCondition(Thread.delete(key, { condition }));
  await Thread.delete(key);
  assert.equal(await Thread.get(key), undefined);
});

test('threads are queried by key and by index, in pages', async () => {
  await seed('pages', 7);
  const sorts = (threads) => plain(threads).map((thread) => thread.thread);
  const all = () => Thread.query('forum').eq('pages');
  assert.deepEqual(sorts(await all().sort('descending').limit(2).exec()), ['t7', 't6']);
  assert.deepEqual(sorts(await all().where('thread').between('t2', 't4').exec()), [
    't2',
    't3',
    't4',
  ]);
  const first = await all().limit(5).exec();
  assert.deepEqual(sorts(first), ['t1', 't2', 't3', 't4', 't5']);
  const rest = await all().limit(5).startAt(first.lastKey).exec();
  assert.deepEqual(sorts(rest), ['t6', 't7']);
  assert.equal(rest.lastKey, undefined);
  const ofBob = await Thread.query('author').eq('bob-pages').using('byAuthor').exec();
  assert.deepEqual(sorts(ofBob), ['t2', 't4', 't6']);
  const { count } = await all().filter('replies').gt(3).count().exec();
  assert.equal(count, 4);
  const scanned = await Thread.scan('forum').eq('pages').and().where('replies').in([1, 7]).exec();
  assert.deepEqual(sorts(scanned).sort(), ['t1', 't7']);
});

test('items are written, read and deleted in batches', async () => {
  const keys = [1, 2, 3].map((n) => ({ forum: 'batch', thread: `t${n}` }));
  await Thread.batchPut(keys.map((key) => ({ ...key, title: key.thread })));
  const found = await Thread.batchGet([...keys, { forum: 'batch', thread: 'absent' }]);
  assert.deepEqual(plain(found).map((thread) => thread.title).sort(), ['t1', 't2', 't3']);
  await Thread.batchDelete(keys.slice(1));
  assert.deepEqual(plain(await Thread.batchGet(keys)).length, 1);
});

test('a transaction changes all its items or none', async () => {
  await seed('transaction', 1);
  const thread = { forum: 'transaction', thread: 't1' };
  const transaction = () => [
    Reply.transaction.create({ forum: 'transaction', thread: 't1#r1', text: 'hello' }),
    Thread.transaction.update(thread, { $ADD: { replies: 1 } }),
  ];
  await dynamoose.transaction(transaction());
  const error = await failureOf(dynamoose.transaction(transaction()));
  assert.equal(error.name, 'TransactionCanceledException');
  assert.deepEqual(
    error.CancellationReasons.map((reason) => reason.Code),
    ['ConditionalCheckFailed', 'None'],
  );
  assert.equal((await Thread.get(thread)).replies, 2);
});

test('replies expire', async () => {
  assert.deepEqual(await timeToLive('dynamoose-replies'), {
    TimeToLiveStatus: 'ENABLED',
    AttributeName: 'expires',
  });
  const key = { forum: 'expiry', thread: 't1#r1' };
  const before = Date.now();
  await Reply.create({ ...key, text: 'hello' });
  assert.ok((await Reply.get(key)).expires.getTime() >= before + 3_599_000);
});

// ---- Updates of tables ----

test('an update of an on-demand table creates and deletes only the changed indexes', async () => {
  const name = 'dynamoose-updated';
  const update = { ...onDemand, update: true };
  await open(name, threadSchema(), update);
  assert.deepEqual(indexesOf(await describe(name)), ['byAuthor']);
  await open(name, threadSchema({ title: indexed('byTitle') }), update);
  assert.deepEqual(indexesOf(await describe(name)), ['byAuthor', 'byTitle']);
  await open(name, threadSchema({ author: String, title: indexed('byTitle') }), update);
  assert.deepEqual(indexesOf(await describe(name)), ['byTitle']);
});

test('an update of throughput, tags and streams keeps the indexes', async () => {
  const name = 'dynamoose-provisioned';
  const update = ['throughput', 'tags', 'tableClass', 'streams'];
  await open(name, threadSchema());
  await open(name, threadSchema(), {
    update,
    throughput: { read: 3, write: 4 },
    tags: { team: 'forum' },
    streamOptions: { enabled: true, type: 'NEW_IMAGE' },
  });
  const table = await describe(name);
  assert.deepEqual(indexesOf(table), ['byAuthor']);
  assert.equal(table.ProvisionedThroughput.ReadCapacityUnits, 3);
  assert.equal(table.ProvisionedThroughput.WriteCapacityUnits, 4);
  assert.equal(table.StreamSpecification.StreamViewType, 'NEW_IMAGE');
});

// DynamoDB describes the throughput of an index with NumberOfDecreasesToday, as it does for a
// table. Dynamoose 4.2 compares this description with the two numbers of its model, finds a
// difference, and deletes the index. A later start of the application creates the index again.
test('update: true deletes an index with provisioned throughput, as in DynamoDB', async () => {
  const name = 'dynamoose-compared';
  await open(name, threadSchema());
  const { ProvisionedThroughput } = (await describe(name)).GlobalSecondaryIndexes[0];
  assert.deepEqual(ProvisionedThroughput, {
    NumberOfDecreasesToday: 0,
    ReadCapacityUnits: 1,
    WriteCapacityUnits: 1,
  });
  await open(name, threadSchema(), { update: true });
  assert.deepEqual(indexesOf(await describe(name)), []);
  await open(name, threadSchema(), { update: true });
  assert.deepEqual(indexesOf(await describe(name)), ['byAuthor']);
});
