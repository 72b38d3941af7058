// A table and requests that the tests share.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from 'dolmen';

export const BEGIN = new Date('2026-04-15T10:30:00Z');

// The keys of all tables.
export const SCHEMA = {
  KeySchema: [
    { AttributeName: 'PK', KeyType: 'HASH' },
    { AttributeName: 'SK', KeyType: 'RANGE' },
  ],
  AttributeDefinitions: [
    { AttributeName: 'PK', AttributeType: 'S' },
    { AttributeName: 'SK', AttributeType: 'S' },
  ],
  BillingMode: 'PAY_PER_REQUEST',
};

export const TABLE = {
  ...SCHEMA,
  TableName: 'app',
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
};

export const SEED = {
  Tables: [
    {
      ...TABLE,
      TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
      Items: [{ PK: { S: 'a' }, SK: { S: '0' }, expires: { N: '1776249001' } }],
    },
  ],
};

export const key = (sort = '1', partition = 'a') => ({ PK: partition, SK: sort });

// Opens a database in memory with the table app. It is closed after the test.
export function openDatabase(t, options) {
  const db = new Database(null, { clock: BEGIN, expiryLagSeconds: 0, ...options });
  db.executeSync('CreateTable', TABLE);
  t.after(() => db.close());
  return db;
}

// Returns the path of a new directory that is deleted after the test.
export function newDirectory(t) {
  const path = mkdtempSync(join(tmpdir(), 'dolmen-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export async function put(db, sort = '1', attributes = {}) {
  const item = { ...key(sort), ...attributes };
  await db.execute('PutItem', { TableName: 'app', Item: item });
  return item;
}

export const get = async (db, sort = '1') =>
  (await db.execute('GetItem', { TableName: 'app', Key: key(sort) })).Item;

export const countOf = async (db) =>
  (await db.execute('Scan', { TableName: 'app', Select: 'COUNT' })).Count;

// Runs a program of JavaScript with the package, and returns its output. It must exit with 0.
export function runProgram(text, ...parameters) {
  const program = ['--input-type=module', '-e', text, ...parameters];
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, program, {
    encoding: 'utf8',
    timeout: 60_000,
    cwd: import.meta.dirname ?? process.cwd(),
  });
  if (status !== 0 || stderr !== '') throw new Error(`${status} ${signal}: ${stderr}`);
  return stdout;
}
