// Tests of Database: its lifetime, forks, time, copies and subscriptions.

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ClosedError, Database, DolmenError, restore, version } from 'dolmen';
import {
  BEGIN,
  SEED,
  TABLE,
  countOf,
  get,
  key,
  newDirectory,
  openDatabase,
  put,
} from './support.mjs';

const HOUR = 3_600_000;

const named = (name) => (error) => error instanceof DolmenError && error.name === name;

test('the version is that of the library', () => assert.match(version, /^\d+\.\d+\.\d+$/));

test('a directory keeps its items', async (t) => {
  const path = join(newDirectory(t), 'app.dolmen');
  const first = new Database(path);
  await first.execute('CreateTable', TABLE);
  await put(first);
  assert.throws(() => new Database(path), named('ResourceInUseException'));
  await first.close();
  const second = new Database(path, { create: false, readOnly: true });
  assert.deepEqual(await get(second), { PK: 'a', SK: '1' });
  await assert.rejects(put(second), DolmenError);
  second.closeSync();
});

const WRONG_OPTIONS = [
  [{ create: false }, named('ValidationException')],
  [{ account: 7 }, /Account/],
  [{ noSuchOption: 7 }, /no option noSuchOption/],
  [{ Region: 'eu-west-1' }, /no option Region/],
  [{ durability: 'never' }, /Durability/],
  [{ readOnly: 1 }, /ReadOnly/],
  [{ clock: new Date(NaN) }, RangeError],
  [{ clock: new Date(-1) }, /Clock .* 1970 to 9998/],
  [{ clock: new Date('+010000-01-01') }, /Clock .* 1970 to 9998/],
  [{ clock: 'sytem' }, /Clock/],
  [{ clock: 7 }, /option clock/],
  [{ encryptionKey: 'k'.repeat(32) }, /encryptionKey must be a Uint8Array/],
  [{ encryptionKey: Buffer.alloc(31) }, /EncryptionKey/],
  [{ cacheBytes: NaN }, /CacheBytes .* NaN/],
  [{ cacheBytes: 10n }, /CacheBytes .* 10/],
  [{ rowCacheBytes: () => 10 }, /RowCacheBytes/],
  [{ expiryLagSeconds: -1 }, /ExpiryLagSeconds/],
  [{ simulate: { Rules: [{ Chance: Infinity }] } }, /Chance .* Infinity/],
  [{ simulate: new Map([['Seed', 7]]) }, /Simulate/],
  [{ region: '\ud83d' }, /half of a surrogate pair/],
  ['manual', TypeError],
  [7, TypeError],
  [null, TypeError],
];

for (const [options, error] of WRONG_OPTIONS) {
  test(`${inspect(options)} is refused by name and opens nothing`, (t) => {
    const path = join(newDirectory(t), 'app');
    assert.throws(() => new Database(path, options), error);
    assert.equal(existsSync(path), false);
    new Database(path).closeSync();
  });
}

test('a function refuses options that it does not have', async (t) => {
  const db = openDatabase(t);
  const client = db.client(DynamoDBClient);
  const none = { colour: 'red' };
  assert.throws(() => db.subscribe('app', 'name', () => {}, none), /no option colour/);
  assert.throws(() => db.requestHandler(none), /no option colour/);
  assert.throws(() => db.clientOptions(none), /no option colour/);
  assert.throws(() => db.attach(client, none), /no option colour/);
  await assert.rejects(restore('a', 'b', none), /no option colour/);
});

const PATHS = {
  'a string': (path) => path,
  'a Buffer': (path) => Buffer.from(path),
  'a URL': (path) => pathToFileURL(path),
};

for (const [kind, make] of Object.entries(PATHS)) {
  test(`${kind} is a path`, async (t) => {
    const directory = newDirectory(t);
    const pathOf = (name) => make(join(directory, name));
    const db = new Database(pathOf('a b%é'));
    await db.backup(pathOf('backup'));
    db.backupSync(pathOf('backup 2'));
    await restore(pathOf('backup'), pathOf('restored'));
    (await db.fork(pathOf('fork'))).closeSync();
    db.forkSync(pathOf('fork 2')).closeSync();
    await db.close();
    new Database(pathOf('a b%é'), { create: false }).closeSync();
    const names = ['a b%é', 'backup', 'backup 2', 'fork', 'fork 2', 'restored'];
    assert.deepEqual(readdirSync(directory), names);
  });
}

