// Helpers for the tests that exchange items with the entities of Dolmen (../README.md).

import { readFileSync } from 'node:fs';
import { database } from './in_process.mjs';
import { endpoint } from './peer.mjs';

// The table in which a client writes the items that run.py records.
export const recorded = 'recorded';

// The table into which putUpdated writes the items that Dolmen's entities have updated.
export const updated = 'updated';

// Makes `new Date()` and `Date.now()` return one time, so that every run writes equal items.
export function stopClock(time) {
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...values) {
      super(...(values.length > 0 ? values : [time]));
    }
    static now() {
      return RealDate.parse(time);
    }
  };
}

// Puts the items of the file that `DOLMEN_UPDATED` names. The items bypass the client.
export async function putUpdated() {
  const lines = readFileSync(process.env.DOLMEN_UPDATED, 'utf8').trim().split('\n');
  for (const line of lines) {
    const body = JSON.stringify({ TableName: updated, ...JSON.parse(line) });
    if (database !== undefined) {
      await database.executeJson('PutItem', body);
      continue;
    }
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'X-Amz-Target': 'DynamoDB_20120810.PutItem',
        'X-Amz-Date': '20200101T000000Z',
        'Content-Type': 'application/x-amz-json-1.0',
        Authorization:
          'AWS4-HMAC-SHA256 Credential=dolmen/20200101/us-east-1/dynamodb/aws4_request, ' +
          'SignedHeaders=host;x-amz-date, Signature=0',
      },
      body,
    });
    if (!response.ok) throw new Error(await response.text());
  }
}
