package dolmen.aws;

import dolmen.ClosedException;
import dolmen.Database;
import dolmen.Response;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.awscore.DefaultAwsResponseMetadata;
import software.amazon.awssdk.awscore.util.AwsHeader;
import software.amazon.awssdk.core.RequestOverrideConfiguration;
import software.amazon.awssdk.core.SdkPojo;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbServiceClientConfiguration;
import software.amazon.awssdk.services.dynamodb.model.BatchExecuteStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;
import software.amazon.awssdk.services.dynamodb.model.ExecuteStatementResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * The functions of a client that executes the operations on items without the SDK's HTTP and JSON.
 * An ordinary client of the SDK gets all other calls, requests that need its options, and failed
 * requests. The functions of an asynchronous client return futures.
 */
final class DirectClient implements InvocationHandler {
  // In TransactWriteItems and ExecuteTransaction the SDK adds a token to the request.
  private static final Map<String, Operation> OPERATIONS =
      Stream.of(
              BatchExecuteStatementResponse.builder().build(),
              BatchGetItemResponse.builder().build(),
              BatchWriteItemResponse.builder().build(),
              DeleteItemResponse.builder().build(),
              ExecuteStatementResponse.builder().build(),
              GetItemResponse.builder().build(),
              PutItemResponse.builder().build(),
              QueryResponse.builder().build(),
              ScanResponse.builder().build(),
              TransactGetItemsResponse.builder().build(),
              UpdateItemResponse.builder().build())
          .map(Operation::of)
          .collect(Collectors.toMap(Operation::method, Function.identity()));

  private final Database database;
  private final NextResponse next; // of the HTTP client of the ordinary client
  private final Object ordinary;
  private final Executor pool; // of an asynchronous client; otherwise null

  private DirectClient(Database database, NextResponse next, Object ordinary, Executor pool) {
    this.database = database;
    this.next = next;
    this.ordinary = ordinary;
    this.pool = pool;
  }

  /**
   * Returns a client that uses an ordinary one with this HTTP client. Returns the ordinary client
   * itself if its options concern all requests.
   */
  static DynamoDbClient of(Database database, DolmenHttpClient http, DynamoDbClient ordinary) {
    return of(
        DynamoDbClient.class,
        ordinary,
        ordinary.serviceClientConfiguration(),
        new DirectClient(database, http.next, ordinary, null));
  }

  /** Does the same for asynchronous clients. Their requests run in the pool of the HTTP client. */
  static DynamoDbAsyncClient of(
      Database database, DolmenAsyncHttpClient http, DynamoDbAsyncClient ordinary) {
    return of(
        DynamoDbAsyncClient.class,
        ordinary,
        ordinary.serviceClientConfiguration(),
        new DirectClient(database, http.next, ordinary, http.pool));
  }

  private static <C> C of(
      Class<C> type, C ordinary, DynamoDbServiceClientConfiguration options, DirectClient direct) {
    Class<?>[] types = {type};
    return needsSdk(options.overrideConfiguration())
        ? ordinary
        : type.cast(Proxy.newProxyInstance(type.getClassLoader(), types, direct));
  }

  /** An operation on items: its name, its function of a client, and a response without members. */
  private record Operation(String name, String method, DynamoDbResponse empty) {
    static Operation of(DynamoDbResponse empty) {
      String name = empty.getClass().getSimpleName().replaceFirst("Response$", "");
      return new Operation(name, Character.toLowerCase(name.charAt(0)) + name.substring(1), empty);
    }

    DynamoDbResponse read(Response response) {
      SdkHttpFullResponse head = Exchange.head(response);
      String id = head.firstMatchingHeader(Exchange.REQUEST_ID).orElseThrow();
      DynamoDbResponse.Builder builder = (DynamoDbResponse.Builder) empty.toBuilder();
      SdkReader.read(response.body(), (SdkPojo) builder);
      builder.responseMetadata(
          DefaultAwsResponseMetadata.create(Map.of(AwsHeader.AWS_REQUEST_ID, id)));
      builder.sdkHttpResponse(head);
      return builder.build();
    }
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    if (arguments != null && arguments[0] instanceof DynamoDbRequest request) {
      Operation operation = OPERATIONS.get(method.getName());
      if (operation != null && !needsSdk(request)) {
        return execute(operation, request, method);
      }
    }
    if (isConvenience(method)) {
      return InvocationHandler.invokeDefault(proxy, method, arguments);
    } else if (method.getName().equals("equals")) {
      return proxy == arguments[0];
    }
    return ordinary(method, arguments);
  }

  private Object execute(Operation operation, DynamoDbRequest request, Method method)
      throws Throwable {
    byte[] json;
    try {
      json = SdkWriter.write((SdkPojo) request);
    } catch (IOException e) {
      return ordinary(method, request);
    }
    if (pool == null) {
      return answer(operation, json, method, request);
    }
    try {
      return CompletableFuture.supplyAsync(() -> later(operation, json, method, request), pool)
          .thenCompose(answer -> answer);
    } catch (RejectedExecutionException e) { // the client is closed
      return ordinary(method, request);
    }
  }

  private CompletableFuture<?> later(
      Operation operation, byte[] json, Method method, DynamoDbRequest request) {
    try {
      Object answer = answer(operation, json, method, request);
      return answer instanceof CompletableFuture<?> future
          ? future
          : CompletableFuture.completedFuture(answer);
    } catch (ClosedException e) {
      return CompletableFuture.failedFuture(SdkClientException.create(e.getMessage(), e));
    } catch (Throwable e) { // errors, too
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Returns a response, or the result of the ordinary client after a failure. */
  private Object answer(Operation operation, byte[] json, Method method, DynamoDbRequest request)
      throws Throwable {
    Response response = database.respond(operation.name(), json);
    if (response.isSuccess()) {
      return operation.read(response);
    }
    try { // The SDK throws the exception of this response, or tries again.
      next.set(response);
      return ordinary(method, request);
    } finally {
      next.take();
    }
  }

  private Object ordinary(Method method, Object... arguments) throws Throwable {
    try {
      return method.invoke(ordinary, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** Returns true for paginators and functions with a Consumer, which call the operations. */
  private static boolean isConvenience(Method method) {
    return method.isDefault()
        && method.getParameterCount() == 1
        && !(DynamoDbRequest.class.isAssignableFrom(method.getParameterTypes()[0])
            && (DynamoDbResponse.class.isAssignableFrom(method.getReturnType())
                || method.getReturnType() == CompletableFuture.class));
  }

  /** The interceptors that the SDK itself adds concern only HTTP. */
  private static boolean needsSdk(ClientOverrideConfiguration options) {
    return !options.metricPublishers().isEmpty()
        || options.apiCallTimeout().isPresent()
        || options.apiCallAttemptTimeout().isPresent()
        || !options.executionInterceptors().stream()
            .allMatch(one -> one.getClass().getName().startsWith("software.amazon.awssdk."));
  }

  private static boolean needsSdk(DynamoDbRequest request) {
    return Thread.currentThread().isInterrupted() // the SDK throws its AbortedException
        || request.overrideConfiguration().filter(DirectClient::needsSdk).isPresent();
  }

  private static boolean needsSdk(RequestOverrideConfiguration options) {
    return !options.metricPublishers().isEmpty()
        || !options.plugins().isEmpty()
        || options.apiCallTimeout().isPresent()
        || options.apiCallAttemptTimeout().isPresent();
  }
}
