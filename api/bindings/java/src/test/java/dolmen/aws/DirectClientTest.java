package dolmen.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dolmen.Database;
import dolmen.Support;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.SdkPojo;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.metrics.MetricCollection;
import software.amazon.awssdk.metrics.MetricPublisher;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.PutRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnItemCollectionMetrics;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItem;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** Tests of the client that executes operations without the SDK's HTTP and JSON. */
final class DirectClientTest {
  private static final Map<String, AttributeValue> ITEM =
      with(
          key("1"),
          Map.of(
              "text", AttributeValue.fromS("\"Grüße\"\\\n\u0001\u2028 世界 🎓"),
              "number", AttributeValue.fromN("-12345678901234567890.123456789012345678"),
              "bytes", AttributeValue.fromB(bytes(0, -1, 16)),
              "null", AttributeValue.fromNul(true),
              "no", AttributeValue.fromBool(false),
              "list",
                  AttributeValue.fromL(
                      List.of(
                          AttributeValue.fromS(""),
                          AttributeValue.fromL(List.of()),
                          AttributeValue.fromM(Map.of("deep", AttributeValue.fromN("1"))))),
              "map", AttributeValue.fromM(Map.of()),
              "strings", AttributeValue.fromSs(List.of("a", "b")),
              "numbers", AttributeValue.fromNs(List.of("1", "2.5")),
              "blobs", AttributeValue.fromBs(List.of(bytes(1), bytes(2)))));

  private final Database db = Support.newDatabase();

  @AfterEach
  void close() {
    db.close();
  }

  private static SdkBytes bytes(int... values) {
    byte[] found = new byte[values.length];
    for (int i = 0; i < values.length; ++i) {
      found[i] = (byte) values[i];
    }
    return SdkBytes.fromByteArray(found);
  }

  private static Map<String, AttributeValue> key(String sort) {
    return Map.of("PK", AttributeValue.fromS("a"), "SK", AttributeValue.fromS(sort));
  }

  private static Map<String, AttributeValue> with(
      Map<String, AttributeValue> some, Map<String, AttributeValue> others) {
    Map<String, AttributeValue> found = new HashMap<>(some);
    found.putAll(others);
    return found;
  }

  /** Returns a client whose requests the SDK sends to its HTTP client. */
  private static DynamoDbClient ordinary(Database database) {
    return DolmenClients.attach(database, DynamoDbClient.builder()).build();
  }

  private static DynamoDbClient client(
      Database database, Consumer<ClientOverrideConfiguration.Builder> options) {
    return DolmenClients.client(database, DynamoDbClient.builder().overrideConfiguration(options));
  }

  private static Stream<Function<DynamoDbClient, DynamoDbResponse>> calls() {
    ReturnConsumedCapacity capacity = ReturnConsumedCapacity.INDEXES;
    return Stream.of(
        client ->
            client.putItem(
                put ->
                    put.tableName("app")
                        .item(with(ITEM, Map.of("new", AttributeValue.fromS("x"))))
                        .returnValues(ReturnValue.ALL_OLD)
                        .returnItemCollectionMetrics(ReturnItemCollectionMetrics.SIZE)
                        .returnConsumedCapacity(capacity)),
        client -> client.putItem(put -> put.tableName("app").item(key("2"))),
        client ->
            client.updateItem(
                update ->
                    update
                        .tableName("app")
                        .key(key("1"))
                        .updateExpression("SET #text = :text")
                        .expressionAttributeNames(Map.of("#text", "text"))
                        .expressionAttributeValues(Map.of(":text", ITEM.get("list")))
                        .returnValues(ReturnValue.ALL_NEW)),
        client ->
            client.deleteItem(
                delete -> delete.tableName("app").key(key("1")).returnValues(ReturnValue.ALL_OLD)),
        client ->
            client.getItem(
                get -> get.tableName("app").key(key("1")).returnConsumedCapacity(capacity)),
        client -> client.getItem(get -> get.tableName("app").key(key("none"))),
        client ->
            client.query(
                query ->
                    query
                        .tableName("app")
                        .keyConditionExpression("PK = :a")
                        .expressionAttributeValues(Map.of(":a", AttributeValue.fromS("a")))
                        .limit(1)
                        .returnConsumedCapacity(capacity)),
        client -> client.scan(scan -> scan.tableName("app").consistentRead(true)),
        client ->
            client.batchGetItem(
                batch ->
                    batch.requestItems(
                        Map.of(
                            "app",
                            KeysAndAttributes.builder()
                                .keys(List.of(key("1"), key("none")))
                                .build()))),
        client ->
            client.batchWriteItem(
                batch ->
                    batch
                        .requestItems(Map.of("app", List.of(write(ITEM), write(key("3")))))
                        .returnConsumedCapacity(capacity)),
        client ->
            client.transactGetItems(
                transaction ->
                    transaction.transactItems(List.of(transactGet("1"), transactGet("none")))),
        client ->
            client.executeStatement(
                statement ->
                    statement
                        .statement("SELECT * FROM app WHERE PK = ?")
                        .parameters(AttributeValue.fromS("a"))),
        client ->
            client.batchExecuteStatement(
                batch ->
                    batch.statements(
                        List.of(
                            statement("SELECT * FROM app WHERE PK = 'a' AND SK = '1'"),
                            statement("SELECT * FROM nowhere WHERE PK = 'a' AND SK = '1'")))),
        client -> client.describeTable(table -> table.tableName("app")),
        DynamoDbClient::listTables);
  }

