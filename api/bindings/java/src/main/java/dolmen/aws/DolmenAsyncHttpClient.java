package dolmen.aws;

import dolmen.Database;
import dolmen.Response;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;

/**
 * Executes the requests of asynchronous clients of the AWS SDK for Java v2 in a database, without a
 * network. It serves clients of DynamoDB and of DynamoDB Streams. Signatures are not checked.
 * Requests run in a pool of threads and never block the caller. A request that finds no idle thread
 * waits in a queue.
 */
public final class DolmenAsyncHttpClient implements SdkAsyncHttpClient {
  private static final int IDLE_SECONDS = 10; // after which a thread of the pool ends

  private final Database database;
  final ExecutorService pool;
  final NextResponse next = new NextResponse();

  /** Creates a client with a pool of 16 threads. close() does not close the database. */
  public DolmenAsyncHttpClient(Database database) {
    this(database, 16);
  }

  /**
   * Creates a client with a pool of at most so many threads. close() does not close the database.
   */
  public DolmenAsyncHttpClient(Database database, int threads) {
    this.database = Objects.requireNonNull(database);
    this.pool = newPool(threads);
  }

  private static ExecutorService newPool(int threads) {
    AtomicInteger number = new AtomicInteger();
    var queue = new LinkedBlockingQueue<Runnable>();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            queue,
            task -> {
              Thread thread = new Thread(task, "dolmen-" + number.incrementAndGet());
              thread.setDaemon(true); // it does not keep the virtual machine alive
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  @Override
  public CompletableFuture<Void> execute(AsyncExecuteRequest request) {
    Response given = next.take();
    return read(request.requestContentPublisher())
        .thenAcceptAsync(body -> respond(request, body, given), pool)
        .whenComplete(
            (nothing, error) -> {
              if (error != null) {
                request.responseHandler().onError(error);
              }
            });
  }

  private void respond(AsyncExecuteRequest request, byte[] body, Response given) {
    Response response = given != null ? given : Exchange.execute(database, request.request(), body);
    request.responseHandler().onHeaders(Exchange.head(response));
    request.responseHandler().onStream(AsyncRequestBody.fromBytesUnsafe(response.body()));
  }

  /** Reads all bytes of the publisher, which can publish them in any thread. */
  private static CompletableFuture<byte[]> read(Publisher<ByteBuffer> content) {
    CompletableFuture<byte[]> found = new CompletableFuture<>();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    content.subscribe(
        new Subscriber<>() {
          @Override
          public void onSubscribe(Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
          }

          @Override
          public void onNext(ByteBuffer part) {
            byte[] copied = new byte[part.remaining()];
            part.get(copied);
            bytes.writeBytes(copied);
          }

          @Override
          public void onError(Throwable error) {
            found.completeExceptionally(error);
          }

          @Override
          public void onComplete() {
            found.complete(bytes.toByteArray());
          }
        });
    return found;
  }

  @Override
  public String clientName() {
    return "Dolmen";
  }

  /** Ends the threads after the requests that have begun. */
  @Override
  public void close() {
    pool.shutdown();
  }
}
