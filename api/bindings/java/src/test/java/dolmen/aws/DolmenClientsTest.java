package dolmen.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dolmen.ClosedException;
import dolmen.Database;
import dolmen.Support;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.core.client.config.SdkAdvancedAsyncClientOption;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbSortKey;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** Tests of clients of the AWS SDK whose requests a database executes. */
final class DolmenClientsTest {
  /** An item of the Enhanced client. */
  @DynamoDbBean
  public static final class Message {
    private String pk;
    private String sk;
    private int likes;

    @DynamoDbPartitionKey
    public String getPK() {
      return pk;
    }

    public void setPK(String pk) {
      this.pk = pk;
    }

    @DynamoDbSortKey
    public String getSK() {
      return sk;
    }

    public void setSK(String sk) {
      this.sk = sk;
    }

    public int getLikes() {
      return likes;
    }

    public void setLikes(int likes) {
      this.likes = likes;
    }
  }

  private final Database db = Support.newDatabase();

  @AfterEach
  void close() {
    db.close();
  }

  private static Map<String, AttributeValue> item(String sort) {
    return Map.of("PK", AttributeValue.fromS("a"), "SK", AttributeValue.fromS(sort));
  }

  private static PutItemRequest putOf(String sort) {
    return PutItemRequest.builder().tableName("app").item(item(sort)).build();
  }

  private static GetItemRequest getOf(String sort) {
    return GetItemRequest.builder().tableName("app").key(item(sort)).build();
  }

  @Test
  void aClientReadsWhatItHasPut() {
    try (DynamoDbClient client = DolmenClients.client(db)) {
      client.putItem(putOf("1"));
      assertEquals(item("1"), client.getItem(getOf("1")).item());
      assertFalse(client.getItem(getOf("2")).hasItem());
      assertTrue(Support.has(db, "1"));
    }
  }

  @Test
  void anErrorIsTheExceptionOfTheSdk() {
    try (DynamoDbClient client = DolmenClients.client(db)) {
      client.putItem(putOf("1"));
      PutItemRequest again =
          putOf("1").toBuilder()
              .conditionExpression("attribute_not_exists(PK)")
              .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
              .build();
      ConditionalCheckFailedException error =
          assertThrows(ConditionalCheckFailedException.class, () -> client.putItem(again));
      assertEquals("The conditional request failed", error.awsErrorDetails().errorMessage());
      assertEquals(400, error.statusCode());
      assertEquals(52, error.requestId().length());
      assertEquals(item("1"), error.item());
    }
  }

  @Test
  void theSdkRetriesAThrottledRequest() {
    try (DynamoDbClient client = DolmenClients.client(db)) {
      db.simulate(Map.of("Rules", List.of(Map.of("Fault", "Throttling", "CallsMax", 2))));
      client.putItem(putOf("1"));
      assertEquals(2, db.trace().size());
    }
  }

  @Test
  void theSdkDoesNotRetryRequestsToAClosedDatabase() {
    try (DynamoDbClient client = DolmenClients.client(db);
        DynamoDbAsyncClient later = DolmenClients.asyncClient(db)) {
      db.close();
      assertThrows(ClosedException.class, () -> client.getItem(getOf("1")));
      CompletionException error =
          assertThrows(CompletionException.class, () -> later.getItem(getOf("1")).join());
      assertInstanceOf(SdkClientException.class, error.getCause());
      assertInstanceOf(ClosedException.class, error.getCause().getCause());
    }
  }

  @Test
  void anAsynchronousClientExecutesRequestsInItsPool() {
    try (DynamoDbAsyncClient client = DolmenClients.asyncClient(db)) {
      List<CompletableFuture<?>> puts = new ArrayList<>();
      for (int number = 0; number < 1000; ++number) {
        puts.add(client.putItem(putOf(String.valueOf(number))));
      }
      puts.forEach(CompletableFuture::join);
      assertEquals(1000, Support.count(db));
      CompletionException error =
          assertThrows(
              CompletionException.class,
              () -> client.getItem(get -> get.tableName("none").key(item("1"))).join());
      assertInstanceOf(DynamoDbException.class, error.getCause());
    }
  }

