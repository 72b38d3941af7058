// Tests of the helpers for tests, whose test framework is node:test here.

import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { TestDatabase, forkPerTest } from 'dolmen/testing';
import { SEED, countOf, put } from './support.mjs';

describe('forkPerTest', () => {
  const database = forkPerTest({ beforeEach, after }, { seed: SEED });
  const client = database.client(DynamoDBClient);
  const begin = database.base.clock;

  for (const number of [1, 2, 3]) {
    test(`test ${number} begins with the seed and the time of the base`, async () => {
      assert.equal(await countOf(database.db), 1);
      assert.deepEqual(database.db.clock, begin);
      await put(database.db, '2');
      database.db.advance(1000);
      const page = await client.send(new ScanCommand({ TableName: 'app' }));
      assert.equal(page.Count, 2);
    });
  }
});

test('options are those of a database, a seed, and no others', () => {
  assert.throws(() => new TestDatabase({ colour: 'red' }), /no option colour/);
  assert.throws(() => new TestDatabase({ seed: { Tables: 1 } }), /Tables/);
  const database = new TestDatabase();
  assert.throws(() => database.clientOptions({ colour: 'red' }), /no option colour/);
  database.base.closeSync();
});

test('a base can be filled by a program', async () => {
  const database = new TestDatabase();
  assert.throws(() => database.db, /begin\(\)/);
  await database.base.loadSeed(SEED);
  await put(database.base, '2');
  await database.begin();
  assert.equal(await countOf(database.db), 2);
  await database.close();
  assert.equal(database.base.isOpen, false);
});
