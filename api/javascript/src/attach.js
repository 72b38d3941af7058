// Clients of the AWS SDK v3 whose requests skip what only a network needs.

// The SDK's middleware that prepares requests for a network. A name that the SDK does not have is
// ignored.
const FOR_NETWORK = [
  'contentLengthMiddleware',
  'getUserAgentMiddleware',
  'hostHeaderMiddleware',
  'httpAuthSchemeMiddleware',
  'httpSigningMiddleware',
  'recursionDetectionMiddleware',
];

// The operations whose answers contain no type but attribute values that JSON does not have.
const PARSED = new Set([
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

// Makes the client execute its requests by the handler. Clients of lib-dynamodb that use this
// client do so, too. Returns the client.
export function attach(client, requestHandler) {
  client.config.requestHandler = requestHandler;
  for (const name of FOR_NETWORK) client.middlewareStack.remove(name);
  const { protocol } = client.config; // undefined in versions of the SDK before 2025
  if (typeof protocol?.deserializeResponse === 'function') {
    const deserialize = protocol.deserializeResponse.bind(protocol);
    protocol.deserializeResponse = async (operation, context, response) =>
      response.statusCode === 200 && PARSED.has(operation.name)
        ? outputOf(response)
        : deserialize(operation, context, response);
  }
  return client;
}

// Returns what the SDK returns for the response.
function outputOf({ body, headers }) {
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

const bytes = (base64) => new Uint8Array(Buffer.from(base64, 'base64'));

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
