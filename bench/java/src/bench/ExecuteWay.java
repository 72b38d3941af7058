package bench;

import com.google.gson.Gson;
import dolmen.Database;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * Reads by Database.execute, with plain Java values, or by executeJson, whose response is not
 * parsed.
 */
record ExecuteWay(Database database, boolean isJson) implements Way {
  private static final Gson GSON = new Gson();

  @Override
  public Callable<Object> prepare(Read read) {
    if (isJson) {
      byte[] request = GSON.toJson(read.request()).getBytes(StandardCharsets.UTF_8);
      return () -> database.executeJson(read.operation(), request);
    }
    Map<String, Object> request = new HashMap<>(read.request());
    for (String name : List.of("Key", "ExpressionAttributeValues")) {
      request.computeIfPresent(name, (member, values) -> Way.plain(values));
    }
    return () -> database.execute(read.operation(), request);
  }

  @Override
  public List<Map<String, Object>> items(Object found) {
    if (isJson) {
      return itemsOf(GSON.fromJson(new String((byte[]) found, StandardCharsets.UTF_8), Map.class));
    }
    return itemsOf((Map<?, ?>) found).stream().map(Way::typed).toList();
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> itemsOf(Map<?, ?> response) {
    return response.containsKey("Item")
        ? List.of((Map<String, Object>) response.get("Item"))
        : (List<Map<String, Object>>) response.get("Items");
  }

  @Override
  public void close() {
    database.close();
  }
}
