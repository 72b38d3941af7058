package sdk;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Assumptions;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** Clients of the tested endpoint. */
final class Endpoint {
  private Endpoint() {}

  /** An interceptor that records the last response before the SDK reads it. */
  static final class Wire implements ExecutionInterceptor {
    SdkHttpResponse response;
    byte[] body;

    @Override
    public Optional<InputStream> modifyHttpResponseContent(
        Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
      response = context.httpResponse();
      try (InputStream content = context.responseBody().orElseThrow()) {
        body = content.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return Optional.of(new ByteArrayInputStream(body));
    }

    String header(String name) {
      return response.firstMatchingHeader(name).orElse(null);
    }
  }

  static DynamoDbClient client() {
    return client(options -> {});
  }

  static DynamoDbClient client(Consumer<ClientOverrideConfiguration.Builder> options) {
    return Peer.client(common(DynamoDbClient.builder(), options));
  }

  static DynamoDbStreamsClient streams() {
    return Peer.attach(common(DynamoDbStreamsClient.builder(), options -> {})).build();
  }

  /** Configures a client that makes one attempt, so that a retry cannot hide a failure. */
  private static <B extends AwsClientBuilder<B, C>, C> B common(
      B builder, Consumer<ClientOverrideConfiguration.Builder> options) {
    return builder.overrideConfiguration(
        configuration -> {
          configuration.retryStrategy(retry -> retry.maxAttempts(1));
          options.accept(configuration);
        });
  }

  /** Skips a test of HTTP in a run in process. */
  static void needsHttp(String reason) {
    Assumptions.assumeFalse(Peer.IS_IN_PROCESS, "in process: " + reason);
  }
}
