#include "tests/backup/backed_up_database.h"

#include <gmock/gmock.h>

#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/stream_records.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::backup {

using test::IsOk;
using test::Value;

Table CreateApp(const Database& db) {
  Table table =
      Value(db.CreateTable({.name = "app",
                            .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")},
                            .stream_specification = StreamSpecification{
                                .view_type = StreamViewType::kNewAndOldImages}}));
  EXPECT_THAT(
      db.UpdateTimeToLive(
          {.table_name = "app", .specification = {.enabled = true, .attribute_name = "expires"}}),
      IsOk());
  EXPECT_THAT(table.WaitForIndexes(), IsOk());  // the index of expiry times
  return table;
}

void PutItems(const Table& table, int begin, int end, std::size_t bytes) {
  test::Random random(static_cast<std::uint64_t>(begin) + 1);
  for (int i = begin; i < end; ++i) {
    std::string filler(bytes, '\0');
    for (char& byte : filler) byte = static_cast<char>(random.Below(256));
    const std::string number = std::to_string(1'000'000 + i);
    ASSERT_THAT(table.PutItem({.item = {{"PK", "p" + std::to_string(i % 7)},
                                        {"SK", number},
                                        {"GSI1PK", "all"},
                                        {"GSI1SK", number},
                                        {"expires", 4'000'000'000 + i},
                                        {"filler", Binary(filler)}}}),
                IsOk());
  }
}

State ReadState(const Database& db) {
  const VerifyOutput verified = Value(db.Verify());
  EXPECT_EQ(verified.finding_count, 0u);
  const Table table = Value(db.OpenTable("app"));
  State state{.items = test::ReadContents(table), .index = test::ReadContents(table, "GSI1")};
  for (const StreamRecord& record : Value(test::ReadStream(db, "app"))) {
    state.records.push_back(record.sequence_number);
  }
  return state;
}

State ReadBackup(const std::filesystem::path& backup) {
  const test::TempDirectory directory;
  EXPECT_THAT(Database::Restore(backup, directory / "restored"), IsOk());
  return ReadState(Value(Database::Open(directory / "restored", {.create_if_missing = false})));
}

}  // namespace dolmen::backup
