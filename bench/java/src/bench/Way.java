package bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** A way to a database that holds the items of the bench. */
interface Way extends AutoCloseable {
  /** A read of the bench, in DynamoDB's JSON. */
  record Read(String operation, Map<String, Object> request, List<Map<String, Object>> items) {}

  /** Returns the read as a call, whose result is what it has found. */
  Callable<Object> prepare(Read read) throws Exception;

  /** Returns the result of a call as items in DynamoDB's JSON. */
  List<Map<String, Object>> items(Object found);

  /** Returns the attributes of an item without their types, which are all S or BOOL. */
  static Map<String, Object> plain(Object item) {
    Map<String, Object> found = new LinkedHashMap<>();
    ((Map<?, ?>) item)
        .forEach(
            (name, value) ->
                found.put((String) name, ((Map<?, ?>) value).values().iterator().next()));
    return found;
  }

  /** Returns the item of plain texts and booleans with their types. */
  static Map<String, Object> typed(Map<String, Object> item) {
    Map<String, Object> found = new LinkedHashMap<>();
    item.forEach(
        (name, value) -> found.put(name, Map.of(value instanceof Boolean ? "BOOL" : "S", value)));
    return found;
  }
}