  /** A pool of one thread executes a request only after the caller has let that thread continue. */
  @Test
  void anAsynchronousClientDoesNotBlockItsCaller() {
    CountDownLatch isReturned = new CountDownLatch(1);
    try (SdkAsyncHttpClient http = new DolmenAsyncHttpClient(db, 1);
        DynamoDbAsyncClient client = newAsyncClient(http)) {
      CompletableFuture<Void> first =
          client.getItem(getOf("1")).thenAccept(found -> await(isReturned));
      CompletableFuture<?> second = client.putItem(putOf("2"));
      assertFalse(first.isDone());
      isReturned.countDown();
      first.join();
      second.join();
    }
    assertTrue(Support.has(db, "2"));
  }

  /** Continuations run in the thread of the HTTP client. */
  private DynamoDbAsyncClient newAsyncClient(SdkAsyncHttpClient http) {
    return DynamoDbAsyncClient.builder()
        .httpClient(http)
        .region(Region.of(db.region()))
        .credentialsProvider(AnonymousCredentialsProvider.create())
        .asyncConfiguration(
            options ->
                options.advancedOption(
                    SdkAdvancedAsyncClientOption.FUTURE_COMPLETION_EXECUTOR, Runnable::run))
        .build();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theEnhancedClientReadsItsBeans() {
    try (DynamoDbClient client = DolmenClients.client(db)) {
      DynamoDbTable<Message> table =
          DynamoDbEnhancedClient.builder()
              .dynamoDbClient(client)
              .build()
              .table("app", TableSchema.fromBean(Message.class));
      Message message = new Message();
      message.setPK("a");
      message.setSK("1");
      message.setLikes(3);
      table.putItem(message);
      assertEquals(3, table.getItem(message).getLikes());
    }
  }

  @Test
  void aClientOfStreamsReadsTheChanges() {
    try (DynamoDbStreamsClient streams =
        DolmenClients.attach(db, DynamoDbStreamsClient.builder()).build()) {
      assertEquals(1, streams.listStreams().streams().size());
    }
  }

  private static HttpExecuteRequest httpRequest(String target, String body) {
    SdkHttpFullRequest.Builder request =
        SdkHttpFullRequest.builder()
            .method(SdkHttpMethod.POST)
            .protocol("https")
            .host("dynamodb.us-east-1.amazonaws.com");
    if (target != null) {
      request.putHeader("X-Amz-Target", target);
    }
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return HttpExecuteRequest.builder()
        .request(request.build())
        .contentStreamProvider(() -> new ByteArrayInputStream(bytes))
        .build();
  }

  @Test
  void aResponseHasTheHeadersOfDynamoDb() throws Exception {
    try (DolmenHttpClient http = new DolmenHttpClient(db)) {
      Set<String> ids = new HashSet<>();
      for (String body : List.of("{}", "{", "{\"Limit\": 1}")) {
        HttpExecuteResponse response =
            http.prepareRequest(httpRequest("DynamoDB_20120810.ListTables", body)).call();
        byte[] found = response.responseBody().orElseThrow().readAllBytes();
        CRC32 checksum = new CRC32();
        checksum.update(found);
        Map<String, List<String>> headers = response.httpResponse().headers();
        assertEquals(body.equals("{") ? 400 : 200, response.httpResponse().statusCode());
        assertEquals(List.of("" + checksum.getValue()), headers.get("x-amz-crc32"));
        assertEquals(List.of("" + found.length), headers.get("Content-Length"));
        assertTrue(ids.add(headers.get("x-amzn-RequestId").get(0)));
      }
      HttpExecuteRequest noTarget = httpRequest(null, "{}");
      assertThrows(IllegalArgumentException.class, () -> http.prepareRequest(noTarget).call());
    }
  }
}
