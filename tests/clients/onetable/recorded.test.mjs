// Tests that OneTable and Dolmen's entities read each other's items.

import assert from 'node:assert/strict';
import test from 'node:test';
import { waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { putUpdated, recorded, stopClock, updated } from '../support/recorded.mjs';
import { waiting } from '../support/tables.mjs';
import { users } from './users.mjs';

const now = '2026-04-15T10:30:00.000Z';
stopClock(now);

// Returns the models of users.mjs with OneTable's own type attribute `_type` and its timestamps.
async function open(name) {
  const opened = users(name, { typeField: '_type', timestamps: true });
  await opened.table.createTable();
  await waitUntilTableExists(waiting, { TableName: name });
  return opened;
}

const stamps = { created: new Date(now), updated: new Date(now) };
const ada = {
  userId: 'ada',
  login: 'ada',
  firstName: 'Ada',
  status: 'active',
  version: 1,
  bornAt: new Date('1990-05-06T07:08:09.010Z'),
  tags: new Set(['a', 'b']),
  picture: Buffer.from([0, 1, 255]),
  address: { street: 'Feldweg 1', zip: '01234' },
  nicknames: ['x', 'y'],
};
const bob = { userId: 'bob', login: 'bob', status: 'suspended', version: 1 };
const email = {
  userId: 'ada',
  emailId: 'e1',
  email: 'ada@x.example',
  isPrimary: true,
  isVerified: false,
  addedAt: '2026-04-01',
};
const session = { userId: 'ada', sessionId: 's1', expiresAt: new Date('2100-01-01T00:00:00Z') };

test('OneTable writes the recorded items', async () => {
  const { User, Email, Session } = await open(recorded);
  await User.create(ada);
  await User.create(bob);
  await Email.create(email);
  await Session.create(session);
});

test('OneTable reads and changes the items that Dolmen has updated', async () => {
  const { User, Email, Session } = await open(updated);
  await putUpdated();
  assert.deepEqual(await User.get({ userId: 'ada' }), {
    ...ada,
    ...stamps,
    firstName: 'Adelheid',
    version: 2,
    address: { street: 'Feldweg 2', zip: '01234' },
  });
  assert.deepEqual(await User.get({ userId: 'bob' }), { ...bob, ...stamps });
  const found = await Email.find({ email: 'ada@y.example' }, { index: 'gsi1' });
  assert.deepEqual([...found], [{ ...email, ...stamps, email: 'ada@y.example', isVerified: true }]);
  assert.deepEqual([...(await Email.find({ email: email.email }, { index: 'gsi1' }))], []);
  const sessions = [...(await Session.find({ userId: 'ada' }))];
  assert.deepEqual(sessions, [
    { ...session, ...stamps },
    { userId: 'ada', sessionId: 's2', expiresAt: session.expiresAt },
  ]);
  const renamed = await User.update({ userId: 'ada', login: 'adelheid' }, { return: 'get' });
  assert.equal(renamed.login, 'adelheid');
  await User.create({ userId: 'eve', login: 'ada' });
});
