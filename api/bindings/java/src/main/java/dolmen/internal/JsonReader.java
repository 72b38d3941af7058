package dolmen.internal;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the JSON that the library writes, which has no spaces, from its beginning to its end. Most
 * texts are names of attributes and types, which repeat, so short texts are kept and shared. All
 * functions throw IllegalArgumentException if the next bytes are no JSON of the wanted form.
 *
 * <p>Programs do not use this class. It is public only for the packages of Dolmen.
 */
public final class JsonReader {
  private static final int SHARED = 128; // a power of two
  private static final int SHARED_BYTES_MAX = 24;

  private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
  private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};
  private static final byte[] NULL = {'n', 'u', 'l', 'l'};

  private final byte[] json;
  private final String[] shared = new String[SHARED];
  private final byte[][] sharedBytes = new byte[SHARED][];
  private int at;

  /** Creates a reader at the beginning of the bytes. */
  public JsonReader(byte[] json) {
    this.json = json;
  }

  /** Reads all bytes as {@link #value}. */
  public static Object read(byte[] json) {
    JsonReader reader = new JsonReader(json);
    Object value = reader.value();
    reader.end();
    return value;
  }

  /** Throws IllegalArgumentException if there are more bytes. */
  public void end() {
    if (at != json.length) {
      throw unexpected();
    }
  }

  /**
   * Reads a value. An object is read as Map, an array as List, a number as Long or Double, and null
   * as null.
   */
  public Object value() {
    return switch (next()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> text();
      case 't' -> word(TRUE, true);
      case 'f' -> word(FALSE, false);
      case 'n' -> word(NULL, null);
      default -> number();
    };
  }

  /** Reads the begin of an object or array. Returns true if a member or an element follows. */
  public boolean begins(char begin, char end) {
    expect(begin);
    return !skip(end);
  }

  /** Reads a comma or the end of an object or array. Returns true after a comma. */
  public boolean continues(char end) {
    if (skip(',')) {
      return true;
    }
    expect(end);
    return false;
  }

  /** Reads the name of a member and the colon. */
  public String memberName() {
    String name = text();
    expect(':');
    return name;
  }

  private Map<String, Object> object() {
    if (!begins('{', '}')) {
      return new LinkedHashMap<>();
    }
    String first = memberName();
    Object value = value();
    if (!continues('}')) { // an attribute value, which is read and dropped at once
      return Collections.singletonMap(first, value);
    }
    Map<String, Object> found = new LinkedHashMap<>();
    found.put(first, value);
    do {
      found.put(memberName(), value());
    } while (continues('}'));
    return found;
  }

  private List<Object> array() {
    List<Object> found = new ArrayList<>();
    for (boolean more = begins('[', ']'); more; more = continues(']')) {
      found.add(value());
    }
    return found;
  }

  private Object word(byte[] word, Object value) {
    int end = at + word.length;
    if (end > json.length || !Arrays.equals(word, 0, word.length, json, at, end)) {
      throw unexpected();
    }
    at = end;
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

  /** Reads a text. Equal short texts are often the same object. */
  public String text() {
    expect('"');
    int begin = at;
    for (int end = begin; end < json.length; ++end) {
      byte one = json[end];
      if (one == '"') {
        at = end + 1;
        return end - begin > SHARED_BYTES_MAX ? string(begin, end) : sharedText(begin, end);
      } else if (one == '\\') {
        at = end;
        return escapedText(begin);
      }
    }
    at = json.length;
    throw unexpected();
  }

  private String sharedText(int begin, int end) {
    if (begin == end) {
      return "";
    }
    int hash = (json[begin] * 31 + json[(begin + end) >> 1]) * 31 + json[end - 1] * 7 + end - begin;
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

  /** Reads this character. */
  public void expect(char wanted) {
    if (!skip(wanted)) {
      throw unexpected();
    }
  }

  private IllegalArgumentException unexpected() {
    return new IllegalArgumentException("the byte " + at + " of the JSON is unexpected");
  }
}
