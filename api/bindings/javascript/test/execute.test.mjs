// Tests of Database.execute and of its values.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Decimal, DolmenError } from 'dolmen';
import { get, key, openDatabase, put } from './support.mjs';

const bytes = (...values) => new Uint8Array(values);

const VALUES = {
  text: 'Grüße 🙂',
  empty: '',
  whole: 5,
  negative: -7,
  fraction: 1.5,
  large: 12345678901234567890123456789012345678n,
  exact: new Decimal('0.1000000000000000000001'),
  bytes: bytes(0, 255),
  noBytes: bytes(),
  true: true,
  false: false,
  none: null,
  list: [1, 'a', [null], { b: bytes(1) }],
  map: { a: { b: new Set([1, 2]) } },
  noMap: {},
  texts: new Set(['a', 'b']),
  numbers: new Set([1, 2.5]),
  binaries: new Set([bytes(1), bytes(2, 3)]),
};
Object.defineProperty(VALUES, '__proto__', { value: 'a name', enumerable: true });

test('every value is read as it was written', async (t) => {
  const db = openDatabase(t);
  const item = { ...key() };
  for (const name of Object.keys(VALUES)) {
    Object.defineProperty(item, name, { value: VALUES[name], enumerable: true });
  }
  await db.execute('PutItem', { TableName: 'app', Item: item });
  const found = await get(db);
  assert.deepEqual(Object.keys(found).sort(), Object.keys(item).sort());
  for (const name of Object.keys(item)) {
    assert.deepEqual(Reflect.get(found, name), item[name], name);
  }
});

const OTHERS = [
  [new Map([['a', 1]]), { a: 1 }],
  [Buffer.from('a'), bytes(97)],
  [bytes(1, 2, 3).subarray(1), bytes(2, 3)],
  [bytes(1, 2).buffer, bytes(1, 2)],
  [7n, 7],
  [new Decimal('2.0'), 2],
  [1e-7, 1e-7],
  [{ a: undefined, b: 1 }, { b: 1 }],
];

for (const [written, read] of OTHERS) {
  test(`${written.constructor.name} ${String(written)} is written as its kind`, async (t) => {
    const db = openDatabase(t);
    await put(db, '1', { value: written });
    assert.deepEqual((await get(db)).value, read);
  });
}

// A number is never rounded: it is read as a number only if this has exactly its digits.
test('each digit of a number is read as it was written', async (t) => {
  const db = openDatabase(t);
  const seed = Date.now() % 1_000_000;
  t.diagnostic(`seed ${seed}`);
  let state = seed + 1;
  const below = (bound) => {
    state = (state * 48_271) % 2_147_483_647; // the generator of Park and Miller
    return state % bound;
  };
  const digits = (max) => Array.from({ length: 1 + below(max) }, () => below(10)).join('');
  const texts = ['1.00000000000000000001', '9007199254740991.4', '9007199254740993'];
  while (texts.length < 100_000) {
    texts.push(`${below(2) ? '-' : ''}${1 + below(9)}${digits(18)}${below(2) ? `.${digits(18)}` : ''}`);
  }
  for (let i = 0; i < texts.length; i += 100) {
    const written = texts.slice(i, i + 100);
    await put(db, '1', { value: written.map((text) => new Decimal(text)) });
    (await get(db)).value.forEach((read, j) => {
      const plain = (text) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
      assert.equal(plain(String(read instanceof Decimal ? read.toString() : read)), plain(written[j]));
    });
  }
});

const WITHOUT_TYPE = [
  [NaN, RangeError],
  [Infinity, RangeError],
  [2 ** 60, RangeError],
  [new Set(), RangeError],
  [new Set([1, 'a']), TypeError],
  [new Date(0), TypeError],
  [Symbol('a'), TypeError],
  [() => {}, TypeError],
  [[undefined], TypeError],
  [new Map([[1, 'a']]), TypeError],
];

for (const [value, kind] of WITHOUT_TYPE) {
  test(`${typeof value} ${String(value)} is refused`, async (t) => {
    const db = openDatabase(t);
    await assert.rejects(put(db, '1', { value }), kind);
    assert.throws(() => new Decimal('one'), RangeError);
    assert.equal(await get(db), undefined);
  });
}

