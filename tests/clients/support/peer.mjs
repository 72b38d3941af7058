// The server under test.

export const endpoint = process.env.DOLMEN_ENDPOINT;

const isLocal = process.env.DOLMEN_PEER === 'dynamodb-local';

// Returns a value for the option `skip` of a test. The value skips the test if the server is
// DynamoDB Local, which is known to differ from DynamoDB in this test.
export const dynamodbLocal = (reason) => isLocal && `dynamodb-local: ${reason}`;

// Returns the expected value, or `local` for DynamoDB Local, which has another message or value.
export const unlessLocal = (expected, local) => (isLocal ? local : expected);
