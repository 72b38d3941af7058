// The server under test.

export const endpoint = process.env.DOLMEN_ENDPOINT;

const isLocal = process.env.DOLMEN_PEER === 'dynamodb-local';

// For a test's `skip`: DynamoDB Local is known not to answer as DynamoDB does.
export const dynamodbLocal = (reason) => isLocal && `dynamodb-local: ${reason}`;

// Where DynamoDB Local only has other words, or another value.
export const unlessLocal = (expected, local) => (isLocal ? local : expected);
