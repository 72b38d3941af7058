// The address of the tested server, and functions for the tests that DynamoDB Local fails.

export const endpoint = process.env.DOLMEN_ENDPOINT;

const isLocal = process.env.DOLMEN_PEER === 'dynamodb-local';

// Returns a value for the option `skip` of a test. If the server is DynamoDB Local, which is known
// to fail this test, the value skips the test.
export const dynamodbLocal = (reason) => isLocal && `dynamodb-local: ${reason}`;

// Returns `local` if the server is DynamoDB Local, which has a different message or value.
// Otherwise returns the expected value.
export const unlessLocal = (expected, local) => (isLocal ? local : expected);
