// Tests of the sizes of tables, indexes and item collections, and of a database's statistics.

#include <string>

#include "tests/behaviour/fixture.h"
#include "tests/support/temp_directory.h"

namespace dolmen::behaviour {
namespace {

CreateTableInput Input() {
  return {.name = "things",
          .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1")},
          .local_secondary_indexes = {
              {.name = "local", .sort_key = {"l"}, .projection = ProjectionType::kKeysOnly}}};
}

TEST(ContentSizeTest, DescribeTableCountsTheItemsAndBytesOfTheTableAndItsIndexes) {
  const auto db = Database::InMemory();
  ASSERT_THAT(db, IsOk());
  const auto table = db->CreateTable(Input());
  ASSERT_THAT(table, IsOk());
  const auto expect = [&](std::uint64_t items, std::uint64_t in_global, std::uint64_t in_local) {
    const auto description = db->DescribeTable("things");
    ASSERT_THAT(description, IsOk());
    const ContentSize& global = description->global_secondary_indexes.at(0).content;
    const ContentSize& local = description->local_secondary_indexes.at(0).content;
    EXPECT_EQ(description->content.item_count, items);
    EXPECT_EQ(global.item_count, in_global);
    EXPECT_EQ(local.item_count, in_local);
    // PK and SK have 6 bytes together. GSI1PK and GSI1SK have 14 bytes together. "l" has 2 bytes.
    EXPECT_EQ(description->content.size_bytes, items * 6 + in_global * 14 + in_local * 2);
    EXPECT_EQ(global.size_bytes, in_global * (6 + 14));
    EXPECT_EQ(local.size_bytes, in_local * (6 + 2));
  };
  expect(0, 0, 0);
  for (int i = 0; i < 10; ++i) {
    Item item = {{"PK", "p"}, {"SK", std::to_string(i)}};
    if (i < 3) {
      item.emplace("GSI1PK", "g");
      item.emplace("GSI1SK", "h");
    } else if (i < 8) {
      item.emplace("l", "l");
    }
    ASSERT_THAT(table->PutItem({.item = item}), IsOk());
  }
  expect(10, 3, 5);
  ASSERT_THAT(table->DeleteItem({.key = {{"PK", "p"}, {"SK", "0"}}}), IsOk());
  expect(9, 2, 5);
}

TEST(ContentSizeTest, DescribeTableCanOmitTheCountsAndUpdateTableOmitsThem) {
  const auto db = Database::InMemory();
  ASSERT_THAT(db, IsOk());
  const auto table = db->CreateTable(Input());
  ASSERT_THAT(table, IsOk());
  ASSERT_THAT(table->PutItem({.item = {{"PK", "p"}, {"SK", "s"}, {"l", "l"}}}), IsOk());
  const auto omitted = db->DescribeTable("things", ContentSizes::kOmit);
  ASSERT_THAT(omitted, IsOk());
  UpdateTableInput update;
  update.name = "things";
  update.deletion_protection = true;
  const auto updated = db->UpdateTable(update);
  ASSERT_THAT(updated, IsOk());
  for (const TableDescription& description : {*omitted, *updated}) {
    EXPECT_EQ(description.name, "things");
    EXPECT_EQ(description.content.item_count, 0U);
    EXPECT_EQ(description.local_secondary_indexes.at(0).content.item_count, 0U);
  }
}

// The size is an estimate, so the test has wide bounds.
TEST(ContentSizeTest, ItemCollectionSizeMeasuresOnePartitionWithItsLocalIndexes) {
  const auto db = Database::InMemory();
  ASSERT_THAT(db, IsOk());
  const auto table = db->CreateTable(Input());
  ASSERT_THAT(table, IsOk());
  const auto put = [&](const std::string& partition, int i, std::size_t bytes) {
    const Item item = {{"PK", partition},
                       {"SK", std::to_string(i)},
                       {"l", std::string(100, 'l')},
                       {"body", std::string(bytes, 'x')}};
    ASSERT_THAT(table->PutItem({.item = item}), IsOk());
  };
  for (int i = 0; i < 1000; ++i) put("large", i, 1000);
  for (int i = 0; i < 10; ++i) put("small", i, 1000);
  const auto large = table->ItemCollectionSize("large");
  const auto small = table->ItemCollectionSize("small");
  ASSERT_THAT(large, IsOk());
  ASSERT_THAT(small, IsOk());
  EXPECT_GT(*large, *small);
  EXPECT_GT(*large, 300'000u);
  EXPECT_LT(*large, 6'000'000u);
  EXPECT_THAT(table->ItemCollectionSize("nobody"), IsOk());
  EXPECT_THAT(table->ItemCollectionSize(7),
              StatusIs(kValidation, "The provided key element does not match the schema"));
  EXPECT_THAT(table->ItemCollectionSize("\xFF"), StatusIs(kValidation, HasSubstr("UTF-8")));
  EXPECT_THAT(table->ItemCollectionSize(""), StatusIs(kValidation, HasSubstr("empty string")));
  ASSERT_THAT(db->DeleteTable("things"), IsOk());
  EXPECT_THAT(table->ItemCollectionSize("large"),
              StatusIs(StatusCode::kResourceNotFound, "Requested resource not found"));
}

TEST(StatsTest, ReportTheFilesTheLogAndTheWriteBuffers) {
  const test::TempDirectory directory;
  const auto open = [&] { return Database::Open(directory / "db"); };
  {
    const auto db = open();
    ASSERT_THAT(db, IsOk());
    EXPECT_EQ(db->Stats()->tables, 0u);
    EXPECT_EQ(db->Stats()->table_files, 0u);
    const auto table = db->CreateTable(Input());
    ASSERT_THAT(table, IsOk());
    const std::string body(10'000, 'x');
    ASSERT_THAT(table->PutItem({.item = {{"PK", "p"}, {"SK", "s"}, {"body", body}}}), IsOk());
    const auto stats = db->Stats();
    ASSERT_THAT(stats, IsOk());
    EXPECT_EQ(stats->tables, 1u);
    EXPECT_GT(stats->log_bytes, body.size());
    EXPECT_GT(stats->write_buffer_bytes, body.size());
  }
  // Open writes the data of the log to a table file. Afterwards the log is empty.
  const auto db = open();
  ASSERT_THAT(db, IsOk());
  const auto stats = db->Stats();
  ASSERT_THAT(stats, IsOk());
  EXPECT_EQ(stats->tables, 1u);
  EXPECT_EQ(stats->table_files, 1u);
  EXPECT_GT(stats->table_file_bytes, 0u);
  EXPECT_EQ(stats->log_bytes, 0u);
}

TEST(StatsTest, ReportNoFilesForADatabaseInMemory) {
  const auto db = Database::InMemory();
  ASSERT_THAT(db, IsOk());
  const auto table = db->CreateTable({.name = "things"});
  ASSERT_THAT(table, IsOk());
  ASSERT_THAT(table->PutItem({.item = {{"PK", "p"}, {"SK", std::string(1000, 's')}}}), IsOk());
  const auto stats = db->Stats();
  ASSERT_THAT(stats, IsOk());
  EXPECT_EQ(stats->table_files, 0u);
  EXPECT_EQ(stats->log_bytes, 0u);
  EXPECT_EQ(stats->memory_table_bytes, 0u);
  EXPECT_GT(stats->write_buffer_bytes, 1000u);
}

// A database in memory keeps flushed write buffers in memory. The statistics include these buffers,
// because they report all memory that the database uses.
TEST(StatsTest, ReportFlushedWriteBuffersOfADatabaseInMemory) {
  constexpr std::size_t kBufferBytes = 256 << 10;
  const auto db = Database::InMemory({.write_buffer_bytes = kBufferBytes});
  ASSERT_THAT(db, IsOk());
  const auto table = db->CreateTable({.name = "things"});
  ASSERT_THAT(table, IsOk());
  const std::string body(10'000, 'x');
  constexpr std::size_t kItems = 200;
  for (std::size_t i = 0; i < kItems; ++i) {
    ASSERT_THAT(table->PutItem({.item = {{"PK", "p"}, {"SK", std::to_string(i)}, {"body", body}}}),
                IsOk());
  }
  const auto stats = db->Stats();
  ASSERT_THAT(stats, IsOk());
  EXPECT_EQ(stats->table_files, 0u);
  EXPECT_EQ(stats->table_file_bytes, 0u);
  EXPECT_GT(stats->memory_table_bytes, kItems * body.size() - 4 * kBufferBytes);
}

}  // namespace
}  // namespace dolmen::behaviour
