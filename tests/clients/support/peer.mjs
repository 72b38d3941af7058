// The server under test.

export const endpoint = process.env.DOLMEN_ENDPOINT;

const isLocal = process.env.DOLMEN_PEER === 'dynamodb-local';

// Returns a value for a test's `skip`. It skips the test for DynamoDB Local, which is known to
// differ from DynamoDB there.
export const dynamodbLocal = (reason) => isLocal && `dynamodb-local: ${reason}`;

// Returns the expected value, or `local` for DynamoDB Local, which has another message or value.
export const unlessLocal = (expected, local) => (isLocal ? local : expected);
