package dolmen;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * An open database, in memory or in a directory. All threads may use it at the same time. A call
 * after {@link #close} throws {@link ClosedException}. The garbage collector also closes a
 * database, except if a handler of a subscription refers to it. A program that exits with an open
 * database loses no acknowledged write.
 */
public final class Database implements AutoCloseable {
  private static final Cleaner CLEANER = Cleaner.create();

  private final Handle handle;
  private final String region;
  private final Cleaner.Cleanable cleanable;

  private Database(CLibrary.Out opened, String region) {
    opened.response().bodyOfSuccess();
    Handle handle = new Handle(opened.value());
    this.handle = handle;
    this.region = region;
    this.cleanable = CLEANER.register(this, handle::close);
  }

  /**
   * Opens the database in a directory with the default options, as {@link #open(Path, Options)}.
   */
  public static Database open(Path directory) {
    return open(directory, new Options());
  }

  /**
   * Opens the database in a directory, and creates it if it is missing. Only one process at a time
   * can have a directory open. A path may have any bytes, but must be of the default file system.
   *
   * @throws IllegalArgumentException the path is of another file system, such as a zip file
   * @throws DolmenException
   *     <ul>
   *       <li>ValidationException: an option is wrong, or the directory holds something else.
   *       <li>ResourceInUseException: the database is open already.
   *       <li>InternalServerError: the files cannot be read or written, or are from a newer
   *           release.
   *     </ul>
   */
  public static Database open(Path directory, Options options) {
    return opened(Objects.requireNonNull(directory), options);
  }

  /** Opens a new database in memory with the default options. close() deletes it. */
  public static Database inMemory() {
    return inMemory(new Options());
  }

  /**
   * Opens a new database in memory. close() deletes it.
   *
   * @throws DolmenException ValidationException: an option is wrong
   */
  public static Database inMemory(Options options) {
    return opened(null, options);
  }

  private static Database opened(Path directory, Options options) {
    byte[] path = directory == null ? null : Arguments.path(directory);
    return new Database(CLibrary.open(path, options.json()), options.region());
  }

  /**
   * Restores a backup of a database that is not encrypted, as {@link #restore(Path, Path, byte[])}.
   */
  public static Copied restore(Path backup, Path directory) {
    return restoreWith(backup, directory, null);
  }

  /**
   * Copies a backup into a directory, which is absent or empty and becomes a database. The key is
   * the encryption key of the database.
   *
   * @throws DolmenException ValidationException: the backup is not complete, the directory is not
   *     empty, or the key is wrong
   */
  public static Copied restore(Path backup, Path directory, byte[] key) {
    return restoreWith(backup, directory, HexFormat.of().formatHex(key));
  }

  private static Copied restoreWith(Path backup, Path directory, String key) {
    byte[] from = Arguments.path(backup);
    byte[] to = Arguments.path(directory);
    return Copied.of(CLibrary.restore(from, to, key).bodyOfSuccess());
  }

  /** Returns the release of the C library, for example "0.2.0". */
  public static String version() {
    return CLibrary.version();
  }

  /**
   * Executes an operation of DynamoDB or of DynamoDB Streams, for example "PutItem". The members of
   * the request and of the response have DynamoDB's names. Wherever DynamoDB has an attribute
   * value, both have a plain Java value. README.md lists the types.
   *
   * @throws DolmenException the request failed; its name and message are DynamoDB's
   * @throws IllegalArgumentException DynamoDB has no type for a value of the request
   */
  public Map<String, Object> execute(String operation, Map<String, ?> request) {
    byte[] json = Json.write(Shapes.encodeRequest(operation, request));
    return Shapes.decodeResponse(operation, Json.readObject(executeJson(operation, json)));
  }

  /**
   * Executes an operation whose request and response are DynamoDB's JSON.
   *
   * @throws DolmenException the request failed; its name and message are DynamoDB's
   */
  public byte[] executeJson(String operation, byte[] request) {
    return respond(operation, request).bodyOfSuccess();
  }

  /** Executes an operation as {@link #executeJson(String, byte[])}, with texts. */
  public String executeJson(String operation, String request) {
    return new String(executeJson(operation, Arguments.json(request)), StandardCharsets.UTF_8);
  }

  /**
   * Executes an operation as a server does: the response of an error has its status and its JSON.
   */
  public Response respond(String operation, byte[] request) {
    return call(pointer -> CLibrary.execute(pointer, operation, request));
  }

  /** Returns the region of the ARNs, which clients of the AWS SDK use, too. */
  public String region() {
    return region;
  }

  /**
   * Waits for running calls and handlers, and closes the database. A second call has no effect.
   *
   * @throws DolmenException ValidationException: a handler of a subscription called close
   */
  @Override
  public void close() {
    if (handle.isInHandler()) {
      throw DolmenException.validation("a handler of a subscription cannot close its database");
    }
    handle.close();
    cleanable.clean();
  }

  /**
   * Creates an independent database in memory with the same contents, options and time. The cost
   * does not depend on the number of items if this database is in memory, too. The two can be
   * closed in any order.
   *
   * @throws DolmenException ValidationException: the database is read-only
   */
  public Database fork() {
    return new Database(call(pointer -> CLibrary.fork(pointer, null)), region);
  }

  /**
   * Creates an independent database with the same contents, options and time in a directory. The
   * cost does not depend on the number of items if both are on one volume.
   *
   * @throws DolmenException ValidationException: the directory is in use or not empty, or the
   *     database is read-only
   */
  public Database fork(Path directory) {
    byte[] path = Arguments.path(directory);
    return new Database(call(pointer -> CLibrary.fork(pointer, path)), region);
  }

  /**
   * Brings a database in memory back to its beginning. A fork gets back the contents with which it
   * was created, and any other database loses its tables. The clock stays as it is. Subscriptions
   * end.
   *
   * @throws DolmenException ValidationException: the database is on disk
   */
  public void reset() {
    success(CLibrary::reset);
  }

  /**
   * Creates the tables of a seed and stores their items. The seed is {"Tables": [...]}: each table
   * is a request of CreateTable, with "Items" and "TimeToLiveSpecification" in addition. A data
   * model of NoSQL Workbench is a seed, too. After an error the database has none of the tables.
   *
   * @throws DolmenException
   *     <ul>
   *       <li>ValidationException: the text is no seed, or a table or an item is wrong.
   *       <li>ResourceInUseException: a table exists already.
   *     </ul>
   */
  public void loadSeed(String json) {
    success(pointer -> CLibrary.loadSeed(pointer, Arguments.json(json)));
  }

  /** Returns the time of the database's clock. */
  public Instant clock() {
    CLibrary.Out time = call(CLibrary::clock);
    time.response().bodyOfSuccess();
    return Instant.ofEpochMilli(time.value());
  }

  /**
   * Moves a manual clock, forward or back. Nothing is deleted until expire() or the next sweep.
   *
   * @throws DolmenException ValidationException: the database has no manual clock, or the time is
   *     not in the years 1970 to 9998
   */
  public void setClock(Instant time) {
    success(pointer -> CLibrary.setClock(pointer, Arguments.milliseconds(time)));
  }

  /** Advances a manual clock, and returns its new time. The errors are those of setClock. */
  public Instant advance(Duration duration) {
    Instant time = clock().plus(duration);
    setClock(time);
    return time;
  }

  /** Deletes all expired items now, and returns their number. */
  public long expire() {
    return (Long) Json.readObject(success(CLibrary::expire)).get("ExpiredItems");
  }

  /**
   * Waits until the indexes of all tables are built.
   *
   * @throws DolmenException ValidationException: an index is not built, and the database is
   *     read-only
   */
  public void awaitIndexes() {
    success(CLibrary::awaitIndexes);
  }

  /**
   * Replaces the simulation of failures and clears its trace. The same "Seed" and the same calls
   * give the same failures. An empty map: nothing fails from now on. Whatever was acknowledged is
   * stored.
   *
   * <pre>db.simulate(Map.of("Rules", List.of(Map.of("Fault", "Throttling", "CallsMax", 1))));</pre>
   *
   * @throws DolmenException ValidationException: a member is unknown or wrong, or the database was
   *     opened without {@link Options#simulate}
   */
  public void simulate(Map<String, ?> simulation) {
    success(pointer -> CLibrary.simulate(pointer, Json.write(simulation)));
  }

  /**
   * Returns a line for each failure since the simulation began. The member "Replay" of a simulation
   * repeats these lines.
   *
   * @throws DolmenException ValidationException: the database was opened without {@link
   *     Options#simulate}
   */
  @SuppressWarnings("unchecked")
  public List<String> trace() {
    return (List<String>) Json.readObject(success(CLibrary::trace)).get("Trace");
  }

  /**
   * Copies the database into a directory while all operations continue. The directory is absent or
   * empty, or holds an earlier backup of this database; then only new files are copied. After an
   * error the earlier backup stays.
   *
   * @throws DolmenException ValidationException: the directory holds something else, or is in the
   *     database's directory
   */
  public Copied backup(Path directory) {
    byte[] path = Arguments.path(directory);
    return Copied.of(success(pointer -> CLibrary.backup(pointer, path)));
  }

  /**
   * Begins or resumes a subscription to a table with a stream. Passes each change to the handler,
   * soon after its commit, in order and at least once.
   *
   * <p>The records have the form of GetRecords, with plain Java values. If the handler throws, it
   * gets the same records again a second later. The database stores the position under the name, 1
   * to 255 bytes: a later subscription of the name resumes there. A new name begins with the oldest
   * record that the stream retains.
   *
   * <p>The handler runs in a thread of its own, for one subscription never two calls at a time. It
   * may use the database, but not close it.
   *
   * @throws DolmenException
   *     <ul>
   *       <li>ValidationException: the table has no stream, the name is wrong, or the database is
   *           read-only.
   *       <li>ResourceInUseException: a running subscription of the table has this name.
   *       <li>ResourceNotFoundException: the table does not exist.
   *     </ul>
   */
  public Subscription subscribe(
      String table, String name, Consumer<List<Map<String, Object>>> handler) {
    Objects.requireNonNull(handler);
    try {
      return Subscription.begin(handle, table, name, handler);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private byte[] success(LongFunction<Response> function) {
    return call(function).bodyOfSuccess();
  }

  private <T> T call(LongFunction<T> function) {
    try {
      return handle.call(function);
    } finally {
      Reference.reachabilityFence(this); // the garbage collector does not close it before the call
    }
  }
}
