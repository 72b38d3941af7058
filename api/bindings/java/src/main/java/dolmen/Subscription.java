package dolmen;

import com.sun.jna.Pointer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** A running subscription to the changes of a table ({@link Database#subscribe}). */
public final class Subscription implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dolmen");
  private static final Set<Subscription> ALL = ConcurrentHashMap.newKeySet();
  private static volatile boolean isExiting;

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(Subscription::exit, "dolmen exit"));
  }

  private final Handle handle;
  private final Consumer<List<Map<String, Object>>> handler;
  private final CLibrary.Handler callback = this::handle; // JNA needs a reference to it
  private volatile Thread running; // the thread that runs the handler
  private long pointer; // guarded by this

  private Subscription(Handle handle, Consumer<List<Map<String, Object>>> handler) {
    this.handle = handle;
    this.handler = handler;
  }

  static Subscription begin(
      Handle handle, String table, String name, Consumer<List<Map<String, Object>>> handler) {
    Subscription subscription = new Subscription(handle, handler);
    handle.call(
        database -> {
          var found = CLibrary.subscribe(database, table, name, subscription.callback);
          found.response().bodyOfSuccess();
          synchronized (subscription) {
            subscription.pointer = found.value();
          }
          handle.add(subscription);
          ALL.add(subscription);
          return subscription;
        });
    return subscription;
  }

  /**
   * Waits for the running handler and stops calling it. The database keeps the position. A second
   * call has no effect.
   *
   * @throws DolmenException ValidationException: the handler of this subscription called close
   */
  @Override
  public void close() {
    if (isRunningHere()) {
      throw DolmenException.validation("a handler cannot close its own subscription");
    }
    stop();
  }

  boolean isRunningHere() {
    return running == Thread.currentThread();
  }

  synchronized void stop() {
    if (pointer != 0) {
      CLibrary.unsubscribe(pointer);
      pointer = 0;
      handle.remove(this);
      ALL.remove(this);
    }
  }

  /**
   * Returns 0 once the handler has handled the records. The library calls it in a thread of its
   * own.
   */
  private int handle(long context, Pointer records, long size) {
    running = Thread.currentThread();
    try {
      if (isExiting) {
        return 1;
      }
      byte[] bytes = records.getByteArray(0, Math.toIntExact(size));
      handler.accept(Shapes.decodeRecords(Json.readList(bytes)));
      return 0;
    } catch (Throwable e) { // also of an assertion
      String message = "A handler of a subscription failed. It gets the same records again.";
      LOG.log(System.Logger.Level.WARNING, message, e);
      return 1;
    } finally {
      running = null;
    }
  }

  /**
   * Ends all subscriptions when the virtual machine exits, because a handler cannot run afterwards.
   * Does not wait for running handlers: a handler that calls System.exit never returns. The next
   * program gets their records again.
   */
  private static void exit() {
    isExiting = true;
    for (Subscription subscription : ALL) {
      if (subscription.running == null) {
        subscription.stop();
      }
    }
  }
}
