// Shards: a part of a partition key that spreads the items of one key over several partitions.
//
// In DynamoDB one partition accepts 1000 writes a second. Items that all have the same partition
// key, such as the key STUDENT of an index, need several partitions if more are written.
//
//   struct Student {
//     std::string id = {};
//     Timestamp joined_at = {};
//     Sharded<10> shard = {};
//   };
//   Attribute<&Student::shard>("shard").Derived<Sharded<10>::OfHash, &Student::id>()
//   IndexKey("GSI1", "STUDENT#{shard}", "{joinedAt}")
//
//   table.Query<Student>("GSI1").AllShards<&Student::shard>().Page()   // one request
//
// To write to a shard that does not depend on the item, use IfUnset:
//
//   Attribute<&Hit::shard>("shard").IfUnset<Sharded<10>::AtRandom>()

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/entity/codec.h"
#include "dolmen/entity/fill_functions.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"

namespace dolmen {

// The number of a shard, from 0 to kShards - 1, or "not set", which is the default and cannot be
// stored. Stored as N.
//
// To change the number of shards of an index key, or of a primary key that AtRandom fills:
// - More: increase kShards. Queries find the old items, because they read all shards.
// - Fewer: decrease kShards and set kShardsBefore to the former number, so that queries read the old
//   shards, too. After EntityTable::Reindex has rewritten the items, remove kShardsBefore.
// A primary key with OfHash cannot change: the item would not be found in its new partition.
template <std::int32_t kShards, std::int32_t kShardsBefore = kShards>
class Sharded {
 public:
  static constexpr std::int32_t kCount = kShards > kShardsBefore ? kShards : kShardsBefore;
  static_assert(kShards >= 1 && kCount <= 100, "a key has 1 to 100 shards");

  // The default value means "not set" (MemberAttribute::IfUnset).
  static constexpr bool kDefaultIsUnset = true;

  constexpr Sharded() = default;
  // REQUIRES: 0 <= number < kCount
  constexpr explicit Sharded(std::int32_t number) : number_(number) {}

  // Returns the shard of a text: its hash (FNV-1a, 32 bits) modulo kShards. The hash never changes,
  // so equal texts have the same shard in every program.
  static constexpr Sharded OfHash(std::string_view text) {
    std::uint32_t hash = 2'166'136'261;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16'777'619;
    return Sharded(static_cast<std::int32_t>(hash % kShards));
  }

  // Returns a random shard. A function for IfUnset, as in `IfUnset<Sharded<10>::AtRandom>()`.
  static Sharded AtRandom(const FillContext& context) { return OfHash(context.ulids->Next()); }

  // Returns all shards that items can have.
  static std::vector<Sharded> All() {
    std::vector<Sharded> all;
    for (std::int32_t number = 0; number < kCount; ++number) all.push_back(Sharded(number));
    return all;
  }

  // Returns the shard's number, or -1 if it is not set.
  constexpr std::int32_t number() const { return number_; }

  friend constexpr bool operator==(const Sharded&, const Sharded&) = default;

 private:
  std::int32_t number_ = -1;
};

// Stores a shard as N. Encode rejects a shard that is not set. Decode rejects a number that is not
// from 0 to kCount - 1: the number of shards has decreased.
template <std::int32_t kShards, std::int32_t kShardsBefore>
struct AttributeCodec<Sharded<kShards, kShardsBefore>> {
  using Shard = Sharded<kShards, kShardsBefore>;
  static constexpr auto kPart = entity::PartKind::kInteger;

  static Status Encode(const Shard& shard, AttributeValue* value) {
    if (shard == Shard()) return Status::Validation("is not set");
    *value = shard.number();
    return {};
  }
  static Status Decode(AttributeView view, Shard* shard) {
    std::int64_t number = 0;
    Status decoded = entity::DecodeInteger(view, 0, std::int64_t{Shard::kCount - 1}, &number);
    if (decoded.ok()) *shard = Shard(static_cast<std::int32_t>(number));
    return decoded;
  }
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
