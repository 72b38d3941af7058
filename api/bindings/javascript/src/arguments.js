// The arguments of the package in the forms of the C library. Whatever has no such form is refused, so
// nothing that a program writes is ignored or replaced.

import { types } from 'node:util';
import { DolmenError } from './errors.js';

// The names of the options in the C library.
const OPTIONS = {
  clock: 'Clock',
  region: 'Region',
  account: 'Account',
  durability: 'Durability',
  onConflict: 'OnConflict',
  readOnly: 'ReadOnly',
  create: 'CreateIfMissing',
  encryptionKey: 'EncryptionKey',
  cacheBytes: 'CacheBytes',
  rowCacheBytes: 'RowCacheBytes',
  expiryLagSeconds: 'ExpiryLagSeconds',
  simulate: 'Simulate',
};

// Half of a surrogate pair without the other half, which UTF-8 does not have.
const HALF = /\p{Surrogate}/gu;

const isAbsent = (value) => value === undefined || value === null;

const invalid = (message) => new DolmenError('ValidationException', message);

// Returns the bytes of the path that a string, a Buffer or a URL of file: names. Throws TypeError
// for all else, because its text would be the path of another file.
export function pathOf(path) {
  const bytes = bytesOf(path);
  if (bytes.includes(0)) throw new TypeError('the path contains a zero byte');
  return bytes;
}

export const optionalPathOf = (path) => (isAbsent(path) ? null : pathOf(path));

function bytesOf(path) {
  if (types.isUint8Array(path)) return path;
  if (typeof path === 'string') {
    if (path.search(HALF) < 0) return Buffer.from(path);
    throw new TypeError('the path has half of a surrogate pair: use a Buffer');
  }
  if (isUrl(path)) return bytesOfUrl(path);
  const type = isAbsent(path) ? String(path) : (path.constructor?.name ?? typeof path);
  throw new TypeError(`the path must be a string, a Buffer or a URL of file:, not ${type}`);
}

// A test framework may have another class URL than this module.
const isUrl = (value) =>
  typeof value === 'object' && typeof value?.href === 'string' && typeof value.protocol === 'string';

// Unlike fileURLToPath, this also reads paths that are not UTF-8.
function bytesOfUrl({ href }) {
  const { protocol, hostname, pathname } = new URL(href);
  if (protocol !== 'file:' || hostname !== '') {
    throw new TypeError(`the URL must be of file: and of this machine: ${href}`);
  }
  if (/%2f/i.test(pathname)) throw new TypeError(`a name in the URL contains a slash: ${href}`);
  const byte = (_, digits) => String.fromCharCode(parseInt(digits, 16));
  return Buffer.from(pathname.replace(/%([0-9a-f]{2})/gi, byte), 'latin1');
}

// Returns the options of a database in the form of dolmen_open.
export function optionsText(options) {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`the options must be an object: ${String(options)}`);
  }
  const members = {};
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(OPTIONS, name)) refuseUnknown({ [name]: value }, Object.keys(OPTIONS));
    members[OPTIONS[name]] = isAbsent(value) ? undefined : optionOf(name, value);
  }
  return toJson(members);
}

function optionOf(name, value) {
  if (name === 'encryptionKey') return keyText(value);
  if (name !== 'clock' || typeof value === 'string') return value;
  if (types.isDate(value)) return timeOf(value);
  throw invalid("The option clock must be 'system', 'manual' or a Date.");
}

// Throws if a function got options that it does not have.
export function refuseUnknown(unknown, known) {
  for (const name of Object.keys(unknown)) {
    throw invalid(`There is no option ${name}. The options are ${known.join(', ')}.`);
  }
}

export function keyText(key) {
  if (isAbsent(key)) return undefined;
  if (!types.isUint8Array(key)) {
    throw invalid('The option encryptionKey must be a Uint8Array of 32 bytes.');
  }
  return Buffer.from(key).toString('hex');
}

export function timeOf(date) {
  const time = date.getTime();
  if (Number.isNaN(time)) throw new RangeError('the date is invalid');
  return time;
}

// Returns the JSON of a value. Throws TypeError for what JSON.stringify would leave out or replace.
export const toJson = (value) => JSON.stringify(value, (name, part) => jsonPart(name, part));

// Returns the value of a member if JSON has it.
export function jsonPart(name, value) {
  const type = typeof value;
  if (type === 'string' || type === 'boolean' || type === 'undefined') return value;
  if (type === 'number' && Number.isFinite(value)) return value;
  if (type === 'object' && !types.isMap(value) && !types.isSet(value)) return value;
  throw new TypeError(`${name} has a value that JSON does not have: ${String(value)}`);
}

// Returns a JSON text that UTF-8 has: half of a surrogate pair becomes its escape in JSON, which the
// library refuses by its place.
export const jsonText = (text) =>
  typeof text === 'string'
    ? text.replace(HALF, (half) => `\\u${half.charCodeAt(0).toString(16)}`)
    : text;
