// Tests of dynamodb-admin, a table viewer in the browser: what a user sees and does.

import assert from 'node:assert/strict';
import path from 'node:path';
import test, { after } from 'node:test';
import { waitUntilTableNotExists } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { createTable, index, newClient, schema, waiting } from '../support/tables.mjs';
import { startAdmin, startBrowser } from './browser.mjs';

const documents = DynamoDBDocumentClient.from(newClient());

await createTable('chat', {
  ...schema(['pk', 'sk'], ['gsi1pk', 'gsi1sk']),
  GlobalSecondaryIndexes: [index('gsi1', ['gsi1pk', 'gsi1sk'])],
});
await createTable('notes', { keys: ['id'] });
const convo = 'CONVO#c_01';
const items = [
  {
    pk: convo,
    sk: '#METADATA',
    name: 'Project Chat',
    type: 'group',
    lastMessageBody: 'Sounds good!',
    messageCount: 2,
  },
  { pk: convo, sk: 'MSG#01HW1A2B3C', senderId: 'u_01', body: 'Can we ship by Friday?' },
  { pk: convo, sk: 'MSG#01HW1D4E5F', senderId: 'u_02', body: 'Sounds good!' },
  ...['u_01', 'u_02'].map((user) => ({
    pk: convo,
    sk: `PARTICIPANT#${user}`,
    gsi1pk: `USER#${user}`,
    gsi1sk: convo,
    role: user === 'u_01' ? 'admin' : 'member',
  })),
];
for (const Item of items) await documents.send(new PutCommand({ TableName: 'chat', Item }));

const admin = await startAdmin();
const browser = await startBrowser();
after(async () => {
  await browser.close();
  admin.stop();
});

const page = await browser.newPage();
const faults = [];
page.on('pageerror', (error) => faults.push(error.message));
page.on('dialog', (dialog) => dialog.accept());

const open = (place) => page.goto(admin.url + place);
const stored = async (sk) =>
  (await documents.send(new GetCommand({ TableName: 'chat', Key: { pk: convo, sk } }))).Item;
const texts = (selector) =>
  page.$$eval(selector, (found) => found.map((element) => element.textContent.trim()));

const tables = () => texts('#table-list a[href^="/tables/"]');

// Waits for the rows of a table's page and returns them as objects.
async function rows() {
  await page.waitForSelector('#table-placeholder.d-none');
  const names = (await texts('#actions-row th')).slice(1);
  const cells = await page.$$eval('#items-container tr', (found) =>
    found.map((row) => [...row.querySelectorAll('td')].slice(1).map((cell) => cell.textContent)),
  );
  return cells.map((row) =>
    Object.fromEntries(
      names.map((name, i) => [name, row[i]]).filter(([, text]) => text !== 'undefined'),
    ),
  );
}

// Returns an item as JSONFormatter shows it, with texts in quotes.
const shown = (item) =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, JSON.stringify(value)]));

const bySortKey = (a, b) => a.sk.localeCompare(b.sk);

// Parses the JSON text in the editor of the page and returns the item.
const edited = async () =>
  JSON.parse(await page.evaluate(() => window.ace.edit('documentTextarea').getValue()));

// Writes a whole item into the editor and saves it.
async function save(item) {
  await page.evaluate(
    (text) => window.ace.edit('documentTextarea').setValue(text),
    JSON.stringify(item),
  );
  const [response] = await Promise.all([
    page.waitForResponse((answer) => answer.request().method() === 'PUT'),
    page.click('#saveButton'),
  ]);
  return response;
}

const itemPage = (sk) => `/tables/chat/items/${encodeURIComponent(`${convo},${sk}`)}`;

test('the tables are listed with their number of items', async () => {
  await open('/');
  assert.deepEqual(await tables(), ['chat', 'notes']);
  assert.deepEqual(await texts('#table-list .badge-secondary'), ['5', '0']);
});

