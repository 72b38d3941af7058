package shards;

import com.amazonaws.services.dynamodbv2.streamsadapter.adapter.DynamoDBStreamsClientRecord;
import com.amazonaws.services.dynamodbv2.streamsadapter.model.DynamoDBStreamsProcessRecordsInput;
import com.amazonaws.services.dynamodbv2.streamsadapter.processor.DynamoDBStreamsShardRecordProcessor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.kinesis.exceptions.InvalidStateException;
import software.amazon.kinesis.exceptions.ShutdownException;
import software.amazon.kinesis.lifecycle.events.InitializationInput;
import software.amazon.kinesis.lifecycle.events.LeaseLostInput;
import software.amazon.kinesis.lifecycle.events.ShardEndedInput;
import software.amazon.kinesis.lifecycle.events.ShutdownRequestedInput;
import software.amazon.kinesis.processor.RecordProcessorCheckpointer;
import software.amazon.kinesis.processor.ShardRecordProcessor;
import software.amazon.kinesis.processor.ShardRecordProcessorFactory;

/** The records that a worker has processed. A record is added after its checkpoint is stored. */
final class Received implements ShardRecordProcessorFactory {
  /** Only a test that fails waits so long. */
  static final Duration PATIENCE = Duration.ofSeconds(120);

  record Change(String shard, Record record) {
    String key() {
      return record.dynamodb().keys().get("PK").s();
    }

    int version() {
      return Integer.parseInt(record.dynamodb().newImage().get("version").n());
    }

    String sequenceNumber() {
      return record.dynamodb().sequenceNumber();
    }
  }

  private final List<Change> changes = new ArrayList<>();

  private synchronized void add(String shard, List<DynamoDBStreamsClientRecord> records) {
    records.forEach(record -> changes.add(new Change(shard, record.getRecord())));
    notifyAll();
  }

  /** Waits until there are at least so many changes. Returns all changes in their order. */
  synchronized List<Change> await(int count) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (changes.size() < count && System.nanoTime() < end) {
      wait(Math.max(1, (end - System.nanoTime()) / 1_000_000));
    }
    return List.copyOf(changes);
  }

  @Override
  public ShardRecordProcessor shardRecordProcessor() {
    return new Processor();
  }

  /** Processes the records of one shard. */
  private final class Processor implements DynamoDBStreamsShardRecordProcessor {
    private String shard;

    @Override
    public void initialize(InitializationInput input) {
      shard = input.shardId();
    }

    @Override
    public void processRecords(DynamoDBStreamsProcessRecordsInput input) {
      if (input.records().isEmpty()) {
        return;
      }
      checkpoint(input.checkpointer());
      add(shard, input.records());
    }

    @Override
    public void leaseLost(LeaseLostInput input) {}

    @Override
    public void shardEnded(ShardEndedInput input) {
      checkpoint(input.checkpointer());
    }

    @Override
    public void shutdownRequested(ShutdownRequestedInput input) {
      checkpoint(input.checkpointer());
    }

    private void checkpoint(RecordProcessorCheckpointer checkpointer) {
      try {
        checkpointer.checkpoint();
      } catch (InvalidStateException | ShutdownException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
