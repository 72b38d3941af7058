package dolmen;

import static dolmen.Support.assertFails;
import static dolmen.Support.get;
import static dolmen.Support.key;
import static dolmen.Support.newDatabase;
import static dolmen.Support.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the plain Java values of requests and responses. */
final class ValuesTest {
  static Stream<Arguments> values() {
    byte[] bytes = {0, -1};
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return Stream.of(
        Arguments.of("Grüße, 世界 🎓", "Grüße, 世界 🎓"),
        Arguments.of(true, true),
        Arguments.of(null, null),
        Arguments.of(7, new BigDecimal(7)),
        Arguments.of(-7L, new BigDecimal(-7)),
        Arguments.of(new BigDecimal("0.125"), new BigDecimal("0.125")),
        Arguments.of(BigInteger.TEN.pow(37), new BigDecimal(BigInteger.TEN.pow(37))),
        Arguments.of(bytes, buffer),
        Arguments.of(buffer, buffer),
        Arguments.of(Map.of("a", Map.of("b", 1)), Map.of("a", Map.of("b", new BigDecimal(1)))),
        Arguments.of(Map.of("S", "text"), Map.of("S", "text")),
        Arguments.of(Arrays.asList("a", null, List.of()), Arrays.asList("a", null, List.of())),
        Arguments.of(Set.of("a", "b"), Set.of("a", "b")),
        Arguments.of(Set.of(1, 2L), Set.of(new BigDecimal(1), new BigDecimal(2))),
        Arguments.of(Set.of(bytes), Set.of(buffer)));
  }

  @ParameterizedTest
  @MethodSource("values")
  void aValueIsReadAsItsPlainValue(Object written, Object expected) {
    Map<String, Object> attributes = new HashMap<>();
    attributes.put("value", written);
    try (Database db = newDatabase()) {
      put(db, "1", attributes);
      assertEquals(expected, ((Map<?, ?>) get(db, "1")).get("value"));
    }
  }