test('a path is the bytes of the file system', (t) => {
  const directory = newDirectory(t);
  const name = Buffer.from([0xff, 0xfe]);
  const path = Buffer.concat([Buffer.from(`${directory}/`), name]);
  new Database(path).closeSync();
  new Database(new URL(`file://${directory}/%FF%fe`), { create: false }).closeSync();
  assert.deepEqual(readdirSync(directory, 'buffer'), [name]);
});

const NO_PATHS = [
  7,
  true,
  {},
  [],
  ['a'],
  new Date(),
  () => 'a',
  Symbol('a'),
  'a\0b',
  '\ud83d',
  Buffer.from('a\0b'),
  new URL('https://example.com/a'),
  new URL('file://example.com/a'),
  new URL('file:///a%2Fb'),
  new URL('file:///a%00b'),
];

for (const path of NO_PATHS) {
  test(`${inspect(path)} is no path`, async (t) => {
    const db = openDatabase(t);
    const before = readdirSync('.');
    assert.throws(() => new Database(path), TypeError);
    assert.throws(() => db.forkSync(path), TypeError);
    assert.throws(() => db.backupSync(path), TypeError);
    assert.throws(() => db.backupSync(undefined), TypeError);
    await assert.rejects(db.fork(path), TypeError);
    await assert.rejects(db.backup(path), TypeError);
    await assert.rejects(restore(path, 'a'), TypeError);
    await assert.rejects(restore('a', path), TypeError);
    assert.deepEqual(readdirSync('.'), before);
  });
}

test('an encrypted database needs its key', async (t) => {
  const path = newDirectory(t);
  const encryptionKey = Buffer.alloc(32, 7);
  const db = new Database(join(path, 'db'), { encryptionKey });
  await db.execute('CreateTable', TABLE);
  await db.backup(join(path, 'backup'));
  await db.close();
  assert.throws(() => new Database(join(path, 'db')), DolmenError);
  await restore(join(path, 'backup'), join(path, 'restored'), { encryptionKey });
  const restored = new Database(join(path, 'restored'), { encryptionKey });
  assert.equal(await countOf(restored), 0);
  await restored.close();
});

const CALLS = {
  execute: (db) => db.execute('ListTables'),
  executeSync: (db) => db.executeSync('ListTables'),
  executeJson: (db) => db.executeJson('ListTables', '{}'),
  executeJsonSync: (db) => db.executeJsonSync('ListTables', '{}'),
  fork: (db) => db.fork(),
  forkSync: (db) => db.forkSync(),
  reset: (db) => db.reset(),
  resetSync: (db) => db.resetSync(),
  backup: (db) => db.backup('nowhere'),
  backupSync: (db) => db.backupSync('nowhere'),
  loadSeed: (db) => db.loadSeed(SEED),
  loadSeedSync: (db) => db.loadSeedSync(SEED),
  clock: (db) => db.clock,
  setClock: (db) => (db.clock = BEGIN),
  advance: (db) => db.advance(1),
  expire: (db) => db.expire(),
  expireSync: (db) => db.expireSync(),
  wait: (db) => db.wait(),
  waitSync: (db) => db.waitSync(),
  simulate: (db) => db.simulate(),
  trace: (db) => db.trace(),
  share: (db) => db.share,
  subscribe: (db) => db.subscribe('app', 'name', () => {}),
  handle: (db) => db.requestHandler().handle({ headers: {}, body: '' }),
};

for (const [name, call] of Object.entries(CALLS)) {
  test(`${name} after close is an error`, async () => {
    const db = new Database();
    assert.equal(db.isOpen, true);
    await db.close();
    await db.close();
    db.closeSync();
    assert.equal(db.isOpen, false);
    await assert.rejects(async () => call(db), ClosedError);
  });
}

