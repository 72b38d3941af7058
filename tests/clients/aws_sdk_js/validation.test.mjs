// Tests of the messages for invalid requests. Programs compare these messages, and people search
// for them.

import test from 'node:test';
import { GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { createTable, index, schema } from '../support/tables.mjs';
import { invalid, invalidValues } from './helpers.mjs';

const TableName = await createTable('validation', {
  ...schema(['pk', 'sk'], ['g']),
  GlobalSecondaryIndexes: [index('gsi', ['g'])],
});
const Key = { pk: 'p', sk: 's' };

const put = (Item, others) => new PutCommand({ TableName, Item, ...others });
const conditional = (ConditionExpression, others) => put(Key, { ConditionExpression, ...others });
const update = (UpdateExpression, others) =>
  new UpdateCommand({ TableName, Key, UpdateExpression, ...others });

test('invalid keys are rejected', async () => {
  await invalidValues(put({ pk: 'p' }), 'Missing the key sk in the item');
  await invalidValues(put({ pk: 'p', sk: 1 }), 'Type mismatch for key sk expected: S actual: N');
  await invalid(
    new GetCommand({ TableName, Key: { pk: 'p' } }),
    'The provided key element does not match the schema',
  );
  await invalid(
    put({ pk: '', sk: 's' }),
    'One or more parameter values are not valid. The AttributeValue for a key attribute cannot ' +
      'contain an empty string value. Key: pk',
  );
  await invalidValues(
    put({ ...Key, g: 1 }),
    'Type mismatch for Index Key g Expected: S Actual: N IndexName: gsi',
  );
  await invalidValues(
    put({ pk: 'x'.repeat(2049), sk: 's' }),
    'Size of hashkey has exceeded the maximum size limit of2048 bytes',
  );
  await invalidValues(
    put({ pk: 'p', sk: 'x'.repeat(1025) }),
    'Aggregated size of all range keys has exceeded the size limit of 1024 bytes',
  );
});

test('unused and undefined placeholders are rejected', async () => {
  await invalid(
    conditional('attribute_exists(a)', { ExpressionAttributeNames: { '#b': 'b' } }),
    'Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}',
  );
  await invalid(
    conditional('attribute_exists(a)', { ExpressionAttributeValues: { ':b': 1 } }),
    'Value provided in ExpressionAttributeValues unused in expressions: keys: {:b}',
  );
  await invalid(
    conditional('a = :v'),
    'Invalid ConditionExpression: An expression attribute value used in expression is not ' +
      'defined; attribute value: :v',
  );
  await invalid(
    conditional('attribute_exists(#n)'),
    'Invalid ConditionExpression: An expression attribute name used in the document path is not ' +
      'defined; attribute name: #n',
  );
  await invalid(
    put(Key, { ExpressionAttributeValues: { ':v': 1 } }),
    'ExpressionAttributeValues can only be specified when using expressions: ' +
      'ConditionExpression is null',
  );
  await invalid(
    conditional('attribute_exists(a)', { ExpressionAttributeNames: {} }),
    'ExpressionAttributeNames must not be empty',
  );
});

test('invalid expressions are rejected', async () => {
  await invalid(
    conditional('status = :v', { ExpressionAttributeValues: { ':v': 1 } }),
    'Invalid ConditionExpression: Attribute name is a reserved keyword; reserved keyword: status',
  );
  await invalid(
    conditional('nonsense(a)'),
    'Invalid ConditionExpression: Invalid function name; function: nonsense',
  );
  await invalid(conditional(''), 'Invalid ConditionExpression: The expression can not be empty;');
  await invalid(
    update('SET a = :v SET b = :v', { ExpressionAttributeValues: { ':v': 1 } }),
    'Invalid UpdateExpression: The "SET" section can only be used once in an update expression;',
  );
  await invalid(
    update('SET a = :v, a.b = :v', { ExpressionAttributeValues: { ':v': 1 } }),
    'Invalid UpdateExpression: Two document paths overlap with each other; must remove or ' +
      'rewrite one of these paths; path one: [a], path two: [a, b]',
  );
  await invalid(
    update('ADD a :v', { ExpressionAttributeValues: { ':v': 'text' } }),
    'Invalid UpdateExpression: Incorrect operand type for operator or function; operator: ADD, ' +
      'operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND',
  );
  await invalid(
    conditional('a BETWEEN :b AND :a', { ExpressionAttributeValues: { ':a': 1, ':b': 2 } }),
    'Invalid ConditionExpression: The BETWEEN operator requires upper bound to be greater than ' +
      'or equal to lower bound; lower bound operand: AttributeValue: {N:2}, upper bound operand: ' +
      'AttributeValue: {N:1}',
  );
  await invalid(
    new ScanCommand({ TableName, FilterExpression: 'size(a)' }),
    'Invalid FilterExpression: The function is not allowed to be used this way in an expression; ' +
      'function: size',
  );
});

test('violated constraints are reported together', async () => {
  await invalid(
    new GetItemCommand({ TableName: 'a!', Key: {}, ReturnConsumedCapacity: 'SOME' }),
    "2 validation errors detected: Value 'a!' at 'tableName' failed to satisfy constraint: " +
      'Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+; Value ' +
      "'SOME' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum " +
      'value set: [INDEXES, TOTAL, NONE]',
  );
  await invalid(
    new PutItemCommand({ TableName, Item: { pk: { S: 'p' } }, ReturnConsumedCapacity: 'SOME' }),
    "1 validation error detected: Value 'SOME' at 'returnConsumedCapacity' failed to satisfy " +
      'constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]',
  );
  await invalid(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :p',
      ExpressionAttributeValues: { ':p': { S: 'p' } },
      Limit: 0,
    }),
    "1 validation error detected: Value at 'Limit' failed to satisfy constraint: " +
      'Member must have value greater than or equal to 1',
  );
});

test('invalid ReturnValues are rejected', async () => {
  await invalid(put(Key, { ReturnValues: 'ALL_NEW' }), 'ReturnValues can only be ALL_OLD or NONE');
});
