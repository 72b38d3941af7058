package dolmen;

import static dolmen.Support.BEGIN;
import static dolmen.Support.assertFails;
import static dolmen.Support.count;
import static dolmen.Support.createTable;
import static dolmen.Support.get;
import static dolmen.Support.has;
import static dolmen.Support.newDatabase;
import static dolmen.Support.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the life of databases, and of their forks, clocks, seeds, simulations and backups. */
final class DatabaseTest {
  private static final Duration HOUR = Duration.ofHours(1);

  // A call of each function of a database.
  private static final Map<String, Consumer<Database>> CALLS =
      Map.ofEntries(
          Map.entry("execute", db -> db.execute("ListTables", Map.of())),
          Map.entry("executeJson", db -> db.executeJson("ListTables", "{}")),
          Map.entry("respond", db -> db.respond("ListTables", new byte[0])),
          Map.entry("fork", db -> db.fork()),
          Map.entry("fork to a directory", db -> db.fork(Path.of("none"))),
          Map.entry("reset", Database::reset),
          Map.entry("loadSeed", db -> db.loadSeed("{}")),
          Map.entry("clock", Database::clock),
          Map.entry("setClock", db -> db.setClock(BEGIN)),
          Map.entry("advance", db -> db.advance(HOUR)),
          Map.entry("expire", Database::expire),
          Map.entry("awaitIndexes", Database::awaitIndexes),
          Map.entry("simulate", db -> db.simulate(Map.of())),
          Map.entry("trace", Database::trace),
          Map.entry("backup", db -> db.backup(Path.of("none"))),
          Map.entry("subscribe", db -> db.subscribe("app", "name", records -> {})));

  @TempDir Path directory;

  @Test
  void aDirectoryKeepsItsItems() {
    Map<String, Object> item;
    try (Database db = Database.open(directory)) {
      createTable(db);
      item = put(db, "1");
    }
    try (Database db = Database.open(directory)) {
      assertEquals(item, get(db, "1"));
    }
  }

  @Test
  void aDirectoryIsOpenOnce() {
    try (Database db = Database.open(directory)) {
      assertFails("ResourceInUseException", () -> Database.open(directory));
    }
  }

  @Test
  void aReadOnlyDatabaseRefusesWrites() {
    try (Database db = Database.open(directory)) {
      createTable(db);
    }
    try (Database db = Database.open(directory, new Options().readOnly())) {
      assertThrows(DolmenException.class, () -> put(db, "1"));
      assertFalse(has(db, "1"));
    }
  }

  @Test
  void anEncryptedDatabaseNeedsItsKey() {
    Options options = new Options().encryptionKey("k".repeat(32).getBytes());
    Database.open(directory, options).close();
    assertThrows(DolmenException.class, () -> Database.open(directory));
    Database.open(directory, options).close();
  }

  @Test
  void aWrongOptionIsAnError() {
    Map<String, Options> wrong =
        Map.of(
            "", new Options().mustExist(),
            "Account", new Options().account("1"),
            "EncryptionKey", new Options().encryptionKey(new byte[5]),
            "NoSuchMember", new Options().simulate(Map.of("NoSuchMember", 1)),
            "1970", new Options().manualClock(Instant.MAX),
            "9998", new Options().manualClock(Instant.parse("9999-01-01T00:00:00Z")),
            "CacheBytes", new Options().cacheBytes(-1),
            "ExpiryLagSeconds", new Options().expiryLag(Duration.ofMillis(-1)),
            "half of a surrogate pair", new Options().region("\ud83d"));
    wrong.forEach(
        (word, options) -> {
          Path none = directory.resolve("none" + word);
          DolmenException told =
              assertFails("ValidationException", () -> Database.open(none, options));
          assertTrue(told.getMessage().contains(word), told.getMessage());
          assertFalse(Files.exists(none), word);
          Database.open(none).close();
        });
  }

  @Test
  void aPathIsTheBytesWithWhichJavaOpensIt() throws IOException {
    URI uri = directory.toUri();
    Path path = Path.of(URI.create(uri + "%FF%FE"));
    Path backup = Path.of(URI.create(uri + "%FF%20backup"));
    Path copy = Path.of(URI.create(uri + "%FF%20copy"));
    Path fork = Path.of(URI.create(uri + "%FF%20fork"));
    try (Database db = Database.open(path)) {
      createTable(db);
      put(db, "1");
      db.backup(backup);
      db.fork(fork).close();
    }
    Database.restore(backup, copy);
    for (Path made : List.of(path, copy, fork)) {
      assertTrue(Files.isDirectory(made));
      try (Database db = Database.open(made, new Options().mustExist())) {
        assertTrue(has(db, "1"));
      }
    }
    try (Stream<Path> made = Files.list(directory)) {
      assertEquals(4, made.count());
    }
  }

