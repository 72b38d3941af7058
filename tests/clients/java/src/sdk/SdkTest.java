package sdk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverterProvider;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.document.EnhancedDocument;
import software.amazon.awssdk.enhanced.dynamodb.model.Page;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional;
import software.amazon.awssdk.enhanced.dynamodb.model.ReadBatch;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.IdempotentParameterMismatchException;
import software.amazon.awssdk.services.dynamodb.model.OperationType;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.model.StreamDescription;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** Tests of responses as the SDK reads them. Each test has its own partition. */
final class SdkTest {
  private static final String NAME = "documents";
  private static final DynamoDbClient CLIENT = Endpoint.client();
  private static final DynamoDbEnhancedClient ENHANCED =
      DynamoDbEnhancedClient.builder().dynamoDbClient(CLIENT).build();
  private static final DynamoDbTable<EnhancedDocument> TABLE =
      ENHANCED.table(
          NAME,
          TableSchema.documentSchemaBuilder()
              .addIndexPartitionKey(
                  TableMetadata.primaryIndexName(), "PK", AttributeValueType.S)
              .addIndexSortKey(TableMetadata.primaryIndexName(), "SK", AttributeValueType.N)
              .attributeConverterProviders(AttributeConverterProvider.defaultProvider())
              .build());

  @BeforeAll
  static void createTable() {
    TABLE.createTable(
        table ->
            table.streamSpecification(
                stream ->
                    stream.streamEnabled(true).streamViewType(StreamViewType.NEW_AND_OLD_IMAGES)));
    CLIENT.waiter().waitUntilTableExists(table -> table.tableName(NAME));
  }

  private static EnhancedDocument.Builder document(String partition, int sort) {
    return EnhancedDocument.builder()
        .attributeConverterProviders(AttributeConverterProvider.defaultProvider())
        .putString("PK", partition)
        .putNumber("SK", sort);
  }

  private static Map<String, AttributeValue> key(String partition, int sort) {
    return Map.of(
        "PK", AttributeValue.fromS(partition), "SK", AttributeValue.fromN(String.valueOf(sort)));
  }

  private static EnhancedDocument get(String partition, int sort) {
    return TABLE.getItem(Key.builder().partitionValue(partition).sortValue(sort).build());
  }

  private static void fill(String partition, int count) {
    for (int n = 0; n < count; ++n) {
      TABLE.putItem(document(partition, n).putNumber("square", n * n).build());
    }
  }

  private static List<Integer> sorts(Iterable<EnhancedDocument> documents) {
    List<Integer> found = new ArrayList<>();
    documents.forEach(document -> found.add(document.getNumber("SK").intValue()));
    return found;
  }

  @Test
  void everyTypeIsReturnedAsItWasPut() {
    EnhancedDocument written =
        document("types", 1)
            .putString("text", "Grüße, 世界 🎓")
            .putNumber("exact", new BigDecimal("-12345678901234567890.123456789012345678"))
            .putBytes("bytes", SdkBytes.fromByteArray(new byte[] {0, -1, 16}))
            .putBoolean("flag", true)
            .putNull("null")
            .putStringSet("strings", Set.of("a", "b"))
            .putNumberSet("numbers", Set.of(1, 2))
            .putBytesSet("blobs", Set.of(SdkBytes.fromUtf8String("x")))
            .putJson("json", "{\"list\": [1, \"two\", null, {\"deep\": [true]}], \"empty\": {}}")
            .build();
    TABLE.putItem(written);
    EnhancedDocument found = get("types", 1);
    assertEquals(written.toMap().keySet(), found.toMap().keySet());
    assertEquals("Grüße, 世界 🎓", found.getString("text"));
    assertEquals(
        new BigDecimal("-12345678901234567890.123456789012345678"),
        found.getNumber("exact").bigDecimalValue());
    assertArrayEquals(new byte[] {0, -1, 16}, found.getBytes("bytes").asByteArray());
    assertTrue(found.getBoolean("flag"));
    assertTrue(found.isNull("null"));
    assertEquals(Set.of("a", "b"), found.getStringSet("strings"));
    assertEquals(2, found.getNumberSet("numbers").size());
    assertEquals(Set.of(SdkBytes.fromUtf8String("x")), found.getBytesSet("blobs"));
    assertEquals(written.toMap().get("json"), found.toMap().get("json"));
    assertNull(get("types", 2));
  }

