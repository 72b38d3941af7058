package shards;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.cloudwatch.CloudWatchAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** The tested endpoint, with a database for one access key. */
record Server(String accessKey) {
  static final Region REGION = Region.of(System.getenv("AWS_REGION"));
  private static final String ENDPOINT = System.getenv("DOLMEN_ENDPOINT");
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  DynamoDbClient client() {
    return configure(DynamoDbClient.builder()).build();
  }

  DynamoDbAsyncClient asyncClient() {
    return configure(DynamoDbAsyncClient.builder()).build();
  }

  DynamoDbStreamsClient streamsClient(ChildShards childShards) {
    return configure(DynamoDbStreamsClient.builder())
        .overrideConfiguration(options -> options.addExecutionInterceptor(childShards))
        .build();
  }

  /** Returns a client that the library requires. Without metrics, it sends no requests. */
  CloudWatchAsyncClient cloudWatchClient() {
    return configure(CloudWatchAsyncClient.builder()).build();
  }

  private <B extends AwsClientBuilder<B, C>, C> B configure(B builder) {
    return builder
        .endpointOverride(URI.create(ENDPOINT))
        .region(REGION)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create(accessKey, "secret")));
  }

  /** Divides all streams into up to four shards, which end after the lifetime. */
  void divideStreams(Duration shardLifetime) {
    control(
        "simulate",
        "{\"StreamShards\": 4, \"ShardLifetimeMilliseconds\": " + shardLifetime.toMillis() + "}");
  }

  void advanceClock(Duration time) {
    control("clock?advance=" + time.toSeconds(), "");
  }

  private void control(String path, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(ENDPOINT + "/_dolmen/" + path))
            .header("X-Dolmen-Access-Key", accessKey)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    try {
      HttpResponse<String> answer = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new IllegalStateException(path + ": " + answer.body());
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(path, e);
    }
  }
}
