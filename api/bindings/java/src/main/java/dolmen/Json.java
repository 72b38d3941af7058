package dolmen;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.ToNumberPolicy;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Reads the JSON of the library, and writes JSON for it. */
final class Json {
  private static final Gson GSON =
      new GsonBuilder()
          .serializeNulls()
          .disableHtmlEscaping()
          .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
          .create();

  private Json() {}

  /**
   * Returns the JSON of a value. Gson alone would write null for a map of an anonymous class.
   *
   * @throws IllegalArgumentException JSON has no form for a part of the value
   */
  static byte[] write(Object value) {
    StringWriter text = new StringWriter();
    try (JsonWriter json = GSON.newJsonWriter(text)) {
      write(value, json);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a StringWriter has none
    }
    return Arguments.json(text.toString());
  }

  private static void write(Object value, JsonWriter json) throws IOException {
    if (value == null) {
      json.nullValue();
    } else if (value instanceof String text) {
      json.value(text);
    } else if (value instanceof Boolean bool) {
      json.value(bool);
    } else if (value instanceof Number number) {
      json.value(number);
    } else if (value instanceof Map<?, ?> map) {
      json.beginObject();
      for (Map.Entry<?, ?> member : map.entrySet()) {
        if (!(member.getKey() instanceof String name)) {
          throw new IllegalArgumentException("a name must be a String: " + member.getKey());
        }
        json.name(name);
        write(member.getValue(), json);
      }
      json.endObject();
    } else if (value instanceof Iterable<?> list) {
      json.beginArray();
      for (Object element : list) {
        write(element, json);
      }
      json.endArray();
    } else {
      JsonElement tree = GSON.toJsonTree(value);
      if (tree.isJsonNull()) {
        throw new IllegalArgumentException("JSON has no form for a value of " + value.getClass());
      }
      GSON.toJson(tree, json);
    }
  }

  /** Throws JsonParseException or ClassCastException if the text is no object. */
  @SuppressWarnings("unchecked")
  static Map<String, Object> readObject(byte[] text) {
    return text.length == 0 ? Map.of() : (Map<String, Object>) read(text);
  }

  @SuppressWarnings("unchecked")
  static List<Object> readList(byte[] text) {
    return (List<Object>) read(text);
  }

  private static Object read(byte[] text) {
    return GSON.fromJson(new String(text, StandardCharsets.UTF_8), Object.class);
  }
}
