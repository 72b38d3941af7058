package bench;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/** Reads by a client of the AWS SDK, whose functions are given. */
record SdkWay(
    Function<GetItemRequest, GetItemResponse> get,
    Function<QueryRequest, QueryResponse> query,
    AutoCloseable client)
    implements Way {
  @Override
  public Callable<Object> prepare(Read read) {
    Map<String, Object> members = read.request();
    String table = (String) members.get("TableName");
    if (read.operation().equals("GetItem")) {
      GetItemRequest request =
          GetItemRequest.builder().tableName(table).key(values(members.get("Key"))).build();
      return () -> get.apply(request);
    }
    QueryRequest request =
        QueryRequest.builder()
            .tableName(table)
            .keyConditionExpression((String) members.get("KeyConditionExpression"))
            .expressionAttributeValues(values(members.get("ExpressionAttributeValues")))
            .scanIndexForward((Boolean) members.get("ScanIndexForward"))
            .limit(((Number) members.get("Limit")).intValue())
            .build();
    return () -> query.apply(request);
  }

  private static Map<String, AttributeValue> values(Object texts) {
    Map<String, AttributeValue> found = new HashMap<>();
    Way.plain(texts).forEach((name, text) -> found.put(name, AttributeValue.fromS((String) text)));
    return found;
  }

  @Override
  public List<Map<String, Object>> items(Object found) {
    return found instanceof QueryResponse page
        ? page.items().stream().map(SdkWay::itemOf).toList()
        : List.of(itemOf(((GetItemResponse) found).item()));
  }

  private static Map<String, Object> itemOf(Map<String, AttributeValue> item) {
    Map<String, Object> found = new HashMap<>();
    item.forEach(
        (name, value) ->
            found.put(
                name, value.s() != null ? Map.of("S", value.s()) : Map.of("BOOL", value.bool())));
    return found;
  }

  @Override
  public void close() throws Exception {
    client.close();
  }
}
