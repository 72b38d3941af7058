package dolmen;

import static dolmen.Support.assertFails;
import static dolmen.Support.newDatabase;
import static dolmen.Support.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tests of subscriptions and their handlers. */
final class SubscriptionTest {
  private final Database db = newDatabase();
  private final BlockingQueue<Object> found = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    db.close();
  }

  private Object next() throws InterruptedException {
    Object next = found.poll(30, TimeUnit.SECONDS);
    assertTrue(next != null, "the handler was not called");
    return next;
  }

  private Subscription subscribe() {
    return db.subscribe(
        "app",
        "name",
        records -> records.forEach(record -> found.add(((Map<?, ?>) record.get("dynamodb")))));
  }

  @Test
  void aHandlerGetsTheChangesInOrderWithPlainValues() throws Exception {
    try (Subscription subscription = subscribe()) {
      Map<String, Object> item = put(db, "1", Map.of("text", "x"));
      put(db, "2");
      assertEquals(item, ((Map<?, ?>) next()).get("NewImage"));
      assertEquals(Support.key("2"), ((Map<?, ?>) next()).get("Keys"));
      subscription.close();
    }
    put(db, "3");
    try (Subscription subscription = subscribe()) { // resumes
      assertEquals(Support.key("3"), ((Map<?, ?>) next()).get("Keys"));
      assertFails("ResourceInUseException", this::subscribe);
    }
    assertFails("ResourceNotFoundException", () -> db.subscribe("none", "name", records -> {}));
    assertFails("ValidationException", () -> db.subscribe("app", "a\0b", records -> {}));
    assertEquals(0, found.size());
  }

  @Test
  void aFailedHandlerGetsTheRecordsAgain() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    db.subscribe(
        "app",
        "name",
        records -> {
          found.add(records);
          if (calls.incrementAndGet() == 1) {
            throw new AssertionError("not now");
          }
        });
    put(db, "1");
    assertEquals(next(), next());
  }

  @Test
  void aHandlerUsesItsDatabaseButCannotCloseIt() throws Exception {
    AtomicReference<Subscription> own = new AtomicReference<>();
    CountDownLatch isSet = new CountDownLatch(1);
    own.set(
        db.subscribe(
            "app",
            "name",
            records -> {
              try {
                isSet.await();
                db.fork().close();
                found.add(db.execute("ListTables", Map.of()).get("TableNames"));
                for (Executable close : List.<Executable>of(db::close, own.get()::close)) {
                  found.add(assertFails("ValidationException", close).name());
                }
              } catch (InterruptedException | AssertionError e) {
                found.add(e);
              }
            }));
    isSet.countDown();
    put(db, "1");
    assertEquals(List.of("app"), next());
    assertEquals("ValidationException", next());
    assertEquals("ValidationException", next());
  }

  @Test
  void closeWaitsForTheHandler() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch finish = new CountDownLatch(1);
    db.subscribe(
        "app",
        "name",
        records -> {
          called.countDown();
          try {
            finish.await();
            db.execute("ListTables", Map.of());
            found.add("open");
          } catch (InterruptedException | ClosedException e) {
            found.add("closed");
          }
        });
    put(db, "1");
    called.await();
    Thread closing = new Thread(db::close);
    closing.start();
    finish.countDown();
    closing.join();
    assertEquals(1, found.size());
  }

  @Test
  void aResetEndsSubscriptions() {
    try (Database fork = db.fork()) {
      Subscription subscription = fork.subscribe("app", "name", records -> {});
      fork.reset();
      subscription.close();
      fork.subscribe("app", "name", records -> {}).close();
    }
  }
}
