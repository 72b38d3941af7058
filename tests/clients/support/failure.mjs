import assert from 'node:assert/strict';

// Waits until the promise is rejected, and returns its error. Fails the test if the promise is
// fulfilled.
export const failureOf = (promise) =>
  promise.then(
    () => assert.fail('no error'),
    (thrown) => thrown,
  );
