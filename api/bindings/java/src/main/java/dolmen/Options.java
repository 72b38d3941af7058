package dolmen;

import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** The options with which a database is opened. Each method sets one, and returns this object. */
public final class Options {
  /** Says what an acknowledged write survives. */
  public enum Durability {
    /** It survives a power cut. */
    SYNC,
    /** It survives a crash of the process. Writes are faster. */
    BUFFERED
  }

  /** Says what a write does if a running transaction has locked its item. */
  public enum Conflict {
    /** It waits for the transaction. */
    WAIT,
    /** It fails with TransactionConflictException, as in DynamoDB. */
    FAIL
  }

  private final Map<String, Object> members = new LinkedHashMap<>();

  /** Creates options with all defaults. */
  public Options() {}

  /** Sets the durability. Default: SYNC. */
  public Options durability(Durability durability) {
    return set("Durability", durability.name().toLowerCase(Locale.ROOT));
  }

  /** Sets the effect of a conflict with a transaction. Default: WAIT. */
  public Options onConflict(Conflict conflict) {
    return set("OnConflict", conflict.name().toLowerCase(Locale.ROOT));
  }

  /** Opens the directory without changing it, and refuses writes. */
  public Options readOnly() {
    return set("ReadOnly", true);
  }

  /** Fails if the directory has no database. Default: creates one. */
  public Options mustExist() {
    return set("CreateIfMissing", false);
  }

  /** Sets the key of all files, 32 bytes. Default: the files are not encrypted. */
  public Options encryptionKey(byte[] key) {
    return set("EncryptionKey", HexFormat.of().formatHex(key));
  }

  /** Sets the size of the read cache. Default: 64 MiB. */
  public Options cacheBytes(long bytes) {
    return set("CacheBytes", bytes);
  }

  /** Sets the size of the row cache. 0: no row cache. Default: 32 MiB. */
  public Options rowCacheBytes(long bytes) {
    return set("RowCacheBytes", bytes);
  }

  /** Begins a clock with the time of the machine, which stands still until a program moves it. */
  public Options manualClock() {
    return set("Clock", "manual");
  }

  /** Begins a clock with this time, which stands still until a program moves it. */
  public Options manualClock(Instant begin) {
    return set("Clock", Arguments.milliseconds(begin));
  }

  /**
   * Sets the time within which an expired item is deleted, which is rounded up to seconds. Zero:
   * only {@link Database#expire} deletes expired items. Default: one minute.
   */
  public Options expiryLag(Duration lag) {
    Duration rounded = lag.isNegative() ? lag : lag.plusNanos(999_999_999);
    return set("ExpiryLagSeconds", rounded.toSeconds()); // the library refuses a negative one
  }

  /**
   * Begins a simulation with the database, as for {@link Database#simulate}. {} simulates no
   * failures. Default: the database and its forks cannot simulate failures.
   */
  public Options simulate(Map<String, ?> simulation) {
    return set("Simulate", simulation);
  }

  /** Sets the region in ARNs, and of the clients of the AWS SDK. Default: us-east-1. */
  public Options region(String region) {
    return set("Region", region);
  }

  /** Sets the account in ARNs, 12 digits. Default: 000000000000. */
  public Options account(String account) {
    return set("Account", account);
  }

  String region() {
    return (String) members.getOrDefault("Region", "us-east-1");
  }

  /** Returns the options in the form of dolmen_open. */
  byte[] json() {
    return Json.write(members);
  }

  private Options set(String name, Object value) {
    members.put(name, Objects.requireNonNull(value));
    return this;
  }
}
