package sdk;

import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import dolmen.Database;
import dolmen.aws.DolmenClients;
import java.io.IOException;
import java.net.ServerSocket;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsSyncClientBuilder;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/** The tested database, which is in the process of the tests. */
final class Peer {
  static final boolean IS_IN_PROCESS = true;

  private static final Database DATABASE = open();

  private Peer() {}

  /** Returns a client whose requests the database executes. */
  static DynamoDbClient client(DynamoDbClientBuilder builder) {
    return DolmenClients.client(DATABASE, builder);
  }

  /** Lets the database execute the requests of the clients of the builder. */
  static <B extends AwsSyncClientBuilder<B, C> & AwsClientBuilder<B, C>, C> B attach(B builder) {
    return DolmenClients.attach(DATABASE, builder);
  }

  private static Database open() {
    forbidSockets();
    try (ServerSocket opened = new ServerSocket(0)) {
      throw new IllegalStateException("a socket can be opened: " + opened);
    } catch (IOException e) {
      return Database.inMemory();
    }
  }

  /** Lets Linux refuse socket(2) in all threads of this process (seccomp(2)). */
  private static void forbidSockets() {
    boolean isArm = System.getProperty("os.arch").equals("aarch64");
    long[][] instructions = { // code, jumps, value
      {0x20, 0, 0}, // loads the number of the system call
      {0x15, 0x0100, isArm ? 198 : 41}, // if it is not socket(2), skips one instruction
      {0x06, 0, 0x00050001}, // fails with EPERM
      {0x06, 0, 0x7fff0000}, // allows the call
    };
    Memory filter = new Memory(8L * instructions.length);
    for (int i = 0; i < instructions.length; ++i) {
      filter.setShort(8L * i, (short) instructions[i][0]);
      filter.setShort(8L * i + 2, (short) instructions[i][1]);
      filter.setInt(8L * i + 4, (int) instructions[i][2]);
    }
    Memory program = new Memory(16);
    program.setShort(0, (short) instructions.length);
    program.setPointer(8, filter);
    long setNoNewPrivileges = 38;
    call("prctl", setNoNewPrivileges, 1L, 0L, 0L, 0L);
    long seccomp = isArm ? 277 : 317;
    long setModeFilter = 1;
    long allThreads = 1;
    call("syscall", seccomp, setModeFilter, allThreads, program);
  }

  private static void call(String function, Object... arguments) {
    if (NativeLibrary.getInstance("c").getFunction(function).invokeInt(arguments) != 0) {
      throw new IllegalStateException(function + " failed");
    }
  }
}
