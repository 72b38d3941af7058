// Throttling by provisioned capacity: one token bucket for each table, index and partition.

#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "database/simulate/call.h"
#include "dolmen/clock.h"
#include "dolmen/result.h"
#include "dolmen/testing/simulate.h"

namespace dolmen::database {

// The items of a call that exceed a limit.
struct ThrottledItems {
  std::vector<std::size_t> items = {};         // positions in Call::items
  std::vector<ThrottlingReason> reasons = {};  // each once
};

// The token buckets of a simulation. A token is a unit of capacity. A bucket fills at its rate, up to
// its size. A call is admitted while its buckets are not empty, and takes its units when it has
// succeeded. A bucket may then hold less than 0 tokens, and admits the next call when it is above 0
// again. Not thread-safe.
class TokenBuckets {
 public:
  explicit TokenBuckets(const SimulateOptions& options);

  // Returns true if any table, index or partition is limited.
  bool limits_calls() const { return limits_calls_; }

  // Returns the items of the call whose buckets are empty.
  ThrottledItems FindThrottled(const Call& call, Timestamp now);

  // Takes the units that the call consumed. The items of a table that are not in `unprocessed` share the
  // units of the table equally. `consumed` has the parts for indexes (ReturnConsumedCapacity::kIndexes).
  void Take(const Call& call, const std::set<std::size_t>& unprocessed,
            const std::vector<ConsumedCapacity>& consumed, Timestamp now);

 private:
  struct Bucket {
    double tokens;
    double rate;  // tokens per second
    double size;
    Timestamp filled;
  };
  // Reads or writes, the table, the index, the partition key. A bucket of a whole table or index has
  // an empty key and is not in the map `partitions_`.
  using Name = std::tuple<bool, std::string, std::string, std::string>;
  using Buckets = std::map<Name, Bucket>;

  // Returns the bucket, filled up to `now`. Null if it is not limited.
  Bucket* WholeBucket(bool is_read, const std::string& table, const std::string& index,
                      Timestamp now);
  Bucket* PartitionBucket(bool is_read, const std::string& table, const std::string& index,
                          const std::string& key, Timestamp now);
  // Returns the reason for throttling an item; nothing if its buckets are not empty.
  std::optional<ThrottlingReason> FindReason(const Call& call, const CallItem& item, Timestamp now);
  void TakeWhole(bool is_read, const ConsumedCapacity& consumed, Timestamp now);

  const std::vector<SimulatedThroughput> throughput_;
  const double partition_read_units_;
  const double partition_write_units_;
  const bool limits_calls_;
  Buckets wholes_;
  Buckets partitions_;
};

}  // namespace dolmen::database
