// The bookkeeping of a subscription: the shards of a table's streams, and how far each of them has been
// read and delivered. It sends no requests.

#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/clock.h"
#include "dolmen/result.h"
#include "dolmen/streams.h"
#include "dolmen/subscription.h"

namespace dolmen::remote {

// The name of a shard. Names sort by the age of their streams: the ARNs of the streams of one table
// differ only in the time at which the stream was enabled.
struct ShardName {
  std::string stream_arn = {};
  std::string shard_id = {};

  friend auto operator<=>(const ShardName&, const ShardName&) = default;
};

// A position in one shard, in the form that is stored.
struct ShardPosition {
  enum class Kind : std::uint8_t {
    kOldest,    // the oldest retained record
    kAt,        // the record with the sequence number `text`
    kAfter,     // the record after the one with the sequence number `text`
    kIterator,  // the service's iterator `text`, which it made after `read_at`
    kEnd,       // all records of the shard are delivered
  };
  Kind kind = Kind::kOldest;
  std::string text = {};
  Timestamp since = {};  // for kOldest, the time before which records are skipped
  // For kOldest and kIterator, a time at which the service returned no record that was left to deliver.
  // 0: not known.
  Timestamp read_at = {};

  friend bool operator==(const ShardPosition&, const ShardPosition&) = default;
};

// A page of records of one shard.
struct ShardPage {
  ShardName shard = {};
  std::vector<StreamRecord> records = {};
  std::string next_iterator = {};  // empty: the shard ends with this page
  Timestamp fetched_at = {};       // a time before the service has made next_iterator
  bool was_empty = false;          // the service has returned no record
};

// Returns true if the number `a` is less than `b`. Both are decimal digits, of any length.
bool IsLessNumber(std::string_view a, std::string_view b);

// Pages are fetched ahead of their delivery. So a shard has two positions: the iterator of the next page
// to fetch, and the position after the last delivered record. Not thread-safe.
class ShardTracker {
 public:
  ShardTracker() = default;
  // Continues at stored positions. REQUIRES: Update is called before Readable.
  explicit ShardTracker(const std::map<ShardName, ShardPosition>& stored);

  // Begins at a position in the streams. All positions are unstored. A shard that begins at kLatest has
  // an iterator with an empty text, which the caller replaces.
  // - kValidation: the sequence number is missing, malformed or superfluous.
  // - kTrimmedDataAccess: no shard has the sequence number any more.
  static Result<ShardTracker> Begin(const std::vector<StreamDescription>& streams,
                                    const StreamPosition& start);

  // Takes the present shards of all streams of the table. A new shard is read from its first record.
  // Returns the shards that were forgotten, because they are delivered and no longer listed.
  // - kTrimmedDataAccess: a new shard follows one that was never delivered and is no longer listed.
  Result<std::vector<ShardName>> Update(const std::vector<StreamDescription>& streams);

  // Returns the shards whose next page can be fetched: their parents and all earlier streams are fetched
  // to their ends. REQUIRES: not has_new_end().
  std::vector<ShardName> Readable() const;
  // Returns true if a shard was fetched to its end since the last Update. Its children may be unknown.
  bool has_new_end() const { return has_new_end_; }
  // Returns true if no shard is known in which the next records will be. The service will list it.
  bool AwaitsShards() const;

  // Returns the names of all shards.
  std::vector<ShardName> Names() const;
  const ShardPosition& position(const ShardName& name) const { return shards_.at(name).position; }
  // Returns the iterator of the next page to fetch. Empty: a new one at the position is needed.
  const std::string& iterator(const ShardName& name) const { return shards_.at(name).iterator; }
  // Returns the least sequence number of the shard, by the last Update.
  const std::string& first_number(const ShardName& name) const {
    return shards_.at(name).first_number;
  }

  // Replaces the position of a shard of which no record was delivered.
  void SetPosition(const ShardName& name, ShardPosition position);
  // Notes that the page was fetched.
  void AddFetched(const ShardPage& page);
  // Notes that a record was delivered, and then, after all records of a page, that the page was.
  void AddDelivered(const ShardName& name, const std::string& sequence_number);
  void AddDelivered(const ShardPage& page);
  // Forgets the fetched pages that were not delivered.
  void Rewind();

  // Returns the shards whose positions have changed since SetStored. A moved iterator or a new read_at
  // counts only if `with_iterators` is true, because a process may lose it without harm: an older
  // iterator returns the same records again.
  std::vector<ShardName> Unstored(bool with_iterators) const;
  void SetStored(const ShardName& name);

 private:
  enum class Change : std::uint8_t { kNone, kIterator, kPosition };
  struct Tracked {
    std::string parent_id = {};
    std::string first_number = {};
    ShardPosition position = {};
    std::string iterator = {};
    bool fetched_to_end = false;
    Change unstored = Change::kNone;
  };

  // Notes the parents and the first numbers of the listed shards.
  void SetListed(const std::vector<StreamDescription>& streams);

  std::map<ShardName, Tracked> shards_;
  std::map<std::string, StreamStatus> streams_;  // by ARN
  bool has_new_end_ = false;
};

}  // namespace dolmen::remote