test('close waits for the calls that run', async (t) => {
  const path = join(newDirectory(t), 'db');
  const db = new Database(path);
  await db.execute('CreateTable', TABLE);
  const writes = Array.from({ length: 100 }, (_, i) => put(db, `${i}`));
  await db.close();
  await Promise.all(writes);
  const again = new Database(path);
  assert.equal(await countOf(again), 100);
  await again.close();
});

test('closeSync lets the calls that run finish', async (t) => {
  const db = openDatabase(t);
  const writes = Array.from({ length: 100 }, (_, i) => put(db, `${i}`));
  db.closeSync();
  await Promise.all(writes);
});

test('calls do not block the event loop', async (t) => {
  const db = openDatabase(t);
  let isDone = false;
  const writes = Promise.all(Array.from({ length: 500 }, (_, i) => put(db, `${i}`)));
  void writes.then(() => (isDone = true));
  let turns = 0;
  while (!isDone) {
    await new Promise(setImmediate);
    ++turns;
  }
  assert.ok(turns > 1, `${turns} turns of the event loop`);
});

test('a fork and its origin do not see the writes of each other', async (t) => {
  const db = openDatabase(t);
  await put(db);
  const forks = [await db.fork(), db.forkSync(), await db.fork(join(newDirectory(t), 'fork'))];
  await put(db, '2');
  for (const fork of forks) {
    assert.equal(await countOf(fork), 1);
    assert.equal(fork.clock.getTime(), BEGIN.getTime());
    await put(fork, '3');
    await fork.close();
  }
  assert.equal(await countOf(db), 2);
});

test('a reset brings back the beginning', async (t) => {
  const db = openDatabase(t);
  await put(db);
  const fork = await db.fork();
  await put(fork, '2');
  await fork.reset();
  assert.equal(await countOf(fork), 1);
  await fork.close();
  db.resetSync();
  assert.deepEqual((await db.execute('ListTables')).TableNames, []);
});

test('a seed creates tables with items', async () => {
  for (const seed of [SEED, JSON.stringify(SEED), Buffer.from(JSON.stringify(SEED))]) {
    const db = new Database(null, { clock: BEGIN });
    await db.loadSeed(seed);
    assert.equal(await countOf(db), 1);
    await assert.rejects(db.loadSeed(seed), named('ResourceInUseException'));
    await db.close();
  }
});

test('a manual clock decides what expires', async () => {
  const db = new Database(null, { clock: BEGIN, expiryLagSeconds: 0 });
  db.loadSeedSync(SEED);
  assert.equal(await db.expire(), 0);
  assert.deepEqual(db.advance(HOUR), new Date(BEGIN.getTime() + HOUR));
  assert.equal(db.expireSync(), 1);
  assert.throws(() => (db.clock = new Date('no date')), RangeError);
  await db.close();
});

test('the clock of the system cannot be moved', async () => {
  const db = new Database();
  assert.ok(Math.abs(db.clock.getTime() - Date.now()) < HOUR);
  assert.throws(() => (db.clock = BEGIN), named('ValidationException'));
  await db.close();
});

test('a backup becomes a database', async (t) => {
  const path = newDirectory(t);
  const db = openDatabase(t);
  await put(db);
  const first = await db.backup(join(path, 'backup'));
  assert.ok(first.Bytes > 0 && first.CopiedBytes > 0);
  assert.equal(db.backupSync(join(path, 'backup')).Bytes > 0, true);
  await restore(join(path, 'backup'), join(path, 'restored'));
  const restored = new Database(join(path, 'restored'), { create: false });
  assert.equal(await countOf(restored), 1);
  await restored.close();
  await assert.rejects(restore(join(path, 'nowhere'), join(path, 'other')), DolmenError);
});

