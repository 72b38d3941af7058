// A program that the compiler of TypeScript checks.

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { ClosedError, Database, Decimal, DolmenError, restore, version, type Value } from 'dolmen';
import { TestDatabase, forkPerTest } from 'dolmen/testing';
import { after, beforeEach } from 'node:test';

const value: Value = { a: [1, 2n, new Decimal('1.5'), new Set(['x']), new Uint8Array(1), null] };
const db: Database = new Database('app.dolmen', { clock: new Date(), durability: 'buffered' });
const streams = new DynamoDBStreamsClient(db.clientOptions());
const documents = DynamoDBDocumentClient.from(new DynamoDBClient(db.clientOptions({ sync: true })));
const signing = new DynamoDBClient({ requestHandler: db.requestHandler(), region: 'us-east-1' });

async function use(): Promise<void> {
  const items: Value[] = (await db.execute('Scan', { TableName: 'app' })).Items;
  const subscription = db.subscribe('app', 'name', async (records) => console.log(records.length));
  await subscription.close();
  const fork: Database = await db.fork();
  const time: Date = fork.advance(1000);
  const expired: number = await fork.expire();
  const { CopiedBytes } = await restore(Buffer.from('backup'), new URL('file:///copy'));
  const other: Database = Database.fromShared(fork.share);
  console.log(
    items,
    time,
    expired,
    CopiedBytes,
    other,
    version,
    value,
    streams,
    documents,
    signing,
  );
  // @ts-expect-error no such option
  new Database(null, { colour: 'red' });
}

try {
  await use();
} catch (error) {
  if (error instanceof ClosedError) throw error;
  if (error instanceof DolmenError) console.log(error.name, error.response);
}
const tests: TestDatabase = forkPerTest({ beforeEach, after }, { seed: { Tables: [] } });
const client: DynamoDBClient = tests.client(DynamoDBClient, { maxAttempts: 1 });
tests.attach(new DynamoDBClient(tests.clientOptions()));
db.attach(db.client(DynamoDBClient, { sync: true })).destroy();
client.destroy();