const HALF_IN = {
  'Item.PK.S': (db, half) => put(db, '1', { PK: half }),
  'Item.name.M.inner.L': (db, half) => put(db, '1', { name: { inner: [half] } }),
  'Item.PK': (db, half) => db.executeJson('PutItem', `{"Item": {"PK": "${half}"}}`),
  PK: async (db, half) => db.executeJsonSync('PutItem', `{"PK": "${half}"}`),
  Tables: (db, half) => db.loadSeed(`{"Tables": "${half}"}`),
  Rules: async (db, half) => db.simulate({ Rules: half }),
};

for (const [place, use] of Object.entries(HALF_IN)) {
  test(`half of a surrogate pair is refused by its place ${place}`, async (t) => {
    const db = openDatabase(t);
    for (const half of ['\ud83d', '\ude00', 'a\ud83db']) {
      const expected = new RegExp(`half of a surrogate pair.* at ${place}`);
      await assert.rejects(use(db, half), { name: /Exception$/, message: expected });
      assert.throws(() => db.subscribe('app', half, () => {}), TypeError);
      assert.throws(() => db.subscribe(half, 'name', () => {}), TypeError);
      assert.throws(() => db.executeJsonSync(half, '{}'), TypeError);
    }
    assert.equal((await db.execute('Scan', { TableName: 'app' })).Count, 0);
  });
}

test('a text may have U+FFFD and pairs of surrogates', async (t) => {
  const db = openDatabase(t);
  const name = '\ufffd \u{1f600}';
  await put(db, '1', { name });
  assert.equal((await get(db)).name, name);
  await db.subscribe('app', name, () => {}).close();
});

test('a member without a form in JSON is refused by name', async (t) => {
  const db = openDatabase(t);
  const scan = { TableName: 'app', Limit: NaN };
  await assert.rejects(db.execute('Scan', scan), /Limit has a value that JSON does not have: NaN/);
  const create = { TableName: 'b', ProvisionedThroughput: { ReadCapacityUnits: () => 1 } };
  assert.throws(() => db.executeSync('CreateTable', create), /ReadCapacityUnits/);
});

test('expressions have plain values', async (t) => {
  const db = openDatabase(t);
  await put(db, '1', { count: 1 });
  const updated = db.executeSync('UpdateItem', {
    TableName: 'app',
    Key: key(),
    UpdateExpression: 'SET seen = :seen ADD #count :one',
    ExpressionAttributeNames: { '#count': 'count' },
    ExpressionAttributeValues: { ':seen': new Set(['x']), ':one': 1 },
    ReturnValues: 'ALL_NEW',
  });
  assert.deepEqual(updated.Attributes, { ...key(), count: 2, seen: new Set(['x']) });
});

test('pages, batches and transactions have plain items', async (t) => {
  const db = openDatabase(t);
  const items = ['1', '2', '3'].map((sort) => ({ ...key(sort), n: 1 }));
  await db.execute('BatchWriteItem', {
    RequestItems: { app: items.slice(0, 2).map((Item) => ({ PutRequest: { Item } })) },
  });
  await db.execute('TransactWriteItems', {
    TransactItems: [{ Put: { TableName: 'app', Item: items[2] } }],
  });
  const query = {
    TableName: 'app',
    KeyConditionExpression: 'PK = :pk',
    ExpressionAttributeValues: { ':pk': 'a' },
    Limit: 2,
  };
  const page = await db.execute('Query', query);
  assert.deepEqual([page.Items, page.LastEvaluatedKey], [items.slice(0, 2), key('2')]);
  const next = await db.execute('Query', { ...query, ExclusiveStartKey: page.LastEvaluatedKey });
  assert.deepEqual(next.Items, items.slice(2));
  const read = await db.execute('BatchGetItem', { RequestItems: { app: { Keys: [key('1')] } } });
  assert.deepEqual(read.Responses.app, items.slice(0, 1));
  const gets = await db.execute('TransactGetItems', {
    TransactItems: [{ Get: { TableName: 'app', Key: key('2') } }],
  });
  assert.deepEqual(gets.Responses, [{ Item: items[1] }]);
});