  @Test
  void aRelativePathIsThatOfTheProgram() throws IOException {
    Path relative = Path.of("").toAbsolutePath().relativize(directory).resolve("a b%c");
    Database.open(relative).close();
    assertTrue(Files.isDirectory(directory.resolve("a b%c")));
    assertFails("ValidationException", () -> Database.open(Path.of("")));
  }

  @Test
  void aPathOfAnotherFileSystemIsRefused() throws IOException {
    Path zip = directory.resolve("a.zip");
    try (FileSystem files = FileSystems.newFileSystem(zip, Map.of("create", "true"));
        Database db = newDatabase()) {
      Path path = files.getPath("/app");
      for (Executable call :
          List.<Executable>of(
              () -> Database.open(path),
              () -> db.fork(path),
              () -> db.backup(path),
              () -> Database.restore(path, directory),
              () -> Database.restore(directory, path))) {
        String told = assertThrows(IllegalArgumentException.class, call).getMessage();
        assertTrue(told.contains("a.zip!/app is in another file system"), told);
      }
    }
    assertFalse(Files.exists(Path.of("/app")));
  }

  @Test
  void aLibraryThatCannotBeLoadedHasAHint() {
    Throwable cause = new UnsatisfiedLinkError("failed to map segment from shared object");
    UnsatisfiedLinkError told = LibraryFiles.failure("loaded from", cause);
    assertEquals(cause, told.getCause());
    for (String word :
        List.of(cause.getMessage(), "noexec", "java.io.tmpdir", "jna.tmpdir", "dolmen.library")) {
      assertTrue(told.getMessage().contains(word), word);
    }
  }

  @Test
  void everyOptionIsAccepted() {
    Options options =
        new Options()
            .durability(Options.Durability.BUFFERED)
            .onConflict(Options.Conflict.FAIL)
            .cacheBytes(8 << 20)
            .rowCacheBytes(0)
            .manualClock(BEGIN)
            .expiryLag(HOUR)
            .region("eu-west-1")
            .account("123456789012");
    try (Database db = Database.open(directory, options)) {
      String description = db.executeJson("CreateTable", Support.TABLE);
      String arn = "\"arn:aws:dynamodb:eu-west-1:123456789012:table/app\"";
      assertTrue(description.contains(arn), description);
      assertEquals("eu-west-1", db.region());
      assertEquals(BEGIN, db.clock());
    }
  }

  @Test
  void aCallAfterCloseIsAnError() {
    Database db = newDatabase();
    db.close();
    db.close();
    CALLS.forEach((name, call) -> assertThrows(ClosedException.class, () -> call.accept(db), name));
  }

  @Test
  void forksAreIndependent() {
    try (Database db = newDatabase()) {
      put(db, "1");
      try (Database fork = db.fork();
          Database onDisk = db.fork(directory)) {
        put(fork, "2");
        put(db, "3");
        assertTrue(has(fork, "1") && has(onDisk, "1") && has(db, "1"));
        assertFalse(has(db, "2") || has(fork, "3") || has(onDisk, "3"));
        fork.reset();
        assertTrue(has(fork, "1"));
        assertFalse(has(fork, "2"));
        assertFails("ValidationException", onDisk::reset);
      }
    }
  }

  @Test
  void aForkOutlivesItsDatabase() {
    Database db = newDatabase();
    try (Database fork = db.fork()) {
      db.close();
      put(fork, "1");
      assertTrue(has(fork, "1"));
    }
  }

  @Test
  void aSeedCreatesTablesWithItems() {
    try (Database db = Database.inMemory()) {
      String items = ", \"Items\": [{\"PK\": {\"S\": \"a\"}, \"SK\": {\"S\": \"1\"}}]}";
      String table = Support.TABLE.substring(0, Support.TABLE.length() - 1) + items;
      db.loadSeed("{\"Tables\": [" + table + "]}");
      assertTrue(has(db, "1"));
      assertFails("ValidationException", () -> db.loadSeed("no seed"));
    }
  }

  @Test
  void aManualClockStandsStill() {
    try (Database db = newDatabase()) {
      assertEquals(BEGIN, db.clock());
      assertEquals(BEGIN.plus(HOUR), db.advance(HOUR));
      db.setClock(BEGIN.plusMillis(1));
      assertEquals(BEGIN.plusMillis(1), db.clock());
    }
  }

  @Test
  void theClockOfTheMachineCannotBeSet() {
    try (Database db = Database.inMemory()) {
      assertTrue(Duration.between(db.clock(), Instant.now()).abs().compareTo(HOUR) < 0);
      assertFails("ValidationException", () -> db.setClock(BEGIN));
    }
  }

