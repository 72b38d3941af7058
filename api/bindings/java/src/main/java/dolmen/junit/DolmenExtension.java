package dolmen.junit;

import dolmen.Database;
import dolmen.Options;
import dolmen.aws.DolmenClients;
import java.lang.reflect.Constructor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test of JUnit 5 a database of its own: a fork of a database in memory that is filled
 * once per class. Tests cannot disturb each other, also if they run in parallel.
 *
 * <pre>
 * {@literal @RegisterExtension}
 * static final DolmenExtension DOLMEN = new DolmenExtension().seed(SHOP);
 *
 * {@literal @Test}
 * void anOrderExpires(Database db, DynamoDbClient client) { ... }
 * </pre>
 *
 * <p>A parameter of a test, of {@code @BeforeEach} and of {@code @AfterEach} is the fork of the
 * test, or a client of it: DynamoDbClient, DynamoDbAsyncClient. A parameter of {@code @BeforeAll}
 * is the database of the class, which that method can fill. All are closed after the test or the
 * class.
 *
 * <p>The clock of a fork stands still until Database.advance or setClock, and only Database.expire
 * deletes expired items. Database.simulate lets requests fail. If a test fails, its simulated
 * failures are printed. {@code @ExtendWith(DolmenExtension.class)} begins with a database without
 * tables.
 */
public final class DolmenExtension implements ParameterResolver, AfterEachCallback {
  private Consumer<Options> configure = all -> {};
  private Consumer<Database> fill = database -> {};

  /** Creates an extension whose database has no tables. */
  public DolmenExtension() {}

  /** Loads a seed into the database of the class ({@link Database#loadSeed}). */
  public DolmenExtension seed(String json) {
    Objects.requireNonNull(json);
    return fill(database -> database.loadSeed(json));
  }

  /** Fills the database of the class by a function, after the earlier seeds and functions. */
  public DolmenExtension fill(Consumer<Database> function) {
    fill = fill.andThen(function);
    return this;
  }

  /** Changes the options of the database of the class, for example the time of its clock. */
  public DolmenExtension options(Consumer<Options> function) {
    configure = configure.andThen(function);
    return this;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return !(parameter.getDeclaringExecutable() instanceof Constructor)
        && (type == Database.class || Client.isSupported(type));
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    boolean isOfTest = context.getTestMethod().isPresent();
    Database database = isOfTest ? forkOf(context) : baseOf(context);
    Class<?> type = parameter.getParameter().getType();
    if (type == Database.class) {
      return database;
    }
    Object key = new Key(this, isOfTest, type);
    return Kept.get(context, key, () -> Client.create(type, database));
  }

  /** Prints the simulated failures of a failed test. */
  @Override
  public void afterEach(ExtensionContext context) {
    if (context.getExecutionException().isPresent()) {
      List<String> trace = forkOf(context).trace();
      if (!trace.isEmpty()) {
        System.out.println("simulated failures:\n" + String.join("\n", trace));
      }
    }
  }

  private Database forkOf(ExtensionContext context) {
    Database base = baseOf(context);
    return (Database) Kept.get(context, new Key(this, true, Database.class), base::fork);
  }

  /** Returns the database of the class. Nested classes have that of their outermost class. */
  private Database baseOf(ExtensionContext context) {
    ExtensionContext outermost = context;
    while (outermost.getParent().filter(one -> one.getTestClass().isPresent()).isPresent()) {
      outermost = outermost.getParent().orElseThrow();
    }
    return (Database) Kept.get(outermost, new Key(this, false, Database.class), this::filled);
  }

  private Database filled() {
    Options options = new Options().manualClock().expiryLag(Duration.ZERO).simulate(Map.of());
    configure.accept(options);
    Database database = Database.inMemory(options);
    try {
      fill.accept(database);
      database.awaitIndexes();
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
    return database;
  }

  /** The key of an object of a test or of a class. */
  private record Key(DolmenExtension owner, boolean isOfTest, Class<?> type) {}

  /** An object that JUnit closes after the test or the class, the newest object first. */
  private record Kept(AutoCloseable object) implements CloseableResource {
    private static final Namespace NAMESPACE = Namespace.create(DolmenExtension.class);

    static Object get(ExtensionContext context, Object key, Supplier<AutoCloseable> create) {
      return context
          .getStore(NAMESPACE)
          .getOrComputeIfAbsent(key, missing -> new Kept(create.get()), Kept.class)
          .object();
    }

    @Override
    public void close() throws Exception {
      object.close();
    }
  }

  /** The clients of the AWS SDK, which need not be installed. */
  private static final class Client {
    private static final String PACKAGE = "software.amazon.awssdk.services.dynamodb.";

    static boolean isSupported(Class<?> type) {
      return Set.of(PACKAGE + "DynamoDbClient", PACKAGE + "DynamoDbAsyncClient")
          .contains(type.getName());
    }

    static AutoCloseable create(Class<?> type, Database database) {
      return type.getSimpleName().equals("DynamoDbClient")
          ? DolmenClients.client(database)
          : DolmenClients.asyncClient(database);
    }
  }
}
