package dolmen;

import com.sun.jna.Library;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Platform;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Loads the C library. The system property dolmen.library is the path of a libdolmen_c.so. Without
 * it, the library of the jar is unpacked into a directory that only this user can read, and that is
 * deleted as soon as the library is loaded.
 */
final class LibraryFiles {
  private static final String PROPERTY = "dolmen.library";
  private static final String NAME = "libdolmen_c.so";
  private static final String LIST = "files.txt"; // has the names of all files of the library
  private static final int RTLD_NOW =
      2; // and not RTLD_GLOBAL, so other libraries are not disturbed

  private LibraryFiles() {}

  static NativeLibrary load() {
    String given = System.getProperty(PROPERTY);
    if (given != null) {
      return open(Path.of(given));
    }
    try {
      return loadBundled();
    } catch (IOException e) {
      throw failure("unpacked into", e);
    } catch (UnsatisfiedLinkError e) {
      throw failure("loaded from", e);
    }
  }

  private static NativeLibrary loadBundled() throws IOException {
    var privately =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    Path directory = Files.createTempDirectory("dolmen-", privately);
    List<Path> files = new ArrayList<>();
    try {
      for (String name : new String(read(LIST), StandardCharsets.UTF_8).split("\\s+")) {
        Path file = directory.resolve(name);
        files.add(file);
        Files.write(file, read(name));
      }
      return open(directory.resolve(NAME));
    } finally {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
      Files.delete(directory);
    }
  }

  private static byte[] read(String name) throws IOException {
    String path = Platform.RESOURCE_PREFIX + "/" + name;
    try (InputStream resource = LibraryFiles.class.getResourceAsStream(path)) {
      if (resource == null) {
        throw new IOException("the package has no library for " + Platform.RESOURCE_PREFIX);
      }
      return resource.readAllBytes();
    }
  }

  private static NativeLibrary open(Path library) {
    String path = library.toAbsolutePath().toString();
    return NativeLibrary.getInstance(path, Map.of(Library.OPTION_OPEN_FLAGS, RTLD_NOW));
  }

  /** Returns the error of the library of the jar, with the ways out. */
  static UnsatisfiedLinkError failure(String what, Throwable cause) {
    UnsatisfiedLinkError error =
        new UnsatisfiedLinkError(
            "the C library cannot be "
                + what
                + " "
                + System.getProperty("java.io.tmpdir")
                + ": "
                + cause.getMessage()
                + ". A directory for programs must be writable, and not be mounted noexec. Start Java"
                + " with -Djava.io.tmpdir=DIRECTORY to choose another one, also with"
                + " -Djna.tmpdir=DIRECTORY if the file is one of JNA; or with -D"
                + PROPERTY
                + "=FILE to load an unpacked "
                + NAME);
    error.initCause(cause);
    return error;
  }
}
