// The HTTP layer of the AWS SDK v3, without HTTP.

import { randomBytes } from 'node:crypto';

// The signature of a request, which nothing verifies.
const UNSIGNED = { sign: async (request) => request };

// A logger without the function `info`, for which the SDK would copy each answer.
const QUIET = { trace() {}, debug() {}, warn() {}, error() {} };

// An id of a request has 52 digits of base 32, as DynamoDB's ids. The last ten digits count the
// requests.
const ID_PREFIX = Array.from(randomBytes(42), (byte) => (byte % 32).toString(32)).join('');
let requests = 0;
const newRequestId = () =>
  `${ID_PREFIX}${(++requests).toString(32).padStart(10, '0')}`.toUpperCase();

// Executes the SDK's requests in a database. `execute(operation, body)` returns the HTTP
// status and the bytes of the answer, or a promise of them.
export class RequestHandler {
  metadata = { handlerProtocol: 'http/1.1' };
  #execute;

  constructor(execute) {
    this.#execute = execute;
  }

  // Called by the SDK for each request. The database finishes a request that is aborted.
  async handle(request, { abortSignal } = {}) {
    if (abortSignal?.aborted) throw abortError();
    const target = request.headers['x-amz-target'] ?? '';
    const operation = target.slice(target.indexOf('.') + 1);
    const [statusCode, body] = await this.#execute(operation, request.body ?? '');
    if (abortSignal?.aborted) throw abortError();
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'content-length': String(body.length),
      'x-amzn-requestid': newRequestId(),
    };
    return { response: { statusCode, headers, body } };
  }

  // The SDK calls these functions of each handler. This handler has no sockets and no options.
  destroy() {}
  updateHttpClientConfig() {}
  httpHandlerConfigs() {
    return {};
  }
}

// Returns options for a client of the SDK. Requests are neither signed nor sent.
export const clientOptions = (requestHandler, region) => ({
  requestHandler,
  region,
  endpoint: 'http://in-process.invalid',
  credentials: { accessKeyId: 'dolmen', secretAccessKey: 'dolmen' },
  signer: UNSIGNED,
  logger: QUIET,
});

function abortError() {
  const error = new Error('Request aborted');
  error.name = 'AbortError';
  return error;
}
