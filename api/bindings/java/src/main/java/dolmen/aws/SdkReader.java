package dolmen.aws;

import dolmen.internal.JsonReader;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.SdkField;
import software.amazon.awssdk.core.SdkPojo;
import software.amazon.awssdk.core.traits.ListTrait;
import software.amazon.awssdk.core.traits.MapTrait;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.utils.builder.Buildable;

/** Reads responses of the SDK from the library's JSON. The SDK describes their members. */
final class SdkReader {
  private static final Map<Class<?>, Map<String, SdkField<?>>> FIELDS = new ConcurrentHashMap<>();
  private static final int SHARED = 128; // a power of two
  private static final int TEXT_MAX = 24; // of the texts that are kept, in characters

  private static final AttributeValue TRUE = AttributeValue.fromBool(true);
  private static final AttributeValue FALSE = AttributeValue.fromBool(false);

  private final JsonReader json;

  // The last texts. Many items of a page have the same partition key.
  private final AttributeValue[] shared = new AttributeValue[SHARED];

  private SdkReader(byte[] response) {
    json = new JsonReader(response);
  }

  /** Sets the members of the builder. Ignores members that the SDK does not know. */
  static void read(byte[] response, SdkPojo builder) {
    SdkReader reader = new SdkReader(response);
    reader.members(builder);
    reader.json.end();
  }

  private void members(SdkPojo builder) {
    Map<String, SdkField<?>> fields = fieldsOf(builder);
    for (boolean more = json.begins('{', '}'); more; more = json.continues('}')) {
      SdkField<?> field = fields.get(json.memberName());
      if (field == null) {
        json.value();
      } else {
        field.set(builder, reader(field).get());
      }
    }
  }

  private static Map<String, SdkField<?>> fieldsOf(SdkPojo builder) {
    return FIELDS.computeIfAbsent(
        builder.getClass(),
        type ->
            builder.sdkFields().stream()
                .collect(Collectors.toMap(SdkField::locationName, field -> field)));
  }

  /** Returns a function that reads a value of the field's type. */
  private Supplier<?> reader(SdkField<?> field) {
    return switch (field.marshallingType().getKnownType()) {
      case LIST -> {
        Supplier<?> element = reader(field.getTrait(ListTrait.class).memberFieldInfo());
        yield () -> list(element);
      }
      case MAP -> {
        Supplier<?> value = reader(field.getTrait(MapTrait.class).valueFieldInfo());
        yield () -> map(value);
      }
      case SDK_POJO -> {
        Supplier<SdkPojo> constructor = field.constructor();
        yield constructor.get() instanceof AttributeValue.Builder
            ? this::attribute
            : () -> structure(constructor.get());
      }
      case SDK_BYTES -> this::bytes;
      case INTEGER -> () -> ((Number) json.value()).intValue();
      case DOUBLE -> () -> ((Number) json.value()).doubleValue();
      default -> json::value; // a text, a boolean or a long
    };
  }

  private Object structure(SdkPojo builder) {
    members(builder);
    return ((Buildable) builder).build();
  }

  /** Reads an attribute value, which has exactly one member. */
  private AttributeValue attribute() {
    json.expect('{');
    AttributeValue found =
        switch (json.memberName()) {
          case "S" -> text();
          case "N" -> AttributeValue.fromN(json.text());
          case "B" -> AttributeValue.fromB(bytes());
          case "BOOL" -> (Boolean) json.value() ? TRUE : FALSE;
          case "NULL" -> AttributeValue.fromNul((Boolean) json.value());
          case "M" -> AttributeValue.fromM(map(this::attribute));
          case "L" -> AttributeValue.fromL(list(this::attribute));
          case "SS" -> AttributeValue.fromSs(list(json::text));
          case "NS" -> AttributeValue.fromNs(list(json::text));
          case "BS" -> AttributeValue.fromBs(list(this::bytes));
          default -> {
            json.value();
            yield AttributeValue.builder().build();
          }
        };
    json.expect('}');
    return found;
  }

  /**
   * Reads a text. Attribute values cannot change, so equal short texts can share one. They are the
   * same object for JsonReader, too.
   */
  private AttributeValue text() {
    String text = json.text();
    if (text.length() > TEXT_MAX) {
      return AttributeValue.fromS(text);
    }
    int place = text.hashCode() & (SHARED - 1);
    AttributeValue kept = shared[place];
    if (kept == null || kept.s() != text) {
      kept = AttributeValue.fromS(text);
      shared[place] = kept;
    }
    return kept;
  }

  private SdkBytes bytes() {
    return SdkBytes.fromByteArrayUnsafe(Base64.getDecoder().decode(json.text()));
  }

  private <T> List<T> list(Supplier<T> element) {
    List<T> found = new ArrayList<>();
    for (boolean more = json.begins('[', ']'); more; more = json.continues(']')) {
      found.add(element.get());
    }
    return found;
  }

  private <T> Map<String, T> map(Supplier<T> value) {
    List<Map.Entry<String, T>> found = new ArrayList<>();
    for (boolean more = json.begins('{', '}'); more; more = json.continues('}')) {
      found.add(Map.entry(json.memberName(), value.get()));
    }
    return new Members<>(found);
  }

  /** The members of an object. The SDK copies them into a map of its own, so no call searches. */
  private static final class Members<T> extends AbstractMap<String, T> {
    private final List<Map.Entry<String, T>> entries;

    Members(List<Map.Entry<String, T>> entries) {
      this.entries = entries;
    }

    @Override
    public Set<Map.Entry<String, T>> entrySet() {
      return new AbstractSet<>() {
        @Override
        public Iterator<Map.Entry<String, T>> iterator() {
          return entries.iterator();
        }

        @Override
        public int size() {
          return entries.size();
        }
      };
    }
  }
}
