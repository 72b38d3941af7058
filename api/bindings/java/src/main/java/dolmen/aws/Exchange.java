package dolmen.aws;

import dolmen.Database;
import dolmen.Response;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;

/** Translates between the SDK's HTTP and a database. */
final class Exchange {
  static final String REQUEST_ID = "x-amzn-RequestId";

  private static final String PROCESS = randomText();
  private static final AtomicLong REQUESTS = new AtomicLong();

  private Exchange() {}

  /** Executes the operation that the request's headers name. */
  static Response execute(Database database, SdkHttpRequest request, byte[] body) {
    String target =
        request
            .firstMatchingHeader("X-Amz-Target")
            .orElseThrow(
                () -> new IllegalArgumentException("the request has no header X-Amz-Target"));
    return database.respond(target.substring(target.lastIndexOf('.') + 1), body);
  }

  /** Returns the status and the headers that DynamoDB sends. */
  static SdkHttpFullResponse head(Response response) {
    CRC32 checksum = new CRC32();
    checksum.update(response.body());
    return SdkHttpResponse.builder()
        .statusCode(response.status())
        .putHeader("Content-Type", "application/x-amz-json-1.0")
        .putHeader("Content-Length", Integer.toString(response.body().length))
        .putHeader("x-amz-crc32", Long.toString(checksum.getValue()))
        .putHeader(REQUEST_ID, requestId())
        .build();
  }

  /** Returns a text that no other response has. */
  private static String requestId() {
    return PROCESS + HexFormat.of().withUpperCase().toHexDigits(REQUESTS.incrementAndGet(), 12);
  }

  private static String randomText() {
    byte[] random = new byte[20];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().withUpperCase().formatHex(random);
  }
}
