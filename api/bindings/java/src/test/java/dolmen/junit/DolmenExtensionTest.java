package dolmen.junit;

import static dolmen.Support.BEGIN;
import static dolmen.Support.count;
import static dolmen.Support.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dolmen.ClosedException;
import dolmen.Database;
import dolmen.Support;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.testkit.engine.EngineTestKit;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Tests of the extension, by classes that use it. */
final class DolmenExtensionTest {
  private static final Set<Database> OPENED = ConcurrentHashMap.newKeySet();

  /** Returns the number of tests of the class that have succeeded. */
  private static long succeeded(Class<?> tests) {
    return EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(tests))
        .execute()
        .testEvents()
        .succeeded()
        .count();
  }

  static final class EachTestHasAFork {
    private static final AtomicInteger FILLS = new AtomicInteger();

    @RegisterExtension
    static final DolmenExtension DOLMEN =
        new DolmenExtension()
            .seed(Support.SEED)
            .fill(db -> put(db, "filled " + FILLS.incrementAndGet()))
            .options(options -> options.manualClock(BEGIN));

    @BeforeAll
    static void fill(Database base, DynamoDbClient client) {
      put(base, "by BeforeAll");
      assertEquals(2, client.scan(scan -> scan.tableName("app")).count());
    }

    @BeforeEach
    void begin(Database db) {
      assertEquals(BEGIN, db.clock());
      put(db, "by BeforeEach");
    }

    @RepeatedTest(3)
    void aTestSeesItsOwnItems(Database db, DynamoDbClient client, DynamoDbAsyncClient later) {
      OPENED.add(db);
      put(db, "own");
      assertEquals(4, count(db));
      assertEquals(4, client.scan(scan -> scan.tableName("app")).count());
      assertEquals(4, later.scan(scan -> scan.tableName("app")).join().count());
      assertEquals(1, FILLS.get());
      assertEquals(BEGIN.plusSeconds(1), db.advance(Duration.ofSeconds(1)));
    }

    @Nested
    final class OfANestedClass {
      @Test
      void isAFork(Database db) {
        assertEquals(3, count(db));
      }
    }
  }

  @Test
  void eachTestHasAForkThatIsClosedAfterIt() {
    assertEquals(4, succeeded(EachTestHasAFork.class));
    assertEquals(3, OPENED.size());
    OPENED.forEach(db -> assertThrows(ClosedException.class, db::clock));
  }

  @ExtendWith(DolmenExtension.class)
  static final class WithoutASeed {
    @Test
    void theDatabaseIsEmpty(Database db) {
      assertEquals(List.of(), db.execute("ListTables", Map.of()).get("TableNames"));
    }
  }

  @Test
  void aClassWithoutASeedBeginsWithoutTables() {
    assertEquals(1, succeeded(WithoutASeed.class));
  }

  static final class FailsAfterAThrottle {
    @RegisterExtension
    static final DolmenExtension DOLMEN = new DolmenExtension().seed(Support.SEED);

    @Test
    void fails(Database db) {
      db.simulate(Map.of("Rules", List.of(Map.of("Fault", "Throttling"))));
      Support.assertFails("ThrottlingException", () -> put(db, "1"));
      fail();
    }
  }

  @Test
  void theSimulatedFailuresOfAFailedTestArePrinted() {
    PrintStream out = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true));
    try {
      assertEquals(0, succeeded(FailsAfterAThrottle.class));
    } finally {
      System.setOut(out);
    }
    assertTrue(printed.toString().contains("PutItem table=app"), printed.toString());
  }

  static final class WithAWrongSeed {
    @RegisterExtension static final DolmenExtension DOLMEN = new DolmenExtension().seed("no seed");

    @Test
    void fails(Database db) {}
  }

  static final class WithAParameterOfTheConstructor {
    @RegisterExtension static final DolmenExtension DOLMEN = new DolmenExtension();

    WithAParameterOfTheConstructor(Database db) {
      db.clock();
    }

    @Test
    void fails() {}
  }

  @Test
  void aTestWithoutADatabaseFails() {
    assertEquals(0, succeeded(WithAWrongSeed.class));
    assertEquals(0, succeeded(WithAParameterOfTheConstructor.class));
  }
}
