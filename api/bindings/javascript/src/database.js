// An open database. index.d.ts has the contract of each function.

import { attach } from './attach.js';
import {
  jsonText,
  keyText,
  optionalPathOf,
  optionsText,
  pathOf,
  refuseUnknown,
  timeOf,
  toJson,
} from './arguments.js';
import * as native from './native.js';
import { ClosedError, DolmenError } from './errors.js';
import { RequestHandler, clientOptions } from './request_handler.js';
import { decodeAnswer, decodeError, requestText } from './shapes.js';
import { Subscription } from './subscription.js';

export class Database {
  #handle;
  #region;
  #subscriptions = new Set();
  #calls = 0; // the calls in the worker pool
  #onIdle; // called when no call is left
  #closed;

  constructor(path, options = {}) {
    // Handles and regions come from fork() and fromShared(), which do not open a database.
    if (path instanceof Opened) {
      this.#handle = path.handle;
      this.#region = path.region;
      return;
    }
    // All arguments are checked before the library opens the directory, so an error leaves no
    // database open.
    this.#handle = native.create('open', null, optionalPathOf(path), optionsText(options));
    this.#region = options.region ?? 'us-east-1';
  }

  static fromShared({ id, region }) {
    const handle = native.native.find(id);
    if (handle === undefined) throw new ClosedError();
    return new Database(new Opened(handle, region));
  }

  get share() {
    return { id: native.native.id(this.#open()), region: this.#region };
  }

  get isOpen() {
    return this.#handle !== undefined;
  }

  #open() {
    if (this.#handle === undefined) throw new ClosedError();
    return this.#handle;
  }

  // Counts a call of the worker pool, for which close() waits.
  async #later(call) {
    ++this.#calls;
    try {
      return await call;
    } finally {
      if (--this.#calls === 0) this.#onIdle?.();
    }
  }

  #call(name, ...parameters) {
    return native.call(name, this.#open(), ...parameters);
  }

  #callLater(name, ...parameters) {
    return this.#later(native.callLater(name, this.#open(), ...parameters));
  }

  // Requests

  async execute(operation, request = {}) {
    const handle = this.#open();
    const body = requestText(operation, request);
    return answerOf(operation, await this.#later(native.executeLater(handle, operation, body)));
  }

  executeSync(operation, request = {}) {
    const body = requestText(operation, request);
    return answerOf(operation, native.execute(this.#open(), operation, body));
  }

  async executeJson(operation, request) {
    return this.#callLater('execute', operation, jsonText(request));
  }

  executeJsonSync(operation, request) {
    return this.#call('execute', operation, jsonText(request));
  }

  // Lifetime

  async close() {
    if (this.#closed !== undefined || this.#handle === undefined) return this.#closed;
    const handle = this.#handle;
    this.#handle = undefined;
    this.#closed = this.#finish(handle);
    return this.#closed;
  }

  async #finish(handle) {
    await Promise.all([...this.#subscriptions].map((subscription) => subscription.close()));
    if (this.#calls > 0) await new Promise((resolve) => (this.#onIdle = resolve));
    await native.callLater('close', handle);
  }

  closeSync() {
    if (this.#subscriptions.size > 0) {
      throw new DolmenError('ValidationException', 'a subscription is open: await close()');
    }
    const handle = this.#handle;
    this.#handle = undefined;
    if (handle !== undefined) native.call('close', handle);
  }

  async fork(path) {
    const created = native.createLater('fork', this.#open(), optionalPathOf(path));
    return new Database(new Opened(await this.#later(created), this.#region));
  }

  forkSync(path) {
    const handle = native.create('fork', this.#open(), optionalPathOf(path));
    return new Database(new Opened(handle, this.#region));
  }

  async reset() {
    await this.#callLater('reset');
  }

  resetSync() {
    this.#call('reset');
  }

  async backup(path) {
    return JSON.parse(await this.#callLater('backup', pathOf(path)));
  }

  backupSync(path) {
    return JSON.parse(this.#call('backup', pathOf(path)));
  }

  async loadSeed(seed) {
    await this.#callLater('loadSeed', seedText(seed));
  }

  loadSeedSync(seed) {
    this.#call('loadSeed', seedText(seed));
  }

  // Time

  get clock() {
    return new Date(native.readClock(this.#open()));
  }

  set clock(time) {
    this.#call('setClock', timeOf(time));
  }

  advance(milliseconds) {
    this.clock = new Date(this.clock.getTime() + milliseconds);
    return this.clock;
  }

  async expire() {
    return JSON.parse(await this.#callLater('expire')).ExpiredItems;
  }

  expireSync() {
    return JSON.parse(this.#call('expire')).ExpiredItems;
  }

  async wait() {
    await this.#callLater('wait');
  }

  waitSync() {
    this.#call('wait');
  }

  // Failures

  simulate(simulation = {}) {
    this.#call('simulate', toJson(simulation));
  }

  trace() {
    return JSON.parse(this.#call('trace')).Trace;
  }

  // Changes

  subscribe(table, name, handler, { onError = warn, ...unknown } = {}) {
    refuseUnknown(unknown, ['onError']);
    const onEnd = (ended) => this.#subscriptions.delete(ended);
    const begun = new Subscription(this.#open(), table, name, handler, onError, onEnd);
    this.#subscriptions.add(begun);
    return begun;
  }

  // AWS SDK

  requestHandler({ sync = false, ...unknown } = {}) {
    refuseUnknown(unknown, ['sync']);
    return new RequestHandler((operation, body) => this.executeBytes(operation, body, sync));
  }

  // Returns [HTTP status, Buffer of the answer], or a promise of it.
  executeBytes(operation, body, sync) {
    if (sync) return native.executeBytesSync(this.#open(), operation, body);
    return this.#later(native.executeBytes(this.#open(), operation, body));
  }

  clientOptions(options) {
    return clientOptions(this.requestHandler(options), this.#region);
  }

  client(Client, { sync, ...options } = {}) {
    return this.attach(new Client({ ...this.clientOptions(), ...options }), { sync });
  }

  attach(client, options) {
    return attach(client, this.requestHandler(options));
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
    this.closeSync();
  }

  async [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() {
    await this.close();
  }
}

// The argument by which a function of this file constructs a Database of a handle.
class Opened {
  constructor(handle, region) {
    this.handle = handle;
    this.region = region;
  }
}

export async function restore(backup, path, { encryptionKey, ...unknown } = {}) {
  refuseUnknown(unknown, ['encryptionKey']);
  const key = keyText(encryptionKey);
  const answer = await native.callLater('restore', null, pathOf(backup), pathOf(path), key);
  return JSON.parse(answer);
}

const seedText = (seed) =>
  typeof seed === 'string' || seed instanceof Uint8Array ? jsonText(seed) : toJson(seed);

function answerOf(operation, [status, text]) {
  if (status === 200) return text ? decodeAnswer(operation, JSON.parse(text)) : {};
  const error = DolmenError.fromAnswer(text);
  error.response = decodeError(error.response);
  throw error;
}

function warn(error) {
  const text = 'A handler of a subscription failed. It gets the same records again.';
  process.emitWarning(text, { type: 'DolmenWarning', detail: error?.stack ?? String(error) });
}
