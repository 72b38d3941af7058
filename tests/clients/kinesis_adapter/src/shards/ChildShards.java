package shards;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.DescribeStreamRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeStreamResponse;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.ShardFilterType;

/** Records the requests with the filter CHILD_SHARDS: the IDs of the children by their parent. */
final class ChildShards implements ExecutionInterceptor {
  private final Map<String, List<String>> found = new ConcurrentHashMap<>();

  @Override
  public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
    if (context.request() instanceof DescribeStreamRequest request
        && request.shardFilter() != null
        && request.shardFilter().type() == ShardFilterType.CHILD_SHARDS) {
      DescribeStreamResponse response = (DescribeStreamResponse) context.response();
      found.put(
          request.shardFilter().shardId(),
          response.streamDescription().shards().stream().map(Shard::shardId).toList());
    }
  }

  Map<String, List<String>> found() {
    return Collections.unmodifiableMap(found);
  }
}
