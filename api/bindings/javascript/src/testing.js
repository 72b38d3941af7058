// A database for tests. testing.d.ts has the contract of each function.

import { refuseUnknown } from './arguments.js';
import { attach } from './attach.js';
import { Database } from './database.js';
import { RequestHandler, clientOptions } from './request_handler.js';

export class TestDatabase {
  #base;
  #current;

  constructor({ seed, ...options } = {}) {
    this.#base = new Database(undefined, {
      clock: 'manual',
      expiryLagSeconds: 0,
      simulate: {},
      ...options,
    });
    try {
      if (seed !== undefined) this.#base.loadSeedSync(seed);
    } catch (error) {
      this.#base.closeSync();
      throw error;
    }
  }

  get base() {
    return this.#base;
  }

  get db() {
    if (this.#current === undefined) throw new Error('no test has begun: call begin() before each');
    return this.#current;
  }

  async begin() {
    await this.#current?.close();
    this.#current = await this.#base.fork();
  }

  async close() {
    await this.#current?.close();
    await this.#base.close();
  }

  faults(rules, members = {}) {
    this.db.simulate({ ...members, Rules: rules });
  }

  clientOptions({ sync = false, ...unknown } = {}) {
    refuseUnknown(unknown, ['sync']);
    return clientOptions(this.#requestHandler(sync), this.#base.share.region);
  }

  client(Client, { sync, ...options } = {}) {
    return this.attach(new Client({ ...this.clientOptions(), ...options }), { sync });
  }

  attach(client, { sync = false, ...unknown } = {}) {
    refuseUnknown(unknown, ['sync']);
    return attach(client, this.#requestHandler(sync));
  }

  #requestHandler(sync) {
    const execute = (operation, body) => this.db.executeBytes(operation, body, sync);
    return new RequestHandler(execute);
  }
}

export function forkPerTest({ beforeEach, after, afterAll = after }, options) {
  const database = new TestDatabase(options);
  beforeEach(() => database.begin());
  afterAll(() => database.close());
  return database;
}
