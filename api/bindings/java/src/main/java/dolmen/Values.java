package dolmen;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Conversions between plain Java values and the attribute values of DynamoDB's JSON. README.md
 * lists the types.
 */
final class Values {
  private Values() {}

  static Map<String, Object> encodeItem(Map<?, ?> item) {
    return mapped(item, Values::encode);
  }

  static Map<String, Object> decodeItem(Map<?, ?> item) {
    return mapped(item, Values::decode);
  }

  private static Map<String, Object> mapped(Map<?, ?> item, Function<Object, Object> convert) {
    Map<String, Object> found = new LinkedHashMap<>();
    item.forEach((name, value) -> found.put((String) name, convert.apply(value)));
    return found;
  }

  /** Throws IllegalArgumentException if DynamoDB has no type for the value. */
  static Map<String, Object> encode(Object value) {
    if (value == null) {
      return Map.of("NULL", true);
    } else if (value instanceof String) {
      return Map.of("S", value);
    } else if (value instanceof Boolean) {
      return Map.of("BOOL", value);
    } else if (value instanceof Number number) {
      return Map.of("N", numberText(number));
    } else if (isBytes(value)) {
      return Map.of("B", base64(value));
    } else if (value instanceof Map<?, ?> map) {
      return Map.of("M", encodeItem(map));
    } else if (value instanceof Set<?> set) {
      return encodeSet(set);
    } else if (value instanceof Collection<?> list) {
      return Map.of("L", list.stream().map(Values::encode).toList());
    }
    throw new IllegalArgumentException("DynamoDB has no type for " + value.getClass().getName());
  }

  /** Returns the plain value of an attribute value, which has exactly one member. */
  static Object decode(Object value) {
    Map.Entry<?, ?> only = ((Map<?, ?>) value).entrySet().iterator().next();
    Object content = only.getValue();
    return switch ((String) only.getKey()) {
      case "N" -> new BigDecimal((String) content);
      case "B" -> bytes(content);
      case "NULL" -> null;
      case "M" -> decodeItem((Map<?, ?>) content);
      case "L" -> collected((List<?>) content, Values::decode, new ArrayList<>());
      case "SS" -> collected((List<?>) content, text -> text, new LinkedHashSet<>());
      case "NS" ->
          collected(
              (List<?>) content, text -> new BigDecimal((String) text), new LinkedHashSet<>());
      case "BS" -> collected((List<?>) content, Values::bytes, new LinkedHashSet<>());
      default -> content; // S, BOOL
    };
  }

  private static Collection<Object> collected(
      List<?> list, Function<Object, Object> convert, Collection<Object> found) {
    list.forEach(value -> found.add(convert.apply(value)));
    return found;
  }

  private static Map<String, Object> encodeSet(Set<?> set) {
    if (set.isEmpty()) {
      throw new IllegalArgumentException("DynamoDB has no empty sets: leave the attribute out");
    } else if (set.stream().allMatch(String.class::isInstance)) {
      return Map.of("SS", List.copyOf(set));
    } else if (set.stream().allMatch(Number.class::isInstance)) {
      return Map.of("NS", set.stream().map(value -> numberText((Number) value)).toList());
    } else if (set.stream().allMatch(Values::isBytes)) {
      return Map.of("BS", set.stream().map(Values::base64).toList());
    }
    throw new IllegalArgumentException(
        "a set must contain only strings, only numbers or only bytes: " + set);
  }

  private static String numberText(Number number) {
    if (number instanceof BigDecimal
        || number instanceof BigInteger
        || number instanceof Long
        || number instanceof Integer
        || number instanceof Short
        || number instanceof Byte) {
      return number.toString();
    }
    throw new IllegalArgumentException(
        number + " is a " + number.getClass().getSimpleName() + ": use BigDecimal, which is exact");
  }

  private static boolean isBytes(Object value) {
    return value instanceof byte[] || value instanceof ByteBuffer;
  }

  private static String base64(Object value) {
    ByteBuffer bytes =
        value instanceof byte[] array ? ByteBuffer.wrap(array) : ((ByteBuffer) value).duplicate();
    byte[] copied = new byte[bytes.remaining()];
    bytes.get(copied);
    return Base64.getEncoder().encodeToString(copied);
  }

  private static ByteBuffer bytes(Object text) {
    return ByteBuffer.wrap(Base64.getDecoder().decode((String) text));
  }
}
