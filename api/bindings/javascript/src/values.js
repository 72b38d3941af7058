// Conversions between plain JavaScript values and the attribute values of DynamoDB's JSON.

// A number of DynamoDB that is no exact JavaScript number, for example 0.1000000000000000000001.
export class Decimal {
  #text;

  // Throws RangeError if the text is no number.
  constructor(text) {
    this.#text = String(text);
    if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(this.#text)) {
      throw new RangeError(`DynamoDB has no number ${this.#text}`);
    }
  }

  toString() {
    return this.#text;
  }

  toJSON() {
    return this.#text;
  }

  valueOf() {
    return Number(this.#text);
  }
}

const isNumber = (value) =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof Decimal;

const isBytes = (value) => ArrayBuffer.isView(value) || value instanceof ArrayBuffer;

function numberText(value) {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new RangeError(`DynamoDB has no number ${value}`);
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      throw new RangeError(`${value} is not exact: use a bigint`);
    }
  }
  return String(value);
}

// Returns the bytes in base64.
export function base64(bytes) {
  if (bytes instanceof ArrayBuffer) return Buffer.from(bytes).toString('base64');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

// Returns the value as an attribute value. Throws TypeError if DynamoDB has no type for the value,
// and RangeError if a number is not exact or a set is empty.
export function encode(value) {
  if (typeof value === 'string') return { S: value };
  if (isNumber(value)) return { N: numberText(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (Array.isArray(value)) return { L: value.map(encode) };
  if (value instanceof Set) return encodeSet([...value]);
  if (isBytes(value)) return { B: base64(value) };
  if (value instanceof Map) return { M: encodeItem(objectOf(value)) };
  if (isPlainObject(value)) return { M: encodeItem(value) };
  const type = value?.constructor?.name ?? typeof value;
  throw new TypeError(`DynamoDB has no type for a value of ${type}: ${String(value)}`);
}

// Returns the object of a Map. An object would have one name for 1 and '1'.
function objectOf(map) {
  for (const name of map.keys()) {
    if (typeof name !== 'string') {
      throw new TypeError(`the name of an attribute must be a string: ${String(name)}`);
    }
  }
  return Object.fromEntries(map);
}

function isPlainObject(value) {
  if (typeof value !== 'object') return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function encodeSet(values) {
  if (values.length === 0) {
    throw new RangeError('DynamoDB has no empty sets: leave the attribute out');
  }
  if (values.every((value) => typeof value === 'string')) return { SS: values };
  if (values.every(isNumber)) return { NS: values.map(numberText) };
  if (values.every(isBytes)) return { BS: values.map(base64) };
  throw new TypeError('a set must contain only strings, only numbers or only bytes');
}

function number(text) {
  const value = Number(text);
  if (Number.isSafeInteger(value) && isExact(value, text)) return value;
  if (/^-?\d+$/.test(text)) return BigInt(text);
  return isExact(value, text) ? value : new Decimal(text);
}

// Returns true if the decimal form of the number has the digits of the text.
const isExact = (value, text) =>
  String(value) === text || canonical(String(value)) === canonical(text);

// Returns the text of a number without zeros at its ends, for example 12e-4 for 0.00120.
function canonical(text) {
  const pattern = /^(-?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i;
  const [, sign, whole, fraction, exponent = '0'] = pattern.exec(text);
  const digits = whole + fraction;
  const trimmed = digits.replace(/0+$/, '');
  const zeros = digits.length - trimmed.length;
  return `${sign}${trimmed.replace(/^0+/, '')}e${Number(exponent) - fraction.length + zeros}`;
}

// Returns the bytes of a base64 text, in a Uint8Array of its own.
export const bytes = (text) => new Uint8Array(Buffer.from(text, 'base64'));

const DECODERS = {
  S: (text) => text,
  N: number,
  BOOL: (value) => value,
  NULL: () => null,
  M: decodeItem,
  L: (values) => values.map(decode),
  B: bytes,
  SS: (texts) => new Set(texts),
  NS: (texts) => new Set(texts.map(number)),
  BS: (texts) => new Set(texts.map(bytes)),
};

// Returns the attribute value as a plain value.
export function decode(value) {
  for (const type in value) return DECODERS[type](value[type]);
  throw new TypeError('an attribute value has no type');
}

// Returns the attributes as attribute values. Attributes that are undefined are left out.
export function encodeItem(item) {
  const encoded = {};
  for (const name of Object.keys(item)) {
    if (item[name] !== undefined) define(encoded, name, encode(item[name]));
  }
  return encoded;
}

// Returns the attribute values as plain values.
export function decodeItem(item) {
  const decoded = {};
  for (const name of Object.keys(item)) define(decoded, name, decode(item[name]));
  return decoded;
}

// Sets a property, also if its name is __proto__.
function define(object, name, value) {
  if (name === '__proto__') {
    Object.defineProperty(object, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else {
    object[name] = value;
  }
}
