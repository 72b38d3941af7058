package dolmen.aws;

import com.google.gson.stream.JsonWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.SdkField;
import software.amazon.awssdk.core.SdkPojo;
import software.amazon.awssdk.core.util.SdkAutoConstructList;
import software.amazon.awssdk.core.util.SdkAutoConstructMap;

/** Writes requests of the SDK as DynamoDB's JSON. The SDK describes their members. */
final class SdkWriter {
  private final JsonWriter json;

  private SdkWriter(JsonWriter json) {
    this.json = json;
  }

  /**
   * Returns the request as the SDK writes it.
   *
   * @throws IOException the SDK must write the request: a text of it has no UTF-8, or a value has a
   *     type that operations on items do not have
   */
  static byte[] write(SdkPojo request) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    // Unlike a charset, a new encoder refuses halves of surrogate pairs.
    var encoder = StandardCharsets.UTF_8.newEncoder();
    try (JsonWriter json = new JsonWriter(new OutputStreamWriter(bytes, encoder))) {
      new SdkWriter(json).structure(request);
    }
    return bytes.toByteArray();
  }

  private void structure(SdkPojo structure) throws IOException {
    json.beginObject();
    for (SdkField<?> field : structure.sdkFields()) {
      Object value = field.getValueOrDefault(structure);
      if (value != null
          && !(value instanceof SdkAutoConstructList)
          && !(value instanceof SdkAutoConstructMap)) {
        json.name(field.locationName());
        value(value);
      }
    }
    json.endObject();
  }

  private void value(Object value) throws IOException {
    if (value instanceof String text) {
      json.value(text);
    } else if (value instanceof Boolean bool) {
      json.value(bool);
    } else if (value instanceof Number number) {
      json.value(number);
    } else if (value instanceof SdkBytes bytes) {
      json.value(Base64.getEncoder().encodeToString(bytes.asByteArrayUnsafe()));
    } else if (value instanceof SdkPojo structure) {
      structure(structure);
    } else if (value instanceof List<?> list) {
      list(list);
    } else if (value instanceof Map<?, ?> map) {
      map(map);
    } else if (value == null) {
      json.nullValue();
    } else {
      throw new IOException("the SDK writes values of " + value.getClass());
    }
  }

  private void list(List<?> list) throws IOException {
    json.beginArray();
    for (Object element : list) {
      value(element);
    }
    json.endArray();
  }

  private void map(Map<?, ?> map) throws IOException {
    json.beginObject();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      if (entry.getValue() != null) {
        json.name((String) entry.getKey());
        value(entry.getValue());
      }
    }
    json.endObject();
  }
}
