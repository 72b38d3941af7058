// A reporter for `node --test`. It prints a line for each test, each failure in full, and the
// counts that run.py reads.

import { inspect } from 'node:util';

// Returns false for a file and for a suite. Node reports them like tests, but the reporter must not
// count them.
const isTest = (data) => data.details?.type !== 'suite' && !data.name.endsWith('.test.mjs');

export default async function* reporter(events) {
  let passed = 0;
  let failed = 0;
  for await (const { type, data } of events) {
    if (type === 'test:stderr' || type === 'test:stdout') {
      yield data.message;
    } else if (type === 'test:pass' && isTest(data)) {
      const skipped = data.skip !== undefined;
      passed += skipped ? 0 : 1;
      yield skipped ? `skip  ${data.name} (${data.skip})\n` : `pass  ${data.name}\n`;
    } else if (type === 'test:fail' && data.details.error.failureType !== 'subtestsFailed') {
      failed += 1;
      yield `FAIL  ${data.name}\n${inspect(data.details.error.cause, { depth: 20 })}\n`;
    }
  }
  yield `${passed} passed, ${failed} failed\n`;
}
