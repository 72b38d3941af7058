// Tests of databases that several workers use, that nothing closes, or whose process is killed.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { ClosedError, Database } from 'dolmen';
import { TABLE, countOf, newDirectory, openDatabase, runProgram } from './support.mjs';

// A worker that writes items of its own and ends.
const WRITER = `
  import { parentPort, workerData } from 'node:worker_threads';
  import { Database } from 'dolmen';
  const db = Database.fromShared(workerData.shared);
  for (let i = 0; i < workerData.count; ++i) {
    const Item = { PK: String(workerData.worker), SK: String(i) };
    if (i % 2 === 0) await db.execute('PutItem', { TableName: 'app', Item });
    else db.executeSync('PutItem', { TableName: 'app', Item });
    const found = db.executeSync('GetItem', { TableName: 'app', Key: Item });
    if (found.Item.SK !== Item.SK) throw new Error('a write is lost');
  }
  if (workerData.closes) await db.close();
  if (workerData.stays) setInterval(() => db.execute('PutItem', {}).catch(() => {}), 0);
  parentPort.postMessage('done');
`;

function startWorker(workerData) {
  // A data: URL cannot import packages by their names.
  const source = WRITER.replace("'dolmen'", JSON.stringify(import.meta.resolve('dolmen')));
  const url = new URL(`data:text/javascript,${encodeURIComponent(source)}`);
  return new Worker(url, { workerData });
}

const ended = (worker) =>
  new Promise((resolve, reject) => worker.on('error', reject).on('exit', resolve));

test('eight workers use one database', async (t) => {
  const db = openDatabase(t);
  const workers = Array.from({ length: 8 }, (_, worker) =>
    startWorker({ shared: db.share, worker, count: 200, closes: worker % 2 === 0 }),
  );
  assert.deepEqual(await Promise.all(workers.map(ended)), Array(8).fill(0));
  assert.equal(await countOf(db), 1600);
});

test('a terminated worker leaves the database usable', async (t) => {
  const db = openDatabase(t);
  const worker = startWorker({ shared: db.share, worker: 1, count: 5, stays: true });
  await new Promise((resolve) => worker.on('message', resolve));
  await worker.terminate();
  assert.equal(await countOf(db), 5);
});

test('a database is closed with its last object', async (t) => {
  const path = join(newDirectory(t), 'db');
  const first = new Database(path);
  const { share } = first;
  const second = Database.fromShared(share);
  await first.close();
  assert.throws(() => new Database(path), { name: 'ResourceInUseException' });
  await second.execute('CreateTable', TABLE);
  await second.close();
  assert.throws(() => Database.fromShared(share), ClosedError);
  await new Database(path).close();
});

const OPEN = `
  import { Database } from 'dolmen';
  const db = new Database(process.argv[1]);
  const TABLE = ${JSON.stringify(TABLE)};
  const put = (SK) => db.execute('PutItem', { TableName: 'app', Item: { PK: 'a', SK } });
`;

// Ends of a program with an open database.
const ENDS = {
  'by its last line': `db.executeSync('CreateTable', TABLE); await put('1');`,
  'by process.exit': `db.executeSync('CreateTable', TABLE); await put('1'); process.exit();`,
  'by process.exit during writes': `
    db.executeSync('CreateTable', TABLE);
    await put('1');
    for (let i = 0; i < 1000; ++i) void put('1').catch(() => {});
    process.exit();`,
  'by process.exit during a subscription': `
    db.executeSync('CreateTable', TABLE);
    await put('1');
    db.subscribe('app', 'name', () => process.exit());`,
  'by process.exit during a handler that waits': `
    db.executeSync('CreateTable', TABLE);
    await put('1');
    db.subscribe('app', 'name', async () => {
      setImmediate(process.exit);
      await new Promise(() => {});
    });`,
};

for (const [name, program] of Object.entries(ENDS)) {
  test(`a program ends with an open database ${name}`, async (t) => {
    const path = join(newDirectory(t), 'db');
    assert.equal(runProgram(OPEN + program, path), '');
    const db = new Database(path);
    assert.equal(await countOf(db), 1);
    await db.close();
  });
}

test('the garbage collector closes a database', (t) => {
  const program = `
    import { Database } from 'dolmen';
    import v8 from 'node:v8';
    import vm from 'node:vm';
    v8.setFlagsFromString('--expose-gc');
    const gc = vm.runInNewContext('gc');
    const path = process.argv[1];
    (() => new Database(path))();
    for (let i = 0; i < 100; ++i) {
      gc();
      await new Promise(setImmediate);
      try { new Database(path).closeSync(); process.exit(); } catch {}
    }
    process.exit(1);`;
  assert.equal(runProgram(program, join(newDirectory(t), 'db')), '');
});

for (const durability of ['sync', 'buffered']) {
  test(`a killed program loses no acknowledged write: ${durability}`, () => {
    const script = fileURLToPath(new URL('kill.mjs', import.meta.url));
    const parameters = [
      script,
      `--rounds=${process.env.DOLMEN_KILLS ?? 2}`,
      `--durability=${durability}`,
    ];
    const run = spawnSync(process.execPath, parameters, { encoding: 'utf8', timeout: 3_600_000 });
    assert.equal(run.status, 0, run.stdout + run.stderr);
  });
}
