// Tests of DynamoDB Streams.

import assert from 'node:assert/strict';
import test from 'node:test';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { connect } from '../support/peer.mjs';
import { createTable, keySchema } from '../support/tables.mjs';
import { send } from './helpers.mjs';

const streams = connect(DynamoDBStreamsClient, { maxAttempts: 1 });
const ask = (command) => send(command, streams);

async function streamedTable(name, StreamViewType) {
  const TableName = await createTable(name, {
    StreamSpecification: { StreamEnabled: true, StreamViewType },
  });
  const { Table } = await send(new DescribeTableCommand({ TableName }));
  return { TableName, StreamArn: Table.LatestStreamArn, StreamLabel: Table.LatestStreamLabel };
}

const put = (TableName, sk, others) =>
  send(new PutCommand({ TableName, Item: { pk: 'p', sk, ...others } }));

async function shardsOf(StreamArn) {
  const shards = [];
  let ExclusiveStartShardId;
  do {
    const { StreamDescription } = await ask(
      new DescribeStreamCommand({ StreamArn, ExclusiveStartShardId }),
    );
    shards.push(...StreamDescription.Shards);
    ExclusiveStartShardId = StreamDescription.LastEvaluatedShardId;
  } while (ExclusiveStartShardId);
  return shards;
}

// Reads records from an iterator until `count` records are read or the shard ends.
async function recordsFrom(iterator, count) {
  const records = [];
  let ShardIterator = iterator;
  while (ShardIterator && records.length < count) {
    const page = await ask(new GetRecordsCommand({ ShardIterator, Limit: 3 }));
    assert.ok(page.Records.length <= 3);
    records.push(...page.Records);
    ShardIterator = page.NextShardIterator;
  }
  return { records, next: ShardIterator };
}

async function iteratorOf(StreamArn, ShardId, ShardIteratorType, SequenceNumber) {
  const command = new GetShardIteratorCommand({
    StreamArn,
    ShardId,
    ShardIteratorType,
    SequenceNumber,
  });
  return (await ask(command)).ShardIterator;
}

async function oldest(StreamArn, count) {
  const [{ ShardId }] = await shardsOf(StreamArn);
  const from = await iteratorOf(StreamArn, ShardId, 'TRIM_HORIZON');
  return (await recordsFrom(from, count)).records;
}

const key = (sk) => ({ pk: { S: 'p' }, sk: { S: sk } });

test('every change of an item has a record, in order', async () => {
  const { TableName, StreamArn } = await streamedTable('streams-all', 'NEW_AND_OLD_IMAGES');
  await put(TableName, 'a', { n: 1 });
  await put(TableName, 'a', { n: 1 }); // changes nothing
  await send(
    new UpdateCommand({
      TableName,
      Key: { pk: 'p', sk: 'a' },
      UpdateExpression: 'ADD n :one',
      ExpressionAttributeValues: { ':one': 1 },
    }),
  );
  await send(new DeleteCommand({ TableName, Key: { pk: 'p', sk: 'a' } }));
  await send(new DeleteCommand({ TableName, Key: { pk: 'p', sk: 'a' } })); // deletes nothing
  await put(TableName, 'b', { set: new Set(['x']) });

  const records = await oldest(StreamArn, 4);
  assert.deepEqual(
    records.map(({ eventName, dynamodb: { Keys, OldImage, NewImage } }) => ({
      eventName,
      Keys,
      OldImage,
      NewImage,
    })),
    [
      {
        eventName: 'INSERT',
        Keys: key('a'),
        OldImage: undefined,
        NewImage: { ...key('a'), n: { N: '1' } },
      },
      {
        eventName: 'MODIFY',
        Keys: key('a'),
        OldImage: { ...key('a'), n: { N: '1' } },
        NewImage: { ...key('a'), n: { N: '2' } },
      },
      {
        eventName: 'REMOVE',
        Keys: key('a'),
        OldImage: { ...key('a'), n: { N: '2' } },
        NewImage: undefined,
      },
      {
        eventName: 'INSERT',
        Keys: key('b'),
        OldImage: undefined,
        NewImage: { ...key('b'), set: { SS: ['x'] } },
      },
    ],
  );
  for (const record of records) {
    assert.equal(record.eventSource, 'aws:dynamodb');
    assert.equal(record.eventVersion, '1.1');
    assert.equal(record.awsRegion, StreamArn.split(':')[3]);
    assert.equal(record.dynamodb.StreamViewType, 'NEW_AND_OLD_IMAGES');
    assert.match(record.dynamodb.SequenceNumber, /^\d{21,40}$/);
    assert.ok(record.dynamodb.ApproximateCreationDateTime instanceof Date);
    assert.equal(record.userIdentity, undefined);
  }
  const numbers = records.map(({ dynamodb }) => BigInt(dynamodb.SequenceNumber));
  assert.deepEqual(
    numbers,
    [...numbers].sort((a, b) => (a < b ? -1 : 1)),
  );
  assert.equal(new Set(records.map(({ eventID }) => eventID)).size, 4);
  // The key {pk: p, sk: a} has 6 bytes, and the attribute {n: 1} has 3 bytes.
  assert.deepEqual(
    records.slice(0, 3).map(({ dynamodb }) => dynamodb.SizeBytes),
    [6 + 9, 6 + 18, 6 + 9],
  );
});

test('a stream is described and listed', async () => {
  const { TableName, StreamArn, StreamLabel } = await streamedTable('streams-listed', 'NEW_IMAGE');
  assert.match(StreamLabel, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
  assert.ok(StreamArn.endsWith(`:table/streams-listed/stream/${StreamLabel}`));
  assert.deepEqual(await ask(new ListStreamsCommand({ TableName })), {
    Streams: [{ StreamArn, StreamLabel, TableName }],
  });
  const { StreamDescription } = await ask(new DescribeStreamCommand({ StreamArn }));
  const { Shards, CreationRequestDateTime, ...described } = StreamDescription;
  assert.deepEqual(described, {
    StreamArn,
    StreamLabel,
    StreamStatus: 'ENABLED',
    StreamViewType: 'NEW_IMAGE',
    TableName,
    KeySchema: keySchema(['pk', 'sk']),
  });
  assert.ok(CreationRequestDateTime instanceof Date);
  assert.ok(Shards.length > 0);
  for (const { ShardId, SequenceNumberRange } of Shards) {
    assert.match(ShardId, /^shardId-\d{20}-[0-9a-f]{8}$/);
    assert.match(SequenceNumberRange.StartingSequenceNumber, /^\d{21,40}$/);
  }
});
