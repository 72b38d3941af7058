// Tests of the backfill that use the engine's row locks and keys directly.

#include "engine/background/backfill.h"

#include <string>
#include <thread>

#include "engine/storage/cursor.h"
#include "engine/value/codec.h"
#include "tests/engine/engine_tables.h"

namespace dolmen::engine {
namespace {

const GlobalSecondaryIndex kAddedIndex{.name = "index", .partition_key = {{"g"}}};

class BackfillTest : public EngineTableTest {
 protected:
  std::uint32_t Count(const std::string& index) {
    ScanOutput page;
    EXPECT_THAT(
        Scan(engine().read_context(), schema(), {.index = index, .select = Select::kCount}, &page),
        IsOk());
    return page.count();
  }

  std::size_t KeysIn(KeyspaceId keyspace) {
    std::size_t count = 0;
    Cursor cursor(engine().store(), PrefixRange(EncodedKey(keyspace)));
    for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) ++count;
    return count;
  }
};

// The test acts as a writer that has read the schema and holds the lock of its row. The index is
// created only then, so the writer inserts its row without an index entry. The backfill must wait
// for the writer and add the entry.
TEST_F(BackfillTest, BuildsEntriesForWritesThatBeganBeforeTheIndex) {
  const EncodedKey row = *RowOfRequest(schema(), Key("new"));
  std::thread change;
  {
    LockTable::Guard writer(engine().locks());
    const LockTable::RowHash hash = LockTable::HashOf(row);
    writer.Lock({&hash, 1}, LockTable::Holder::kSingleWrite, OnConflict::kWait);
    change = std::thread([&] {
      EXPECT_THAT(engine().UpdateTable({.name = "app", .create_index = kAddedIndex}), IsOk());
    });
    while (schema().indexes.empty()) std::this_thread::yield();
    engine().backfiller().Wake();  // a change of another table also wakes the backfiller
    for (int i = 0; i < 10'000; ++i) std::this_thread::yield();
    Item item = Key("new");
    item.emplace("g", "here");
    std::string bytes;
    EXPECT_THAT(EncodeItem(item, &bytes), IsOk());
    WriteBatch batch;
    batch.Put(row, bytes);
    EXPECT_THAT(engine().store().Write(std::move(batch)), IsOk());
  }
  change.join();
  EXPECT_THAT(engine().backfiller().Wait(live()), IsOk());
  EXPECT_EQ(Count("index"), 1u);
}

TEST_F(BackfillTest, DroppingAnIndexDeletesItsEntriesAndItsPosition) {
  const auto context = engine().write_context();
  for (int i = 0; i < 500; ++i) {
    Item item = Key(std::to_string(i));
    item.emplace("g", "here");
    ASSERT_THAT(WriteItem(context, live(), PutItemInput{.item = item}), IsOk());
  }
  const std::size_t meta_keys = KeysIn(KeyspaceId::kMeta);
  for (int i = 0; i < 20; ++i) {
    ASSERT_THAT(engine().UpdateTable({.name = "app", .create_index = kAddedIndex}), IsOk());
    const KeyspaceId keyspace = schema().FindIndex("index")->keyspace;
    ASSERT_THAT(engine().UpdateTable({.name = "app", .delete_index = "index"}), IsOk());
    EXPECT_EQ(KeysIn(keyspace), 0u);
    EXPECT_EQ(KeysIn(KeyspaceId::kMeta), meta_keys);
  }
}

// The backfill cannot begin while a writer holds the lock of a row.
TEST_F(BackfillTest, DescribeTableReportsTheProgress) {
  std::thread change;
  {
    LockTable::Guard writer(engine().locks());
    const LockTable::RowHash hash = RowOf("0");
    writer.Lock({&hash, 1}, LockTable::Holder::kSingleWrite, OnConflict::kWait);
    change = std::thread([&] {
      EXPECT_THAT(engine().UpdateTable({.name = "app", .create_index = kAddedIndex}), IsOk());
    });
    while (schema().indexes.empty()) std::this_thread::yield();
    const auto description = engine().DescribeTable("app", ContentSizes::kCount);
    EXPECT_THAT(description, IsOk());
    const auto& index = description->global_secondary_indexes.at(0);
    EXPECT_EQ(index.status, IndexStatus::kCreating);
    EXPECT_TRUE(index.backfill.has_value());
    EXPECT_EQ(index.backfill->items_read, 0u);
    ScanOutput page;
    EXPECT_THAT(Scan(engine().read_context(), schema(), {.index = "index"}, &page),
                StatusIs(StatusCode::kValidation,
                         "Cannot read from backfilling global secondary index: index"));
  }
  change.join();
  EXPECT_THAT(engine().backfiller().Wait(live()), IsOk());
  EXPECT_EQ(Count("index"), 0u);
}

}  // namespace
}  // namespace dolmen::engine
