package shards;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;

/**
 * Tests that the Kinesis adapter reads the stream of a table. Each test has a database of its own.
 * The tests run at the same time, because the library waits up to 40 seconds before it uses a new
 * lease table.
 */
@Execution(ExecutionMode.CONCURRENT)
final class AdapterTest {
  private static final Duration SHARD_LIFETIME = Duration.ofHours(4);
  private static final int KEYS = 20;

  /** The table with the stream, and the leases of the worker. */
  private static final class Database {
    final Server server;
    final DynamoDbClient client;
    final String streamArn;

    Database(Server server) {
      this.server = server;
      client = server.client();
      client.createTable(
          table ->
              table
                  .tableName("orders")
                  .billingMode(BillingMode.PAY_PER_REQUEST)
                  .keySchema(
                      List.of(
                          KeySchemaElement.builder()
                              .attributeName("PK")
                              .keyType(KeyType.HASH)
                              .build()))
                  .attributeDefinitions(
                      List.of(
                          AttributeDefinition.builder()
                              .attributeName("PK")
                              .attributeType(ScalarAttributeType.S)
                              .build()))
                  .streamSpecification(
                      stream ->
                          stream.streamEnabled(true).streamViewType(StreamViewType.NEW_IMAGE)));
      client.waiter().waitUntilTableExists(table -> table.tableName("orders"));
      streamArn =
          client.describeTable(table -> table.tableName("orders")).table().latestStreamArn();
    }

    /** Writes a version of every item. */
    void write(int version) {
      for (int key = 0; key < KEYS; ++key) {
        Map<String, AttributeValue> item =
            Map.of(
                "PK", AttributeValue.fromS("ORDER#" + key),
                "version", AttributeValue.fromN(String.valueOf(version)));
        client.putItem(put -> put.tableName("orders").item(item));
      }
    }

    /** Returns the children of each shard that has ended. */
    Map<String, List<String>> childrenByParent() {
      return server
          .streamsClient(new ChildShards())
          .describeStream(stream -> stream.streamArn(streamArn))
          .streamDescription()
          .shards()
          .stream()
          .filter(shard -> shard.parentShardId() != null)
          .collect(groupingBy(Shard::parentShardId, mapping(Shard::shardId, toList())));
    }

    /** Returns the stored checkpoint of each shard. */
    Map<String, String> checkpoints() {
      Map<String, String> checkpoints = new HashMap<>();
      client
          .scanPaginator(scan -> scan.tableName(Worker.APPLICATION).consistentRead(true))
          .items()
          .forEach(
              lease -> checkpoints.put(lease.get("leaseKey").s(), lease.get("checkpoint").s()));
      return checkpoints;
    }
  }

  /** Expects the versions of every item once, and in their order. */
  private static void assertVersions(int first, int last, List<Received.Change> changes) {
    Map<String, List<Integer>> versions = new TreeMap<>();
    Map<String, List<Integer>> expected = new TreeMap<>();
    for (int key = 0; key < KEYS; ++key) {
      expected.put("ORDER#" + key, IntStream.rangeClosed(first, last).boxed().toList());
    }
    for (Received.Change change : changes) {
      versions
          .computeIfAbsent(change.key(), key -> new ArrayList<>())
          .add(change.version());
    }
    assertEquals(expected, versions);
  }

  @Test
  void aStreamWithOneShardIsReadInOrder() throws Exception {
    Database database = new Database(new Server("plain"));
    database.write(1);
    database.write(2);
    try (Worker worker = new Worker(database.server, database.streamArn)) {
      assertVersions(1, 2, worker.received().await(2 * KEYS));
      database.write(3);
      List<Received.Change> changes = worker.received().await(3 * KEYS);
      assertVersions(1, 3, changes);
      Received.Change last = changes.get(changes.size() - 1);
      assertEquals(Map.of(last.shard(), last.sequenceNumber()), database.checkpoints());
    }
  }

  @Test
  void theVersionsOfAnItemStayInOrderWhenShardsSplit() throws Exception {
    Server server = new Server("split");
    server.divideStreams(SHARD_LIFETIME);
    Database database = new Database(server);
    try (Worker worker = new Worker(server, database.streamArn)) {
      for (int version = 1; version <= 4; ++version) {
        database.write(version);
        assertVersions(1, version, worker.received().await(version * KEYS));
        server.advanceClock(SHARD_LIFETIME);
      }
      Map<String, List<String>> children = database.childrenByParent();
      List<Integer> sizes = children.values().stream().map(List::size).sorted().toList();
      assertEquals(List.of(1, 1, 1, 1, 2, 2, 2), sizes);
      assertEquals(children, worker.childShards().found());
      Map<String, String> checkpoints = database.checkpoints();
      checkpoints.values().removeIf(checkpoint -> !checkpoint.equals("SHARD_END"));
      assertEquals(children.keySet(), checkpoints.keySet());
    }
  }

  @Test
  void aRestartedWorkerResumesAtItsCheckpoint() throws Exception {
    Server server = new Server("resume");
    server.divideStreams(SHARD_LIFETIME);
    Database database = new Database(server);
    database.write(1);
    try (Worker worker = new Worker(server, database.streamArn)) {
      assertVersions(1, 1, worker.received().await(KEYS));
      worker.stop();
    }
    database.write(2);
    server.advanceClock(SHARD_LIFETIME);
    database.write(3);
    try (Worker worker = new Worker(server, database.streamArn)) {
      assertVersions(2, 3, worker.received().await(2 * KEYS));
    }
  }
}
