package dolmen;

import static dolmen.Support.count;
import static dolmen.Support.createTable;
import static dolmen.Support.newDatabase;
import static dolmen.Support.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of databases that several threads use, that nothing closes, or whose program exits. */
final class LifetimeTest {
  private static final Map<String, Object> INCREMENT =
      Map.of(
          "TableName",
          "app",
          "Key",
          Support.key("count"),
          "UpdateExpression",
          "ADD n :one",
          "ExpressionAttributeValues",
          Map.of(":one", 1));

  @TempDir Path directory;

  @Test
  void eightThreadsUseOneDatabase() throws Exception {
    try (Database db = newDatabase()) {
      int rounds = 100;
      Support.together(
          number -> {
            for (int round = 0; round < rounds; ++round) {
              String sort = number + "-" + round;
              assertEquals(put(db, sort), Support.get(db, sort));
              db.execute("UpdateItem", INCREMENT);
              if (round % 10 == 0) {
                db.fork().close();
              }
            }
          });
      assertEquals(8 * rounds + 1, count(db));
      assertEquals(new BigDecimal(8 * rounds), ((Map<?, ?>) Support.get(db, "count")).get("n"));
    }
  }

  @Test
  void closeWaitsForTheCallsOfOtherThreads() throws Exception {
    Database db = Database.open(directory);
    createTable(db);
    Support.together(
        number -> {
          if (number < 2) {
            db.close();
            return;
          }
          try {
            while (true) {
              put(db, String.valueOf(number));
            }
          } catch (ClosedException e) {
            // The test ends.
          }
        });
    Database.open(directory).close();
  }

  @Test
  void theGarbageCollectorClosesADatabase() throws Exception {
    openAndForget();
    for (int attempt = 0; ; ++attempt) {
      System.gc();
      try {
        Database.open(directory).close();
        return;
      } catch (DolmenException e) {
        assertTrue(attempt < 1000, "the database is still open");
        Thread.yield();
      }
    }
  }

  private void openAndForget() {
    createTable(Database.open(directory));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "last line",
        "exit",
        "halt",
        "exit during calls",
        "last line with a subscription",
        "exit in a handler",
        "exit during a handler"
      })
  void aProgramExitsWithAnOpenDatabase(String end) throws Exception {
    assertEquals("", JavaProgram.run(JavaProgram.of("dolmen.ExitProgram", end)));
    String path = directory.toString();
    assertEquals("", JavaProgram.run(JavaProgram.of("dolmen.ExitProgram", end, path)));
    try (Database db = Database.open(directory)) {
      assertEquals(ExitProgram.ITEMS, count(db));
    }
  }

  @Test
  void theUnpackedLibraryIsDeleted() throws Exception {
    ProcessBuilder program = JavaProgram.of("dolmen.ExitProgram", "halt");
    program.command().add(1, "-Djava.io.tmpdir=" + directory);
    assertEquals("", JavaProgram.run(program));
    try (Stream<Path> left = Files.list(directory)) {
      List<Path> ours = left.filter(path -> path.toString().contains("dolmen")).toList();
      assertEquals(List.of(), ours);
    }
  }

  @Test
  void anotherLibraryCanBeSelected() throws Exception {
    ProcessBuilder program = JavaProgram.of("dolmen.ExitProgram", "last line");
    program.command().add(1, "-Ddolmen.library=" + directory.resolve("none.so"));
    AssertionError failure = assertThrows(AssertionError.class, () -> JavaProgram.run(program));
    assertTrue(failure.getMessage().contains("none.so"), failure.getMessage());
  }

  /** Makes 20000 calls, or DOLMEN_STEPS. The margin lets the caches find their final size. */
  @ParameterizedTest
  @ValueSource(strings = {"json", "values", "client"})
  void callsDoNotMakeTheProcessGrow(String way) throws Exception {
    String steps = System.getenv().getOrDefault("DOLMEN_STEPS", "20000");
    ProcessBuilder program = JavaProgram.of("dolmen.LoopProgram", way, steps);
    program.command().addAll(1, List.of("-Xms96m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC"));
    System.out.print(JavaProgram.run(program));
  }
}
