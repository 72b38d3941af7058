// Times GetItem and Query of the newest 50 messages in Node.js, by each way to a database.
//
//   bench.mjs --data=data.json --dolmen=build/release/api/command/dolmen [--out=bench/results]
//
// All ways read the same items, those of bench/http, in memory, with one call at a time:
// - executeSync, execute: Database.executeSync and execute, with plain JavaScript values
// - sdk_sync, sdk: the AWS SDK in process by Database.client, in the calling thread and in the
//   worker pool
// - sdk_options, sdk_handler: by clientOptions and by requestHandler, in the worker pool
// - http: the AWS SDK and `dolmen serve`
// - sqlite: node:sqlite (Node.js 22 and later) or better-sqlite3, with one column per attribute

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { Database, version } from 'dolmen';

const COMMANDS = { GetItem: GetItemCommand, Query: QueryCommand };
const GOAL = 3; // calls of sdk and of execute for one call over HTTP
const credentials = { accessKeyId: 'dolmen', secretAccessKey: 'secret' };

const itemsOf = (answer) => answer.Items ?? [answer.Item];

// Converts an item between DynamoDB's JSON and plain values. The items of the bench have only
// texts and booleans.
const plain = (item) =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, Object.values(value)[0]]));
const typed = (item) =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      typeof value === 'boolean' ? { BOOL: value } : { S: value },
    ]),
  );

const newClient = (options) => new DynamoDBClient({ region: 'us-east-1', credentials, ...options });

// Reads by the AWS SDK.
function sdk(client) {
  return {
    async load({ create, load }) {
      await client.send(new CreateTableCommand(create));
      for (const batch of load) await client.send(new BatchWriteItemCommand(batch));
    },
    prepare: (_, request) => request,
    read: (operation, request) => client.send(new COMMANDS[operation](request)),
    items: itemsOf,
  };
}

// Reads by Database.execute or executeSync.
function plainValues(db, execute) {
  return {
    load: (data) => sdk(db.client(DynamoDBClient)).load(data),
    prepare: (_, request) => {
      const prepared = { ...request };
      for (const name of ['Key', 'ExpressionAttributeValues']) {
        if (name in request) prepared[name] = plain(request[name]);
      }
      return prepared;
    },
    read: execute,
    items: (answer) => itemsOf(answer).map(typed),
  };
}

// Reads by SQLite. Returns undefined if it is not installed.
async function sqlite(messages) {
  const module = await import('node:sqlite').catch(() => import('better-sqlite3')).catch(() => {});
  if (module === undefined) return undefined;
  const db = new (module.DatabaseSync ?? module.default)(':memory:');
  const columns = Object.keys(messages[0]);
  const list = columns.join(', ');
  db.exec(`CREATE TABLE chat (${list}, PRIMARY KEY (PK, SK)) WITHOUT ROWID`);
  const insert = db.prepare(`INSERT INTO chat VALUES (${columns.map(() => '?').join(', ')})`);
  for (const message of messages) {
    const row = plain(message);
    insert.run(...columns.map((name) => (row[name] === false ? 0 : row[name])));
  }
  const statements = {
    GetItem: db.prepare('SELECT * FROM chat WHERE PK = ? AND SK = ?'),
    Query: db.prepare(
      'SELECT * FROM chat WHERE PK = ? AND SK BETWEEN ? AND ? ORDER BY SK DESC LIMIT 50',
    ),
  };
  return {
    load: async () => {},
    prepare: (operation, request) => {
      if (operation === 'GetItem') return Object.values(plain(request.Key));
      const { ':pk': pk, ':prefix': prefix } = plain(request.ExpressionAttributeValues);
      return [pk, prefix, `${prefix}\u{10ffff}`];
    },
    read: (operation, parameters) => statements[operation].all(...parameters),
    items: (rows) => rows.map((row) => typed({ ...row, edited: row.edited !== 0 })),
  };
}

// Starts `dolmen serve`. Returns the URL and a function that stops it.
async function serve(program) {
  const free = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => free.on('listening', resolve));
  const { port } = free.address();
  await new Promise((resolve) => free.close(resolve));
  const server = spawn(program, ['serve', '--memory', '--port', `${port}`], { stdio: 'ignore' });
  const endpoint = `http://127.0.0.1:${port}`;
  const options = { endpoint, region: 'us-east-1', credentials, maxAttempts: 50 };
  await new DynamoDBClient(options).send(new ListTablesCommand({}));
  return { endpoint, stop: () => server.kill() };
}

