package sdk;

import java.net.URI;
import software.amazon.awssdk.auth.credentials.EnvironmentVariableCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsSyncClientBuilder;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/** The tested server. */
final class Peer {
  static final boolean IS_IN_PROCESS = false;

  private Peer() {}

  /** Returns a client that sends its requests to the server. */
  static DynamoDbClient client(DynamoDbClientBuilder builder) {
    return attach(builder).build();
  }

  /** Lets the clients of the builder send their requests to the server. */
  static <B extends AwsSyncClientBuilder<B, C> & AwsClientBuilder<B, C>, C> B attach(B builder) {
    return builder
        .endpointOverride(URI.create(System.getenv("DOLMEN_ENDPOINT")))
        .region(Region.of(System.getenv("AWS_REGION")))
        .credentialsProvider(EnvironmentVariableCredentialsProvider.create())
        .httpClientBuilder(UrlConnectionHttpClient.builder());
  }
}
