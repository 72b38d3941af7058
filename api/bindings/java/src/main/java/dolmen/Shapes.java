package dolmen;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The members of requests and responses that contain attribute values. */
final class Shapes {
  /** A part of a request or response. A part of a wrong type is left as it is. */
  private interface Shape {
    Object convert(Object data, boolean encodes);
  }

  private static final Shape ITEM =
      (data, encodes) -> {
        if (data instanceof Map<?, ?> item) {
          return encodes ? Values.encodeItem(item) : Values.decodeItem(item);
        }
        return data;
      };
  private static final Shape VALUE =
      (data, encodes) -> encodes ? Values.encode(data) : Values.decode(data);
  private static final Shape NONE = (data, encodes) -> data;

  private static Shape listOf(Shape element) {
    return (data, encodes) -> {
      if (data instanceof List<?> list) {
        return list.stream().map(one -> element.convert(one, encodes)).toList();
      }
      return data;
    };
  }

  /** A map whose names the caller chooses, for example names of tables. */
  private static Shape namesOf(Shape part) {
    return (data, encodes) -> converted(data, name -> part, encodes);
  }

  /** A structure. Members that are not listed contain no attribute values. */
  private static Shape structure(Map<String, Shape> members) {
    return (data, encodes) -> converted(data, name -> members.getOrDefault(name, NONE), encodes);
  }

  private static Object converted(Object data, Function<Object, Shape> shapeOf, boolean encodes) {
    if (data instanceof Map<?, ?> map) {
      Map<Object, Object> found = new LinkedHashMap<>();
      map.forEach((name, part) -> found.put(name, shapeOf.apply(name).convert(part, encodes)));
      return found;
    }
    return data;
  }

  private static final Shape CONDITIONS =
      namesOf(structure(Map.of("Value", VALUE, "AttributeValueList", listOf(VALUE))));

  // A request for items, alone or in a batch or transaction.
  private static final Shape REQUEST =
      structure(
          Map.of(
              "Item", ITEM,
              "Key", ITEM,
              "ExclusiveStartKey", ITEM,
              "ExpressionAttributeValues", ITEM,
              "AttributeUpdates", CONDITIONS,
              "Expected", CONDITIONS,
              "KeyConditions", CONDITIONS,
              "QueryFilter", CONDITIONS,
              "ScanFilter", CONDITIONS));
  private static final Shape BATCH_KEYS = namesOf(structure(Map.of("Keys", listOf(ITEM))));
  private static final Shape BATCH_WRITES =
      namesOf(listOf(structure(Map.of("PutRequest", REQUEST, "DeleteRequest", REQUEST))));
  private static final Shape TRANSACTION =
      structure(
          Map.of(
              "TransactItems",
              listOf(
                  structure(
                      Map.of(
                          "Get", REQUEST,
                          "Put", REQUEST,
                          "Update", REQUEST,
                          "Delete", REQUEST,
                          "ConditionCheck", REQUEST)))));
  private static final Map<String, Shape> REQUESTS =
      Map.ofEntries(
          Map.entry("GetItem", REQUEST),
          Map.entry("PutItem", REQUEST),
          Map.entry("UpdateItem", REQUEST),
          Map.entry("DeleteItem", REQUEST),
          Map.entry("Query", REQUEST),
          Map.entry("Scan", REQUEST),
          Map.entry("BatchGetItem", structure(Map.of("RequestItems", BATCH_KEYS))),
          Map.entry("BatchWriteItem", structure(Map.of("RequestItems", BATCH_WRITES))),
          Map.entry("TransactGetItems", TRANSACTION),
          Map.entry("TransactWriteItems", TRANSACTION));

  private static final Shape COLLECTION = structure(Map.of("ItemCollectionKey", ITEM));
  private static final Shape PAGE =
      structure(Map.of("Items", listOf(ITEM), "LastEvaluatedKey", ITEM));
  private static final Shape WRITTEN =
      structure(Map.of("Attributes", ITEM, "ItemCollectionMetrics", COLLECTION));
  private static final Shape COLLECTIONS = namesOf(listOf(COLLECTION));
  private static final Shape RECORD =
      structure(
          Map.of("dynamodb", structure(Map.of("Keys", ITEM, "NewImage", ITEM, "OldImage", ITEM))));
  private static final Map<String, Shape> RESPONSES =
      Map.ofEntries(
          Map.entry("GetItem", structure(Map.of("Item", ITEM))),
          Map.entry("PutItem", WRITTEN),
          Map.entry("UpdateItem", WRITTEN),
          Map.entry("DeleteItem", WRITTEN),
          Map.entry("Query", PAGE),
          Map.entry("Scan", PAGE),
          Map.entry(
              "BatchGetItem",
              structure(Map.of("Responses", namesOf(listOf(ITEM)), "UnprocessedKeys", BATCH_KEYS))),
          Map.entry(
              "BatchWriteItem",
              structure(
                  Map.of("UnprocessedItems", BATCH_WRITES, "ItemCollectionMetrics", COLLECTIONS))),
          Map.entry(
              "TransactGetItems",
              structure(Map.of("Responses", listOf(structure(Map.of("Item", ITEM)))))),
          Map.entry("TransactWriteItems", structure(Map.of("ItemCollectionMetrics", COLLECTIONS))),
          Map.entry("GetRecords", structure(Map.of("Records", listOf(RECORD)))));

  private static final Shape ERROR =
      structure(
          Map.of("Item", ITEM, "CancellationReasons", listOf(structure(Map.of("Item", ITEM)))));

  private Shapes() {}

  /** Returns the request with attribute values in place of plain values. */
  static Object encodeRequest(String operation, Map<String, ?> request) {
    return REQUESTS.getOrDefault(operation, NONE).convert(request, true);
  }

  /** Returns the response with plain values in place of attribute values. */
  static Map<String, Object> decodeResponse(String operation, Map<String, Object> response) {
    return decoded(RESPONSES.getOrDefault(operation, NONE), response);
  }

  /** Returns the response of a failed request with plain values in place of attribute values. */
  static Map<String, Object> decodeError(Map<String, Object> response) {
    return decoded(ERROR, response);
  }

  /** Returns the records of a stream with plain values in place of attribute values. */
  @SuppressWarnings("unchecked")
  static List<Map<String, Object>> decodeRecords(List<Object> records) {
    return (List<Map<String, Object>>) listOf(RECORD).convert(records, false);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> decoded(Shape shape, Map<String, Object> response) {
    return (Map<String, Object>) shape.convert(response, false);
  }
}
