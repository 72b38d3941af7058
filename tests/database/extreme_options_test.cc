// Tests of the greatest and smallest numbers that OpenOptions can have. A program may ask for a cache without a limit.

#include <gmock/gmock.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "dolmen/dolmen.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

constexpr std::size_t kSizes[] = {0,
                                  1,
                                  std::size_t{1} << 31,
                                  std::size_t{1} << 32,
                                  std::size_t{1} << 40,
                                  std::numeric_limits<std::size_t>::max() / 2,
                                  std::numeric_limits<std::size_t>::max()};

// Writes and reads an item.
void Use(const Database& db) {
  const Table table = Value(db.CreateTable({.name = "things"}));
  const Item item = {{"PK", "p"}, {"SK", "s"}};
  EXPECT_THAT(table.PutItem({.item = item}), IsOk());
  // The second read fills the row cache, and the third one reads it.
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(Value(table.GetItem({.key = item})).item);
  EXPECT_THAT(db.Stats(), IsOk());
}

void OpenAndUse(const OpenOptions& options) {
  const TempDirectory directory;
  const auto on_disk = Database::Open(directory / "db", options);
  ASSERT_THAT(on_disk, IsOk());
  Use(*on_disk);
  const auto in_memory = Database::InMemory(options);
  ASSERT_THAT(in_memory, IsOk());
  Use(*in_memory);
}

TEST(ExtremeOptionsTest, ASizeMayBeAnyNumber) {
  struct SizeOption {
    const char* name;
    std::size_t OpenOptions::*size;
  };
  for (const SizeOption& option :
       {SizeOption{"cache_bytes", &OpenOptions::cache_bytes},
        SizeOption{"row_cache_bytes", &OpenOptions::row_cache_bytes},
        SizeOption{"write_buffer_bytes", &OpenOptions::write_buffer_bytes}}) {
    for (const std::size_t bytes : kSizes) {
      SCOPED_TRACE(std::string(option.name) + " " + std::to_string(bytes));
      OpenOptions options;
      options.*option.size = bytes;
      OpenAndUse(options);
    }
  }
}

TEST(ExtremeOptionsTest, AnExpiryLagMayBeAnyTime) {
  using std::chrono::milliseconds;
  for (const milliseconds lag : {milliseconds::min(), milliseconds(-1), milliseconds(0),
                                 milliseconds(1), milliseconds::max()}) {
    SCOPED_TRACE(lag.count());
    const Database db = Value(Database::InMemory({.expiry_lag = lag}));
    Use(db);
    const Table table = Value(db.OpenTable("things"));
    EXPECT_THAT(
        db.UpdateTimeToLive({.table_name = "things", .specification = {.attribute_name = "ttl"}}),
        IsOk());
    EXPECT_THAT(table.PutItem({.item = {{"PK", "p"}, {"SK", "t"}, {"ttl", 1}}}), IsOk());
  }
}

}  // namespace
}  // namespace dolmen::test
