package dolmen.aws;

import dolmen.Database;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsAsyncClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsSyncClientBuilder;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Creates clients of the AWS SDK for Java v2 whose requests a database executes in this process.
 * The clients need no region and no credentials, and their requests are not signed. All other parts
 * of the SDK, such as retries and exceptions, work as over HTTP.
 */
public final class DolmenClients {
  private DolmenClients() {}

  /** Returns a client of the database. */
  public static DynamoDbClient client(Database database) {
    return attach(database, DynamoDbClient.builder()).build();
  }

  /** Returns an asynchronous client of the database. Its close() ends its threads. */
  public static DynamoDbAsyncClient asyncClient(Database database) {
    return attach(database, DynamoDbAsyncClient.builder()).build();
  }

  /**
   * Sets the HTTP client, the region and the credentials of a builder, for example of {@code
   * DynamoDbStreamsClient.builder()}. Returns the builder.
   */
  public static <B extends AwsSyncClientBuilder<B, C> & AwsClientBuilder<B, C>, C> B attach(
      Database database, B builder) {
    return common(database, builder).httpClient(new DolmenHttpClient(database));
  }

  /** Does the same with a builder of asynchronous clients. The client ends the threads. */
  public static <B extends AwsAsyncClientBuilder<B, C> & AwsClientBuilder<B, C>, C> B attach(
      Database database, B builder) {
    // The client that is built closes an HTTP client only if it has created it by a builder.
    return common(database, builder)
        .httpClientBuilder(options -> new DolmenAsyncHttpClient(database));
  }

  private static <B extends AwsClientBuilder<B, C>, C> B common(Database database, B builder) {
    return builder
        .region(Region.of(database.region()))
        .credentialsProvider(AnonymousCredentialsProvider.create());
  }
}