  @Test
  void pagesOfAQueryFollowEachOther() {
    fill("pages", 12);
    QueryConditional range =
        QueryConditional.sortBetween(
            Key.builder().partitionValue("pages").sortValue(2).build(),
            Key.builder().partitionValue("pages").sortValue(10).build());
    List<List<Integer>> pages = new ArrayList<>();
    for (Page<EnhancedDocument> page :
        TABLE.query(query -> query.queryConditional(range).limit(4).scanIndexForward(false))) {
      pages.add(sorts(page.items()));
    }
    assertEquals(List.of(List.of(10, 9, 8, 7), List.of(6, 5, 4, 3), List.of(2)), pages);
  }

  @Test
  void batchReads100Keys() {
    fill("batch", 120);
    ReadBatch.Builder<EnhancedDocument> keys =
        ReadBatch.builder(EnhancedDocument.class).mappedTableResource(TABLE);
    IntStream.range(50, 150)
        .forEach(
            n -> keys.addGetItem(Key.builder().partitionValue("batch").sortValue(n).build()));
    List<EnhancedDocument> found =
        ENHANCED
            .batchGetItem(batch -> batch.addReadBatch(keys.build()))
            .resultsForTable(TABLE)
            .stream()
            .toList();
    assertEquals(
        IntStream.range(50, 120).boxed().toList(), sorts(found).stream().sorted().toList());
  }

  @Test
  void segmentsOfAScanTogetherHaveEveryItem() {
    for (int n = 0; n < 50; ++n) {
      TABLE.putItem(document("scan-" + n % 17, n).build());
    }
    Set<Integer> found = new HashSet<>();
    for (int segment = 0; segment < 3; ++segment) {
      int number = segment;
      for (Map<String, AttributeValue> item :
          CLIENT
              .scanPaginator(scan -> scan.tableName(NAME).segment(number).totalSegments(3).limit(9))
              .items()) {
        if (item.get("PK").s().startsWith("scan-")) {
          assertTrue(found.add(Integer.valueOf(item.get("SK").n())), item.toString());
        }
      }
    }
    assertEquals(50, found.size());
  }

  @Test
  void everyResponseHasTheChecksumOfItsBytes() {
    fill("checksum", 1);
    Endpoint.Wire wire = new Endpoint.Wire();
    DynamoDbClient client = Endpoint.client(options -> options.addExecutionInterceptor(wire));
    client.getItem(get -> get.tableName(NAME).key(key("checksum", 0)));
    assertEquals(checksum(wire.body), wire.header("x-amz-crc32"));
    assertEquals(String.valueOf(wire.body.length), wire.header("Content-Length"));
    assertThrows(
        DynamoDbException.class,
        () -> client.getItem(get -> get.tableName("nowhere").key(key("checksum", 0))));
    assertEquals(checksum(wire.body), wire.header("x-amz-crc32"));
  }

  /** The checksum covers the compressed bytes. The SDK checks it before decompression. */
  @Test
  void responseIsCompressedOnRequest() {
    Endpoint.needsHttp("responses are not compressed");
    String text = "the same again and again ".repeat(1000);
    TABLE.putItem(document("gzip", 1).putString("text", text).build());
    Endpoint.Wire wire = new Endpoint.Wire();
    DynamoDbClient client =
        Endpoint.client(
            options ->
                options.addExecutionInterceptor(wire).putHeader("Accept-Encoding", "gzip"));
    GetItemResponse found = client.getItem(get -> get.tableName(NAME).key(key("gzip", 1)));
    assertEquals(text, found.item().get("text").s());
    assertEquals("gzip", wire.header("Content-Encoding"));
    assertEquals(checksum(wire.body), wire.header("x-amz-crc32"));
    assertTrue(wire.body.length < text.length() / 10, wire.body.length + " bytes");
  }

  private static String checksum(byte[] bytes) {
    CRC32 checksum = new CRC32();
    checksum.update(bytes);
    return String.valueOf(checksum.getValue());
  }