test('wait returns when an index is built', async (t) => {
  const db = openDatabase(t);
  for (let i = 0; i < 100; ++i) await put(db, `${i}`, { rank: 'r' });
  await db.execute('UpdateTable', {
    TableName: 'app',
    AttributeDefinitions: [
      ...TABLE.AttributeDefinitions,
      { AttributeName: 'rank', AttributeType: 'S' },
    ],
    GlobalSecondaryIndexUpdates: [
      {
        Create: {
          IndexName: 'Rank',
          KeySchema: [{ AttributeName: 'rank', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      },
    ],
  });
  await db.wait();
  db.waitSync();
  const answer = await db.execute('Scan', { TableName: 'app', IndexName: 'Rank' });
  assert.equal(answer.Count, 100);
});

test('a simulation lets requests fail', async (t) => {
  const db = openDatabase(t, { simulate: {} });
  db.simulate({ Seed: 7, Rules: [{ Fault: 'Throttling', CallsMax: 1 }] });
  await assert.rejects(put(db), named('ThrottlingException'));
  await put(db);
  assert.equal(db.trace().length, 1);
  db.simulate();
  await put(db);
  assert.deepEqual(db.trace(), []);
  assert.throws(() => db.simulate({ NoSuchMember: 1 }), /NoSuchMember/);
});

test('a handler gets changes with plain values', async (t) => {
  const db = openDatabase(t);
  const item = await put(db, '1', { tags: new Set(['x']) });
  let subscription;
  const record = await new Promise((resolve) => {
    subscription = db.subscribe('app', 'name', ([first]) => resolve(first));
  });
  assert.equal(record.eventName, 'INSERT');
  assert.deepEqual(record.dynamodb.NewImage, item);
  await subscription.close();
  await subscription.close();
  await put(db, '2');
  const next = await new Promise((resolve) => {
    subscription = db.subscribe('app', 'name', async ([first]) => resolve(first));
  });
  assert.deepEqual(next.dynamodb.Keys, { PK: 'a', SK: '2' });
});

test('a failed handler gets the records again', async (t) => {
  const db = openDatabase(t);
  await put(db);
  const failures = [];
  const onError = (error) => failures.push(error.message);
  await new Promise((resolve) => {
    const handler = async (records) => {
      if (failures.length === 0) throw new Error('not now');
      resolve(records);
    };
    db.subscribe('app', 'name', handler, { onError });
  });
  assert.deepEqual(failures, ['not now']);
});

test('a handler cannot close its own subscription', async (t) => {
  const db = openDatabase(t);
  await put(db);
  await new Promise((resolve) => {
    const subscription = db.subscribe('app', 'name', async () => {
      await assert.rejects(subscription.close(), named('ValidationException'));
      assert.throws(() => db.closeSync(), named('ValidationException'));
      resolve();
    });
  });
});

test('a subscription needs a table with a stream', async (t) => {
  const db = openDatabase(t);
  const begin = (table) => db.subscribe(table, 'name', () => {});
  assert.throws(() => begin('nowhere'), named('ResourceNotFoundException'));
  const subscription = begin('app');
  assert.throws(() => begin('app'), named('ResourceInUseException'));
  await subscription.close();
});

test('memory does not grow with calls', async (t) => {
  const db = openDatabase(t);
  const calls = Number(process.env.DOLMEN_CALLS ?? 20_000);
  await put(db, '1', { text: 'x'.repeat(1000) });
  const request = { TableName: 'app', Key: key() };
  // Executes the calls. Returns the resident memory without V8's heap, which has no fixed size.
  const run = async (count) => {
    for (let i = 0; i < count / 20; ++i) {
      for (let j = 0; j < 10; ++j) db.executeSync('GetItem', request);
      await Promise.all(Array.from({ length: 10 }, () => db.execute('GetItem', request)));
    }
    const { rss, heapTotal } = process.memoryUsage();
    return rss - heapTotal;
  };
  const before = await run(20_000);
  const grown = (await run(calls)) - before;
  t.diagnostic(`${calls} calls: resident memory grew by ${grown} bytes`);
  assert.ok(grown < 10_000_000, `resident memory grew by ${grown} bytes`);
});
