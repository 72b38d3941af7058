// A fixture for tests of expiry: a table with a time attribute, indexes of every kind and a stream.
// The tests set the database's clock.

#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/behaviour/fixture.h"
#include "tests/support/items.h"
#include "tests/support/stream_records.h"

namespace dolmen::behaviour {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

// The maximum age of an expiry time: five years of 365 days. An item whose expiry time is older
// never expires.
inline constexpr seconds kFiveYears = hours(24) * 365 * 5;

class ExpiringTableTest : public testing::Test {
 protected:
  // The names of all indexes, and "" for the table itself.
  static inline const std::vector<std::string> kEverywhere = {"",           "ByUser", "ByUserSome",
                                                              "ByUserKeys", "ByRank", "ByRankKeys"};

  void SetUp() override {
    auto database = Database::InMemory(Options());
    ASSERT_THAT(database, IsOk());
    database_ = *std::move(database);
    auto table = database_->CreateTable(TableInput());
    ASSERT_THAT(table, IsOk());
    table_ = *std::move(table);
  }

  // Returns options without background expiry, so that only ExpireNow deletes expired items.
  OpenOptions Options() const { return {.clock = clock_, .expiry_lag = std::nullopt}; }

  static CreateTableInput TableInput() {
    CreateTableInput input;
    input.name = "sessions";
    input.global_secondary_indexes = {{.name = "ByUser", .partition_key = {{"user"}}},
                                      {.name = "ByUserSome",
                                       .partition_key = {{"user"}},
                                       .projection = ProjectionType::kInclude,
                                       .non_key_attributes = {"expires"}},
                                      {.name = "ByUserKeys",
                                       .partition_key = {{"user"}},
                                       .projection = ProjectionType::kKeysOnly}};
    input.local_secondary_indexes = {
        {.name = "ByRank", .sort_key = {"rank"}},
        {.name = "ByRankKeys", .sort_key = {"rank"}, .projection = ProjectionType::kKeysOnly}};
    input.stream_specification = {{.view_type = StreamViewType::kNewAndOldImages}};
    return input;
  }

  const Database& database() const { return *database_; }
  const Table& table() const { return *table_; }
  ManualClock& clock() const { return *clock_; }

  Status Change(const TimeToLiveSpecification& specification) const {
    return database()
        .UpdateTimeToLive({.table_name = "sessions", .specification = specification})
        .status();
  }
  // Enables time to live and waits until the scan of the existing items has ended.
  void Enable(bool hide_expired = false) const {
    ASSERT_THAT(Change({.attribute_name = "expires", .hide_expired = hide_expired}), IsOk());
    ASSERT_THAT(table().WaitForIndexes(), IsOk());
  }

  // Returns the value of the time attribute for an item that expires `time` after the current time.
  AttributeValue In(seconds time) const {
    const auto now = std::chrono::floor<seconds>(clock().Now().time_since_epoch());
    return (now + time).count();
  }

  static Item Key(const std::string& sort) { return {{"PK", "p"}, {"SK", sort}}; }
  // Returns an item that is in all indexes.
  static Item Session(const std::string& sort, const AttributeValue& expires) {
    return {{"PK", "p"}, {"SK", sort}, {"user", "ann"}, {"rank", "r" + sort}, {"expires", expires}};
  }
  void Put(const Item& item) const { ASSERT_THAT(table().PutItem({.item = item}), IsOk()); }
  void PutSession(const std::string& sort, const AttributeValue& expires) const {
    Put(Session(sort, expires));
  }

  // Returns the stored item even if it is hidden. Returns an empty item if the item does not
  // exist.
  Item Stored(const std::string& sort) const { return Read(sort, false); }
  bool IsStored(const std::string& sort) const { return !Stored(sort).empty(); }
  bool IsHidden(const std::string& sort) const {
    return IsStored(sort) && Read(sort, true).empty();
  }

  // Returns a query that reads the only partition of the table or of the index.
  static QueryInput Everything(const std::string& index,
                               const std::optional<bool>& hide_expired = false) {
    return {.index = index,
            .key_condition = Partition(index.starts_with("ByUser") ? "ann" : "p"),
            .options = {.hide_expired = hide_expired}};
  }
  // Returns the sort keys of the items on all pages of a query.
  std::vector<std::string> SortKeys(const QueryInput& input) const {
    return test::SortKeys(table(), input);
  }
  // Returns the sort keys of all stored items. Expects that each index has the same items.
  std::vector<std::string> StoredKeys() const {
    const std::vector<std::string> keys = SortKeys(Everything(""));
    for (const std::string& index : kEverywhere) EXPECT_EQ(SortKeys(Everything(index)), keys);
    return keys;
  }

  std::uint64_t ExpireNow() const {
    const auto count = table().ExpireNow();
    EXPECT_THAT(count, IsOk());
    return count.ok() ? *count : 0;
  }

  std::vector<StreamRecord> Records() const {
    auto records = test::ReadStream(database(), "sessions");
    EXPECT_THAT(records, IsOk());
    return records.ok() ? *std::move(records) : std::vector<StreamRecord>();
  }
  // Returns the records of the stream as text, for example "INSERT a" or "REMOVE a by service".
  std::vector<std::string> History() const {
    std::vector<std::string> history;
    for (const StreamRecord& record : Records()) {
      history.push_back(std::string(EventNameText(record.event_name)) + " " +
                        std::string(record.keys["SK"].AsString().value_or("?")) +
                        (record.by_service ? " by service" : ""));
    }
    return history;
  }

 private:
  Item Read(const std::string& sort, bool hide_expired) const {
    const auto got = table().GetItem({.key = Key(sort), .options = {.hide_expired = hide_expired}});
    EXPECT_THAT(got, IsOk());
    return got.ok() && got->item ? *got->item->Copy() : Item{};
  }

  const std::shared_ptr<ManualClock> clock_ =
      std::make_shared<ManualClock>(*ParseIso8601("2026-04-15T12:00:00Z"));
  std::optional<Database> database_;
  std::optional<Table> table_;
};

}  // namespace dolmen::behaviour
