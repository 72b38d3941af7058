// Clients of the AWS SDK v3 whose requests skip what only a network needs.

import { bodyOf, isConvertible, outputOf } from './sdk_json.js';

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

// Makes the client execute its requests by the handler. Clients of lib-dynamodb that use this
// client do so, too. Returns the client.
export function attach(client, requestHandler) {
  const { config, middlewareStack } = client;
  config.requestHandler = requestHandler;
  for (const name of FOR_NETWORK) middlewareStack.remove(name);
  // This middleware copies each answer for the logger, even for the logger that drops everything.
  if (config.logger?.constructor?.name === 'NoOpLogger') middlewareStack.remove('loggerMiddleware');
  replace(middlewareStack, 'serializerMiddleware', serialize);
  replace(middlewareStack, 'deserializerMiddleware', deserialize);
  return client;
}

// Replaces a middleware of the stack by `replacement(middleware)`. Has no effect in old versions of
// the SDK such as 3.920, because there the stacks of commands have the middleware.
function replace(stack, name, replacement) {
  const add = (original, entry) => {
    if (entry.name !== name) return;
    const middleware = replacement(original);
    stack.add(middleware, { ...entry, middleware });
  };
  stack.applyToStack({ add, addRelativeTo() {} });
}

const operationOf = ({ commandName = '' }) => commandName.replace(/Command$/, '');

// Writes the requests of convertible operations, and the others by the original middleware.
const serialize = (original) => (next, context) => {
  const operation = operationOf(context);
  if (!isConvertible(operation)) return original(next, context);
  return async (args) => next({ ...args, request: requestOf(operation, args.input) });
};

// Reads the answers of convertible operations. The original middleware reads other answers, and
// makes exceptions of errors.
const deserialize = (original) => (next, context) => {
  if (!isConvertible(operationOf(context))) return original(next, context);
  return async (args) => {
    const { response } = await next(args);
    if (response.statusCode === 200) return { response, output: outputOf(response) };
    return original(async () => ({ response }), context)(args);
  };
};

const requestOf = (operation, input) => ({
  method: 'POST',
  protocol: 'http:',
  hostname: 'in-process.invalid',
  path: '/',
  query: {},
  headers: {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': `DynamoDB_20120810.${operation}`,
  },
  body: bodyOf(operation, input),
});
