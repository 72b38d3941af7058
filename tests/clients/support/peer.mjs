// The tested server or database.

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
