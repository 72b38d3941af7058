package dolmen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.function.Executable;

/** Databases and requests of the tests. */
public final class Support {
  public static final Instant BEGIN = Instant.parse("2026-04-15T10:30:00Z");
  public static final String TABLE =
      """
{"TableName": "app", "BillingMode": "PAY_PER_REQUEST",
 "KeySchema": [
   {"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
 "AttributeDefinitions": [
   {"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "SK", "AttributeType": "S"}],
 "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"}}\
""";
  public static final String SEED = "{\"Tables\": [" + TABLE + "]}";

  private Support() {}

  /** Opens a database in memory with the table app and a manual clock. */
  public static Database newDatabase() {
    Database db =
        Database.inMemory(
            new Options().manualClock(BEGIN).expiryLag(Duration.ZERO).simulate(Map.of()));
    createTable(db);
    return db;
  }

  public static void createTable(Database db) {
    db.executeJson("CreateTable", TABLE);
  }

  public static Map<String, Object> key(String sort) {
    return Map.of("PK", "a", "SK", sort);
  }

  public static Map<String, Object> put(Database db, String sort) {
    return put(db, sort, Map.of());
  }

  /** Puts an item, and returns it. */
  public static Map<String, Object> put(Database db, String sort, Map<String, ?> attributes) {
    Map<String, Object> item = new HashMap<>(attributes);
    item.putAll(key(sort));
    db.execute("PutItem", Map.of("TableName", "app", "Item", item));
    return item;
  }

  /** Returns an item, or null. */
  public static Object get(Database db, String sort) {
    return db.execute("GetItem", Map.of("TableName", "app", "Key", key(sort))).get("Item");
  }

  public static boolean has(Database db, String sort) {
    return get(db, sort) != null;
  }

  public static long count(Database db) {
    return (Long) db.execute("Scan", Map.of("TableName", "app", "Select", "COUNT")).get("Count");
  }

  /** Checks that a call fails with DynamoDB's name of an error. */
  public static DolmenException assertFails(String name, Executable call) {
    DolmenException error = assertThrows(DolmenException.class, call);
    assertEquals(name, error.name(), error.getMessage());
    assertFalse(error.getMessage().isEmpty());
    return error;
  }

  /** Runs the function in 8 threads, waits for them, and throws the first of their errors. */
  static void together(ThrowingConsumer function) throws Exception {
    List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int number = 0; number < 8; ++number) {
      int own = number;
      threads.add(
          new Thread(
              () -> {
                try {
                  function.accept(own);
                } catch (Throwable e) { // also of an assertion
                  errors.add(e);
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    if (!errors.isEmpty()) {
      throw new AssertionError(errors.get(0));
    }
  }

  interface ThrowingConsumer {
    void accept(int number) throws Exception;
  }
}
