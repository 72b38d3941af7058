package shards;

import com.amazonaws.services.dynamodbv2.streamsadapter.AmazonDynamoDBStreamsAdapterClient;
import com.amazonaws.services.dynamodbv2.streamsadapter.StreamsSchedulerFactory;
import com.amazonaws.services.dynamodbv2.streamsadapter.polling.DynamoDBStreamsPollingConfig;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import software.amazon.kinesis.common.ConfigsBuilder;
import software.amazon.kinesis.common.InitialPositionInStream;
import software.amazon.kinesis.common.InitialPositionInStreamExtended;
import software.amazon.kinesis.coordinator.CoordinatorConfig;
import software.amazon.kinesis.coordinator.Scheduler;
import software.amazon.kinesis.leases.LeaseManagementConfig;
import software.amazon.kinesis.metrics.MetricsConfig;
import software.amazon.kinesis.metrics.MetricsLevel;
import software.amazon.kinesis.metrics.NullMetricsFactory;
import software.amazon.kinesis.processor.StreamTracker;
import software.amazon.kinesis.retrieval.RetrievalConfig;

/** A worker of the Kinesis Client Library that reads a stream from its beginning. */
final class Worker implements AutoCloseable {
  /** The name of the application, which is also the name of its lease table. */
  static final String APPLICATION = "reader";

  /** The owner of the leases. After a restart, the same owner resumes without waiting for failover. */
  private static final String IDENTIFIER = "worker";

  private final Received received = new Received();
  private final ChildShards childShards = new ChildShards();
  private final Scheduler scheduler;

  Worker(Server server, String streamArn) {
    AmazonDynamoDBStreamsAdapterClient adapter =
        new AmazonDynamoDBStreamsAdapterClient(server.streamsClient(childShards), Server.REGION);
    StreamTracker tracker =
        StreamsSchedulerFactory.createSingleStreamTracker(
            streamArn,
            InitialPositionInStreamExtended.newInitialPosition(
                InitialPositionInStream.TRIM_HORIZON));
    ConfigsBuilder configs =
        new ConfigsBuilder(
            tracker,
            APPLICATION,
            adapter,
            server.asyncClient(),
            server.cloudWatchClient(),
            IDENTIFIER,
            received);
    scheduler =
        StreamsSchedulerFactory.createScheduler(
            configs.checkpointConfig(),
            coordinatorConfig(configs),
            leaseManagementConfig(configs),
            configs.lifecycleConfig(),
            metricsConfig(configs),
            configs.processorConfig(),
            retrievalConfig(configs, tracker, adapter),
            adapter);
    Thread thread = new Thread(scheduler, "worker");
    thread.setDaemon(true);
    thread.start();
  }

  private static CoordinatorConfig coordinatorConfig(ConfigsBuilder configs) {
    return configs
        .coordinatorConfig()
        .skipShardSyncAtWorkerInitializationIfLeasesExist(true)
        .parentShardPollIntervalMillis(50)
        .shardConsumerDispatchPollIntervalMillis(50);
  }

  /** Leases are assigned at once, and last so long that a slow machine does not lose them. */
  private static LeaseManagementConfig leaseManagementConfig(ConfigsBuilder configs) {
    LeaseManagementConfig config =
        configs
            .leaseManagementConfig()
            .failoverTimeMillis(60_000)
            .leaseAssignmentIntervalMillis(200L);
    config.workerUtilizationAwareAssignmentConfig().disableWorkerMetrics(true);
    config.workerUtilizationAwareAssignmentConfig().inMemoryWorkerMetricsCaptureFrequencyMillis(50);
    return config;
  }

  private static MetricsConfig metricsConfig(ConfigsBuilder configs) {
    return configs
        .metricsConfig()
        .metricsLevel(MetricsLevel.NONE)
        .metricsFactory(new NullMetricsFactory());
  }

  private static RetrievalConfig retrievalConfig(
      ConfigsBuilder configs, StreamTracker tracker, AmazonDynamoDBStreamsAdapterClient adapter) {
    String stream = tracker.streamConfigList().get(0).streamIdentifier().streamName();
    return configs
        .retrievalConfig()
        .retrievalSpecificConfig(
            new DynamoDBStreamsPollingConfig(stream, adapter).idleTimeBetweenReadsInMillis(20));
  }

  Received received() {
    return received;
  }

  ChildShards childShards() {
    return childShards;
  }

  /** Stops the worker after its checkpoints. */
  void stop() {
    try {
      scheduler.startGracefulShutdown().get(Received.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Tells the worker to end, without waiting for its end. */
  @Override
  public void close() {
    scheduler.shutdown();
  }
}
