package dolmen;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A program that writes in eight threads until it is killed: KillProgram DIRECTORY DURABILITY
 * DONE... Each thread writes its items in order: alone, in a transaction with a counter, or in a
 * batch. It prints its number and that of the write after each acknowledgement. DONE are the
 * numbers of the last writes of the threads.
 */
final class KillProgram {
  static final int THREADS = 8;
  private static final int BATCH = 10;

  private KillProgram() {}

  public static void main(String[] arguments) {
    Options.Durability durability = Options.Durability.valueOf(arguments[1]);
    Database db = Database.open(Path.of(arguments[0]), new Options().durability(durability));
    for (int number = 0; number < THREADS; ++number) {
      int thread = number;
      long done = Long.parseLong(arguments[2 + thread]);
      new Thread(() -> writeUntilKilled(db, thread, done)).start();
    }
  }

  private static void writeUntilKilled(Database db, int thread, long done) {
    for (long number = done + 1; ; ++number) {
      write(db, thread, number);
      byte[] line = (thread + " " + number + "\n").getBytes(StandardCharsets.UTF_8);
      System.out.write(line, 0, line.length);
      System.out.flush();
    }
  }

  /** Returns the items of a write. The number of the write decides its kind. */
  static List<Map<String, Object>> itemsOf(int thread, long number) {
    List<Map<String, Object>> items = new ArrayList<>();
    for (int i = 0; i < (number % 4 == 0 ? BATCH : 1); ++i) {
      String sort = String.format("%08d %02d", number, i);
      String text = String.valueOf(number).repeat(50);
      items.add(Map.of("PK", String.valueOf(thread), "SK", sort, "text", text));
    }
    return items;
  }

  static boolean hasCounter(long number) {
    return number % 4 == 1;
  }

  static Map<String, Object> counterKey(int thread) {
    return Map.of("PK", "counter " + thread, "SK", "counter");
  }

  private static void write(Database db, int thread, long number) {
    List<Map<String, Object>> items = itemsOf(thread, number);
    Map<String, Object> put = Map.of("TableName", "app", "Item", items.get(0));
    if (hasCounter(number)) {
      Map<String, Object> counter =
          Map.of(
              "TableName",
              "app",
              "Key",
              counterKey(thread),
              "UpdateExpression",
              "ADD writes :one",
              "ExpressionAttributeValues",
              Map.of(":one", 1));
      List<?> members = List.of(Map.of("Put", put), Map.of("Update", counter));
      db.execute("TransactWriteItems", Map.of("TransactItems", members));
    } else if (items.size() > 1) {
      List<?> puts =
          items.stream().map(item -> Map.of("PutRequest", Map.of("Item", item))).toList();
      db.execute("BatchWriteItem", Map.of("RequestItems", Map.of("app", puts)));
    } else {
      db.execute("PutItem", put);
    }
  }
}
