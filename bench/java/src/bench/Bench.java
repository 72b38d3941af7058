package bench;

import com.google.gson.Gson;
import com.google.gson.reflect.TypeToken;
import dolmen.Database;
import dolmen.aws.DolmenClients;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Times GetItem and Query of the newest 50 messages in Java, by each way to a database.
 *
 * <p>All ways read the same items, those of bench/http, in memory, with one call at a time:
 *
 * <ul>
 *   <li>executeJson: Database.executeJson, with DynamoDB's JSON, which is not parsed
 *   <li>execute: Database.execute, with plain Java values
 *   <li>sdk: the AWS SDK in process, by DolmenClients.client
 *   <li>sdk_async: the AWS SDK in process, by DolmenClients.asyncClient
 *   <li>http: the AWS SDK with its default HTTP client, and `dolmen serve`
 *   <li>sqlite: sqlite-jdbc, with one column per attribute
 * </ul>
 */
final class Bench {
  private static final double GOAL = 3; // calls of sdk and of execute for one call over HTTP

  /** The output of data.py. */
  private record Data(
      Map<String, Object> create,
      List<Map<String, Object>> load,
      List<Map<String, Object>> messages,
      Map<String, List<Way.Read>> reads) {}

  private final Data data;
  private final int rounds;
  private final double seconds;

  private Bench(Map<String, String> options) throws IOException {
    String text = Files.readString(Path.of(options.get("data")));
    data = new Gson().fromJson(text, new TypeToken<Data>() {});
    rounds = Integer.parseInt(options.getOrDefault("rounds", "7"));
    seconds = Double.parseDouble(options.getOrDefault("seconds", "0.3"));
  }

  public static void main(String[] arguments) throws Exception {
    Map<String, String> options = new HashMap<>();
    for (String argument : arguments) {
      String[] parts = argument.replaceFirst("^--", "").split("=", 2);
      options.put(parts[0], parts[1]);
    }
    Bench bench = new Bench(options);
    String text = bench.report(bench.run(options.get("dolmen")));
    System.out.println(text);
    if (options.containsKey("out")) {
      Path out = Files.createDirectories(Path.of(options.get("out")));
      Files.writeString(out.resolve("java.md"), text + "\n");
    }
  }

  /** Returns {workload: {way: microseconds of a call in the fastest round}}. */
  private Map<String, Map<String, Double>> run(String program) throws Exception {
    Map<String, Way> ways = new LinkedHashMap<>();
    try (Server server = new Server(program)) {
      ways.put("executeJson", new ExecuteWay(loaded(), true));
      ways.put("execute", new ExecuteWay(loaded(), false));
      ways.put("sdk", sdk(DolmenClients.client(loaded())));
      DynamoDbAsyncClient later = DolmenClients.asyncClient(loaded());
      ways.put(
          "sdk_async",
          new SdkWay(
              request -> later.getItem(request).join(),
              request -> later.query(request).join(),
              later));
      DynamoDbClient overHttp =
          DynamoDbClient.builder()
              .endpointOverride(server.endpoint)
              .region(Region.US_EAST_1)
              .credentialsProvider(
                  StaticCredentialsProvider.create(AwsBasicCredentials.create("dolmen", "secret")))
              .build();
      load(new Loader(server.endpoint)::execute);
      ways.put("http", sdk(overHttp));
      ways.put("sqlite", new SqliteWay(data.messages()));
      Map<String, Map<String, Double>> fastest = new LinkedHashMap<>();
      for (Map.Entry<String, List<Way.Read>> workload : data.reads().entrySet()) {
        fastest.put(workload.getKey(), measure(ways, workload.getValue()));
      }
      return fastest;
    } finally {
      for (Way way : ways.values()) {
        way.close();
      }
    }
  }

  private static SdkWay sdk(DynamoDbClient client) {
    return new SdkWay(client::getItem, client::query, client);
  }

  /** Returns a database in memory with the items. */
  private Database loaded() {
    Database database = Database.inMemory();
    load(database::executeJson);
    return database;
  }

  /** Loads the items by a function that executes an operation. */
  private void load(BiConsumer<String, String> execute) {
    Gson gson = new Gson();
    execute.accept("CreateTable", gson.toJson(data.create()));
    data.load().forEach(batch -> execute.accept("BatchWriteItem", gson.toJson(batch)));
  }

  /** Other programs of the machine can only slow a round down, so the fastest round counts. */
  private Map<String, Double> measure(Map<String, Way> ways, List<Way.Read> reads)
      throws Exception {
    Map<String, List<Callable<Object>>> calls = new LinkedHashMap<>();
    for (Map.Entry<String, Way> way : ways.entrySet()) {
      calls.put(way.getKey(), prepared(way.getKey(), way.getValue(), reads));
    }
    Map<String, Double> fastest = new LinkedHashMap<>();
    for (int round = -2; round < rounds; ++round) { // the first two let the compiler finish
      for (Map.Entry<String, List<Callable<Object>>> way : calls.entrySet()) {
        double found = microseconds(way.getValue());
        if (round >= 0) {
          fastest.merge(way.getKey(), found, Math::min);
        }
      }
    }
    return fastest;
  }

  /** Returns the calls of a way after it has found the right items. */
  private static List<Callable<Object>> prepared(String name, Way way, List<Way.Read> reads)
      throws Exception {
    List<Callable<Object>> calls = new ArrayList<>();
    for (Way.Read read : reads) {
      Callable<Object> call = way.prepare(read);
      List<Map<String, Object>> found = way.items(call.call());
      if (!found.equals(read.items())) {
        throw new IllegalStateException(name + " found " + found + ", not " + read.items());
      }
      calls.add(call);
    }
    return calls;
  }

  /** Returns the mean time of a call, over at least the seconds of a round. */
  private double microseconds(List<Callable<Object>> reads) throws Exception {
    long begin = System.nanoTime();
    for (long calls = 0; ; ) {
      for (Callable<Object> read : reads) {
        read.call();
      }
      calls += reads.size();
      double passed = System.nanoTime() - begin;
      if (passed > seconds * 1e9) {
        return passed / 1000 / calls;
      }
    }
  }

  private String report(Map<String, Map<String, Double>> fastest) {
    List<String> lines = new ArrayList<>();
    lines.add("# Reads in Java\n");
    lines.add(
        String.format(
            "Java %s, dolmen %s; %d messages; fastest of %d rounds.%n",
            Runtime.version(), Database.version(), data.messages().size(), rounds));
    lines.add(
        "| us a call (times faster than http) | " + String.join(" | ", fastest.keySet()) + " |");
    lines.add("|---|---|---|");
    for (String way : fastest.values().iterator().next().keySet()) {
      List<String> cells = new ArrayList<>();
      for (Map<String, Double> found : fastest.values()) {
        cells.add(String.format("%.1f (%.1f x)", found.get(way), timesFaster(found, way)));
      }
      lines.add("| " + way + " | " + String.join(" | ", cells) + " |");
    }
    lines.add("");
    for (String way : List.of("sdk", "execute")) {
      fastest.forEach(
          (workload, found) -> {
            double times = timesFaster(found, way);
            String verdict = times >= GOAL ? "holds" : "fails";
            lines.add(
                String.format(
                    "- %s: %s >= %.0f x http: %.1f x, %s", workload, way, GOAL, times, verdict));
          });
    }
    return String.join("\n", lines);
  }

  private static double timesFaster(Map<String, Double> found, String way) {
    return found.get("http") / found.get(way);
  }
}