  @Test
  void errorHasCodeMessageStatusAndRequestId() {
    DynamoDbException error =
        assertThrows(
            DynamoDbException.class,
            () -> CLIENT.scan(scan -> scan.tableName(NAME).filterExpression("a = :a")));
    assertEquals("ValidationException", error.awsErrorDetails().errorCode());
    assertEquals(
        "Invalid FilterExpression: An expression attribute value used in expression is not "
            + "defined; attribute value: :a",
        error.awsErrorDetails().errorMessage());
    assertEquals(400, error.statusCode());
    assertFalse(error.requestId().isEmpty());
    assertThrows(
        ResourceNotFoundException.class,
        () -> CLIENT.describeTable(table -> table.tableName("nowhere")));
  }

  @Test
  void failedConditionReturnsTheItemOnRequest() {
    fill("condition", 3);
    ConditionalCheckFailedException failed =
        assertThrows(
            ConditionalCheckFailedException.class,
            () ->
                CLIENT.deleteItem(
                    delete ->
                        delete
                            .tableName(NAME)
                            .key(key("condition", 2))
                            .conditionExpression("square > :n")
                            .expressionAttributeValues(Map.of(":n", AttributeValue.fromN("4")))
                            .returnValuesOnConditionCheckFailure(
                                ReturnValuesOnConditionCheckFailure.ALL_OLD)));
    assertEquals(AttributeValue.fromN("4"), failed.item().get("square"));
    assertEquals(3, failed.item().size());
  }

  @Test
  void repetitionWithTheSameTokenChangesNothing() {
    String token = UUID.randomUUID().toString();
    CLIENT.transactWriteItems(addition("1", token));
    CLIENT.transactWriteItems(addition("1", token));
    CLIENT.transactWriteItems(addition("1", UUID.randomUUID().toString()));
    assertEquals(2, get("token", 1).getNumber("n").intValue());
    assertThrows(
        IdempotentParameterMismatchException.class,
        () -> CLIENT.transactWriteItems(addition("5", token)));
    assertEquals(2, get("token", 1).getNumber("n").intValue());
  }

  private static TransactWriteItemsRequest addition(String n, String token) {
    return TransactWriteItemsRequest.builder()
        .clientRequestToken(token)
        .transactItems(
            TransactWriteItem.builder()
                .update(
                    update ->
                        update
                            .tableName(NAME)
                            .key(key("token", 1))
                            .updateExpression("ADD n :n")
                            .expressionAttributeValues(Map.of(":n", AttributeValue.fromN(n))))
                .build())
        .build();
  }

  @Test
  void streamHasTheChangesOfAnItem() {
    TABLE.putItem(document("stream", 1).putString("v", "old").build());
    TABLE.putItem(document("stream", 1).putString("v", "new").build());
    TABLE.deleteItem(Key.builder().partitionValue("stream").sortValue(1).build());
    List<Record> records = records("stream", 3);
    assertEquals(
        List.of(OperationType.INSERT, OperationType.MODIFY, OperationType.REMOVE),
        records.stream().map(Record::eventName).toList());
    Record changed = records.get(1);
    assertEquals(key("stream", 1), changed.dynamodb().keys());
    assertEquals(AttributeValue.fromS("old"), changed.dynamodb().oldImage().get("v"));
    assertEquals(AttributeValue.fromS("new"), changed.dynamodb().newImage().get("v"));
    assertFalse(records.get(0).dynamodb().hasOldImage());
    assertFalse(records.get(2).dynamodb().hasNewImage());
  }

  /** Returns the first records of a partition. */
  private static List<Record> records(String partition, int count) {
    DynamoDbStreamsClient streams = Endpoint.streams();
    String stream = TABLE.describeTable().table().latestStreamArn();
    StreamDescription described =
        streams.describeStream(describe -> describe.streamArn(stream)).streamDescription();
    String shard = described.shards().get(0).shardId();
    String iterator =
        streams
            .getShardIterator(
                get ->
                    get.streamArn(stream)
                        .shardId(shard)
                        .shardIteratorType(ShardIteratorType.TRIM_HORIZON))
            .shardIterator();
    List<Record> found = new ArrayList<>();
    for (int calls = 0; found.size() < count && calls < 1000; ++calls) {
      String next = iterator;
      var page = streams.getRecords(get -> get.shardIterator(next));
      page.records().stream()
          .filter(record -> record.dynamodb().keys().get("PK").s().equals(partition))
          .forEach(found::add);
      iterator = page.nextShardIterator();
    }
    return found;
  }
}
