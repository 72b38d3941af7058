package dolmen;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.ToNumberPolicy;
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

  static byte[] write(Object value) {
    return GSON.toJson(value).getBytes(StandardCharsets.UTF_8);
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
