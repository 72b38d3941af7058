import assert from 'node:assert/strict';

// Returns the error with which a promise must end.
export const failureOf = (promise) =>
  promise.then(
    () => assert.fail('no error'),
    (thrown) => thrown,
  );
