// Tests of an application with DynamoDB-Toolbox: its entities, queries, batches and transactions.

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  $add,
  $append,
  $remove,
  BatchDeleteRequest,
  BatchGetCommand,
  BatchGetRequest,
  BatchPutRequest,
  BatchWriteCommand,
  ConditionCheck,
  DeleteItemCommand,
  DeletePartitionCommand,
  DeleteTransaction,
  GetItemCommand,
  GetTransaction,
  PutItemCommand,
  PutTransaction,
  QueryCommand,
  ScanCommand,
  UpdateAttributesCommand,
  UpdateItemCommand,
  UpdateTransaction,
  executeBatchGet,
  executeBatchWrite,
  executeTransactGet,
  executeTransactWrite,
} from 'dynamodb-toolbox';
import { GetItemCommand as GetRaw } from '@aws-sdk/client-dynamodb';
import { failureOf } from '../support/failure.mjs';
import { client } from '../support/tables.mjs';
import { openOrganisations } from './org.mjs';

const name = 'toolbox-org';
const { table, User, Organisation, Member, Service, Invitation } = await openOrganisations(name);

const put = (entity, item, options = {}) =>
  entity.build(PutItemCommand).item(item).options(options).send();
const get = async (entity, key) =>
  (await entity.build(GetItemCommand).key(key).options({ consistent: true }).send()).Item;
const update = (entity, item, options = {}) =>
  entity.build(UpdateItemCommand).item(item).options(options).send();

const person = (email) => ({ email, firstName: 'Ada', lastName: 'Stone', logins: 0 });
const member = (organisationId, email, ...groups) => ({
  organisationId,
  email,
  groups: new Set(groups),
  memberOf: organisationId,
});

async function failsOnCondition(promise) {
  const error = await failureOf(promise);
  assert.equal(error.name, 'ConditionalCheckFailedException');
  assert.equal(error.message, 'The conditional request failed');
  return error;
}

async function failsInTransaction(promise, codes) {
  const error = await failureOf(promise);
  assert.equal(error.name, 'TransactionCanceledException');
  assert.deepEqual(
    error.CancellationReasons.map(({ Code }) => Code),
    codes,
  );
}

test('an item is stored under the keys of the design', async () => {
  await put(User, person('ada@stone.example'));
  assert.deepEqual(await get(User, { email: 'ada@stone.example' }), person('ada@stone.example'));
  assert.equal(await get(User, { email: 'absent' }), undefined);
  const { Item } = await client.send(
    new GetRaw({
      TableName: name,
      Key: { pk: { S: 'user/ada@stone.example' }, sk: { S: 'user' } },
    }),
  );
  assert.deepEqual(Item, {
    pk: { S: 'user/ada@stone.example' },
    sk: { S: 'user' },
    entity: { S: 'user' },
    email: { S: 'ada@stone.example' },
    firstName: { S: 'Ada' },
    lastName: { S: 'Stone' },
    logins: { N: '0' },
  });
});

test('an email address is registered once', async () => {
  const condition = { attr: 'email', exists: false };
  await put(User, person('once@stone.example'), { condition });
  await failsOnCondition(
    put(User, { ...person('once@stone.example'), firstName: 'Eve' }, { condition }),
  );
  assert.equal((await get(User, { email: 'once@stone.example' })).firstName, 'Ada');
});

test('an update changes numbers, sets, lists and maps, and removes attributes', async () => {
  const key = { email: 'updated@stone.example' };
  await put(User, { ...person(key.email), phone: '+49' });
  const { Attributes } = await update(
    User,
    { ...key, logins: $add(2), phone: $remove(), lastName: 'Menhir' },
    { returnValues: 'ALL_NEW' },
  );
  assert.deepEqual(Attributes, { ...person(key.email), logins: 2, lastName: 'Menhir' });

  const service = { organisationId: 'o-updated', serviceId: 's', serviceName: 'quarry' };
  await put(Service, { ...service, settings: { owners: ['a'] } });
  await update(Service, {
    organisationId: 'o-updated',
    serviceId: 's',
    settings: { level: 3, owners: $append(['b', 'c']) },
  });
  assert.deepEqual(await get(Service, { organisationId: 'o-updated', serviceId: 's' }), {
    ...service,
    settings: { level: 3, owners: ['a', 'b', 'c'] },
  });
  await Service.build(UpdateAttributesCommand)
    .item({ organisationId: 'o-updated', serviceId: 's', settings: { level: 4 } })
    .send();
  const { settings } = await get(Service, { organisationId: 'o-updated', serviceId: 's' });
  assert.deepEqual(settings, { level: 4 });
});

