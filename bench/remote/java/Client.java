import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** Sends requests by the AWS SDK from several threads, for bench.py. */
final class Client {
  private enum Phase {
    WARM_UP,
    MEASURED,
    END
  }

  private static volatile Phase phase = Phase.WARM_UP;

  private final DynamoDbClient client;

  private Client(String endpoint, int threads) {
    client =
        DynamoDbClient.builder()
            .endpointOverride(URI.create(endpoint))
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
            .httpClientBuilder(Apache5HttpClient.builder().maxConnections(threads))
            .build();
  }

  public static void main(String[] arguments) throws Exception {
    int threads = Integer.parseInt(arguments[2]);
    List<IntSupplier> calls = new Client(arguments[0], threads).read(Path.of(arguments[1]));
    LongAdder sent = new LongAdder();
    LongAdder items = new LongAdder();
    List<Thread> running = new ArrayList<>();
    for (int thread = 0; thread < threads; ++thread) {
      int first = thread * calls.size() / threads;
      running.add(new Thread(() -> send(calls, first, sent, items)));
    }
    running.forEach(Thread::start);
    sleep(arguments[3]);
    double used = cpuSeconds();
    long begin = System.nanoTime();
    phase = Phase.MEASURED;
    sleep(arguments[4]);
    phase = Phase.END;
    double passed = (System.nanoTime() - begin) / 1e9;
    used = cpuSeconds() - used;
    for (Thread thread : running) {
      thread.join();
    }
    System.out.printf("%d %d %f %f%n", sent.sum(), items.sum(), passed, used);
    System.exit(0);
  }

  private static void send(List<IntSupplier> calls, int first, LongAdder sent, LongAdder items) {
    try {
      for (int next = first; phase != Phase.END; ++next) {
        int found = calls.get(next % calls.size()).getAsInt();
        if (phase == Phase.MEASURED) {
          sent.increment();
          items.add(found);
        }
      }
    } catch (RuntimeException e) {
      e.printStackTrace();
      System.exit(1);
    }
  }

  /** Returns prepared requests. Each returns the number of items in its response. */
  private List<IntSupplier> read(Path path) throws Exception {
    List<IntSupplier> calls = new ArrayList<>();
    for (String line : Files.readAllLines(path)) {
      String[] parts = line.split("\t");
      calls.add(call(parts[0], JsonNode.parser().parse(parts[1]).asObject()));
    }
    return calls;
  }

  private IntSupplier call(String operation, Map<String, JsonNode> request) {
    String table = request.get("TableName").asString();
    switch (operation) {
      case "GetItem":
        GetItemRequest get =
            GetItemRequest.builder().tableName(table).key(values(request.get("Key"))).build();
        return () -> client.getItem(get).hasItem() ? 1 : 0;
      case "Query":
        QueryRequest query =
            QueryRequest.builder()
                .tableName(table)
                .keyConditionExpression(request.get("KeyConditionExpression").asString())
                .expressionAttributeValues(values(request.get("ExpressionAttributeValues")))
                .scanIndexForward(request.get("ScanIndexForward").asBoolean())
                .limit(Integer.parseInt(request.get("Limit").asNumber()))
                .build();
        return () -> client.query(query).items().size();
      default:
        PutItemRequest put =
            PutItemRequest.builder().tableName(table).item(values(request.get("Item"))).build();
        return () -> {
          client.putItem(put);
          return 0;
        };
    }
  }

  private static Map<String, AttributeValue> values(JsonNode attributes) {
    Map<String, AttributeValue> found = new HashMap<>();
    attributes
        .asObject()
        .forEach(
            (name, typed) -> {
              JsonNode text = typed.asObject().get("S");
              found.put(
                  name,
                  text != null
                      ? AttributeValue.fromS(text.asString())
                      : AttributeValue.fromBool(typed.asObject().get("BOOL").asBoolean()));
            });
    return found;
  }

  private static double cpuSeconds() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime()
        / 1e9;
  }

  private static void sleep(String seconds) throws InterruptedException {
    Thread.sleep((long) (Double.parseDouble(seconds) * 1000));
  }
}
