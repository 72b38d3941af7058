package dolmen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Kills a program repeatedly while it writes, and checks that no acknowledged write is lost. The
 * program gets SIGKILL after some hundred reports. The database must then hold exactly the reported
 * writes of each thread, and at most one more: as a whole, or in a batch also in part.
 */
final class KillTest {
  private static final int SIGKILL_STATUS = 128 + 9;

  @TempDir Path directory;

  /** Kills the program twice, or DOLMEN_KILLS times. DOLMEN_SEED selects the kills. */
  @ParameterizedTest
  @EnumSource
  void aKilledProgramLosesNoAcknowledgedWrite(Options.Durability durability) throws Exception {
    int kills = Integer.parseInt(System.getenv().getOrDefault("DOLMEN_KILLS", "2"));
    String given = System.getenv("DOLMEN_SEED");
    long seed = given == null ? System.nanoTime() % 1_000_000_000 : Long.parseLong(given);
    System.out.println(durability + ", DOLMEN_SEED=" + seed);
    Random random = new Random(seed);
    try (Database db = Database.open(directory)) {
      Support.createTable(db);
    }
    long[] done = new long[KillProgram.THREADS];
    for (int kill = 1; kill <= kills; ++kill) {
      acknowledge(durability, done, 100 + random.nextInt(501));
      long writes = 0;
      try (Database db = Database.open(directory)) {
        for (int thread = 0; thread < done.length; ++thread) {
          done[thread] = check(db, thread, done[thread]);
          writes += done[thread];
        }
      }
      System.out.println("kill " + kill + ": " + writes + " writes, nothing lost");
    }
  }

  /** Runs the program until it has reported so many writes. Sets the last write of each thread. */
  private void acknowledge(Options.Durability durability, long[] done, int reports)
      throws Exception {
    List<String> arguments =
        new ArrayList<>(List.of("dolmen.KillProgram", directory.toString(), durability.name()));
    for (long number : done) {
      arguments.add(String.valueOf(number));
    }
    Process program = JavaProgram.of(arguments.toArray(String[]::new)).start();
    StringBuilder output = new StringBuilder();
    try (BufferedReader lines = program.inputReader()) {
      for (int byteOrEnd = lines.read(); byteOrEnd >= 0; byteOrEnd = lines.read()) {
        output.append((char) byteOrEnd);
        if (byteOrEnd == '\n' && --reports == 0) {
          program.toHandle().destroyForcibly(); // unlike Process, keeps the output
        }
      }
    }
    assertEquals(SIGKILL_STATUS, program.waitFor(), output.toString());
    // The kill can cut the last line.
    for (String line : output.substring(0, output.lastIndexOf("\n")).split("\n")) {
      String[] parts = line.split(" ");
      int thread = Integer.parseInt(parts[0]);
      assertEquals(++done[thread], Long.parseLong(parts[1]), line);
    }
  }

  /** Returns the number of writes of the thread that the database holds. */
  private static long check(Database db, int thread, long acknowledged) {
    List<Object> expected = new ArrayList<>();
    for (long number = 1; number <= acknowledged; ++number) {
      expected.addAll(KillProgram.itemsOf(thread, number));
    }
    List<Object> found = partition(db, thread);
    assertTrue(found.size() >= expected.size(), "thread " + thread + " has lost writes");
    assertEquals(expected, found.subList(0, expected.size()));
    List<Object> more = found.subList(expected.size(), found.size());
    List<Map<String, Object>> next = KillProgram.itemsOf(thread, acknowledged + 1);
    assertTrue(next.containsAll(more), "thread " + thread + " never wrote " + more);
    long writes = acknowledged + (more.isEmpty() ? 0 : 1);
    assertEquals(countersOf(writes), counter(db, thread), "the counter of thread " + thread);
    // A batch that is stored in part is written again as a whole.
    return more.size() < next.size() ? acknowledged : writes;
  }

  private static long countersOf(long writes) {
    long counters = 0;
    for (long number = 1; number <= writes; ++number) {
      counters += KillProgram.hasCounter(number) ? 1 : 0;
    }
    return counters;
  }

  private static long counter(Database db, int thread) {
    Map<String, Object> get = Map.of("TableName", "app", "Key", KillProgram.counterKey(thread));
    Object item = db.execute("GetItem", get).get("Item");
    return item == null ? 0 : ((BigDecimal) ((Map<?, ?>) item).get("writes")).longValueExact();
  }

  private static List<Object> partition(Database db, int thread) {
    Map<String, Object> query =
        new HashMap<>(
            Map.of(
                "TableName", "app",
                "KeyConditionExpression", "PK = :p",
                "ExpressionAttributeValues", Map.of(":p", String.valueOf(thread))));
    List<Object> items = new ArrayList<>();
    Object next;
    do {
      Map<String, Object> page = db.execute("Query", query);
      items.addAll((List<?>) page.get("Items"));
      next = page.get("LastEvaluatedKey");
      query.put("ExclusiveStartKey", next);
    } while (next != null);
    return items;
  }
}