  private static TransactGetItem transactGet(String sort) {
    return TransactGetItem.builder().get(get -> get.tableName("app").key(key(sort))).build();
  }

  private static BatchStatementRequest statement(String text) {
    return BatchStatementRequest.builder().statement(text).build();
  }

  private static WriteRequest write(Map<String, AttributeValue> item) {
    return WriteRequest.builder().putRequest(PutRequest.builder().item(item).build()).build();
  }

  @ParameterizedTest
  @MethodSource("calls")
  void aResponseIsThatOfAnOrdinaryClient(Function<DynamoDbClient, DynamoDbResponse> call) {
    try (DynamoDbClient sdk = ordinary(db)) {
      sdk.putItem(put -> put.tableName("app").item(ITEM));
    }
    try (Database other = db.fork();
        DynamoDbClient sdk = ordinary(other);
        DynamoDbClient direct = DolmenClients.client(db)) {
      assertTrue(Proxy.isProxyClass(direct.getClass()));
      DynamoDbResponse expected = call.apply(sdk);
      DynamoDbResponse found = call.apply(direct);
      assertEquals(expected.toString(), found.toString());
      assertTrue(((SdkPojo) expected).equalsBySdkFields(found));
      assertEquals(200, found.sdkHttpResponse().statusCode());
      assertEquals(52, found.responseMetadata().requestId().length());
      assertNotEquals(
          expected.responseMetadata().requestId(), found.responseMetadata().requestId());
      assertEquals(allItems(sdk), allItems(direct));
    }
  }

  private static List<Map<String, AttributeValue>> allItems(DynamoDbClient client) {
    return client.scan(scan -> scan.tableName("app")).items();
  }

  @Test
  void membersThatTheSdkDoesNotKnowAreIgnored() {
    String json =
        "{\"New\":{\"a\":[1]},\"Items\":[{\"a\":{\"S\":\"x\"},\"b\":{\"NEW\":{}}}],\"Count\":1}";
    QueryResponse.Builder builder = QueryResponse.builder();
    SdkReader.read(json.getBytes(StandardCharsets.UTF_8), builder);
    QueryResponse found = builder.build();
    assertEquals(1, found.count());
    assertEquals(
        List.of(Map.of("a", AttributeValue.fromS("x"), "b", AttributeValue.builder().build())),
        found.items());
  }

  @Test
  void aFailedRequestIsExecutedOnce() {
    try (DynamoDbClient client =
        client(db, options -> options.retryStrategy(retry -> retry.maxAttempts(1)))) {
      db.simulate(Map.of("Rules", List.of(Map.of("Fault", "Throttling", "CallsMax", 1))));
      assertThrows(
          DynamoDbException.class, () -> client.getItem(get -> get.tableName("app").key(key("1"))));
      assertFalse(client.getItem(get -> get.tableName("app").key(key("1"))).hasItem());
    }
  }

