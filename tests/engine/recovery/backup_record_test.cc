// Tests of the stored description of a backup.

#include "engine/recovery/backup_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::engine {
namespace {

using test::StatusIs;

BackupRecord Example() {
  const Timestamp created_at(std::chrono::milliseconds(1'760'000'000'123));
  TableSchema schema = test::Value(
      MakeTableSchema({.name = "app",
                       .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")},
                       .local_secondary_indexes = {{.name = "byDate", .sort_key = {"date"}}},
                       .annotations = {{"colour", "red"}}},
                      KeyspaceId::kFirst, created_at, /*next_number=*/1));
  TableBackup backup{.name = "before-import",
                     .by_service = true,
                     .created_at = created_at,
                     .expires_at = created_at + std::chrono::days(35),
                     .table = Describe(schema)};
  backup.table.content = {.item_count = 3, .size_bytes = 1 << 20};
  backup.table.local_secondary_indexes[0].content = {.item_count = 2, .size_bytes = 20};
  backup.table.global_secondary_indexes[0].content = {.item_count = 1, .size_bytes = 10};
  return {backup, schema, 0xfedcba9876543210};
}

TEST(BackupRecordTest, DecodedRecordIsTheEncodedOne) {
  const BackupRecord example = Example();
  const BackupRecord decoded = test::Value(DecodeBackup(test::Value(EncodeBackup(example))));
  EXPECT_EQ(decoded.backup.name, "before-import");
  EXPECT_TRUE(decoded.backup.by_service);
  EXPECT_EQ(decoded.backup.created_at, example.backup.created_at);
  EXPECT_EQ(decoded.backup.expires_at, example.backup.expires_at);
  EXPECT_EQ(decoded.schema.Keyspaces(), example.schema.Keyspaces());
  EXPECT_EQ(decoded.writes_hash, example.writes_hash);
  const TableDescription& table = decoded.backup.table;
  EXPECT_EQ(table.name, "app");
  EXPECT_EQ(table.annotations, (Map{{"colour", "red"}}));
  EXPECT_EQ(table.content.size_bytes, 1u << 20);
  EXPECT_EQ(table.local_secondary_indexes[0].content.item_count, 2u);
  EXPECT_EQ(table.global_secondary_indexes[0].content.size_bytes, 10u);
}

TEST(BackupRecordTest, DamagedBytesAreNoticed) {
  const std::string bytes = test::Value(EncodeBackup(Example()));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ 1);
    EXPECT_THAT(DecodeBackup(flipped), StatusIs(StatusCode::kCorruption, testing::_)) << i;
    EXPECT_THAT(DecodeBackup(bytes.substr(0, i)), StatusIs(StatusCode::kCorruption, testing::_));
  }
}

}  // namespace
}  // namespace dolmen::engine
