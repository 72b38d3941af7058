// A fixture for tests of streams. It has a database with a clock that the tests move, a table
// "things", and short functions that write items and read records.

#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "tests/behaviour/fixture.h"
#include "tests/support/items.h"
#include "tests/support/temp_directory.h"

namespace dolmen::behaviour {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;

inline constexpr auto kNotFound = StatusCode::kResourceNotFound;
inline constexpr auto kTrimmed = StatusCode::kTrimmedDataAccess;
inline constexpr auto kTrimHorizon = ShardIteratorType::kTrimHorizon;
inline constexpr auto kLatest = ShardIteratorType::kLatest;
inline constexpr auto kAtNumber = ShardIteratorType::kAtSequenceNumber;
inline constexpr auto kAfterNumber = ShardIteratorType::kAfterSequenceNumber;

inline auto IsRefused() { return StatusIs(kValidation, testing::_); }
inline auto IsTrimmed() { return StatusIs(kTrimmed, testing::_); }

// The event, the key and the images of a record.
struct Change {
  EventName event_name = EventName::kInsert;
  Item keys = {};
  std::optional<Item> new_image = {};
  std::optional<Item> old_image = {};

  friend bool operator==(const Change&, const Change&) = default;
};

inline void PrintTo(const Change& change, std::ostream* out) {
  *out << EventNameText(change.event_name) << " " << testing::PrintToString(change.keys) << ", new "
       << testing::PrintToString(change.new_image) << ", old "
       << testing::PrintToString(change.old_image);
}

inline Change ChangeOf(const StreamRecord& record) {
  const auto copy = [](const std::optional<StoredItem>& image) {
    return image ? std::optional(*image->Copy()) : std::nullopt;
  };
  return {record.event_name, *record.keys.Copy(), copy(record.new_image), copy(record.old_image)};
}
inline std::vector<Change> ChangesOf(const std::vector<StreamRecord>& records) {
  std::vector<Change> changes;
  for (const StreamRecord& record : records) changes.push_back(ChangeOf(record));
  return changes;
}

inline std::string SortKeyOf(const StreamRecord& record) {
  return std::string(record.keys["SK"].AsString().value_or(""));
}
inline std::vector<std::string> SortKeysOf(const std::vector<StreamRecord>& records) {
  std::vector<std::string> keys;
  for (const StreamRecord& record : records) keys.push_back(SortKeyOf(record));
  return keys;
}

inline std::vector<std::string> NumbersOf(const std::vector<StreamRecord>& records) {
  std::vector<std::string> numbers;
  for (const StreamRecord& record : records) numbers.push_back(record.sequence_number);
  return numbers;
}

inline StreamSpecification Showing(StreamViewType view_type, milliseconds retention = hours(24)) {
  return {.view_type = view_type, .retention = retention};
}

// A fixture for tests of streams. The database is in memory. A test that reopens the database calls
// UseDisk before it creates a table.
class StreamFixture : public testing::Test {
 protected:
  void SetUp() override { Reopen(); }

  void UseDisk() {
    directory_.emplace();
    Reopen();
  }

  // Closes the database and opens it again. A database in memory loses its content.
  void Reopen() {
    table_.reset();
    database_.reset();
    const OpenOptions options{
        .durability = Durability::kBuffered, .clock = clock_, .expiry_lag = std::nullopt};
    auto database =
        directory_ ? Database::Open(*directory_ / "db", options) : Database::InMemory(options);
    ASSERT_THAT(database, IsOk());
    database_ = *std::move(database);
    auto table = database_->OpenTable("things");
    if (table.ok()) table_ = *std::move(table);
  }

  // Creates the table "things", which table() then returns.
  void CreateThings(const std::optional<StreamSpecification>& stream =
                        Showing(StreamViewType::kNewAndOldImages)) {
    auto table = Create("things", stream);
    ASSERT_THAT(table, IsOk());
    table_ = *std::move(table);
  }
  Result<Table> Create(const std::string& name, const std::optional<StreamSpecification>& stream) {
    CreateTableInput input;
    input.name = name;
    input.stream_specification = stream;
    return database().CreateTable(input);
  }