  @Test
  void anAsynchronousClientReadsTheSame() {
    try (DynamoDbClient sdk = ordinary(db);
        DynamoDbAsyncClient direct = DolmenClients.asyncClient(db)) {
      assertTrue(Proxy.isProxyClass(direct.getClass()));
      direct.putItem(put -> put.tableName("app").item(ITEM)).join();
      assertEquals(
          sdk.getItem(get -> get.tableName("app").key(key("1"))).item(),
          direct.getItem(get -> get.tableName("app").key(key("1"))).join().item());
      List<Map<String, AttributeValue>> found = new ArrayList<>();
      direct.scanPaginator(scan -> scan.tableName("app")).items().subscribe(found::add).join();
      assertEquals(allItems(sdk), found);
    }
  }

  @Test
  void anAsynchronousClientExecutesAFailedRequestOnce() {
    DynamoDbAsyncClientBuilder builder =
        DynamoDbAsyncClient.builder()
            .overrideConfiguration(options -> options.retryStrategy(retry -> retry.maxAttempts(1)));
    try (DynamoDbAsyncClient client = DolmenClients.asyncClient(db, builder)) {
      db.simulate(Map.of("Rules", List.of(Map.of("Fault", "Throttling", "CallsMax", 1))));
      CompletionException error =
          assertThrows(
              CompletionException.class,
              () -> client.getItem(get -> get.tableName("app").key(key("1"))).join());
      assertInstanceOf(DynamoDbException.class, error.getCause());
      assertFalse(client.getItem(get -> get.tableName("app").key(key("1"))).join().hasItem());
    }
  }

  @Test
  void aClosedAsynchronousClientRefusesRequests() {
    DynamoDbAsyncClient client = DolmenClients.asyncClient(db);
    client.close();
    CompletionException error =
        assertThrows(
            CompletionException.class,
            () -> client.getItem(get -> get.tableName("app").key(key("1"))).join());
    assertInstanceOf(SdkClientException.class, error.getCause());
  }

  @Test
  void aTextThatHasNoUtf8IsRefused() {
    Map<String, AttributeValue> item =
        with(key("1"), Map.of("half", AttributeValue.fromS("\uD83C")));
    try (DynamoDbClient client = DolmenClients.client(db)) {
      DynamoDbException error =
          assertThrows(
              DynamoDbException.class,
              () -> client.putItem(put -> put.tableName("app").item(item)));
      assertEquals("SerializationException", error.awsErrorDetails().errorCode());
    }
  }

  @Test
  void theSdkRefusesTheRequestOfAnInterruptedThread() {
    try (DynamoDbClient client = DolmenClients.client(db)) {
      Thread.currentThread().interrupt();
      assertThrows(
          AbortedException.class, () -> client.getItem(get -> get.tableName("app").key(key("1"))));
      assertTrue(Thread.interrupted());
    }
  }

  @Test
  void interceptorsSeeAllRequests() {
    List<String> seen = new ArrayList<>();
    ExecutionInterceptor interceptor =
        new ExecutionInterceptor() {
          @Override
          public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes all) {
            seen.add(context.request().getClass().getSimpleName());
          }
        };
    try (DynamoDbClient client =
        client(db, options -> options.addExecutionInterceptor(interceptor))) {
      client.getItem(get -> get.tableName("app").key(key("1")));
    }
    assertEquals(List.of("GetItemRequest"), seen);
  }

  @Test
  void metricsOfARequestArePublished() {
    List<MetricCollection> published = new ArrayList<>();
    MetricPublisher publisher =
        new MetricPublisher() {
          @Override
          public void publish(MetricCollection metrics) {
            published.add(metrics);
          }

          @Override
          public void close() {}
        };
    try (DynamoDbClient client = DolmenClients.client(db)) {
      client.getItem(
          get ->
              get.tableName("app")
                  .key(key("1"))
                  .overrideConfiguration(options -> options.addMetricPublisher(publisher)));
    }
    assertEquals(1, published.size());
  }

  @Test
  void aClientEqualsOnlyItself() {
    try (DynamoDbClient client = DolmenClients.client(db);
        DynamoDbClient other = DolmenClients.client(db)) {
      assertEquals(client, client);
      assertNotEquals(client, other);
      assertEquals(client.hashCode(), client.hashCode());
    }
  }
}
