// Tests of an application with OneTable: models, unique attributes, queries, batches, transactions.

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  DescribeTableCommand,
  GetItemCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { failureOf } from '../support/failure.mjs';
import { client, keySchema, waiting } from '../support/tables.mjs';
import { users } from './users.mjs';

const name = 'onetable-users';
const { table, User, Email, Session } = users(name);
await table.createTable();
await waitUntilTableExists(waiting, { TableName: name });

async function fails(promise, code, message) {
  const error = await failureOf(promise);
  assert.equal(error.code, code, error.stack);
  assert.match(error.message, message);
  return error;
}

const bySortKey = (a, b) => a.SK.localeCompare(b.SK);

const emailOf = (userId, emailId, others) => ({
  userId,
  emailId,
  email: `${emailId}@${userId}.example`,
  isPrimary: false,
  isVerified: false,
  ...others,
});

// Creates a user with three addresses, for one test. The first address is the primary one.
async function seed(userId) {
  const user = await User.create({ userId, login: userId, firstName: 'Ada' });
  const emails = [];
  for (const emailId of ['e1', 'e2', 'e3']) {
    const isPrimary = emailId === 'e1';
    const addedAt = `2026-04-0${4 - emailId.slice(1)}`;
    emails.push(
      await Email.create(emailOf(userId, emailId, { isPrimary, isVerified: isPrimary, addedAt })),
    );
  }
  return { user, emails };
}

test('OneTable creates its table with a global and a local index', async () => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
  assert.deepEqual(Table.KeySchema, keySchema(['PK', 'SK']));
  assert.deepEqual(Table.GlobalSecondaryIndexes[0].KeySchema, keySchema(['GSI1PK', 'GSI1SK']));
  assert.deepEqual(Table.LocalSecondaryIndexes[0].KeySchema, keySchema(['PK', 'addedAt']));
  assert.equal(Table.LocalSecondaryIndexes[0].Projection.ProjectionType, 'KEYS_ONLY');
  assert.equal(await table.exists(), true);
  assert.ok((await table.listTables()).includes(name));
});

test('a user is created with every type of attribute', async () => {
  const created = await User.create({
    userId: 'types',
    login: 'types',
    bornAt: new Date('1990-05-06T07:08:09.010Z'),
    tags: new Set(['b', 'a']),
    picture: Buffer.from([0, 1, 255]),
    address: { street: 'Feldweg 1', zip: '01234' },
    nicknames: ['x', { y: 1 }],
  });
  assert.equal(created.status, 'active');
  const user = await User.get({ userId: 'types' }, { consistent: true });
  assert.deepEqual(user, {
    userId: 'types',
    login: 'types',
    status: 'active',
    version: 1,
    bornAt: new Date('1990-05-06T07:08:09.010Z'),
    tags: new Set(['a', 'b']),
    picture: Buffer.from([0, 1, 255]),
    address: { street: 'Feldweg 1', zip: '01234' },
    nicknames: ['x', { y: 1 }],
  });
  const { Item } = await client.send(
    new GetItemCommand({ TableName: name, Key: { PK: { S: 'USER#types' }, SK: { S: 'PROFILE' } } }),
  );
  assert.deepEqual(Item.kind, { S: 'User' });
  assert.deepEqual(Item.bornAt, { S: '1990-05-06T07:08:09.010Z' });
  assert.equal(await User.get({ userId: 'absent' }), undefined);
});

test('a unique attribute is taken until its owner releases it', async () => {
  const owner = await User.create({ userId: 'owner', login: 'shared' });
  await fails(User.create({ userId: 'rival', login: 'shared' }), 'UniqueError', /login/);
  assert.equal(await User.get({ userId: 'rival' }), undefined);

  const { login } = await User.update({ ...owner, login: 'renamed' }, { return: 'get' });
  assert.equal(login, 'renamed');
  await User.create({ userId: 'rival', login: 'shared' });
  await fails(User.update({ userId: 'rival', login: 'renamed' }), 'UniqueError', /login/);

  await User.remove({ userId: 'owner' });
  await User.update({ userId: 'rival', login: 'renamed' });
  assert.equal((await User.get({ userId: 'rival' })).login, 'renamed');
});