test('the items of a table are shown', async () => {
  await open('/');
  await Promise.all([page.waitForNavigation(), page.click('a[href="/tables/chat"]')]);
  const found = await rows();
  assert.deepEqual(found.sort(bySortKey), items.map(shown).sort(bySortKey));
  assert.deepEqual(await texts('a.item-count'), ['Items\n         (showing 1 - 5)']);
  await page.screenshot({ path: path.join(process.env.CLIENT_BUILD, 'dynamodb-admin.png') });
});

test('an index is queried', async () => {
  await open('/tables/chat');
  await page.waitForSelector('#table-placeholder.d-none');
  await page.select('select[name="queryableSelection"]', 'gsi1');
  await page.select('select[name="operationType"]', 'query');
  const field = (n) => `#filters-table tr:nth-child(${n}) .filter-row-value`;
  const keys = await page.$$eval('.filter-row-key', (found) => found.map(({ value }) => value));
  const row = keys.indexOf('gsi1pk') + 1;
  await page.type(field(row), 'USER#u_02');
  await Promise.all([page.waitForNavigation(), page.click('button[type="submit"]')]);
  assert.deepEqual(await rows(), [shown(items[4])]);
});

test('a scan with a filter shows the matching items', async () => {
  const filters = JSON.stringify({ senderId: { operator: '=', value: 'u_02', type: 'S' } });
  const query = new URLSearchParams({
    operationType: 'scan',
    queryableSelection: 'table',
    filters,
  });
  await open(`/tables/chat?${query}`);
  assert.deepEqual(await rows(), [shown(items[2])]);
});

test('an item is opened, edited and saved', async () => {
  await open(itemPage('MSG#01HW1A2B3C'));
  assert.deepEqual(await edited(), items[1]);
  const changed = { ...items[1], body: 'And on Monday? ☃', edited: true, reactions: { up: 2 } };
  const response = await save(changed);
  assert.equal(response.status(), 200);
  assert.deepEqual(await stored('MSG#01HW1A2B3C'), changed);
  await page.reload();
  assert.deepEqual(await edited(), changed);
});

test('an item is created and deleted', async () => {
  const item = { pk: convo, sk: 'MSG#01HW1F0000', senderId: 'u_01', body: 'Done.' };
  await open('/tables/chat/add-item');
  await Promise.all([page.waitForNavigation(), save(item)]);
  assert.deepEqual(await stored(item.sk), item);
  await Promise.all([page.waitForNavigation(), page.click('.btn-danger')]);
  assert.equal(await stored(item.sk), undefined);
});

test('the error for a rejected item is shown', async () => {
  await open('/tables/chat/add-item');
  const response = await save({ pk: convo, body: 'no sort key' });
  assert.equal(response.status(), 500);
  await page.waitForFunction(() => document.querySelector('#error-wrapper').textContent.trim());
  const [text] = await texts('#error-wrapper');
  const told = 'One or more parameter values were invalid: Missing the key sk in the item';
  assert.ok(text.includes(told), text);
});

test('a table is described', async () => {
  await open('/tables/chat/meta');
  const [text] = await texts('main');
  for (const part of ['gsi1', 'gsi1pk', 'ACTIVE', 'HASH', 'RANGE']) assert.ok(text.includes(part));
});

// The tests cannot create a table with dynamodb-admin's form. The form sends the capacity units as
// text, and DynamoDB rejects this type.
test('a table is deleted', async () => {
  const TableName = await createTable('by-hand');
  await open('/');
  assert.deepEqual(await tables(), ['by-hand', 'chat', 'notes']);
  const remove = `[data-table-name="${TableName}"] .badge-danger`;
  await Promise.all([page.waitForNavigation(), page.click(remove)]);
  await waitUntilTableNotExists(waiting, { TableName });
  await open('/');
  assert.deepEqual(await tables(), ['chat', 'notes']);
});

test('no script of any page has failed', () => {
  assert.deepEqual(faults, []);
});
