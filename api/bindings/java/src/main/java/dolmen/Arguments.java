package dolmen;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;

/** Arguments in the forms of the C library. What has no such form is refused, not replaced. */
final class Arguments {
  private Arguments() {}

  /** Returns the UTF-8 of a text with the zero byte that ends it in C, or null. */
  static byte[] text(String text) {
    if (text == null) {
      return null;
    }
    if (halfSurrogate(text, 0) < text.length()) {
      throw DolmenException.validation("an argument has half of a surrogate pair");
    }
    return terminated(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Returns the UTF-8 of a JSON text. Half of a surrogate pair becomes its escape in JSON, which
   * the library refuses by its place.
   */
  static byte[] json(String text) {
    int half = halfSurrogate(text, 0);
    if (half == text.length()) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    StringBuilder escaped = new StringBuilder();
    int begin = 0;
    for (; half < text.length(); half = halfSurrogate(text, begin)) {
      escaped.append(text, begin, half).append(String.format("\\u%04x", (int) text.charAt(half)));
      begin = half + 1;
    }
    return escaped.append(text, begin, text.length()).toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Returns the bytes of a path with the zero byte that ends it in C. They are those with which
   * Java itself opens the file, also where the text of the path lacks some of them.
   *
   * @throws IllegalArgumentException the path is of another file system, such as a zip file
   */
  static byte[] path(Path path) {
    if (path.getFileSystem() != FileSystems.getDefault()) {
      throw new IllegalArgumentException(
          "the path "
              + path.toUri()
              + " is in another file system than that of the machine, where a database cannot be");
    }
    if (path.toString().isEmpty()) {
      throw DolmenException.validation("the path is empty");
    }
    // The URI has each byte of the path. It ends with a slash if the path is that of a directory.
    String uri = path.toUri().getRawPath();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < uri.length(); i++) {
      if (uri.charAt(i) == '%') {
        bytes.write(Integer.parseInt(uri, i + 1, i + 3, 16));
        i += 2;
      } else {
        bytes.write(uri.charAt(i));
      }
    }
    return terminated(bytes.toByteArray());
  }

  /** Returns the time in milliseconds since 1970, or -1, which no clock of a database shows. */
  static long milliseconds(Instant time) {
    try {
      return time.toEpochMilli();
    } catch (ArithmeticException e) {
      return -1;
    }
  }

  /** Returns the index of the first half of a surrogate pair without the other half. */
  private static int halfSurrogate(String text, int begin) {
    for (int i = begin; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (!Character.isSupplementaryCodePoint(text.codePointAt(i))) {
          return i;
        }
        i++;
      }
    }
    return text.length();
  }

  /** Returns the bytes with the zero byte that ends them in C. */
  static byte[] terminated(byte[] text) {
    for (byte one : text) {
      if (one == 0) {
        throw DolmenException.validation("an argument contains a zero byte");
      }
    }
    return Arrays.copyOf(text, text.length + 1);
  }
}
