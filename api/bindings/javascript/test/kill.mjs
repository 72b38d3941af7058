// Kills a program repeatedly while it writes, and checks that no acknowledged write is lost.
//
// The program has eight writers. Each writes its items in order: alone, in a transaction with a
// counter, or in a batch. It reports each write after its acknowledgement. After some hundred
// reports it gets SIGKILL. The database must then hold exactly the reported writes of each writer,
// and at most one more: as a whole, or in a batch also in part.
//
//   node kill.mjs [--rounds=50] [--durability=sync] [--seed=7]

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Database } from 'dolmen';
import { SCHEMA } from './support.mjs';

const WRITERS = 8;
const BATCH = 10;
const REPORTS_MIN = 100; // before a kill
const REPORTS_MAX = 600;

const TABLE = { ...SCHEMA, TableName: 'killed' };

const hasCounter = (number) => number % 4 === 1;

// Returns the items of a write. The number of the write decides its kind.
const itemsOf = (writer, number) =>
  Array.from({ length: number % 4 === 0 ? BATCH : 1 }, (_, i) => ({
    PK: `${writer}`,
    SK: `${String(number).padStart(8, '0')} ${String(i).padStart(2, '0')}`,
    text: `${number}`.repeat(50),
  }));

async function write(db, writer, number) {
  const [Item, ...others] = itemsOf(writer, number);
  if (hasCounter(number)) {
    const Update = {
      TableName: 'killed',
      Key: { PK: `counter ${writer}`, SK: 'counter' },
      UpdateExpression: 'ADD writes :one',
      ExpressionAttributeValues: { ':one': 1 },
    };
    const TransactItems = [{ Put: { TableName: 'killed', Item } }, { Update }];
    await db.execute('TransactWriteItems', { TransactItems });
  } else if (others.length > 0) {
    const killed = [Item, ...others].map((each) => ({ PutRequest: { Item: each } }));
    const answer = await db.execute('BatchWriteItem', { RequestItems: { killed } });
    assert.deepEqual(answer.UnprocessedItems, {});
  } else {
    await db.execute('PutItem', { TableName: 'killed', Item });
  }
}

// Writes without end. `done` has the number of writes of each writer.
function writeUntilKilled(directory, durability, done) {
  const db = new Database(directory, { durability });
  done.forEach(async (count, writer) => {
    for (let number = count + 1; ; ++number) {
      await write(db, writer, number);
      writeSync(1, `${writer} ${number}\n`);
    }
  });
}

// Runs the program and kills it. Returns the number of acknowledged writes of each writer.
async function acknowledgedWrites(directory, durability, done, reports) {
  const script = fileURLToPath(import.meta.url);
  const options = [`--write=${directory}`, `--durability=${durability}`];
  const program = spawn(process.execPath, [script, ...options, ...done.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = new Promise((resolve) => program.on('close', (_, signal) => resolve(signal)));
  const acknowledged = [...done];
  for await (const line of createInterface({ input: program.stdout })) {
    if (--reports === 0) program.kill('SIGKILL');
    const [writer, number] = line.split(' ').map(Number);
    assert.equal(number, acknowledged[writer] + 1, line);
    acknowledged[writer] = number;
  }
  assert.equal(await exit, 'SIGKILL', 'the program ended before it was killed');
  return acknowledged;
}

function read(db, partition) {
  const request = {
    TableName: 'killed',
    KeyConditionExpression: 'PK = :pk',
    ExpressionAttributeValues: { ':pk': partition },
  };
  const items = [];
  do {
    const page = db.executeSync('Query', request);
    items.push(...page.Items);
    request.ExclusiveStartKey = page.LastEvaluatedKey;
  } while (request.ExclusiveStartKey !== undefined);
  return items;
}

// Returns the number of writes that the database holds. Fails if it is not the expected one.
function check(db, writer, acknowledged) {
  const found = read(db, `${writer}`);
  const numbers = Array.from({ length: acknowledged }, (_, i) => i + 1);
  const expected = numbers.flatMap((number) => itemsOf(writer, number));
  const kept = found.slice(0, expected.length);
  assert.deepEqual(kept, expected, `writer ${writer}: an acknowledged write is lost`);
  const nextItems = itemsOf(writer, acknowledged + 1);
  const more = found.slice(expected.length);
  for (const item of more) {
    assert.deepEqual(
      item,
      nextItems.find((next) => next.SK === item.SK),
      'never written',
    );
  }
  const writes = acknowledged + (more.length > 0 ? 1 : 0);
  const counted = [...numbers, writes].filter((n, i, all) => hasCounter(n) && n !== all[i - 1]);
  const [counter] = read(db, `counter ${writer}`);
  assert.equal(counter?.writes ?? 0, counted.length, `writer ${writer}`);
  // A batch that is stored in part is written again as a whole.
  return more.length < nextItems.length ? acknowledged : writes;
}

// Returns a function of random numbers from 0 to 1 (mulberry32).
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function runRounds({ rounds, durability, seed }) {
  console.log(`${durability}, --seed=${seed}`);
  const random = randomNumbers(Number(seed));
  const directory = mkdtempSync(join(tmpdir(), 'dolmen-'));
  let db = new Database(directory);
  await db.execute('CreateTable', TABLE);
  await db.close();
  let done = Array(WRITERS).fill(0);
  for (let round = 1; round <= Number(rounds); ++round) {
    const reports = REPORTS_MIN + Math.floor(random() * (REPORTS_MAX - REPORTS_MIN));
    const acknowledged = await acknowledgedWrites(directory, durability, done, reports);
    db = new Database(directory);
    done = acknowledged.map((count, writer) => check(db, writer, count));
    await db.close();
    const total = done.reduce((sum, count) => sum + count);
    console.log(`kill ${round}: ${total} writes, nothing lost`);
  }
  rmSync(directory, { recursive: true });
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '50' },
    durability: { type: 'string', default: 'sync' },
    seed: { type: 'string', default: `${process.env.DOLMEN_SEED ?? Date.now() % 1e9}` },
    write: { type: 'string' },
  },
});
if (values.write) writeUntilKilled(values.write, values.durability, positionals.map(Number));
else await runRounds(values);
