#include "remote/subscription_store.h"

#include <utility>

#include "dolmen/condition_builder.h"
#include "dolmen/key_condition_builder.h"
#include "dolmen/projection_builder.h"
#include "engine/base/status_macros.h"
#include "remote/page_request.h"
#include "remote/write_item.h"

namespace dolmen::remote {
namespace {

using Kind = ShardPosition::Kind;

constexpr char kPartition[] = "PK";
constexpr char kSort[] = "SK";
constexpr char kLease[] = "lease";
constexpr std::string_view kShards = "shard/";

Status CheckKeys(const TableDescription& table) {
  const bool has_keys = table.partition_key.name == kPartition &&
                        table.partition_key.type == AttributeType::kS && table.sort_key &&
                        table.sort_key->name == kSort && table.sort_key->type == AttributeType::kS;
  if (has_keys) return {};
  return Status::Validation(
      "The table " + table.name +
      " cannot hold the positions of subscriptions: its keys are not the texts PK and SK. Choose "
      "another table with ConnectOptions::subscriptions_table.");
}

std::string Text(const ItemView& item, std::string_view name) {
  return std::string(item[name].AsString().value_or(""));
}

std::int64_t Integer(const ItemView& item, std::string_view name) {
  return item[name].AsInt64().value_or(0);
}

Timestamp Time(const ItemView& item, std::string_view name) {
  return Timestamp(std::chrono::milliseconds(Integer(item, name)));
}

std::int64_t Millis(Timestamp time) {
  return static_cast<std::int64_t>(time.time_since_epoch().count());
}

LeaseItem ReadLeaseItem(const ItemView& item) {
  return {.owner = Text(item, "owner"),
          .epoch = Integer(item, "epoch"),
          .beat = Integer(item, "beat"),
          .millis = Integer(item, "millis"),
          .start = Text(item, "start"),
          .table = Text(item, "table")};
}

// Returns the condition that the stored lease is `before`. The owner itself may have renewed it.
ConditionBuilder IsStill(const LeaseItem& before, const LeaseItem& next) {
  ConditionBuilder same = Attr("epoch") == before.epoch && Attr("owner") == before.owner;
  if (next.owner.empty() || next.owner == before.owner) return same;
  return same && Attr("beat") == before.beat;
}

// Returns the condition that no owner with a greater epoch has written the position.
ConditionBuilder IsNotNewer(const LeaseItem& lease) {
  return AttributeNotExists(kPartition) || Attr("epoch") <= lease.epoch;
}

Result<StoredItem> ReadOne(const Service& service, const RemoteTable& table, const Item& key) {
  std::optional<ConsumedCapacity> capacity;
  DOLMEN_ASSIGN_OR_RETURN(
      std::optional<StoredItem> item,
      ReadLatest(service, table.name(), key, ReturnConsumedCapacity::kNone, &capacity));
  return item ? *std::move(item) : StoredItem();
}

}  // namespace

Result<std::shared_ptr<RemoteTable>> SubscriptionStore::OpenTable(Tables& tables,
                                                                  const std::string& name,
                                                                  bool creates) {
  auto table = tables.Open(name);
  if (table.status().code() == StatusCode::kResourceNotFound && creates) {
    table = tables.Create({.name = name});
    if (table.status().code() == StatusCode::kResourceInUse) {
      // Another process creates the table.
      DOLMEN_RETURN_IF_ERROR(tables.WaitForNewTable(name));
      table = tables.Open(name);
    }
  }
  if (!table.ok()) return table.status();
  DOLMEN_RETURN_IF_ERROR(CheckKeys((*table)->definition()->table));
  return table;
}

Item SubscriptionStore::Key(std::string sort) const {
  return {{kPartition, partition_}, {kSort, std::move(sort)}};
}

Item SubscriptionStore::PositionKey(const std::string& start, const ShardName& shard) const {
  const std::string label = shard.stream_arn.substr(shard.stream_arn.rfind('/') + 1);
  return Key(std::string(kShards) + start + "/" + label + "/" + shard.shard_id);
}

Result<std::optional<LeaseItem>> SubscriptionStore::ReadLease() const {
  DOLMEN_ASSIGN_OR_RETURN(const StoredItem& item, ReadOne(service_, *state_, Key(kLease)));
  if (!item.view()[kSort].exists()) return std::optional<LeaseItem>();
  return std::optional(ReadLeaseItem(item.view()));
}

Status SubscriptionStore::WriteLease(const LeaseItem& lease,
                                     const std::optional<LeaseItem>& before) const {
  PutItemInput input{.item = Key(kLease)};
  input.item["owner"] = lease.owner;
  input.item["epoch"] = lease.epoch;
  input.item["beat"] = lease.beat;
  input.item["millis"] = lease.millis;
  input.item["start"] = lease.start;
  input.item["table"] = lease.table;
  input.condition = before ? IsStill(*before, lease) : AttributeNotExists(kPartition);
  return WriteOneItem(service_, *state_, input).status();
}

Result<std::map<ShardName, ShardPosition>> SubscriptionStore::ReadPositions(
    const std::string& start) const {
  std::map<ShardName, ShardPosition> positions;
  QueryInput input{
      .key_condition = Partition(partition_, BeginsWith(std::string(kShards) + start + "/")),
      .consistent_read = true};
  QueryOutput page;
  do {
    DOLMEN_RETURN_IF_ERROR(QueryPage(service_, *state_, input, &page));
    for (const ItemView item : page) {
      positions[{Text(item, "stream"), Text(item, "shard")}] = {
          static_cast<Kind>(Integer(item, "kind")), Text(item, "text"), Time(item, "since"),
          Time(item, "read_at")};
    }
    input.exclusive_start_key = page.last_evaluated_key();
  } while (!input.exclusive_start_key.empty());
  return positions;
}

Status SubscriptionStore::WritePosition(const LeaseItem& lease, const ShardName& shard,
                                        const ShardPosition& position) const {
  PutItemInput input{.item = PositionKey(lease.start, shard)};
  input.item["stream"] = shard.stream_arn;
  input.item["shard"] = shard.shard_id;
  input.item["kind"] = static_cast<int>(position.kind);
  input.item["text"] = position.text;
  input.item["since"] = Millis(position.since);
  input.item["read_at"] = Millis(position.read_at);
  input.item["epoch"] = lease.epoch;
  input.condition = IsNotNewer(lease);
  return WriteOneItem(service_, *state_, input).status();
}

Status SubscriptionStore::Delete(const LeaseItem& lease, Item key) const {
  return WriteOneItem(service_, *state_,
                      DeleteItemInput{.key = std::move(key), .condition = IsNotNewer(lease)})
      .status();
}

Status SubscriptionStore::DeletePosition(const LeaseItem& lease, const ShardName& shard) const {
  return Delete(lease, PositionKey(lease.start, shard));
}

Status SubscriptionStore::DeleteOtherStarts(const LeaseItem& lease) const {
  QueryInput input{.key_condition = Partition(partition_, BeginsWith(kShards)),
                   .projection = Project(kPartition, kSort),
                   .consistent_read = true};
  const std::string kept_prefix = std::string(kShards) + lease.start + "/";
  QueryOutput page;
  do {
    DOLMEN_RETURN_IF_ERROR(QueryPage(service_, *state_, input, &page));
    for (const ItemView item : page) {
      std::string sort = Text(item, kSort);
      if (!lease.start.empty() && sort.starts_with(kept_prefix)) continue;
      DOLMEN_RETURN_IF_ERROR(Delete(lease, Key(std::move(sort))));
    }
    input.exclusive_start_key = page.last_evaluated_key();
  } while (!input.exclusive_start_key.empty());
  return {};
}

Status SubscriptionStore::DeleteLease(const LeaseItem& lease) const {
  return WriteOneItem(service_, *state_,
                      DeleteItemInput{.key = Key(kLease), .condition = IsStill(lease, lease)})
      .status();
}

}  // namespace dolmen::remote
