// Tests that values of every type are returned as sent, with and without the document client.

import assert from 'node:assert/strict';
import test from 'node:test';
import { GetCommand, NumberValue, PutCommand } from '@aws-sdk/lib-dynamodb';
import { createTable } from '../support/tables.mjs';
import { documentsWith, send } from './helpers.mjs';

const TableName = await createTable('values', { keys: ['pk'] });

// A document client that returns numbers as text. JavaScript's numbers hold only 15 digits.
const exact = documentsWith({ unmarshallOptions: { wrapNumbers: true } });

async function thereAndBack(pk, value, through) {
  await send(new PutCommand({ TableName, Item: { pk, value } }), through);
  const { Item } = await send(new GetCommand({ TableName, Key: { pk } }), through);
  assert.deepEqual(Object.keys(Item).sort(), ['pk', 'value']);
  return Item.value;
}

const same = async (pk, value) => assert.deepEqual(await thereAndBack(pk, value), value);

const number = async (pk, text) =>
  (await thereAndBack(pk, NumberValue.from(text), exact)).toString();

test('numbers keep 38 digits', async () => {
  const digits = '12345678901234567890123456789012345678';
  assert.equal(await number('digits', digits), digits);
  assert.equal(await number('negative', `-${digits}`), `-${digits}`);
  assert.equal(
    await number('fraction', '0.00000000000000000000000000000000000001'),
    `0.${'0'.repeat(37)}1`,
  );
});

test('values and names hold text of any script, and values of any length', async () => {
  await same('unicode', 'Ünïcode 日本語 \u{1F5FF} e\u0301 \u0000 "quoted" \\ \n\t');
  await same('empty', '');
  await same('long', 'ä'.repeat(100_000));
  await same('names', { 'größe.der[0] Steine': 1, '\u{1F5FF}': 2 });
});

test('binary values hold any bytes', async () => {
  await same(
    'bytes',
    Uint8Array.from({ length: 256 }, (_, i) => i),
  );
  await same('no-bytes', new Uint8Array());
});

test('documents keep their order and their depth', async () => {
  await same('document', {
    list: [1, 'two', false, null, [], {}, [{ a: [true] }]],
    map: { m: {} },
  });
  let deep = 'bottom';
  for (let level = 0; level < 30; ++level) deep = [deep];
  await same('deep', deep);
});

test('sets are returned with the same members', async () => {
  await same('strings', new Set(['b', 'a', '']));
  await same('numbers', new Set([3, -1, 2.5]));
  const bytes = await thereAndBack('binaries', new Set([Uint8Array.of(2), Uint8Array.of(1)]));
  assert.deepEqual([...bytes].map(([byte]) => byte).sort(), [1, 2]);
});
