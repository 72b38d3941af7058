package dolmen;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongFunction;

/**
 * An open database of the C library, with its subscriptions. It must not refer to its Database, so
 * that the garbage collector can find a Database that no program uses.
 */
final class Handle {
  private final long pointer;
  private final Set<Subscription> subscriptions = ConcurrentHashMap.newKeySet();

  // Each call holds the lock for reading, and close() for writing. So close() waits for the calls.
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private boolean isShut; // guarded by lock
  private boolean isClosed; // guarded by this

  Handle(long pointer) {
    this.pointer = pointer;
  }

  /**
   * Calls a function of the library with the open database.
   *
   * @throws ClosedException the database is closed
   */
  <T> T call(LongFunction<T> function) {
    Lock reading = lock.readLock();
    reading.lock();
    try {
      if (isShut) {
        throw new ClosedException();
      }
      return function.apply(pointer);
    } finally {
      reading.unlock();
    }
  }

  void add(Subscription subscription) {
    subscriptions.add(subscription);
  }

  void remove(Subscription subscription) {
    subscriptions.remove(subscription);
  }

  /** Returns true if this thread runs a handler of a subscription. */
  boolean isInHandler() {
    return subscriptions.stream().anyMatch(Subscription::isRunningHere);
  }

  /** Waits for running calls and handlers, and closes the database. A later call has no effect. */
  void close() {
    shut();
    synchronized (this) {
      if (!isClosed) {
        subscriptions.forEach(Subscription::stop);
        CLibrary.close(pointer);
        isClosed = true;
      }
    }
  }

  private void shut() {
    lock.writeLock().lock();
    isShut = true;
    lock.writeLock().unlock();
  }
}
