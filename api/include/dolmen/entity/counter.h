// Counters that many writers increase at the same time.
//
//   const Counter likes(table, "likes of p1");
//   Status added = likes.Add(1);
//   Result<std::int64_t> sum = likes.Value();
//
// A counter is the sum of ten items, each in its own partition. In DynamoDB it therefore accepts
// 10,000 additions a second.

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstdint>
#include <string>
#include <utility>

#include "dolmen/entity/sharded.h"
#include "dolmen/entity/table.h"

namespace dolmen {

// One item of a counter. Public only so that CheckTable can list it.
struct CounterShard {
  std::string counter = {};
  Sharded<10> shard = {};
  std::int64_t count = 0;

  friend bool operator==(const CounterShard&, const CounterShard&) = default;
};

constexpr auto DescribeEntity(const CounterShard*) {
  return DefineEntity<CounterShard>("counterShard",
                                    {Attribute<&CounterShard::counter>("counter").InKeyOnly(),
                                     Attribute<&CounterShard::shard>("shard").InKeyOnly(),
                                     Attribute<&CounterShard::count>("count")},
                                    {PrimaryKey("COUNTER#{shard}#{counter:any}", "COUNTER")});
}

// A handle to one counter of a table. Copies refer to the same counter. Thread-safe.
class Counter {
 public:
  // Names the counter; sends nothing. The name is any text that is not empty.
  Counter(EntityTable table, std::string name) : table_(std::move(table)), name_(std::move(name)) {}

  // Adds a number, which may be negative, to one item (UpdateItem). The first addition creates the
  // counter.
  // - kValidation: the name is empty, or the count of the item leaves the range of std::int64_t.
  // - Any error of Table::UpdateItem. The call must not simply be repeated, because the number may
  //   have been added.
  Status Add(std::int64_t number) const;

  // Adds the write of Add to the transaction, so that the counter and other items change together. A
  // transaction takes one addition for each counter.
  void Add(std::int64_t number, EntityTransaction* transaction) const;

  // Returns the sum of all additions; 0 for a new counter. One Query of ten partitions, which
  // consumes five read units.
  // - kValidation: the name is empty, or the sum is not in the range of std::int64_t.
  // - Any error of Table::Query.
  Result<std::int64_t> Value() const;

 private:
  // Returns the key of one of the items.
  CounterShard AnyShard() const;

  EntityTable table_;
  std::string name_;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
