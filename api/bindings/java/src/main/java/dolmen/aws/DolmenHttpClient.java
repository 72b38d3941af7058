package dolmen.aws;

import dolmen.Database;
import dolmen.Response;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;

/**
 * Executes the requests of the AWS SDK for Java v2 in a database, without a network. It serves
 * clients of DynamoDB and of DynamoDB Streams. Signatures are not checked. A request runs in the
 * calling thread. The SDK does not retry the {@link dolmen.ClosedException} of a closed database.
 */
public final class DolmenHttpClient implements SdkHttpClient {
  private final Database database;
  final NextResponse next = new NextResponse();

  /** Creates a client of the database. close() does not close the database. */
  public DolmenHttpClient(Database database) {
    this.database = Objects.requireNonNull(database);
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    return new ExecutableHttpRequest() {
      @Override
      public HttpExecuteResponse call() throws IOException {
        return execute(request);
      }

      @Override
      public void abort() {
        // The database finishes a request that it has begun.
      }
    };
  }

  private HttpExecuteResponse execute(HttpExecuteRequest request) throws IOException {
    byte[] body = bodyOf(request.contentStreamProvider().orElse(null));
    Response response = next.take();
    if (response == null) {
      response = Exchange.execute(database, request.httpRequest(), body);
    }
    return HttpExecuteResponse.builder()
        .response(Exchange.head(response))
        .responseBody(AbortableInputStream.create(new ByteArrayInputStream(response.body())))
        .build();
  }

  private static byte[] bodyOf(ContentStreamProvider content) throws IOException {
    if (content == null) {
      return new byte[0];
    }
    try (InputStream stream = content.newStream()) {
      return stream.readAllBytes();
    }
  }

  @Override
  public String clientName() {
    return "Dolmen";
  }

  @Override
  public void close() {
    // The program closes the database.
  }
}
