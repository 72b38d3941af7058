package sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.enhanced.dynamodb.model.IgnoreNullsMode;
import software.amazon.awssdk.enhanced.dynamodb.model.Page;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional;
import software.amazon.awssdk.enhanced.dynamodb.model.TransactPutItemEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.TransactUpdateItemEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.WriteBatch;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Tests of beans of the enhanced client. Each test has its own organisation. */
final class BeansTest {
  static final String BY_EMAIL = "ByEmail";

  private static final String NAME = "beans";
  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
  private static final DynamoDbClient CLIENT = Endpoint.client();
  private static final DynamoDbEnhancedClient ENHANCED =
      DynamoDbEnhancedClient.builder().dynamoDbClient(CLIENT).build();
  private static final DynamoDbTable<Member> MEMBERS =
      ENHANCED.table(NAME, TableSchema.fromBean(Member.class));

  @BeforeAll
  static void createTable() {
    MEMBERS.createTable(
        table ->
            table.globalSecondaryIndices(
                index ->
                    index
                        .indexName(BY_EMAIL)
                        .projection(p -> p.projectionType(ProjectionType.ALL))));
    CLIENT.waiter().waitUntilTableExists(table -> table.tableName(NAME));
  }

  private static Member member(String organisation, String id) {
    Member member = new Member();
    member.setOrganisation(organisation);
    member.setId(id);
    return member;
  }

  private static Key key(String organisation, String id) {
    return Key.builder().partitionValue(organisation).sortValue(id).build();
  }

  private static Member get(String organisation, String id) {
    return MEMBERS.getItem(get -> get.key(key(organisation, id)).consistentRead(true));
  }

  private static Expression expression(String text) {
    return Expression.builder().expression(text).build();
  }

  @Test
  void beanIsReturnedAsItWasPut() {
    Member ann = member("read", "ann");
    ann.setJoinedAt(NOW);
    ann.setGroups(Set.of("owner", "billing/admin"));
    assertEquals(1, MEMBERS.updateItem(ann).getVersion());
    Member found = get("read", "ann");
    assertEquals("read", found.getOrganisation());
    assertEquals(NOW, found.getJoinedAt());
    assertEquals(Set.of("owner", "billing/admin"), found.getGroups());
    assertNull(found.getEmail());
    assertNull(get("read", "bob"));
  }

  @Test
  void changeOfAStaleBeanIsRejected() {
    MEMBERS.updateItem(member("stale", "ann"));
    Member first = get("stale", "ann");
    Member second = get("stale", "ann");
    first.setEmail("ann@stale");
    assertEquals(2, MEMBERS.updateItem(first).getVersion());
    second.setEmail("annie@stale");
    ConditionalCheckFailedException refused =
        assertThrows(ConditionalCheckFailedException.class, () -> MEMBERS.updateItem(second));
    assertEquals("The conditional request failed", refused.awsErrorDetails().errorMessage());
    assertEquals("ann@stale", get("stale", "ann").getEmail());
  }

  @Test
  void transactionCombinesAllKindsOfActions() {
    MEMBERS.updateItem(member("transaction", "checked"));
    MEMBERS.updateItem(member("transaction", "deleted"));
    Member updated = member("transaction", "updated");
    updated.setJoinedAt(NOW);
    updated.setVersion(MEMBERS.updateItem(updated).getVersion());
    updated.setJoinedAt(null);
    updated.setGroups(Set.of("owner"));
    ENHANCED.transactWriteItems(
        transaction ->
            transaction
                .addPutItem(MEMBERS, member("transaction", "put"))
                .addUpdateItem(
                    MEMBERS,
                    TransactUpdateItemEnhancedRequest.builder(Member.class)
                        .item(updated)
                        .ignoreNullsMode(IgnoreNullsMode.SCALAR_ONLY)
                        .build())
                .addDeleteItem(MEMBERS, key("transaction", "deleted"))
                .addConditionCheck(MEMBERS, exists("transaction", "checked")));
    assertEquals(1, get("transaction", "put").getVersion());
    assertEquals(Set.of("owner"), get("transaction", "updated").getGroups());
    assertEquals(NOW, get("transaction", "updated").getJoinedAt());
    assertNull(get("transaction", "deleted"));
  }

  @Test
  void cancelledTransactionHasItsReasons() {
    MEMBERS.updateItem(member("cancelled", "old"));
    TransactionCanceledException cancelled =
        assertThrows(
            TransactionCanceledException.class,
            () ->
                ENHANCED.transactWriteItems(
                    transaction ->
                        transaction
                            .addPutItem(MEMBERS, putNew("cancelled", "new"))
                            .addPutItem(MEMBERS, putNew("cancelled", "old"))
                            .addConditionCheck(MEMBERS, exists("cancelled", "absent"))));
    assertEquals(
        List.of("None", "ConditionalCheckFailed", "ConditionalCheckFailed"),
        cancelled.cancellationReasons().stream().map(reason -> reason.code()).toList());
    assertNull(get("cancelled", "new"));
  }

  private static TransactPutItemEnhancedRequest<Member> putNew(String organisation, String id) {
    return TransactPutItemEnhancedRequest.builder(Member.class)
        .item(member(organisation, id))
        .conditionExpression(expression("attribute_not_exists(PK)"))
        .build();
  }

  private static ConditionCheck<Member> exists(String organisation, String id) {
    return ConditionCheck.builder()
        .key(key(organisation, id))
        .conditionExpression(expression("attribute_exists(PK)"))
        .build();
  }

  @Test
  void batchIsWrittenAndReadByPagesOfAFilteredQuery() {
    // A batch has no conditions, which the extension for versions needs.
    DynamoDbEnhancedClient plain =
        DynamoDbEnhancedClient.builder().dynamoDbClient(CLIENT).extensions(List.of()).build();
    var writes =
        WriteBatch.builder(Member.class)
            .mappedTableResource(plain.table(NAME, MEMBERS.tableSchema()));
    List<String> joined = new ArrayList<>();
    IntStream.range(0, 20)
        .forEach(
            n -> {
              Member member = member("batch", String.format("m%02d", n));
              if (n % 4 == 0) {
                member.setJoinedAt(NOW);
                joined.add(member.getId());
              }
              writes.addPutItem(member);
            });
    plain.batchWriteItem(batch -> batch.addWriteBatch(writes.build()));
    List<String> found =
        MEMBERS
            .query(
                query ->
                    query
                        .queryConditional(QueryConditional.sortBeginsWith(key("batch", "m")))
                        .filterExpression(expression("attribute_exists(joinedAt)"))
                        .limit(6))
            .items()
            .stream()
            .map(Member::getId)
            .toList();
    assertEquals(joined, found);
  }

  @Test
  void indexFindsBeansByTheirOtherKey() {
    for (String organisation : List.of("index-2", "index-1")) {
      Member member = member(organisation, "ann");
      member.setEmail("ann@index");
      MEMBERS.putItem(member);
    }
    List<String> found = new ArrayList<>();
    for (Page<Member> page :
        MEMBERS
            .index(BY_EMAIL)
            .query(
                query ->
                    query.queryConditional(
                        QueryConditional.sortBeginsWith(key("ann@index", "index-"))))) {
      page.items().forEach(member -> found.add(member.getOrganisation()));
    }
    assertEquals(List.of("index-1", "index-2"), found);
  }
}
