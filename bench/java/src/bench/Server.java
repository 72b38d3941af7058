package bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A running `dolmen serve`. */
final class Server implements AutoCloseable {
  private static final Pattern ADDRESS = Pattern.compile("http://[^:]+:\\d+");

  private final Process process;
  final URI endpoint;

  /** Starts the program, and waits until it prints its address. */
  Server(String program) throws IOException {
    process =
        new ProcessBuilder(program, "serve", "--memory", "--port", "0")
            .redirectErrorStream(true)
            .start();
    BufferedReader output = process.inputReader();
    while (true) {
      String line = output.readLine();
      if (line == null) {
        throw new IOException("the server does not start");
      }
      Matcher address = ADDRESS.matcher(line);
      if (address.find()) {
        endpoint = URI.create(address.group());
        return;
      }
    }
  }

  @Override
  public void close() {
    process.destroy();
  }
}
