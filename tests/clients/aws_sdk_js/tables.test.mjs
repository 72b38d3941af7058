// Tests of tables with their indexes, tags and time to live, and of the account's limits.

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeEndpointsCommand,
  DescribeLimitsCommand,
  DescribeTableCommand,
  ListTablesCommand,
  ListTagsOfResourceCommand,
  TagResourceCommand,
  UntagResourceCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  paginateListTables,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import {
  attributes,
  client,
  createTable,
  index,
  keySchema,
  onDemand,
  schema,
  timeToLive,
  waiting,
} from '../support/tables.mjs';
import { fails, invalid, pagesOf, send } from './helpers.mjs';

const describe = async (TableName) => (await send(new DescribeTableCommand({ TableName }))).Table;

const byName = (a, b) => a.AttributeName.localeCompare(b.AttributeName);

test('a table is described as it was created, with both kinds of index', async () => {
  const TableName = 'tables-described';
  const lsi = index('by-date', ['pk', 'date:N'], { ProjectionType: 'KEYS_ONLY' });
  const gsi = index('by-author', ['author', 'sk'], {
    ProjectionType: 'INCLUDE',
    NonKeyAttributes: ['title'],
  });
  await send(
    new CreateTableCommand({
      TableName,
      ...schema(['pk', 'sk'], ['date:N', 'author']),
      ...onDemand,
      LocalSecondaryIndexes: [lsi],
      GlobalSecondaryIndexes: [gsi],
    }),
  );
  await waitUntilTableExists(waiting, { TableName });

  const table = await describe(TableName);
  assert.equal(table.TableName, TableName);
  assert.equal(table.TableStatus, 'ACTIVE');
  assert.equal(table.ItemCount, 0);
  assert.equal(table.TableSizeBytes, 0);
  assert.ok(table.CreationDateTime instanceof Date);
  assert.match(table.TableId, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  assert.match(table.TableArn, /^arn:aws:dynamodb:[a-z0-9-]+:\d{12}:table\/tables-described$/);
  assert.deepEqual(table.KeySchema, keySchema(['pk', 'sk']));
  assert.deepEqual(
    table.AttributeDefinitions.sort(byName),
    attributes(['author', 'date:N', 'pk', 'sk']),
  );
  assert.equal(table.BillingModeSummary.BillingMode, 'PAY_PER_REQUEST');
  assert.equal(table.ProvisionedThroughput.ReadCapacityUnits, 0);
  assert.equal(table.LatestStreamArn, undefined);

  const [local] = table.LocalSecondaryIndexes;
  assert.deepEqual(local.KeySchema, lsi.KeySchema);
  assert.deepEqual(local.Projection, lsi.Projection);
  assert.equal(local.IndexArn, `${table.TableArn}/index/by-date`);
  const [global] = table.GlobalSecondaryIndexes;
  assert.equal(global.IndexStatus, 'ACTIVE');
  assert.deepEqual(global.KeySchema, gsi.KeySchema);
  assert.deepEqual(global.Projection, gsi.Projection);
  assert.equal(global.IndexArn, `${table.TableArn}/index/by-author`);
});

test('a new index is backfilled with the existing items', async () => {
  const TableName = await createTable('tables-backfill');
  const items = ['a', 'b', 'c'].map((sk) => ({ pk: 'p', sk, colour: sk === 'b' ? 'red' : 'blue' }));
  for (const Item of items) await send(new PutCommand({ TableName, Item }));
  await send(
    new UpdateTableCommand({
      TableName,
      AttributeDefinitions: attributes(['colour', 'sk']),
      GlobalSecondaryIndexUpdates: [{ Create: index('by-colour', ['colour', 'sk']) }],
    }),
  );
  await indexBecomesActive(TableName, 'by-colour');
  const { Items } = await send(
    new QueryCommand({
      TableName,
      IndexName: 'by-colour',
      KeyConditionExpression: 'colour = :colour',
      ExpressionAttributeValues: { ':colour': 'blue' },
    }),
  );
  assert.deepEqual(Items, [items[0], items[2]]);

  await send(
    new UpdateTableCommand({
      TableName,
      GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'by-colour' } }],
    }),
  );
  while ((await describe(TableName)).GlobalSecondaryIndexes !== undefined);
});