test('an update with a failed condition returns the stored item', async () => {
  const key = { email: 'condition@stone.example' };
  await put(User, person(key.email));
  const raise = (limit) =>
    update(
      User,
      { ...key, logins: $add(1) },
      {
        condition: {
          and: [
            { attr: 'logins', lt: limit },
            { attr: 'lastName', beginsWith: 'St' },
          ],
        },
        returnValuesOnConditionFalse: 'ALL_OLD',
      },
    );
  await raise(1);
  const error = await failsOnCondition(raise(1));
  assert.equal(error.Item.logins.N, '1');
});

test('a delete returns the old item', async () => {
  const key = { email: 'deleted@stone.example' };
  await put(User, person(key.email));
  const remove = () =>
    User.build(DeleteItemCommand)
      .key(key)
      .options({ returnValues: 'ALL_OLD', condition: { attr: 'email', exists: true } })
      .send();
  assert.deepEqual((await remove()).Attributes, person(key.email));
  await failsOnCondition(remove());
});

// Creates an organisation with three members and two services, for one test.
async function seed(organisationId) {
  const organisation = { organisationId, organisationName: `The ${organisationId}` };
  const members = ['a', 'b', 'c'].map((who) => member(organisationId, `${who}@x.example`, 'all'));
  const services = ['carving', 'transport'].map((serviceId) => ({
    organisationId,
    serviceId,
    serviceName: serviceId.toUpperCase(),
  }));
  await executeBatchWrite(
    table
      .build(BatchWriteCommand)
      .requests(
        Organisation.build(BatchPutRequest).item(organisation),
        ...members.map((item) => Member.build(BatchPutRequest).item(item)),
        ...services.map((item) => Service.build(BatchPutRequest).item(item)),
      ),
  );
  return { organisation, members, services };
}

test('one query returns an organisation, each record as its entity', async () => {
  const { organisation, members, services } = await seed('o-whole');
  const { Items, Count } = await table
    .build(QueryCommand)
    .query({ partition: 'organisation/o-whole' })
    .entities(Organisation, Member, Service)
    .send();
  assert.equal(Count, 6);
  assert.deepEqual(
    Items.map(({ entity, ...item }) => item),
    [organisation, ...members, ...services],
  );
});

test('a query reads a range of the sort key backwards and page by page', async () => {
  const { members } = await seed('o-pages');
  const page = (exclusiveStartKey) =>
    table
      .build(QueryCommand)
      .query({ partition: 'organisation/o-pages', range: { beginsWith: 'organisationMember/' } })
      .entities(Member)
      .options({ reverse: true, limit: 2, exclusiveStartKey })
      .send();
  const first = await page();
  assert.deepEqual(first.Items, [members[2], members[1]]);
  assert.deepEqual(first.LastEvaluatedKey, {
    pk: 'organisation/o-pages',
    sk: 'organisationMember/b@x.example',
  });
  const second = await page(first.LastEvaluatedKey);
  assert.deepEqual(second.Items, [members[0]]);
  assert.equal(second.LastEvaluatedKey, undefined);
});

test('a query of an index filters and projects', async () => {
  await seed('o-index');
  await update(Member, {
    organisationId: 'o-index',
    email: 'b@x.example',
    groups: $add(new Set(['owners'])),
  });
  const { Items, Count, ScannedCount } = await table
    .build(QueryCommand)
    .query({ index: 'by-organisation', partition: 'organisation#o-index' })
    .entities(Member)
    .options({
      filters: { member: { attr: 'groups', contains: 'owners' } },
      attributes: ['email'],
    })
    .send();
  assert.deepEqual(Items, [{ email: 'b@x.example' }]);
  assert.deepEqual([Count, ScannedCount], [1, 3]);
});

