// The operations of DynamoDB Streams, and the reader of a table's streams: it lists the shards and fetches
// their records.

#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/result.h"
#include "dolmen/streams.h"
#include "dolmen/subscription.h"
#include "remote/service.h"
#include "remote/shard_tracker.h"
#include "remote/tables.h"

namespace dolmen::remote {

// Contracts: the operations of Database of the same name.
Result<ListStreamsOutput> ListStreams(const Service& service, const ListStreamsInput& input);
Result<StreamDescription> DescribeStream(const Service& service, const DescribeStreamInput& input);
Result<std::string> GetShardIterator(const Service& service, const GetShardIteratorInput& input);
Result<GetRecordsOutput> GetRecords(const Service& service, const GetRecordsInput& input);

// Returns the streams of the table with all their shards, the oldest stream first. Streams of a deleted
// table with the same name are left out.
// - kResourceNotFound: the table does not exist, or is a later one with the same name.
Result<std::vector<StreamDescription>> DescribeStreams(const Service& service, Tables& tables,
                                                       const std::string& table,
                                                       const TableIdentity& identity);

// Fetches pages of all shards that can be read. Not thread-safe.
class ShardReader {
 public:
  // The pages that Fetch reads.
  enum class Extent : std::uint8_t {
    kOnePage,  // at most one page of each shard
    kToTip,    // all pages up to the newest records
  };

  // Borrows the service and the tables.
  ShardReader(const Service& service, Tables& tables, std::string table, TableIdentity identity)
      : service_(service),
        tables_(tables),
        table_(std::move(table)),
        identity_(std::move(identity)) {}

  // Returns the positions of a new start. Changes nothing.
  // - kValidation, kTrimmedDataAccess: the start is not a position in the streams, or no longer.
  // - kResourceNotFound: the table was deleted.
  Result<ShardTracker> FindStart(const StreamPosition& start) const;
  // Continues at the positions. Forgets the pages. A tracker from stored positions has no lists yet.
  void SetTracker(ShardTracker tracker, bool is_listed);

  // Appends pages to pages(). A page of a shard follows all pages before it and all pages of its parent.
  // Returns false if it has stopped at 16 MB, before the newest records. An error may follow after some
  // pages.
  // - kTrimmedDataAccess: records that were not delivered are no longer retained.
  // - kResourceNotFound: the table was deleted.
  Result<bool> Fetch(Extent extent);

  // Forgets the pages, so that Fetch begins after the last delivered records.
  void Rewind();

  std::deque<ShardPage>& pages() { return pages_; }
  ShardTracker& tracker() { return tracker_; }
  // Returns the shards whose positions are no longer needed, and forgets them.
  std::vector<ShardName> TakeForgotten() { return std::exchange(forgotten_, {}); }

 private:
  struct Progress {
    std::set<ShardName> at_tip;  // shards whose newest records are fetched
    std::size_t bytes = 0;
  };

  bool IsListingDue(Extent extent) const;
  Status List();
  Status FetchPages(const std::vector<ShardName>& shards, Extent extent, Progress* progress);
  // Reads one page with the kept iterator, or with a new one if that is empty or has expired.
  // - kExpiredIterator: the iterator is the position, so there is no other one.
  Result<GetRecordsOutput> ReadPage(const ShardName& shard) const;
  Result<GetRecordsOutput> ReadAt(const ShardName& shard, const std::string& iterator) const;
  Result<std::string> NewIterator(const ShardName& shard, const ShardPosition& position) const;
  // Returns the error for a shard that the service does not have.
  Status MissingShard(const ShardName& shard) const;

  const Service& service_;
  Tables& tables_;
  const std::string table_;
  const TableIdentity identity_;
  ShardTracker tracker_;
  std::deque<ShardPage> pages_;
  std::vector<ShardName> forgotten_;
  bool is_listed_ = false;
  std::chrono::steady_clock::time_point listed_at_ = {};
};

}  // namespace dolmen::remote
