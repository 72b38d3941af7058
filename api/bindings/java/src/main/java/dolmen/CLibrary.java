package dolmen;

import com.sun.jna.Callback;
import com.sun.jna.CallbackThreadInitializer;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;

/**
 * The functions of the C library (api/c/dolmen.h), which have the same contracts here. A pointer is
 * a long, and 0 is NULL. All threads may call all functions.
 */
final class CLibrary {
  private static final int ABI = 2;

  /** A result of a function: its object or number, which is 0 after an error, and its response. */
  record Out(long value, Response response) {}

  /** A handler of a subscription. JNA needs it to be reachable until the subscription has ended. */
  interface Handler extends Callback {
    int handle(long context, Pointer records, long size);
  }

  static {
    NativeLibrary library = LibraryFiles.load();
    int abi = library.getFunction("dolmen_abi").invokeInt(new Object[0]);
    if (abi < ABI) { // an older library lacks functions, which cannot be registered
      throw new UnsatisfiedLinkError(
          "the C library has version "
              + abi
              + " of its functions, and this package needs"
              + " version "
              + ABI
              + ": set the system property dolmen.library to a newer library");
    }
    Native.register(CLibrary.class, library);
  }

  private CLibrary() {}

  private static native Pointer dolmen_version();

  private static native void dolmen_free(long buffer);

  private static native int dolmen_open_directory(
      byte[] directory, byte[] options, long database, long buffer);

  private static native void dolmen_close(long database);

  private static native int dolmen_fork(long database, byte[] directory, long fork, long buffer);

  private static native int dolmen_reset(long database, long buffer);

  private static native int dolmen_execute(
      long database, byte[] operation, byte[] request, long size, long buffer);

  private static native int dolmen_load_seed(long database, byte[] json, long size, long buffer);

  private static native int dolmen_expire(long database, long buffer);

  private static native int dolmen_wait(long database, long buffer);

  private static native int dolmen_clock(long database, long milliseconds, long buffer);

  private static native int dolmen_set_clock(long database, long milliseconds, long buffer);

  private static native int dolmen_backup(long database, byte[] directory, long buffer);

  private static native int dolmen_restore(
      byte[] backup, byte[] directory, byte[] encryptionKey, long buffer);

  private static native int dolmen_simulate(long database, byte[] json, long size, long buffer);

  private static native int dolmen_trace(long database, long buffer);

  private static native int dolmen_subscribe(
      long database,
      byte[] table,
      byte[] name,
      Handler handler,
      long context,
      long subscription,
      long buffer);

  private static native void dolmen_unsubscribe(long subscription);

  static String version() {
    return dolmen_version().getString(0, "UTF-8");
  }

  /** A null path means memory, as in fork. */
  static Out open(byte[] path, byte[] options) {
    Results results = Results.ofThread();
    return results.out(
        dolmen_open_directory(path, Arguments.terminated(options), results.value, results.buffer));
  }

  static void close(long database) {
    dolmen_close(database);
  }

  static Out fork(long database, byte[] path) {
    Results results = Results.ofThread();
    return results.out(dolmen_fork(database, path, results.value, results.buffer));
  }

  static Response reset(long database) {
    Results results = Results.ofThread();
    return results.response(dolmen_reset(database, results.buffer));
  }

  static Response execute(long database, String operation, byte[] request) {
    Results results = Results.ofThread();
    return results.response(
        dolmen_execute(database, Arguments.text(operation), request, request.length, results.buffer));
  }

  static Response loadSeed(long database, byte[] json) {
    Results results = Results.ofThread();
    return results.response(dolmen_load_seed(database, json, json.length, results.buffer));
  }

  static Response expire(long database) {
    Results results = Results.ofThread();
    return results.response(dolmen_expire(database, results.buffer));
  }

  static Response awaitIndexes(long database) {
    Results results = Results.ofThread();
    return results.response(dolmen_wait(database, results.buffer));
  }

  static Out clock(long database) {
    Results results = Results.ofThread();
    return results.out(dolmen_clock(database, results.value, results.buffer));
  }

  static Response setClock(long database, long milliseconds) {
    Results results = Results.ofThread();
    return results.response(dolmen_set_clock(database, milliseconds, results.buffer));
  }

  static Response backup(long database, byte[] path) {
    Results results = Results.ofThread();
    return results.response(dolmen_backup(database, path, results.buffer));
  }

  static Response restore(byte[] backup, byte[] path, String encryptionKey) {
    Results results = Results.ofThread();
    return results.response(dolmen_restore(backup, path, Arguments.text(encryptionKey), results.buffer));
  }

  static Response simulate(long database, byte[] json) {
    Results results = Results.ofThread();
    return results.response(dolmen_simulate(database, json, json.length, results.buffer));
  }

  static Response trace(long database) {
    Results results = Results.ofThread();
    return results.response(dolmen_trace(database, results.buffer));
  }

  static Out subscribe(long database, String table, String name, Handler handler) {
    // The thread of the library stays attached to the virtual machine, and does not keep it alive.
    Native.setCallbackThreadInitializer(
        handler, new CallbackThreadInitializer(true, false, "dolmen subscription " + name));
    Results results = Results.ofThread();
    return results.out(
        dolmen_subscribe(
            database, Arguments.text(table), Arguments.text(name), handler, 0, results.value, results.buffer));
  }

  static void unsubscribe(long subscription) {
    dolmen_unsubscribe(subscription);
  }

  /** The places where the functions write their results. Each thread has its own. */
  private static final class Results {
    private static final ThreadLocal<Results> OF_THREAD = ThreadLocal.withInitial(Results::new);

    // The data and the size of a dolmen_buffer, and an object or a number.
    private final Memory memory = new Memory(24);
    final long buffer = Pointer.nativeValue(memory);
    final long value = buffer + 16;

    static Results ofThread() {
      return OF_THREAD.get();
    }

    Out out(int status) {
      Response response = response(status);
      return new Out(response.isSuccess() ? memory.getLong(16) : 0, response);
    }

    /** Copies the response and frees it. */
    Response response(int status) {
      try {
        byte[] body = memory.getPointer(0).getByteArray(0, Math.toIntExact(memory.getLong(8)));
        return new Response(status, body);
      } finally {
        dolmen_free(buffer);
      }
    }
  }
}
