package dolmen.aws;

import dolmen.Database;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsAsyncClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsSyncClientBuilder;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/**
 * Creates clients of the AWS SDK for Java v2 whose requests a database executes in this process.
 * The clients need no region and no credentials, and their requests are not signed. All other parts
 * of the SDK, such as retries and exceptions, work as over HTTP.
 */
public final class DolmenClients {
  private DolmenClients() {}

  /** Returns a client of the database, as {@link #client(Database, DynamoDbClientBuilder)}. */
  public static DynamoDbClient client(Database database) {
    return client(database, DynamoDbClient.builder());
  }

  /**
   * Sets the HTTP client, the region and the credentials of the builder, and returns the fastest
   * client that has the builder's other options. README.md tells what this client leaves out.
   */
  public static DynamoDbClient client(Database database, DynamoDbClientBuilder builder) {
    DolmenHttpClient http = new DolmenHttpClient(database);
    return DirectClient.of(database, http, common(database, builder).httpClient(http).build());
  }

  /** Returns an asynchronous client of the database. Its close() ends its threads. */
  public static DynamoDbAsyncClient asyncClient(Database database) {
    return asyncClient(database, DynamoDbAsyncClient.builder());
  }

  /** Does the same as {@link #client(Database, DynamoDbClientBuilder)} for asynchronous clients. */
  public static DynamoDbAsyncClient asyncClient(
      Database database, DynamoDbAsyncClientBuilder builder) {
    DolmenAsyncHttpClient http = new DolmenAsyncHttpClient(database);
    return DirectClient.of(
        database, http, common(database, builder).httpClientBuilder(options -> http).build());
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
