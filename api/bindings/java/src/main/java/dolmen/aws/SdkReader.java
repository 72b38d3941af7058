package dolmen.aws;

import com.google.gson.stream.JsonReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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

  /** Reads one value. */
  private interface Read<T> {
    T get() throws IOException;
  }

  private SdkReader(byte[] response) {
    json =
        new JsonReader(
            new InputStreamReader(new ByteArrayInputStream(response), StandardCharsets.UTF_8));
  }

  /** Sets the members of the builder. Ignores members that the SDK does not know. */
  static void read(byte[] response, SdkPojo builder) {
    try {
      new SdkReader(response).members(builder);
    } catch (IOException e) { // the bytes are no JSON
      throw new UncheckedIOException(e);
    }
  }

  private void members(SdkPojo builder) throws IOException {
    Map<String, SdkField<?>> fields = fieldsOf(builder);
    json.beginObject();
    while (json.hasNext()) {
      SdkField<?> field = fields.get(json.nextName());
      if (field == null) {
        json.skipValue();
      } else {
        field.set(builder, reader(field).get());
      }
    }
    json.endObject();
  }

  private static Map<String, SdkField<?>> fieldsOf(SdkPojo builder) {
    return FIELDS.computeIfAbsent(
        builder.getClass(),
        type ->
            builder.sdkFields().stream()
                .collect(Collectors.toMap(SdkField::locationName, field -> field)));
  }

  /** Returns a function that reads a value of the field's type. */
  private Read<?> reader(SdkField<?> field) {
    return switch (field.marshallingType().getKnownType()) {
      case LIST -> {
        Read<?> element = reader(field.getTrait(ListTrait.class).memberFieldInfo());
        yield () -> list(element);
      }
      case MAP -> {
        Read<?> value = reader(field.getTrait(MapTrait.class).valueFieldInfo());
        yield () -> map(value);
      }
      case SDK_POJO -> {
        Supplier<SdkPojo> constructor = field.constructor();
        yield constructor.get() instanceof AttributeValue.Builder
            ? this::attribute
            : () -> structure(constructor.get());
      }
      case SDK_BYTES -> this::bytes;
      case INTEGER -> json::nextInt;
      case DOUBLE -> json::nextDouble;
      default -> this::scalar;
    };
  }

  /** Reads a text, a boolean, a long or null. */
  private Object scalar() throws IOException {
    return switch (json.peek()) {
      case BOOLEAN -> json.nextBoolean();
      case NUMBER -> json.nextLong();
      case NULL -> {
        json.nextNull();
        yield null;
      }
      default -> json.nextString();
    };
  }

  private Object structure(SdkPojo builder) throws IOException {
    members(builder);
    return ((Buildable) builder).build();
  }

  /** Reads an attribute value, which has exactly one member. */
  private AttributeValue attribute() throws IOException {
    json.beginObject();
    AttributeValue found =
        switch (json.nextName()) {
          case "S" -> text();
          case "N" -> AttributeValue.fromN(json.nextString());
          case "B" -> AttributeValue.fromB(bytes());
          case "BOOL" -> json.nextBoolean() ? TRUE : FALSE;
          case "NULL" -> AttributeValue.fromNul(json.nextBoolean());
          case "M" -> AttributeValue.fromM(map(this::attribute));
          case "L" -> AttributeValue.fromL(list(this::attribute));
          case "SS" -> AttributeValue.fromSs(list(json::nextString));
          case "NS" -> AttributeValue.fromNs(list(json::nextString));
          case "BS" -> AttributeValue.fromBs(list(this::bytes));
          default -> {
            json.skipValue();
            yield AttributeValue.builder().build();
          }
        };
    json.endObject();
    return found;
  }

  /** Reads a text. Attribute values cannot change, so equal short texts can share one. */
  private AttributeValue text() throws IOException {
    String text = json.nextString();
    if (text.length() > TEXT_MAX) {
      return AttributeValue.fromS(text);
    }
    int place = text.hashCode() & (SHARED - 1);
    AttributeValue kept = shared[place];
    if (kept == null || !kept.s().equals(text)) {
      kept = AttributeValue.fromS(text);
      shared[place] = kept;
    }
    return kept;
  }

  private SdkBytes bytes() throws IOException {
    return SdkBytes.fromByteArrayUnsafe(Base64.getDecoder().decode(json.nextString()));
  }

  private <T> List<T> list(Read<T> element) throws IOException {
    List<T> found = new ArrayList<>();
    json.beginArray();
    while (json.hasNext()) {
      found.add(element.get());
    }
    json.endArray();
    return found;
  }

  private <T> Map<String, T> map(Read<T> value) throws IOException {
    List<Map.Entry<String, T>> found = new ArrayList<>();
    json.beginObject();
    while (json.hasNext()) {
      found.add(Map.entry(json.nextName(), value.get()));
    }
    json.endObject();
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
