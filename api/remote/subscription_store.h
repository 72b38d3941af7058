// The state of subscriptions to remote tables: items of a table on the same service.
//
// The items of one subscription have the partition key TABLE/NAME. The item with the sort key "lease"
// says which process delivers. The items with sort keys "shard/START/STREAM/SHARD" are the positions.
// START is new for each new start or Seek, so that a start with many shards takes effect at once, when
// the lease names it.

#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "dolmen/result.h"
#include "remote/remote_table.h"
#include "remote/service.h"
#include "remote/shard_tracker.h"
#include "remote/tables.h"

namespace dolmen::remote {

// The item that says which process delivers the records of a subscription.
struct LeaseItem {
  std::string owner = {};   // a UUID of the subscription; empty: it has ended
  std::int64_t epoch = 0;   // greater for each new owner
  std::int64_t beat = 0;    // greater for each renewal
  std::int64_t millis = 0;  // the time after which a lease without a renewal has expired
  std::string start = {};   // START of the valid positions; empty: there are none
  std::string table = {};   // TableIdentity::id of the table with the stream

  friend bool operator==(const LeaseItem&, const LeaseItem&) = default;
};

// The stored state of one subscription. Thread-safe.
class SubscriptionStore {
 public:
  // Opens the table with the state. Creates the table, with a wait, if `creates` is true.
  // - kResourceNotFound: the table does not exist, and `creates` is false.
  // - kValidation: the table has other keys than the texts PK and SK.
  static Result<std::shared_ptr<RemoteTable>> OpenTable(Tables& tables, const std::string& name,
                                                        bool creates);

  // `state` is the table with the state. Borrows the service.
  SubscriptionStore(const Service& service, std::shared_ptr<const RemoteTable> state,
                    const std::string& table, const std::string& name)
      : service_(service), state_(std::move(state)), partition_(table + "/" + name) {}

  Result<std::optional<LeaseItem>> ReadLease() const;
  // Writes the lease if the stored one is still `before`. The renewals of the same owner do not count as
  // a difference, so a write may be sent again after a lost response.
  // - kConditionalCheckFailed: another process has changed the lease.
  Status WriteLease(const LeaseItem& lease, const std::optional<LeaseItem>& before) const;

  Result<std::map<ShardName, ShardPosition>> ReadPositions(const std::string& start) const;
  // Writes the position of a shard.
  // - kConditionalCheckFailed: an owner with a greater epoch has written it.
  Status WritePosition(const LeaseItem& lease, const ShardName& shard,
                       const ShardPosition& position) const;
  // Deletes the position of a shard. Errors: those of WritePosition.
  Status DeletePosition(const LeaseItem& lease, const ShardName& shard) const;
  // Deletes the positions of all starts but `lease.start`. Errors: those of WritePosition.
  Status DeleteOtherStarts(const LeaseItem& lease) const;
  // Deletes the stored lease if it equals `lease`.
  // - kConditionalCheckFailed: another process has changed the lease.
  Status DeleteLease(const LeaseItem& lease) const;

 private:
  Item Key(std::string sort) const;
  Status Delete(const LeaseItem& lease, Item key) const;
  Item PositionKey(const std::string& start, const ShardName& shard) const;

  const Service& service_;
  const std::shared_ptr<const RemoteTable> state_;
  const std::string partition_;
};

}  // namespace dolmen::remote
