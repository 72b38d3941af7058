package bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** Executes operations by a server. */
final class Loader {
  private final URI endpoint;
  private final HttpClient http = HttpClient.newHttpClient();

  Loader(URI endpoint) {
    this.endpoint = endpoint;
  }

  void execute(String operation, String request) {
    HttpRequest post =
        HttpRequest.newBuilder(endpoint)
            .header("Content-Type", "application/x-amz-json-1.0")
            .header("X-Amz-Target", "DynamoDB_20120810." + operation)
            .header("X-Amz-Date", "20240401T090000Z")
            .header(
                "Authorization",
                "AWS4-HMAC-SHA256 Credential=local/20240401/us-east-1/dynamodb/aws4_request, "
                    + "SignedHeaders=host;x-amz-date, Signature="
                    + "0123456789abcdef".repeat(4))
            .POST(HttpRequest.BodyPublishers.ofString(request))
            .build();
    try {
      var response = http.send(post, BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw new IllegalStateException(response.body());
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
