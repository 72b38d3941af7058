// The tested server or database, and functions for the tests that DynamoDB Local fails.

import { database } from './in_process.mjs';

export const endpoint = process.env.DOLMEN_ENDPOINT;

const way = process.env.DOLMEN_WAY ?? 'client';
const sync = way === 'sync';

// Returns a client of the AWS SDK that reaches the tested server or database.
export function connect(Client, options) {
  if (database === undefined) return new Client({ endpoint, ...options });
  if (way === 'client') return database.client(Client, options);
  return new Client({ ...database.clientOptions({ sync }), ...options });
}

const isLocal = process.env.DOLMEN_PEER === 'dynamodb-local';

// Returns a value for the option `skip` of a test. If the server is DynamoDB Local, which is known
// to fail this test, the value skips the test.
export const dynamodbLocal = (reason) => isLocal && `dynamodb-local: ${reason}`;

// Returns `local` if the server is DynamoDB Local, which has a different message or value.
// Otherwise returns the expected value.
export const unlessLocal = (expected, local) => (isLocal ? local : expected);
