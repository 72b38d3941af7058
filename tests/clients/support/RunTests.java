package support;

import java.util.Arrays;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the tests of the classes that the arguments name. The last line has the counts of passed and
 * failed tests.
 */
final class RunTests implements TestExecutionListener {
  private int passed;
  private int failed;

  @Override
  public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
    switch (result.getStatus()) {
      case SUCCESSFUL -> {
        if (test.isTest()) {
          ++passed;
          System.out.println("ok    " + test.getDisplayName());
        }
      }
      case ABORTED -> {
        String reason = result.getThrowable().map(Throwable::getMessage).orElse("");
        System.out.println("skip  " + test.getDisplayName() + ": " + reason);
      }
      case FAILED -> {  // also for a class whose set-up failed
        ++failed;
        System.out.println("FAIL  " + test.getDisplayName());
        result.getThrowable().ifPresent(cause -> cause.printStackTrace(System.out));
      }
    }
  }

  public static void main(String[] arguments) {
    ClassSelector[] classes =
        Arrays.stream(arguments).map(DiscoverySelectors::selectClass).toArray(ClassSelector[]::new);
    RunTests result = new RunTests();
    LauncherFactory.create().execute(
        LauncherDiscoveryRequestBuilder.request()
            .selectors(classes)
            // Only classes with @Execution(CONCURRENT) run their tests at the same time.
            .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
            .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
            .configurationParameter(
                "junit.jupiter.execution.parallel.config.fixed.parallelism", "4")
            .build(),
        result);
    System.out.println(result.passed + " passed, " + result.failed + " failed");
    System.exit(result.failed == 0 && result.passed > 0 ? 0 : 1);
  }
}
