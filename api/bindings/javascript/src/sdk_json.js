// Conversions between the inputs and outputs of the AWS SDK v3 and DynamoDB's JSON.

import { randomUUID } from 'node:crypto';
import { base64, bytes } from './values.js';

// The operations whose inputs and outputs have only one type that JSON does not have: bytes.
const OPERATIONS = new Set([
  'BatchGetItem',
  'BatchWriteItem',
  'DeleteItem',
  'GetItem',
  'PutItem',
  'Query',
  'Scan',
  'TransactGetItems',
  'TransactWriteItems',
  'UpdateItem',
]);

// Returns true if the functions below can convert for this operation.
export const isConvertible = (operation) => OPERATIONS.has(operation);

// Returns the body that the SDK sends for the input.
export function bodyOf(operation, input) {
  const members =
    operation === 'TransactWriteItems'
      ? { ...input, ClientRequestToken: input.ClientRequestToken ?? randomUUID() }
      : input;
  return JSON.stringify(members, toJson);
}

// Replaces bytes by base64 and leaves null out. `value` is the result of toJSON of a Buffer, so the
// bytes must be taken from the object.
function toJson(name, value) {
  const original = this[name];
  if (original instanceof Uint8Array) return base64(original);
  if (Array.isArray(value)) return value.filter((part) => part !== null && part !== undefined);
  return value ?? undefined;
}

// Returns the output that the SDK returns for the response.
export function outputOf({ body, headers }) {
  const text = body.toString();
  const output = JSON.parse(text);
  if (text.includes('"B":') || text.includes('"BS":')) decodeBytes(output);
  const requestId = headers['x-amzn-requestid'];
  output.$metadata = {
    httpStatusCode: 200,
    requestId,
    extendedRequestId: undefined,
    cfId: undefined,
  };
  return output;
}

// Replaces the base64 of attribute values by bytes. Only an attribute value has a text in "B": an
// attribute that is named B has an attribute value.
function decodeBytes(part) {
  if (Array.isArray(part)) {
    part.forEach(decodeBytes);
  } else if (typeof part === 'object' && part !== null) {
    if (typeof part.B === 'string') part.B = bytes(part.B);
    else if (isTexts(part.BS)) part.BS = part.BS.map(bytes);
    else Object.values(part).forEach(decodeBytes);
  }
}

const isTexts = (value) => Array.isArray(value) && typeof value[0] === 'string';
