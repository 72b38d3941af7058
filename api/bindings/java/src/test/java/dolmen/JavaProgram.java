package dolmen;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Starts programs in virtual machines of their own, with the class path of the tests. */
final class JavaProgram {
  private JavaProgram() {}

  static ProcessBuilder of(String... arguments) {
    String classes =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<String> command =
        new ArrayList<>(
            List.of(tool("java"), "-Xmx96m", "-XX:TieredStopAtLevel=1", "-cp", classes));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true);
  }

  static String tool(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }

  /** Runs the program, and returns its output. Fails if its status is not 0. */
  static String run(ProcessBuilder program) throws IOException, InterruptedException {
    Process process = program.start();
    try {
      String output = new String(process.getInputStream().readAllBytes());
      if (!process.waitFor(1, TimeUnit.HOURS) || process.exitValue() != 0) {
        throw new AssertionError("the program failed:\n" + output);
      }
      return output;
    } finally {
      process.destroyForcibly();
    }
  }
}