test('one query returns a user with all addresses', async () => {
  const { user, emails } = await seed('whole');
  const found = await table.fetch(['User', 'Email'], { PK: 'USER#whole' });
  assert.deepEqual(Object.keys(found).sort(), ['Email', 'User']);
  const strip = ({ PK, SK, GSI1PK, GSI1SK, kind, ...item }) => item;
  assert.deepEqual(found.User.map(strip), [user]);
  assert.deepEqual(found.Email.map(strip), emails);
});

test('a query returns the addresses of a user in order and page by page', async () => {
  const { emails } = await seed('pages');
  const all = await Email.find({ userId: 'pages' });
  assert.deepEqual([...all], emails);
  const first = await Email.find({ userId: 'pages' }, { reverse: true, limit: 2 });
  assert.deepEqual([...first], [emails[2], emails[1]]);
  assert.deepEqual(first.next, { PK: 'USER#pages', SK: 'EMAIL#e2' });
  const second = await Email.find(
    { userId: 'pages' },
    { reverse: true, limit: 2, next: first.next },
  );
  assert.deepEqual([...second], [emails[0]]);
  assert.equal(second.next, undefined);
});

test('the index finds a user by an address', async () => {
  const { emails } = await seed('login');
  const found = await Email.get({ email: 'e2@login.example' }, { index: 'gsi1', follow: true });
  assert.deepEqual(found, emails[1]);
  const [{ userId }] = await Email.find({ email: 'e3@login.example' }, { index: 'gsi1' });
  assert.equal(userId, 'login');
});

test('a local index has another order', async () => {
  await seed('dated');
  const found = await Email.find(
    { userId: 'dated', addedAt: { between: ['2026-04-01', '2026-04-02'] } },
    { index: 'byDate', hidden: true },
  );
  assert.deepEqual(
    found.map(({ SK }) => SK),
    ['EMAIL#e3', 'EMAIL#e2'],
  );
});

test('a query filters, counts and selects fields', async () => {
  const { emails } = await seed('filtered');
  const secondary = await Email.find({ userId: 'filtered', isPrimary: false });
  assert.deepEqual([...secondary], emails.slice(1));
  const where = await Email.find(
    { userId: 'filtered' },
    { where: '(${isVerified} = {true}) or (begins_with(${email}, {e3@}))', fields: ['email'] },
  );
  assert.deepEqual([...where], [{ email: emails[0].email }, { email: emails[2].email }]);
  const counted = await Email.find({ userId: 'filtered', isPrimary: false }, { count: true });
  assert.equal(counted.count, 2);
});

test('an update sets, adds, removes and appends', async () => {
  await User.create({
    userId: 'updated',
    login: 'updated',
    firstName: 'Ada',
    nicknames: ['a'],
    tags: new Set(['x', 'y']),
    address: { street: 's', zip: '1' },
  });
  const updated = await User.update(
    { userId: 'updated', status: 'suspended' },
    {
      add: { version: 2 },
      remove: ['firstName'],
      push: { nicknames: ['b'] },
      delete: { tags: new Set(['x']) },
      set: { 'address.zip': '2' },
      return: 'ALL_NEW',
    },
  );
  const expected = {
    userId: 'updated',
    login: 'updated',
    status: 'suspended',
    version: 3,
    nicknames: ['a', 'b'],
    tags: new Set(['y']),
    address: { street: 's', zip: '2' },
  };
  assert.deepEqual(updated, expected);
  assert.deepEqual(await User.get({ userId: 'updated' }), expected);
});

test('an update needs the item, and an upsert creates it', async () => {
  const update = Email.update({ userId: 'no', emailId: 'e', isPrimary: true });
  await fails(update, 'ConditionalCheckFailedException', /Conditional .*failed/i);
  await Email.upsert({ userId: 'no', emailId: 'e', email: 'e@no.example' });
  const made = await Email.get({ userId: 'no', emailId: 'e' });
  assert.equal(made.email, 'e@no.example');
});

