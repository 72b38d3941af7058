import assert from 'node:assert/strict';

// The error that a promise must end with.
export const failureOf = (promise) =>
  promise.then(
    () => assert.fail('no error'),
    (thrown) => thrown,
  );