  @Test
  void expiredItemsAreDeletedByTheClock() {
    try (Database db = newDatabase()) {
      db.execute(
          "UpdateTimeToLive",
          Map.of(
              "TableName",
              "app",
              "TimeToLiveSpecification",
              Map.of("AttributeName", "expires", "Enabled", true)));
      put(db, "1", Map.of("expires", BEGIN.plus(HOUR).getEpochSecond()));
      put(db, "2", Map.of("expires", BEGIN.plus(HOUR.multipliedBy(3)).getEpochSecond()));
      assertEquals(0, db.expire());
      db.advance(HOUR.multipliedBy(2));
      assertEquals(1, db.expire());
      assertFalse(has(db, "1"));
      assertTrue(has(db, "2"));
    }
  }

  @Test
  void awaitIndexesReturnsWhenIndexesAreBuilt() {
    try (Database db = newDatabase()) {
      put(db, "1");
      db.executeJson(
          "UpdateTable",
          """
          {"TableName": "app",
           "AttributeDefinitions": [{"AttributeName": "SK", "AttributeType": "S"}],
           "GlobalSecondaryIndexUpdates": [{"Create": {"IndexName": "BySort",
             "KeySchema": [{"AttributeName": "SK", "KeyType": "HASH"}],
             "Projection": {"ProjectionType": "KEYS_ONLY"}}}]}\
          """);
      db.awaitIndexes();
      Map<String, Object> page =
          db.execute("Scan", Map.of("TableName", "app", "IndexName", "BySort"));
      assertEquals(1L, page.get("Count"));
    }
  }

  @Test
  void aSimulationLetsRequestsFail() {
    try (Database db = newDatabase()) {
      db.simulate(Map.of("Rules", List.of(Map.of("Fault", "Throttling", "CallsMax", 1))));
      assertFails("ThrottlingException", () -> put(db, "1"));
      put(db, "1");
      List<String> trace = db.trace();
      assertEquals(List.of("PutItem table=app key=a call=1 fault=Throttling"), trace);
      db.simulate(Map.of("Replay", trace));
      assertFails("ThrottlingException", () -> put(db, "1"));
      db.simulate(Map.of());
      put(db, "1");
      assertEquals(List.of(), db.trace());
      Map<String, Object> unknown = Map.of("NoSuchMember", 1);
      assertFails("ValidationException", () -> db.simulate(unknown));
    }
    try (Database db = Database.inMemory()) {
      assertFails("ValidationException", db::trace);
    }
  }

  @Test
  void aBackupBecomesADatabase() {
    Path backup = directory.resolve("backup");
    Path restored = directory.resolve("restored");
    try (Database db = newDatabase()) {
      put(db, "1");
      Copied done = db.backup(backup);
      assertTrue(done.bytes() >= done.copiedBytes() && done.copiedBytes() > 0);
    }
    Database.restore(backup, restored);
    try (Database db = Database.open(restored)) {
      assertTrue(has(db, "1"));
    }
    Path none = directory.resolve("none");
    assertFails("ValidationException", () -> Database.restore(none, directory.resolve("other")));
    byte[] key = new byte[32];
    assertFails(
        "ValidationException", () -> Database.restore(none, directory.resolve("other"), key));
  }

  @Test
  void anErrorHasNameMessageStatusAndItem() {
    try (Database db = newDatabase()) {
      put(db, "1", Map.of("n", 7));
      DolmenException error =
          assertFails(
              "ConditionalCheckFailedException",
              () ->
                  db.execute(
                      "PutItem",
                      Map.of(
                          "TableName", "app",
                          "Item", Support.key("1"),
                          "ConditionExpression", "attribute_not_exists(PK)",
                          "ReturnValuesOnConditionCheckFailure", "ALL_OLD")));
      assertEquals("The conditional request failed", error.getMessage());
      assertEquals(400, error.status());
      assertEquals(
          Map.of("PK", "a", "SK", "1", "n", new BigDecimal(7)), error.response().get("Item"));
      assertTrue(error.json().contains("{\"N\":\"7\"}"), error.json());
      assertTrue(
          error
              .toString()
              .endsWith("ConditionalCheckFailedException: The conditional request failed"),
          error.toString());
      assertEquals(1, count(db));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"NoOperation/{}", "/{}", "GetItem/{", "GetItem/", "GetItem/\0", "A\0/{}"})
  void aTextThatIsNoRequestIsAnError(String text) {
    String operation = text.substring(0, text.indexOf('/'));
    String request = text.substring(text.indexOf('/') + 1);
    try (Database db = newDatabase()) {
      DolmenException error =
          assertThrows(DolmenException.class, () -> db.executeJson(operation, request));
      assertEquals(400, error.status());
    }
  }

  @Test
  void theVersionIsThatOfTheLibrary() {
    assertTrue(Database.version().matches("\\d+\\.\\d+\\.\\d+"), Database.version());
  }
}