test('a change of the primary address writes three items or none', async () => {
  await seed('primary');
  const change = async (from, to) => {
    const transaction = {};
    const email = (emailId, isPrimary, options) =>
      Email.update({ userId: 'primary', emailId, isPrimary }, { transaction, ...options });
    await email(from, false);
    await email(to, true, { where: '${isVerified} = {true}' });
    await User.update({ userId: 'primary' }, { add: { version: 1 }, transaction });
    return table.transact('write', transaction);
  };
  const primaries = async () => {
    const emails = await Email.find({ userId: 'primary', isPrimary: true });
    return emails.map(({ emailId }) => emailId);
  };
  const { context } = await fails(
    change('e1', 'e2'),
    'TransactionCanceledException',
    /^Transaction Cancelled$/,
  );
  assert.deepEqual(
    context.err.CancellationReasons.map(({ Code }) => Code),
    ['None', 'ConditionalCheckFailed', 'None'],
  );
  assert.deepEqual(await primaries(), ['e1']);
  await Email.update({ userId: 'primary', emailId: 'e2', isVerified: true });
  await change('e1', 'e2');
  assert.deepEqual(await primaries(), ['e2']);
  assert.equal((await User.get({ userId: 'primary' })).version, 2);
});

test('a transaction reads items', async () => {
  const { user, emails } = await seed('together');
  const transaction = {};
  await User.get({ userId: 'together' }, { transaction });
  await Email.get({ userId: 'together', emailId: 'e2' }, { transaction });
  const items = await table.transact('get', transaction, { parse: true, hidden: false });
  assert.deepEqual(items, [user, emails[1]]);
});

test('batches write and read items', async () => {
  const emails = Array.from({ length: 20 }, (_, i) => emailOf('batch', `e${i + 10}`));
  const writes = {};
  for (const email of emails) await Email.create(email, { batch: writes });
  assert.equal(await table.batchWrite(writes), true);
  const reads = {};
  for (const { userId, emailId } of emails) await Email.get({ userId, emailId }, { batch: reads });
  const found = await table.batchGet(reads, { parse: true, hidden: true, consistent: true });
  assert.deepEqual(
    found.sort(bySortKey).map(({ email }) => email),
    emails.map(({ email }) => email),
  );
  const removes = {};
  for (const { userId, emailId } of emails) {
    await Email.remove({ userId, emailId }, { batch: removes });
  }
  await table.batchWrite(removes);
  assert.deepEqual([...(await Email.find({ userId: 'batch' }))], []);
});

test('a remove returns the item, and one call removes many items', async () => {
  const { emails } = await seed('removed');
  assert.deepEqual(await Email.remove({ userId: 'removed', emailId: 'e1' }), emails[0]);
  await Email.remove({ userId: 'removed' }, { many: true });
  assert.deepEqual([...(await Email.find({ userId: 'removed' }))], []);
  assert.equal((await User.get({ userId: 'removed' })).login, 'removed');
});

test('a session has its expiry in seconds for the time to live', async () => {
  const expiresAt = new Date('2100-01-01T00:00:00Z');
  await Session.create({ userId: 'ttl', sessionId: 's', expiresAt });
  const { Item } = await client.send(
    new GetItemCommand({
      TableName: name,
      Key: { PK: { S: 'USER#ttl' }, SK: { S: 'SESSION#s' } },
    }),
  );
  assert.deepEqual(Item.expiresAt, { N: '4102444800' });
  assert.deepEqual(await Session.get({ userId: 'ttl', sessionId: 's' }), {
    userId: 'ttl',
    sessionId: 's',
    expiresAt,
  });
});

test('a scan returns the items of one model', async () => {
  const { table, User, Email } = users('onetable-scan');
  await table.createTable();
  await waitUntilTableExists(waiting, { TableName: 'onetable-scan' });
  for (const userId of ['a', 'b', 'c']) {
    await User.create({ userId, login: userId });
    await Email.create(emailOf(userId, 'e'));
  }
  const found = await User.scan({}, { limit: 2, hidden: false });
  const rest = found.next ? await User.scan({}, { next: found.next }) : [];
  assert.deepEqual([...found, ...rest].map(({ login }) => login).sort(), ['a', 'b', 'c']);
  await table.deleteTable('DeleteTableForever');
  assert.equal(await table.exists(), false);
});
