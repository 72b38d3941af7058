package dolmen;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** A program that exits with an open database: ExitProgram END [DIRECTORY]. */
final class ExitProgram {
  static final int ITEMS = 100;

  private ExitProgram() {}

  public static void main(String[] arguments) throws Exception {
    Database db =
        arguments.length == 1 ? Database.inMemory() : Database.open(Path.of(arguments[1]));
    Support.createTable(db);
    for (int number = 0; number < ITEMS; ++number) {
      Support.put(db, String.valueOf(number));
    }
    CountDownLatch never = new CountDownLatch(1);
    switch (arguments[0]) {
      case "last line" -> {}
      case "exit" -> System.exit(0);
      case "halt" -> Runtime.getRuntime().halt(0);
      case "exit during calls" -> {
        callInEightThreads(db);
        System.exit(0);
      }
      case "last line with a subscription" -> subscribe(db, () -> {});
      case "exit in a handler" -> {
        subscribe(db, () -> System.exit(0));
        never.await();
      }
      case "exit during a handler" -> {
        CountDownLatch called = new CountDownLatch(1);
        subscribe(
            db,
            () -> {
              called.countDown();
              await(never);
            });
        called.await();
        System.exit(0);
      }
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static void subscribe(Database db, Runnable handler) {
    db.subscribe("app", "name", records -> handler.run());
  }

  private static void callInEightThreads(Database db) throws InterruptedException {
    CountDownLatch started = new CountDownLatch(8);
    for (int number = 0; number < 8; ++number) {
      Thread thread =
          new Thread(
              () -> {
                started.countDown();
                while (true) {
                  Support.put(db, "0");
                  db.execute("Scan", Map.of("TableName", "app"));
                }
              });
      thread.setDaemon(true);
      thread.start();
    }
    started.await();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