test('statements have plain parameters and items', async (t) => {
  const db = openDatabase(t);
  const item = await put(db, '1', { n: 1 });
  const statement = {
    Statement: 'SELECT * FROM app WHERE PK=? AND SK=?',
    Parameters: [item.PK, item.SK],
  };
  assert.deepEqual((await db.execute('ExecuteStatement', statement)).Items, [item]);
  const batch = await db.execute('BatchExecuteStatement', { Statements: [statement] });
  assert.deepEqual(batch.Responses, [{ TableName: 'app', Item: item }]);
  const read = await db.execute('ExecuteTransaction', { TransactStatements: [statement] });
  assert.deepEqual(read.Responses, [{ Item: item }]);
});

test('legacy conditions have plain values', async (t) => {
  const db = openDatabase(t);
  const item = await put(db, '1', { n: 1 });
  const condition = { AttributeValueList: ['a'], ComparisonOperator: 'EQ' };
  const page = await db.execute('Query', { TableName: 'app', KeyConditions: { PK: condition } });
  assert.deepEqual(page.Items, [item]);
  await db.execute('UpdateItem', {
    TableName: 'app',
    Key: key(),
    AttributeUpdates: { n: { Value: 2, Action: 'ADD' } },
    Expected: { n: { Value: 1 } },
  });
  assert.equal((await get(db)).n, 3);
});

const CONDITION = {
  TableName: 'app',
  Key: key(),
  ConditionExpression: 'attribute_not_exists(PK)',
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
};

test('a false condition is an error with the item', async (t) => {
  const db = openDatabase(t);
  const item = await put(db, '1', { n: 1 });
  await assert.rejects(db.execute('DeleteItem', CONDITION), (error) => {
    assert.ok(error instanceof DolmenError);
    assert.equal(String(error), 'ConditionalCheckFailedException: The conditional request failed');
    assert.deepEqual(error.response.Item, item);
    return true;
  });
});

test('a canceled transaction is an error with its reasons', async (t) => {
  const db = openDatabase(t);
  const item = await put(db, '1', { n: 1 });
  const request = { TransactItems: [{ ConditionCheck: CONDITION }] };
  assert.throws(
    () => db.executeSync('TransactWriteItems', request),
    (error) => {
      const [reason] = error.response.CancellationReasons;
      assert.deepEqual([reason.Code, reason.Item], ['ConditionalCheckFailed', item]);
      return error.name === 'TransactionCanceledException';
    },
  );
});

const WRONG = [
  ['GetItem', { TableName: 'nowhere', Key: key() }, 'ResourceNotFoundException'],
  ['GetItem', { TableName: 'app', Key: { PK: 'a' } }, 'ValidationException'],
  ['GetItem', { TableName: 'app', Key: 5 }, 'SerializationException'],
  ['BatchGetItem', { RequestItems: [1] }, 'SerializationException'],
  ['NoSuchOperation', {}, 'UnknownOperationException'],
  ['constructor', {}, 'UnknownOperationException'],
];

for (const [operation, request, name] of WRONG) {
  test(`${operation} ${JSON.stringify(request)} is a ${name}`, async (t) => {
    const db = openDatabase(t);
    await assert.rejects(db.execute(operation, request), { name });
  });
}

test('a request and its answer can be JSON', async (t) => {
  const db = openDatabase(t);
  const Item = { PK: { S: 'a' }, SK: { S: '1' } };
  const put = JSON.stringify({ TableName: 'app', Item });
  assert.equal(await db.executeJson('PutItem', put), '{}');
  const request = Buffer.from(JSON.stringify({ TableName: 'app', Key: Item }));
  assert.deepEqual(JSON.parse(db.executeJsonSync('GetItem', request)), { Item });
  await assert.rejects(db.executeJson('GetItem', 'no JSON'), { name: 'SerializationException' });
  await assert.rejects(db.executeJson('GetItem', 5), TypeError);
});