async function indexBecomesActive(TableName, name) {
  for (;;) {
    const { GlobalSecondaryIndexes } = await describe(TableName);
    const found = GlobalSecondaryIndexes.find(({ IndexName }) => IndexName === name);
    if (found.IndexStatus === 'ACTIVE') return;
    assert.equal(found.IndexStatus, 'CREATING');
  }
}

test('tables are listed by name, page by page', async () => {
  const names = ['list-1', 'list-2', 'list-3', 'list-4', 'list-5'];
  for (const name of names) await createTable(name);
  const first = await send(new ListTablesCommand({ Limit: 2, ExclusiveStartTableName: 'list-' }));
  assert.deepEqual(first, { TableNames: ['list-1', 'list-2'], LastEvaluatedTableName: 'list-2' });
  const pages = await pagesOf(paginateListTables({ client, pageSize: 1 }, {}));
  const all = pages.flatMap((page) => page.TableNames);
  assert.deepEqual(all, [...all].sort());
  assert.deepEqual(
    all.filter((name) => name.startsWith('list-')),
    names,
  );
});

test('a deleted table is not found', async () => {
  const TableName = await createTable('tables-deleted');
  const { TableDescription } = await send(new DeleteTableCommand({ TableName }));
  assert.equal(TableDescription.TableName, TableName);
  await waitUntilTableNotExists(waiting, { TableName });
  const name = 'ResourceNotFoundException';
  const message = 'Requested resource not found: Table: tables-deleted not found';
  await fails(new DescribeTableCommand({ TableName }), name, message);
  await fails(new DeleteTableCommand({ TableName }), name, message);
  await fails(
    new PutCommand({ TableName, Item: { pk: 'a', sk: 'b' } }),
    name,
    'Requested resource not found',
  );
});

test('tags are added, replaced and removed', async () => {
  const TableName = await createTable('tables-tagged', {
    Tags: [{ Key: 'team', Value: 'stones' }],
  });
  const ResourceArn = (await describe(TableName)).TableArn;
  const tags = async () => {
    const { Tags } = await send(new ListTagsOfResourceCommand({ ResourceArn }));
    return Object.fromEntries(Tags.map(({ Key, Value }) => [Key, Value]));
  };
  assert.deepEqual(await tags(), { team: 'stones' });
  const Tags = [
    { Key: 'team', Value: 'capstones' },
    { Key: 'note', Value: '' },
  ];
  assert.deepEqual(await send(new TagResourceCommand({ ResourceArn, Tags })), {});
  assert.deepEqual(await tags(), { team: 'capstones', note: '' });
  const TagKeys = ['team', 'absent'];
  assert.deepEqual(await send(new UntagResourceCommand({ ResourceArn, TagKeys })), {});
  assert.deepEqual(await tags(), { note: '' });
});

test('time to live is enabled, described and disabled', async () => {
  const TableName = await createTable('tables-ttl');
  const update = (Enabled) =>
    new UpdateTimeToLiveCommand({
      TableName,
      TimeToLiveSpecification: { Enabled, AttributeName: 'expires' },
    });
  assert.deepEqual(await timeToLive(TableName), { TimeToLiveStatus: 'DISABLED' });
  assert.deepEqual(await send(update(true)), {
    TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' },
  });
  assert.deepEqual(await timeToLive(TableName), {
    TimeToLiveStatus: 'ENABLED',
    AttributeName: 'expires',
  });
  await invalid(update(true), 'TimeToLive is already enabled');
  await send(update(false));
  assert.deepEqual(await timeToLive(TableName), { TimeToLiveStatus: 'DISABLED' });
  await invalid(update(false), 'TimeToLive is already disabled');
});

test("DescribeLimits returns the service's limits", async () => {
  assert.deepEqual(await send(new DescribeLimitsCommand({})), {
    AccountMaxReadCapacityUnits: 80000,
    AccountMaxWriteCapacityUnits: 80000,
    TableMaxReadCapacityUnits: 40000,
    TableMaxWriteCapacityUnits: 40000,
  });
});

test('DescribeEndpoints returns one address', async () => {
  const { Endpoints } = await send(new DescribeEndpointsCommand({}));
  assert.equal(Endpoints.length, 1);
  assert.equal(Endpoints[0].CachePeriodInMinutes, 1440);
  assert.equal(typeof Endpoints[0].Address, 'string');
});
