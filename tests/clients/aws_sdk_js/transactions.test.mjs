// Tests of TransactWriteItems and TransactGetItems.

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  GetCommand,
  PutCommand,
  TransactGetCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { createTable } from '../support/tables.mjs';
import { fails, send } from './helpers.mjs';

const TableName = await createTable('transactions');
const other = await createTable('transactions-other', { keys: ['id:N'] });

const key = (sk) => ({ pk: 'p', sk });
const on = (sk, others) => ({ TableName, Key: key(sk), ...others });
const put = (sk, others) => ({ Put: { TableName, Item: { ...key(sk), ...others } } });
const insert = (sk) => ({
  Put: { TableName, Item: key(sk), ConditionExpression: 'attribute_not_exists(pk)' },
});
const write = (TransactItems, others) => new TransactWriteCommand({ TransactItems, ...others });
const get = async (sk) => (await send(new GetCommand(on(sk, { ConsistentRead: true })))).Item;
const seed = (sk, others) => send(new PutCommand({ TableName, Item: { ...key(sk), ...others } }));

// Expects the transaction to be cancelled with these reasons.
async function cancelled(command, reasons) {
  const codes = reasons.map((reason) => reason.Code);
  const error = await fails(
    command,
    'TransactionCanceledException',
    'Transaction cancelled, please refer cancellation reasons for specific reasons ' +
      `[${codes.join(', ')}]`,
  );
  assert.deepEqual(error.CancellationReasons, reasons);
}

const none = { Code: 'None' };
const failed = { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' };

test('a transaction combines all kinds of actions in two tables', async () => {
  await seed('checked', { ok: true });
  await seed('counted', { n: 1 });
  await seed('deleted');
  assert.deepEqual(
    await send(
      write([
        put('put', { a: 1 }),
        { Put: { TableName: other, Item: { id: 7 } } },
        {
          Update: on('counted', {
            UpdateExpression: 'ADD n :one',
            ExpressionAttributeValues: { ':one': 1 },
          }),
        },
        { Delete: on('deleted') },
        {
          ConditionCheck: on('checked', {
            ConditionExpression: 'ok = :true',
            ExpressionAttributeValues: { ':true': true },
          }),
        },
      ]),
    ),
    {},
  );
  const { Responses } = await send(
    new TransactGetCommand({
      TransactItems: [
        { Get: on('put') },
        { Get: on('deleted') },
        { Get: { TableName: other, Key: { id: 7 } } },
        { Get: on('counted', { ProjectionExpression: 'n' }) },
        { Get: on('checked', { ProjectionExpression: 'n' }) },
      ],
    }),
  );
  assert.deepEqual(Responses, [
    { Item: { ...key('put'), a: 1 } },
    {},
    { Item: { id: 7 } },
    { Item: { n: 2 } },
    { Item: {} },
  ]);
});

test('one failed condition cancels the transaction, and each action has a reason', async () => {
  await seed('taken', { by: 'first' });
  await cancelled(write([put('never-1'), insert('taken'), put('never-2')]), [none, failed, none]);
  assert.equal(await get('never-1'), undefined);
  assert.equal(await get('never-2'), undefined);
});

test('a cancellation reason has the item on request', async () => {
  await seed('shown', { by: 'first' });
  const { Put } = insert('shown');
  await cancelled(
    write([{ Put: { ...Put, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } }, put('never')]),
    [{ ...failed, Item: { pk: { S: 'p' }, sk: { S: 'shown' }, by: { S: 'first' } } }, none],
  );
});

test('a repeated transaction with the same token changes nothing', async () => {
  await seed('token', { n: 0 });
  const increment = (by, ClientRequestToken) =>
    write(
      [
        {
          Update: on('token', {
            UpdateExpression: 'ADD n :by',
            ExpressionAttributeValues: { ':by': by },
          }),
        },
      ],
      { ClientRequestToken },
    );
  await send(increment(1, 'a-token'));
  await send(increment(1, 'a-token'));
  assert.deepEqual(await get('token'), { ...key('token'), n: 1 });
  const error = await send(increment(2, 'a-token')).catch((thrown) => thrown);
  assert.equal(error.name, 'IdempotentParameterMismatchException');
  await send(increment(2, 'another-token'));
  assert.deepEqual(await get('token'), { ...key('token'), n: 3 });
});
