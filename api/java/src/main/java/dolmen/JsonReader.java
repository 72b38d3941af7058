package dolmen;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the JSON that the library writes, which has no spaces. An object is read as Map, an array
 * as List, a number as Long or Double. Most texts are names of attributes and types, which repeat,
 * so short texts are kept and shared.
 */
final class JsonReader {
  private static final int SHARED = 128; // a power of two
  private static final int SHARED_BYTES_MAX = 24;

  private final byte[] json;
  private final String[] shared = new String[SHARED];
  private final byte[][] sharedBytes = new byte[SHARED][];
  private int at;

  private JsonReader(byte[] json) {
    this.json = json;
  }

  /** Throws IllegalArgumentException if the bytes are no JSON of this form. */
  static Object read(byte[] json) {
    JsonReader reader = new JsonReader(json);
    Object value = reader.value();
    if (reader.at != json.length) {
      throw reader.unexpected();
    }
    return value;
  }

  private Object value() {
    return switch (next()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> text();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, Object> object() {
    ++at;
    if (skip('}')) {
      return new LinkedHashMap<>();
    }
    String first = memberName();
    Object value = value();
    if (skip('}')) { // an attribute value, which is read and dropped at once
      return Collections.singletonMap(first, value);
    }
    Map<String, Object> found = new LinkedHashMap<>();
    found.put(first, value);
    while (skip(',')) {
      found.put(memberName(), value());
    }
    expect('}');
    return found;
  }

  private String memberName() {
    String name = text();
    expect(':');
    return name;
  }

  private List<Object> array() {
    List<Object> found = new ArrayList<>();
    ++at;
    if (skip(']')) {
      return found;
    }
    do {
      found.add(value());
    } while (skip(','));
    expect(']');
    return found;
  }

  private Object word(String word, Object value) {
    for (int i = 0; i < word.length(); ++i) {
      expect(word.charAt(i));
    }
    return value;
  }

  private Object number() {
    int begin = at;
    while (at < json.length && ",]}".indexOf(json[at]) < 0) {
      ++at;
    }
    String text = string(begin, at);
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException e) {
      return Double.valueOf(text); // its exception is an IllegalArgumentException
    }
  }

  private String text() {
    expect('"');
    int begin = at;
    int hash = 0;
    for (byte one = next(); one != '"'; one = next()) {
      if (one == '\\') {
        return escapedText(begin);
      }
      hash = hash * 31 + one;
      ++at;
    }
    int end = at++;
    return end - begin > SHARED_BYTES_MAX ? string(begin, end) : sharedText(begin, end, hash);
  }

  private String sharedText(int begin, int end, int hash) {
    int place = hash & (SHARED - 1);
    byte[] kept = sharedBytes[place];
    if (kept == null || !Arrays.equals(kept, 0, kept.length, json, begin, end)) {
      sharedBytes[place] = Arrays.copyOfRange(json, begin, end);
      shared[place] = string(begin, end);
    }
    return shared[place];
  }

  /** Reads a text whose first escape is at `at`. */
  private String escapedText(int begin) {
    StringBuilder found = new StringBuilder();
    int plain = begin;
    for (byte one = next(); one != '"'; one = next()) {
      if (one == '\\') {
        found.append(string(plain, at++)).append(escaped());
        plain = at;
      } else {
        ++at;
      }
    }
    return found.append(string(plain, at++)).toString();
  }

  private char escaped() {
    char letter = (char) next();
    ++at;
    return switch (letter) {
      case '"', '\\', '/' -> letter;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        if (at + 4 > json.length) {
          throw unexpected();
        }
        at += 4;
        yield (char) Integer.parseInt(string(at - 4, at), 16);
      }
      default -> throw unexpected();
    };
  }

  private String string(int begin, int end) {
    return new String(json, begin, end - begin, StandardCharsets.UTF_8);
  }

  private byte next() {
    if (at >= json.length) {
      throw unexpected();
    }
    return json[at];
  }

  private boolean skip(char wanted) {
    if (next() == wanted) {
      ++at;
      return true;
    }
    return false;
  }

  private void expect(char wanted) {
    if (!skip(wanted)) {
      throw unexpected();
    }
  }

  private IllegalArgumentException unexpected() {
    return new IllegalArgumentException("the byte " + at + " of the JSON is unexpected");
  }
}
