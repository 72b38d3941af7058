// Tests that values of every type are returned as sent, with and without the document client.

import assert from 'node:assert/strict';
import test from 'node:test';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import {
  GetCommand,
  NumberValue,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { createTable } from '../support/tables.mjs';
import { documentsWith, invalid, send } from './helpers.mjs';

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

test('numbers are returned in normal form', async () => {
  assert.equal(await number('zeros', '007.500'), '7.5');
  assert.equal(await number('zero', '-0'), '0');
  assert.equal(await number('exponent', '-15.789e6'), '-15789000');
  assert.equal(await number('smallest', '1e-130'), `0.${'0'.repeat(129)}1`);
  assert.equal(await number('largest', '9.99e125'), `999${'0'.repeat(123)}`);
});

test('numbers are added exactly', async () => {
  const Key = { pk: 'added' };
  const add = async (text) => {
    const { Attributes } = await send(
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression: 'ADD added :more',
        ExpressionAttributeValues: { ':more': NumberValue.from(text) },
        ReturnValues: 'UPDATED_NEW',
      }),
      exact,
    );
    return Attributes.added.toString();
  };
  assert.equal(await add('0.1'), '0.1');
  assert.equal(await add('0.2'), '0.3');
  assert.equal(await add('99999999999999999999'), '99999999999999999999.3');
});

test('invalid numbers are rejected', async () => {
  const refused = (text, message) =>
    invalid(new PutItemCommand({ TableName, Item: { pk: { S: 'x' }, n: { N: text } } }), message);
  const conversion = 'The parameter cannot be converted to a numeric value';
  await refused('', conversion);
  await refused('seven', `${conversion}: seven`);
  await refused('NaN', `${conversion}: NaN`);
  await refused('1'.repeat(39), 'Attempting to store more than 38 significant digits in a Number');
  await refused(
    '1e126',
    'Number overflow. Attempting to store a number with magnitude larger than supported range',
  );
  await refused(
    '1e-131',
    'Number underflow. Attempting to store a number with magnitude smaller than supported range',
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

test('number and binary sort keys are ordered by their type', async () => {
  const byNumber = await createTable('values-numbers', { keys: ['pk', 'n:N'] });
  const numbers = [-9e15, -2, -1.5, 0, 0.001, 1, 2, 10, 9e15];
  for (const n of [...numbers].sort()) {
    await send(new PutCommand({ TableName: byNumber, Item: { pk: 'p', n } }));
  }
  assert.deepEqual(await sortKeys(byNumber, 'n'), numbers);

  const byBytes = await createTable('values-bytes', { keys: ['pk', 'b:B'] });
  const keys = [[0], [0, 0], [0, 255], [127], [128], [255, 0]].map((b) => Uint8Array.from(b));
  for (const b of [...keys].reverse()) {
    await send(new PutCommand({ TableName: byBytes, Item: { pk: 'p', b } }));
  }
  assert.deepEqual(await sortKeys(byBytes, 'b'), keys);
});

test('text sort keys are ordered by their UTF-8 bytes', async () => {
  const byText = await createTable('values-texts');
  const texts = ['A', 'Z', 'a', 'aa', 'b', '¿', 'ÿ', '日', '\uFF5E', '\u{1F5FF}'];
  for (const sk of [...texts].reverse()) {
    await send(new PutCommand({ TableName: byText, Item: { pk: 'p', sk } }));
  }
  assert.deepEqual(await sortKeys(byText, 'sk'), texts);
});

async function sortKeys(table, name) {
  const { Items } = await send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'pk = :p',
      ExpressionAttributeValues: { ':p': 'p' },
    }),
  );
  return Items.map((item) => item[name]);
}