  Result<TableDescription> SetStream(const StreamSpecification& stream,
                                     const std::string& table = "things") {
    UpdateTableInput input;
    input.name = table;
    input.stream_specification = stream;
    return database().UpdateTable(input);
  }
  void Enable(StreamViewType view_type = StreamViewType::kNewAndOldImages) {
    ASSERT_THAT(SetStream(Showing(view_type)), IsOk());
  }
  void Disable() { ASSERT_THAT(SetStream({.enabled = false}), IsOk()); }

  Database& database() { return *database_; }
  const Table& table() const { return *table_; }
  ManualClock& clock() { return *clock_; }

  static Item Key(const std::string& sort) { return {{"PK", "p"}, {"SK", sort}}; }
  static Item With(const std::string& sort, const Map& attributes) {
    Item item = Key(sort);
    for (const auto& [name, value] : attributes) item.emplace(name, value);
    return item;
  }
  void Put(const std::string& sort, const Map& attributes = {}) const {
    ASSERT_THAT(table().PutItem({.item = With(sort, attributes)}), IsOk());
  }
  void PutAll(const std::vector<std::string>& sorts) const {
    for (const std::string& sort : sorts) Put(sort);
  }
  void Delete(const std::string& sort) const {
    ASSERT_THAT(table().DeleteItem({.key = Key(sort)}), IsOk());
  }

  // Returns the ARN of the latest stream of "things".
  std::string Arn() {
    const auto description = database().DescribeTable("things");
    EXPECT_THAT(description, IsOk());
    return description.ok() ? description->latest_stream_arn : "";
  }
  Shard ShardOf(const std::string& arn) {
    const auto description = database().DescribeStream({.stream_arn = arn});
    EXPECT_THAT(description, IsOk());
    if (!description.ok() || description->shards.size() != 1) {
      ADD_FAILURE() << "not one shard: " << arn;
      return {};
    }
    return description->shards[0];
  }

  Result<std::string> IteratorOf(const std::string& arn, ShardIteratorType type,
                                 const std::string& number = "") {
    return database().GetShardIterator({.stream_arn = arn,
                                        .shard_id = ShardOf(arn).shard_id,
                                        .shard_iterator_type = type,
                                        .sequence_number = number});
  }
  // Returns an iterator of the latest stream of "things".
  // REQUIRES: GetShardIterator accepts `type` with the sequence number `number`
  std::string Iterator(ShardIteratorType type, const std::string& number = "") {
    const auto iterator = IteratorOf(Arn(), type, number);
    EXPECT_THAT(iterator, IsOk());
    return iterator.ok() ? *iterator : "";
  }

  // Returns all records from the iterator's position to the end of the stream.
  std::vector<StreamRecord> ReadFrom(std::string iterator) {
    std::vector<StreamRecord> records;
    while (!iterator.empty()) {
      auto page = database().GetRecords({.shard_iterator = iterator});
      EXPECT_THAT(page, IsOk());
      if (!page.ok() || page->records.empty()) break;
      for (StreamRecord& record : page->records) records.push_back(std::move(record));
      iterator = page->next_shard_iterator;
    }
    return records;
  }

  // Returns all records of a stream. Without an ARN, returns all records of the latest stream of
  // "things".
  std::vector<StreamRecord> Records(const std::string& arn = "") {
    const auto iterator = IteratorOf(arn.empty() ? Arn() : arn, ShardIteratorType::kTrimHorizon);
    EXPECT_THAT(iterator, IsOk());
    return iterator.ok() ? ReadFrom(*iterator) : std::vector<StreamRecord>();
  }

  const std::shared_ptr<ManualClock> clock_ =
      std::make_shared<ManualClock>(*ParseIso8601("2026-04-15T12:00:00Z"));

 private:
  std::optional<test::TempDirectory> directory_;
  std::optional<Database> database_;
  std::optional<Table> table_;
};

}  // namespace dolmen::behaviour
