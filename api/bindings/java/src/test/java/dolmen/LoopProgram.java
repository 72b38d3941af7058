package dolmen;

import dolmen.aws.DolmenClients;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * A program that fails if calls make its process grow: LoopProgram json|values|client CALLS. The
 * heap of the virtual machine must have a fixed size and be resident from the start.
 */
final class LoopProgram {
  private static final long MARGIN = 16 << 20; // caches and compiled code find their final size
  private static final String QUERY =
      """
      {"TableName": "app", "KeyConditionExpression": "PK = :p", "Limit": 10,
       "ExpressionAttributeValues": {":p": {"S": "a"}}}\
      """;
  private static final byte[] QUERY_BYTES = QUERY.getBytes(StandardCharsets.UTF_8);
  private static final Map<String, Object> REFUSED =
      Map.of(
          "TableName", "app",
          "Item", Support.key("7"),
          "ConditionExpression", "attribute_not_exists(PK)");
  private static final QueryRequest SDK_QUERY =
      QueryRequest.builder()
          .tableName("app")
          .keyConditionExpression("PK = :p")
          .expressionAttributeValues(Map.of(":p", AttributeValue.fromS("a")))
          .limit(10)
          .build();

  private LoopProgram() {}

  public static void main(String[] arguments) throws IOException {
    int calls = Integer.parseInt(arguments[1]);
    try (Database db = Support.newDatabase();
        DynamoDbClient client = DolmenClients.client(db)) {
      for (int sort = 0; sort < 100; ++sort) {
        Support.put(db, String.valueOf(sort));
      }
      Runnable call =
          switch (arguments[0]) {
            case "json" -> () -> db.executeJson("Query", QUERY_BYTES);
            case "values" -> () -> refuse(db);
            case "client" -> () -> client.query(SDK_QUERY);
            default -> throw new IllegalArgumentException(arguments[0]);
          };
      long before = bytesAfter(db, call, 10_000);
      long growth = bytesAfter(db, call, calls) - before;
      System.out.printf(
          "%s: %d calls, memory %d kB, growth %d kB%n",
          arguments[0], calls, before >> 10, growth >> 10);
      System.exit(growth < MARGIN ? 0 : 1);
    }
  }

  private static void refuse(Database db) {
    Support.assertFails("ConditionalCheckFailedException", () -> db.execute("PutItem", REFUSED));
  }

  /** Returns the resident bytes, and the bytes of the heap that are in use. */
  private static long bytesAfter(Database db, Runnable call, int calls) throws IOException {
    for (int number = 0; number < calls; ++number) {
      call.run();
      if (number % 1000 == 0) {
        try (Database fork = db.fork()) {
          fork.subscribe("app", "name", records -> {}).close();
          fork.reset();
        }
      }
    }
    System.gc();
    String[] pages = Files.readString(Path.of("/proc/self/statm")).split(" ");
    Runtime heap = Runtime.getRuntime();
    return Long.parseLong(pages[1]) * 4096 + heap.totalMemory() - heap.freeMemory();
  }
}
