// Helpers of the SDK's tests: document clients, and calls whose whole response is compared.

import assert from 'node:assert/strict';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { newClient } from '../support/tables.mjs';

// Returns a document client on a new client, because a document client modifies the client that it
// uses.
export const documentsWith = (options) => DynamoDBDocumentClient.from(newClient(), options);
export const documents = documentsWith({});

// Sends the command and returns the response without the SDK's metadata.
export async function send(command, to = documents) {
  const { $metadata, ...response } = await to.send(command);
  assert.equal($metadata.httpStatusCode, 200);
  return response;
}

// Expects the call to fail with this error, and returns the error.
export async function fails(command, name, message, to = documents) {
  const error = await to.send(command).then(
    () => assert.fail(`no error, but ${name} was expected`),
    (thrown) => thrown,
  );
  assert.equal(error.name, name, error.message);
  assert.equal(error.$metadata?.httpStatusCode, 400);
  assert.equal(error.message, message);
  return error;
}

export const invalid = (command, message, to) => fails(command, 'ValidationException', message, to);

// Returns all pages of one of the SDK's paginators.
export async function pagesOf(paginator) {
  const pages = [];
  for await (const { $metadata, ...page } of paginator) pages.push(page);
  return pages;
}
