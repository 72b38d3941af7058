// Calls of the module that native/ contains. It loads the C library (api/c/dolmen.h).

import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { DolmenError } from './errors.js';

export const native = load(fileURLToPath(new URL('../lib/dolmen.node', import.meta.url)));

// Loads the module. Newer versions of Node.js export the symbols of their own zstd and simdjson.
// RTLD_DEEPBIND makes the C library prefer the libraries beside it, whose versions differ.
function load(path) {
  const loaded = { exports: {} };
  const { RTLD_NOW, RTLD_DEEPBIND } = constants.dlopen;
  process.dlopen(loaded, path, RTLD_NOW | RTLD_DEEPBIND);
  return loaded.exports;
}

// Bits of the argument `mode` of a native function.
const ASYNC = 1;
const TEXT = 2;

// At the end of a process or worker, the threads of the library must not use what exit() destroys.
process.on('exit', native.closeAll);

// Executes a function and returns its response as a string.
export function call(name, handle, ...parameters) {
  return bodyOf(native[name](handle, TEXT, ...parameters));
}

// Executes a function in the worker pool. Returns a promise of the response.
export async function callLater(name, handle, ...parameters) {
  return bodyOf(await native[name](handle, TEXT | ASYNC, ...parameters));
}

// Executes a function that creates a database. Returns the handle of the database.
export function create(name, handle, ...parameters) {
  const result = native[name](handle, TEXT, ...parameters);
  bodyOf(result);
  return result[2];
}

export async function createLater(name, handle, ...parameters) {
  const result = await native[name](handle, TEXT | ASYNC, ...parameters);
  bodyOf(result);
  return result[2];
}

// Executes an operation. Returns [HTTP status, text of the answer].
export const execute = (handle, operation, request) =>
  native.execute(handle, TEXT, operation, request);

export const executeLater = (handle, operation, request) =>
  native.execute(handle, TEXT | ASYNC, operation, request);

// Executes an operation. The answer is a Buffer.
export const executeBytes = (handle, operation, request) =>
  native.execute(handle, ASYNC, operation, request);

export const executeBytesSync = (handle, operation, request) =>
  native.execute(handle, 0, operation, request);

// Returns the time of the database's clock in milliseconds since 1970.
export function readClock(handle) {
  const result = native.clock(handle, TEXT);
  bodyOf(result);
  return result[2];
}

function bodyOf([status, body]) {
  if (status !== 200) throw DolmenError.fromAnswer(body);
  return body;
}
