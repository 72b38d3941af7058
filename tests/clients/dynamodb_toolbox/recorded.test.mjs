// Tests that DynamoDB-Toolbox and Dolmen's entities read each other's items.

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  Entity,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  Table,
  UpdateItemCommand,
  $add,
  item,
  string,
} from 'dynamodb-toolbox';
import { putUpdated, recorded, stopClock, updated } from '../support/recorded.mjs';
import { openOrganisations } from './org.mjs';

const now = '2026-04-15T10:30:00.000Z';
stopClock(now);

// Returns the entities of org.mjs, which have the type attribute `entity`, and a project, which has
// the library's own attributes `_et`, `_ct` and `_md`.
async function open(name) {
  const { table, ...entities } = await openOrganisations(name);
  const plain = new Table({
    name,
    documentClient: table.documentClient,
    partitionKey: table.partitionKey,
    sortKey: table.sortKey,
  });
  const Project = new Entity({
    name: 'Project',
    table: plain,
    schema: item({
      organisationId: string().key(),
      projectId: string().key(),
      title: string().savedAs('t').optional(),
    }),
    computeKey: ({ organisationId, projectId }) => ({
      pk: `organisation/${organisationId}`,
      sk: `project/${projectId}`,
    }),
  });
  return { table, ...entities, Project };
}

const put = (entity, item) => entity.build(PutItemCommand).item(item).send();
const get = async (entity, key) => (await entity.build(GetItemCommand).key(key).send()).Item;

const ada = { email: 'ada@x.example', firstName: 'Ada', lastName: 'Stone', phone: '+49', logins: 2 };
const menhir = { organisationId: 'menhir', organisationName: 'The Menhir' };
const member = {
  organisationId: 'menhir',
  email: ada.email,
  groups: new Set(['masons', 'owners']),
  memberOf: 'menhir',
};
const carving = {
  organisationId: 'menhir',
  serviceId: 'carving',
  serviceName: 'Carving',
  settings: { level: 3, owners: ['ada', 'bob'] },
};
const invitation = { email: 'bob@x.example', organisationId: 'menhir', expiresAt: 4102444800 };
const gate = { organisationId: 'menhir', projectId: 'gate', title: 'The gate' };

test('DynamoDB-Toolbox writes the recorded items', async () => {
  const { User, Organisation, Member, Service, Invitation, Project } = await open(recorded);
  await put(User, ada);
  await put(Organisation, menhir);
  await put(Member, member);
  await put(Service, carving);
  await put(Invitation, invitation);
  await put(Project, gate);
});

test('DynamoDB-Toolbox reads and changes the items that Dolmen has updated', async () => {
  const { table, User, Organisation, Member, Service, Invitation, Project } = await open(updated);
  await putUpdated();
  assert.deepEqual(await get(User, { email: ada.email }), { ...ada, logins: 3 });
  const joined = { ...member, email: 'bob@x.example', groups: new Set(['masons']) };
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: 'organisation/menhir' })
    .entities(Organisation, Member, Service)
    .send();
  assert.deepEqual(
    Items.map(({ entity, ...attributes }) => attributes),
    [
      menhir,
      { ...member, groups: new Set(['masons', 'owners', 'singers']) },
      joined,
      { ...carving, settings: { level: 4, owners: ['ada', 'bob'] } },
    ],
  );
  const { Items: members } = await table
    .build(QueryCommand)
    .query({ index: 'by-organisation', partition: 'organisation#menhir' })
    .entities(Member)
    .send();
  assert.deepEqual(
    members.map(({ email }) => email),
    [member.email, joined.email],
  );
  assert.equal(await get(Invitation, invitation), undefined);
  const changed = { ...gate, title: 'The great gate', created: now, modified: now };
  assert.deepEqual(await get(Project, gate), changed);
  await User.build(UpdateItemCommand).item({ email: ada.email, logins: $add(1) }).send();
  assert.deepEqual(await get(User, { email: ada.email }), { ...ada, logins: 4 });
});