  @Test
  void eachDigitOfANumberIsReadAsItWasWritten() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    BigInteger end = BigInteger.TEN.pow(38);
    try (Database db = newDatabase()) {
      for (int i = 0; i < 1_000; i++) {
        List<BigDecimal> written =
            random
                .ints(100, -80, 120)
                .mapToObj(scale -> new BigDecimal(new BigInteger(126, random).mod(end), scale))
                .toList();
        put(db, "1", Map.of("value", written));
        List<?> read = (List<?>) ((Map<?, ?>) get(db, "1")).get("value");
        for (int j = 0; j < written.size(); j++) {
          BigDecimal number = (BigDecimal) read.get(j);
          assertEquals(0, written.get(j).compareTo(number), "seed " + seed + ": " + number);
        }
      }
    }
  }

  static Stream<Object> refused() {
    return Stream.of(0.5, 0.5f, 'c', Set.of(), Set.of(1, "a"), Map.of("a", new Object()));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void aValueThatDynamoDbDoesNotHaveIsRefused(Object value) {
    try (Database db = newDatabase()) {
      Map<String, Object> attributes = Map.of("value", value);
      assertThrows(IllegalArgumentException.class, () -> put(db, "1", attributes));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ud83d", "\ude00", "a\ud83db", "🎓\ud83d"})
  void halfOfASurrogatePairIsRefusedByItsPlace(String half) {
    try (Database db = newDatabase()) {
      Map<String, Object> inner = Map.of("inner", List.of(half));
      String json = "{\"Item\": {\"PK\": \"" + half + "\"}}";
      Map<String, Executable> calls =
          Map.of(
              "Item.name.S", () -> put(db, "1", Map.of("name", half)),
              "Item.name.M.inner.L", () -> put(db, "1", Map.of("name", inner)),
              "Item.", () -> put(db, "1", Map.of(half, 1)),
              "Item.PK", () -> db.executeJson("PutItem", json),
              "Tables", () -> db.loadSeed("{\"Tables\": \"" + half + "\"}"),
              "Seed", () -> db.simulate(Map.of("Seed", half)));
      calls.forEach(
          (place, call) -> {
            String told = assertThrows(DolmenException.class, call).getMessage();
            assertTrue(told.contains("half of a surrogate pair"), told);
            assertTrue(told.contains(" at " + place), told);
          });
      for (Executable call :
          List.<Executable>of(
              () -> db.subscribe("app", half, records -> {}),
              () -> db.subscribe(half, "name", records -> {}),
              () -> db.executeJson(half, "{}"))) {
        DolmenException told = assertFails("ValidationException", call);
        assertTrue(told.getMessage().contains("half of a surrogate pair"), told.getMessage());
      }
      assertEquals(0, Support.count(db));
    }
  }

  /** Gson writes null for an object of an anonymous class, such as this map. */
  @Test
  void aMapOfAnyClassIsWritten() {
    try (Database db = newDatabase()) {
      Map<String, Object> names =
          new HashMap<>() {
            {
              put("#p", "PK");
            }
          };
      put(db, "1");
      Map<String, Object> get =
          Map.of(
              "TableName", "app",
              "Key", key("1"),
              "ProjectionExpression", "#p",
              "ExpressionAttributeNames", names);
      assertEquals(Map.of("PK", "a"), db.execute("GetItem", get).get("Item"));
      Map<String, Object> wrong = Map.of("Names", Map.of(1, "a"));
      assertThrows(IllegalArgumentException.class, () -> db.execute("GetItem", wrong));
      Map<String, Object> none = Map.of("Names", new Object() {});
      assertThrows(IllegalArgumentException.class, () -> db.execute("GetItem", none));
    }
  }

  @Test
  void everyRequestAndResponseHasPlainValues() {
    try (Database db = newDatabase()) {
      Map<String, Object> item = Map.of("PK", "a", "SK", "1", "n", new BigDecimal(1));
      db.execute(
          "BatchWriteItem",
          Map.of(
              "RequestItems", Map.of("app", List.of(Map.of("PutRequest", Map.of("Item", item))))));
      Map<String, Object> batch =
          db.execute(
              "BatchGetItem",
              Map.of("RequestItems", Map.of("app", Map.of("Keys", List.of(key("1"))))));
      assertEquals(Map.of("app", List.of(item)), batch.get("Responses"));
      Map<String, Object> get = Map.of("Get", Map.of("TableName", "app", "Key", key("1")));
      assertEquals(
          List.of(Map.of("Item", item)),
          db.execute("TransactGetItems", Map.of("TransactItems", List.of(get))).get("Responses"));
      Map<String, Object> page =
          db.execute(
              "Query",
              Map.of(
                  "TableName",
                  "app",
                  "KeyConditionExpression",
                  "PK = :p",
                  "ExpressionAttributeValues",
                  Map.of(":p", "a"),
                  "Limit",
                  1));
      assertEquals(List.of(item), page.get("Items"));
      assertEquals(key("1"), page.get("LastEvaluatedKey"));
      Map<String, Object> updated =
          db.execute(
              "UpdateItem",
              Map.of(
                  "TableName",
                  "app",
                  "Key",
                  key("1"),
                  "AttributeUpdates",
                  Map.of("n", Map.of("Action", "ADD", "Value", 2)),
                  "ReturnValues",
                  "UPDATED_NEW"));
      assertEquals(Map.of("n", new BigDecimal(3)), updated.get("Attributes"));
    }
  }

  @Test
  void theReasonsOfACanceledTransactionHavePlainValues() {
    try (Database db = newDatabase()) {
      Map<String, Object> item = put(db, "1");
      Map<String, Object> check =
          Map.of(
              "TableName", "app",
              "Key", key("1"),
              "ConditionExpression", "attribute_not_exists(PK)",
              "ReturnValuesOnConditionCheckFailure", "ALL_OLD");
      Map<String, Object> request =
          Map.of("TransactItems", List.of(Map.of("ConditionCheck", check)));
      DolmenException error =
          assertFails(
              "TransactionCanceledException", () -> db.execute("TransactWriteItems", request));
      List<?> reasons = (List<?>) error.response().get("CancellationReasons");
      assertEquals(item, ((Map<?, ?>) reasons.get(0)).get("Item"));
    }
  }
}
