import dolmen.Database;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.rocksdb.BackupEngine;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.Env;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;

/** Uses RocksDB's own package for Java and Dolmen side by side. The argument says which of them is loaded first. */
class OtherRocksDb {
  private static void require(boolean holds, String what) {
    if (!holds) throw new AssertionError(what);
  }

  private static void useRocksDb(Path directory) throws Exception {
    try (RocksDB db = RocksDB.open(directory.resolve("rocks").toString())) {
      for (int i = 0; i < 1000; ++i) db.put(("key" + i).getBytes(), new byte[100]);
      try (FlushOptions options = new FlushOptions()) {
        db.flush(options);
      }
      db.compactRange();
      Path backup = Files.createDirectories(directory.resolve("rocks_backup"));
      try (BackupEngineOptions options = new BackupEngineOptions(backup.toString());
          BackupEngine engine = BackupEngine.open(Env.getDefault(), options)) {
        engine.createNewBackup(db);
      }
      require(db.get("key999".getBytes()).length == 100, "RocksDB has its value");
    }
  }

  private static void useDolmen(Path directory) {
    try (Database db = Database.open(directory.resolve("dolmen"))) {
      db.execute("CreateTable", Map.of(
          "TableName", "app",
          "BillingMode", "PAY_PER_REQUEST",
          "KeySchema", List.of(Map.of("AttributeName", "PK", "KeyType", "HASH")),
          "AttributeDefinitions", List.of(Map.of("AttributeName", "PK", "AttributeType", "S"))));
      for (int i = 0; i < 1000; ++i) {
        db.execute("PutItem", Map.of("TableName", "app", "Item", Map.of("PK", "item" + i)));
      }
      db.backup(directory.resolve("dolmen_backup"));
    }
    Database.restore(directory.resolve("dolmen_backup"), directory.resolve("restored"));
    try (Database db = Database.open(directory.resolve("restored"))) {
      Object count = db.execute("Scan", Map.of("TableName", "app", "Select", "COUNT")).get("Count");
      require(count.toString().equals("1000"), "the restored database has " + count + " items");
    }
  }

  public static void main(String[] arguments) throws Exception {
    Path directory = Files.createTempDirectory("dolmen");
    boolean rocksFirst = arguments[0].equals("rocksdb");
    if (rocksFirst) useRocksDb(directory);
    useDolmen(directory);
    if (!rocksFirst) useRocksDb(directory);
    System.out.println("PASS with " + arguments[0] + " first, RocksDB " + RocksDB.rocksdbVersion());
  }
}
