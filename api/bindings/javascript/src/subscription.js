// A subscription to the changes of a table.

import { AsyncLocalStorage } from 'node:async_hooks';
import { DolmenError } from './errors.js';
import { native } from './native.js';
import { decodeRecords } from './shapes.js';

// The subscription whose handler is executing the current code.
const running = new AsyncLocalStorage();

export class Subscription {
  #native;
  #ended;
  #onEnd;

  // Begins the subscription. Calls onEnd when the subscription has ended.
  constructor(handle, table, name, handler, onError, onEnd) {
    const deliver = async (records, delivery) => {
      let isHandled = false;
      try {
        await running.run(this, () => handler(decodeRecords(JSON.parse(records))));
        isHandled = true;
      } catch (error) {
        onError(error);
      } finally {
        native.answer(delivery, isHandled);
      }
    };
    const [status, answer, begun] = native.subscribe(handle, table, name, deliver);
    if (status !== 200) throw DolmenError.fromAnswer(answer);
    this.#native = begun;
    this.#onEnd = onEnd;
  }

  // Waits for the running handler and ends the subscription. A second call has no effect.
  async close() {
    if (running.getStore() === this) {
      throw new DolmenError(
        'ValidationException',
        'a handler cannot close its own subscription: close it outside of the handler',
      );
    }
    this.#ended ??= this.#end();
    await this.#ended;
  }

  async #end() {
    await native.unsubscribe(this.#native);
    native.release(this.#native);
    this.#onEnd(this);
  }

  async [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() {
    await this.close();
  }
}
