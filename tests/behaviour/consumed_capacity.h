// A fixture for tests of consumed capacity.

#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "tests/behaviour/fixture.h"
#include "tests/support/items.h"

namespace dolmen {

// Prints a capacity in the message of a failed expectation.
inline void PrintTo(const Capacity& capacity, std::ostream* out) {
  *out << capacity.read_units << " read, " << capacity.write_units << " written";
}
inline void PrintTo(const ConsumedCapacity& capacity, std::ostream* out) {
  *out << capacity.table_name << ": " << testing::PrintToString(capacity.total)
       << " (table: " << testing::PrintToString(capacity.table)
       << ", global: " << testing::PrintToString(capacity.global_secondary_indexes)
       << ", local: " << testing::PrintToString(capacity.local_secondary_indexes) << ")";
}

namespace behaviour {

inline constexpr auto kTotal = ReturnConsumedCapacity::kTotal;
inline constexpr auto kIndexes = ReturnConsumedCapacity::kIndexes;

using ByIndex = ConsumedCapacity::ByIndex;

inline Capacity Read(double units) { return {.read_units = units}; }
inline Capacity Write(double units) { return {.write_units = units}; }

// Creates a table for each test, because a scan reads the whole table. The indexes are sparse: an
// index holds the items that have its key attributes.
class ConsumedCapacityTest : public TableTest {
 protected:
  void SetUp() override {
    auto made = database().CreateTable(
        {.name = UniqueKey(),
         .global_secondary_indexes = {{.name = "All", .partition_key = {{.name = "a"}}},
                                      {.name = "Keys",
                                       .partition_key = {{.name = "k"}},
                                       .projection = ProjectionType::kKeysOnly},
                                      {.name = "Some",
                                       .partition_key = {{.name = "s"}},
                                       .projection = ProjectionType::kInclude,
                                       .non_key_attributes = {"p"}}},
         .local_secondary_indexes = {{.name = "Local",
                                      .sort_key = {.name = "l"},
                                      .projection = ProjectionType::kKeysOnly}}});
    ASSERT_THAT(made, IsOk());
    table_ = *std::move(made);
  }

  // Returns the table of this test. Hides TableTest::table(), which returns the table that all
  // tests of a file share.
  const Table& table() const { return *table_; }

  static Item Key(const std::string& sort = "a") { return {{"PK", "p"}, {"SK", sort}}; }
  static Item With(const Map& attributes, const std::string& sort = "a") {
    Item item = Key(sort);
    for (const auto& [name, value] : attributes) item.insert_or_assign(name, value);
    return item;
  }

  // Returns an item whose size is exactly `bytes`.
  static Item Sized(std::size_t bytes, const std::string& sort = "a") {
    const StoredItem without = test::StoreItem(With({{"x", ""}}, sort));
    return With({{"x", std::string(bytes - without.view().size_bytes(), 'x')}}, sort);
  }

  void Put(const Item& item) const { ASSERT_THAT(table().PutItem({.item = item}), IsOk()); }
  // Deletes the item with the key Key(). Then stores an item of the size `bytes` under the same
  // key, unless `bytes` is 0.
  void Prepare(std::size_t bytes) const {
    ASSERT_THAT(table().DeleteItem({.key = Key()}), IsOk());
    if (bytes > 0) Put(Sized(bytes));
  }

  // Returns the ConsumedCapacity that a request with kTotal must return if it consumes `capacity`.
  ConsumedCapacity Total(const Capacity& capacity) const {
    return {.table_name = table().name(), .total = capacity};
  }
  // Returns the ConsumedCapacity that a request with kIndexes must return. The total is the sum of
  // the capacities of the table and of all indexes.
  ConsumedCapacity Indexes(const Capacity& of_table, const ByIndex& global = {},
                           const ByIndex& local = {}) const {
    ConsumedCapacity all{.table_name = table().name(),
                         .total = of_table,
                         .table = of_table,
                         .global_secondary_indexes = global,
                         .local_secondary_indexes = local};
    for (const auto& [name, capacity] : global) all.total += capacity;
    for (const auto& [name, capacity] : local) all.total += capacity;
    return all;
  }

  // Returns the capacity that a request consumed, if the request is for one item or for one page.
  template <typename Output>
  static std::optional<ConsumedCapacity> Of(const Result<Output>& output) {
    EXPECT_THAT(output, IsOk());
    return output.ok() ? output->consumed_capacity : std::nullopt;
  }
  static std::optional<ConsumedCapacity> Of(const Result<QueryOutput>& page) {
    EXPECT_THAT(page, IsOk());
    return page.ok() ? page->consumed_capacity() : std::nullopt;
  }

  // Returns the capacity that a batch or a transaction on a single table consumed.
  template <typename Output>
  static std::optional<ConsumedCapacity> OfOne(const Result<Output>& output) {
    EXPECT_THAT(output, IsOk());
    if (!output.ok() || output->consumed_capacity.size() != 1) return std::nullopt;
    return output->consumed_capacity.front();
  }

 private:
  std::optional<Table> table_;
};

}  // namespace behaviour
}  // namespace dolmen
