package dolmen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Runs the programs of README.md, whose names are in their first lines. */
final class ReadmeTest {
  private static final Pattern PROGRAM = Pattern.compile("(?s)```java\n// (\\w+\\.java)\n(.*?)```");
  private static final Pattern OUTPUT = Pattern.compile("(?s)```text\n(.*?)```");

  @TempDir Path directory;

  private static String page() throws IOException {
    return Files.readString(Path.of(System.getProperty("dolmen.page")));
  }

  /** Compiles all programs of the page in the directory. */
  private void compile() throws Exception {
    ProcessBuilder compiler = JavaProgram.of();
    List<String> command = compiler.command();
    String classes = command.get(command.size() - 1);
    command.clear();
    command.add(JavaProgram.tool("javac"));
    command.add("-Xlint:all,-processing,-classfile,-unchecked");
    command.addAll(List.of("-Werror", "-proc:none", "-d", directory.toString(), "-cp", classes));
    for (MatchResult program : PROGRAM.matcher(page()).results().toList()) {
      Path file = directory.resolve(program.group(1));
      Files.writeString(file, program.group(2));
      command.add(file.toString());
    }
    JavaProgram.run(compiler);
  }

  private String run(String program) throws Exception {
    ProcessBuilder started = JavaProgram.of(program).directory(directory.toFile());
    List<String> command = started.command();
    int classes = command.indexOf("-cp") + 1;
    command.set(classes, directory + ":" + absolute(command.get(classes)));
    return JavaProgram.run(started);
  }

  private static String absolute(String classPath) {
    List<String> found = new ArrayList<>();
    for (String one : classPath.split(":")) {
      found.add(Path.of(one).toAbsolutePath().toString());
    }
    return String.join(":", found);
  }

  @Test
  void theProgramsPrintTheOutputsOfThePage() throws Exception {
    compile();
    List<String> outputs = OUTPUT.matcher(page()).results().map(output -> output.group(1)).toList();
    assertEquals(outputs, List.of(run("First"), run("Sdk")));
  }

  @Test
  void theExampleOfATestPasses() throws Exception {
    compile();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
      assertEquals(
          4,
          EngineTestKit.engine("junit-jupiter")
              .selectors(selectClass(loader.loadClass("ShopTest")))
              .execute()
              .testEvents()
              .succeeded()
              .count());
    }
  }
}