// Returns the ways by their names.
async function contenders(data, endpoint) {
  const open = () => new Database();
  const [later, now] = [open(), open()];
  const found = {
    executeSync: plainValues(now, (operation, request) => now.executeSync(operation, request)),
    execute: plainValues(later, (operation, request) => later.execute(operation, request)),
    sdk_sync: sdk(open().client(DynamoDBClient, { sync: true })),
    sdk: sdk(open().client(DynamoDBClient)),
    sdk_options: sdk(newClient(open().clientOptions())),
    sdk_handler: sdk(newClient({ requestHandler: open().requestHandler() })),
    http: sdk(newClient({ endpoint })),
    sqlite: await sqlite(data.messages),
  };
  if (found.sqlite === undefined) delete found.sqlite;
  for (const contender of Object.values(found)) await contender.load(data);
  return found;
}

// Returns the mean time of a call in microseconds, over at least `seconds`.
async function microseconds(contender, requests, seconds) {
  const begin = process.hrtime.bigint();
  for (let calls = 0; ;) {
    for (const [operation, request] of requests) {
      const answer = contender.read(operation, request);
      if (answer instanceof Promise) await answer;
    }
    calls += requests.length;
    const passed = Number(process.hrtime.bigint() - begin) / 1000;
    if (passed > seconds * 1e6) return passed / calls;
  }
}

// Returns the requests of a contender after it has found the right items.
async function prepared(name, contender, reads) {
  const requests = [];
  for (const { operation, request, items } of reads) {
    const own = contender.prepare(operation, request);
    assert.deepEqual(contender.items(await contender.read(operation, own)), items, name);
    requests.push([operation, own]);
  }
  return requests;
}

// Returns {way: microseconds of a call in the fastest round}. Other programs of the machine can only
// slow a round down.
async function measure(found, reads, { rounds, seconds }) {
  const requests = {};
  const times = {};
  for (const [name, contender] of Object.entries(found)) {
    requests[name] = await prepared(name, contender, reads);
    times[name] = [];
  }
  for (let round = 0; round < Number(rounds); ++round) {
    for (const [name, contender] of Object.entries(found)) {
      times[name].push(await microseconds(contender, requests[name], Number(seconds)));
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, Math.min(...all)]));
}

// Returns a table in Markdown: microseconds of a call, and the time over HTTP divided by them.
function table(fastest) {
  const workloads = Object.keys(fastest);
  const lines = [
    `| us a call (times faster than http) | ${workloads.join(' | ')} |`,
    '|---|---|---|',
  ];
  const times = (name, workload) => fastest[workload].http / fastest[workload][name];
  for (const name of Object.keys(fastest[workloads[0]])) {
    const cells = workloads.map(
      (workload) => `${fastest[workload][name].toFixed(1)} (${times(name, workload).toFixed(1)} x)`,
    );
    lines.push(`| ${name} | ${cells.join(' | ')} |`);
  }
  for (const name of ['sdk', 'sdk_sync', 'execute']) {
    for (const workload of workloads) {
      const verdict = times(name, workload) >= GOAL ? 'holds' : 'fails';
      const factor = times(name, workload).toFixed(1);
      lines.push('', `- ${workload}: ${name} >= ${GOAL} x http: ${factor} x, ${verdict}`);
    }
  }
  return lines.join('\n');
}

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    dolmen: { type: 'string' },
    out: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '0.3' },
  },
});
const data = JSON.parse(readFileSync(options.data, 'utf8'));
const { endpoint, stop } = await serve(options.dolmen);
const fastest = {};
try {
  const found = await contenders(data, endpoint);
  for (const [workload, reads] of Object.entries(data.reads)) {
    fastest[workload] = await measure(found, reads, options);
  }
} finally {
  stop();
}
const head =
  `Node.js ${process.version}, dolmen ${version}; ${data.messages.length} messages; ` +
  `fastest of ${options.rounds} rounds.`;
const text = `# Reads in JavaScript\n\n${head}\n\n${table(fastest)}`;
console.log(text);
if (options.out) writeFileSync(join(options.out, 'javascript.md'), `${text}\n`);