test('a batch of reads returns undefined for an absent item', async () => {
  const { organisation, members } = await seed('o-batch');
  const { Responses } = await executeBatchGet(
    table
      .build(BatchGetCommand)
      .requests(
        Member.build(BatchGetRequest).key({ organisationId: 'o-batch', email: 'c@x.example' }),
        Organisation.build(BatchGetRequest).key({ organisationId: 'o-batch' }),
        Organisation.build(BatchGetRequest).key({ organisationId: 'absent' }),
      )
      .options({ consistent: true }),
  );
  assert.deepEqual(Responses, [[members[2], organisation, undefined]]);
});

test('a batch deletes items', async () => {
  const { members, organisation } = await seed('o-cleared');
  await executeBatchWrite(
    table
      .build(BatchWriteCommand)
      .requests(
        ...members.map(({ organisationId, email }) =>
          Member.build(BatchDeleteRequest).key({ organisationId, email }),
        ),
      ),
  );
  await table
    .build(DeletePartitionCommand)
    .query({ partition: 'organisation/o-cleared', range: { beginsWith: 'organisationService/' } })
    .entities(Service)
    .send();
  const { Items } = await table
    .build(QueryCommand)
    .query({ partition: 'organisation/o-cleared' })
    .entities(Organisation, Member, Service)
    .send();
  assert.deepEqual(
    Items.map(({ entity, ...item }) => item),
    [organisation],
  );
});

test('an invitation is accepted by one transaction', async () => {
  await seed('o-invites');
  const invited = { email: 'new@x.example', organisationId: 'o-invites' };
  await put(Invitation, { ...invited, expiresAt: 4102444800 });
  const accept = () =>
    executeTransactWrite(
      Organisation.build(ConditionCheck)
        .key({ organisationId: 'o-invites' })
        .condition({ attr: 'organisationName', exists: true }),
      Invitation.build(DeleteTransaction)
        .key(invited)
        .options({ condition: { attr: 'expiresAt', gt: 0 } }),
      Member.build(PutTransaction).item(member('o-invites', invited.email, 'all')),
      User.build(UpdateTransaction).item({
        email: invited.email,
        firstName: 'New',
        lastName: 'One',
        logins: $add(1),
      }),
    );
  await accept();
  assert.equal(await get(Invitation, invited), undefined);
  const { Responses } = await executeTransactGet(
    Member.build(GetTransaction).key(invited),
    User.build(GetTransaction).key({ email: invited.email }),
    User.build(GetTransaction).key({ email: 'absent' }),
  );
  assert.deepEqual(
    Responses.map(({ Item }) => Item),
    [
      member('o-invites', invited.email, 'all'),
      { email: invited.email, firstName: 'New', lastName: 'One', logins: 1 },
      undefined,
    ],
  );
  await failsInTransaction(accept(), ['None', 'ConditionalCheckFailed', 'None', 'None']);
  assert.equal((await get(User, { email: invited.email })).logins, 1);
});

test('a scan returns one entity, also in segments', async () => {
  const { table, User, Organisation } = await openOrganisations('toolbox-scan');
  const people = Array.from({ length: 12 }, (_, i) => person(`p${i + 10}@x.example`));
  await executeBatchWrite(
    table
      .build(BatchWriteCommand)
      .requests(
        ...people.map((item) => User.build(BatchPutRequest).item(item)),
        Organisation.build(BatchPutRequest).item({ organisationId: 'o', organisationName: 'O' }),
      ),
  );
  const found = [];
  for (const segment of [0, 1]) {
    const { Items } = await table
      .build(ScanCommand)
      .entities(User)
      .options({ segment, totalSegments: 2, maxPages: Infinity, limit: 4 })
      .send();
    found.push(...Items);
  }
  assert.deepEqual(
    found.sort((a, b) => a.email.localeCompare(b.email)),
    people,
  );
});
