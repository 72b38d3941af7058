// Messages of DynamoDB Local that differ from DynamoDB's.

const tooLongKey =
  'Hash primary key values must be under 2048 bytes, and range primary key values must be under ' +
  '1024 bytes';
const attributeDefinitions =
  'The number of attributes in key schema must match the number of attributes defined in ' +
  'attribute definitions.';
const noNumber = 'A value provided cannot be converted into a number';

// Entries of the form [DynamoDB's message or a part of it, Local's messages...].
const words = [
  ['Requested resource not found', 'Cannot do operations on a non-existent table'],
  ['Table already exists: ', 'Cannot create preexisting table'],
  [
    'The provided key element does not match the schema',
    'The number of conditions on the keys is invalid',
    'One or more parameter values were invalid: Type mismatch for key',
  ],
  ['Query condition missed key schema element: ', 'Query condition missed key schema element'],
  [
    'Consistent reads are not supported on global secondary indexes',
    'Consistent read cannot be true when querying a GSI',
  ],
  [
    'The provided starting key is outside query boundaries based on provided conditions',
    'The provided starting key does not match the range key predicate',
  ],
  [
    'The Segment parameter is zero-based',
    "1 validation error detected: Value '3' at 'segment' failed to satisfy constraint: " +
      'Member must have value less than or equal to 2',
  ],
  [
    'The provisioned throughput for the table will not change.',
    'The requested throughput value equals the current value',
  ],
  ['Number of attributes in KeySchema does not exactly match', attributeDefinitions],
  ['Some AttributeDefinitions are not used.', attributeDefinitions],
  ['Duplicate index name: ', 'Two global secondary indices have the same name'],
  [
    'Table KeySchema does not have a range key',
    'Local Secondary indices are not allowed on hash tables, only hash and range tables',
  ],
  ['Missing the key sk in the item', 'One of the required keys was not given a value'],
  [
    'Type mismatch for key sk expected: S actual: N',
    'One or more parameter values were invalid: Type mismatch for key',
  ],
  [
    'Type mismatch for Index Key g Expected: S Actual: N IndexName: gsi',
    'One or more parameter values were invalid: Type mismatch for Index Key',
  ],
  ['Size of hashkey has exceeded the maximum size limit', tooLongKey],
  ['Aggregated size of all range keys has exceeded', tooLongKey],
  [
    "at 'tableName' failed to satisfy constraint",
    'Invalid table/index name.  Table/index names must be between 3 and 255 characters long, and ' +
      "may contain only the characters a-z, A-Z, 0-9, '_', '-', and '.'",
  ],
  [
    "Value 'SOME' at 'returnConsumedCapacity' failed to satisfy constraint",
    'One of the required keys was not given a value',
  ],
  ["Value at 'Limit' failed", 'Limit must be greater than or equal to 1'],
  ['ReturnValues can only be ALL_OLD or NONE', 'Return values set to invalid value'],
  ['The parameter cannot be converted to a numeric value', noNumber],
  [
    'Attempting to store more than 38 significant digits in a Number',
    'DynamoDB only supports precision up to 38 digits',
  ],
  [
    'Input collection [a, b, a] contains duplicates.',
    'One or more parameter values were invalid: Input collection [a, b, a] contains duplicates',
  ],
  ["at 'requestItems' failed", 'Too many items requested for the BatchWriteItem call'],
  ["member\\.Keys' failed", 'Too many items requested for the BatchGetItem call'],
  ["at 'transactItems' failed", 'Member must have length less than or equal to 100'],
];

export const saysLocal = (theirs, ours) =>
  words.some(([part, ...local]) => ours.includes(part) && local.includes(theirs));
