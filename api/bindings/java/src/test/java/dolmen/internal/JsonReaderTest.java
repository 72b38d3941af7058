package dolmen.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.GsonBuilder;
import com.google.gson.ToNumberPolicy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the reader of the library's JSON, beside Gson. */
final class JsonReaderTest {
  private static final List<String> PARTS =
      List.of("a", "name", "\"", "\\", "/", "\n", "\u0001", "ü", "世", "🎓", "x".repeat(30));

  private static Object read(String text) {
    return JsonReader.read(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(Random random) {
    StringBuilder found = new StringBuilder();
    for (int parts = random.nextInt(4); parts > 0; --parts) {
      found.append(PARTS.get(random.nextInt(PARTS.size())));
    }
    return found.toString();
  }

  private static Object value(Random random, int depth) {
    switch (random.nextInt(depth > 4 ? 5 : 7)) {
      case 0:
        return random.nextLong();
      case 1:
        return random.nextDouble() * random.nextInt(1000);
      case 2:
        return random.nextBoolean();
      case 3:
        return null;
      case 4:
        return text(random);
      case 5:
        List<Object> list = new ArrayList<>();
        for (int count = random.nextInt(5); count > 0; --count) {
          list.add(value(random, depth + 1));
        }
        return list;
      default:
        Map<String, Object> map = new LinkedHashMap<>();
        for (int count = random.nextInt(5); count > 0; --count) {
          map.put(text(random), value(random, depth + 1));
        }
        return map;
    }
  }

  @Test
  void randomValuesAreReadAsByGson() {
    String given = System.getenv("DOLMEN_SEED");
    long seed = given == null ? System.nanoTime() : Long.parseLong(given);
    System.out.println("DOLMEN_SEED=" + seed);
    Random random = new Random(seed);
    var gson =
        new GsonBuilder()
            .serializeNulls()
            .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
            .create();
    for (int round = 0; round < 5000; ++round) {
      String json = gson.toJson(value(random, 0));
      assertEquals(gson.fromJson(json, Object.class), read(json), json);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[",
        "\"",
        "\"\\",
        "\"\\u12",
        "\"\\uxyz1\"",
        "\"\\x\"",
        "{}x",
        "[1,]",
        "tru",
        "{\"a\"}",
        "{\"a\":}",
        "{a:1}",
        "1x",
        "-"
      })
  void aTextThatIsNoJsonIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> read(text));
  }
}
