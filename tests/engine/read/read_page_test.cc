// Tests of ReadPage(): a page that is used again, the state of the store that a page shows, and
// damage. tests/behaviour tests which items a page holds and where it ends.

#include "engine/read/read_page.h"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/key/key_codec.h"
#include "engine/write/index_upkeep.h"
#include "tests/engine/faulty_disk.h"
#include "tests/engine/keyspaces.h"
#include "tests/support/items.h"
#include "tests/support/temp_directory.h"
#include "tests/support/value.h"

namespace dolmen::engine {
namespace {

using test::IsOk;
using test::StatusIs;
using test::Value;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The table has the local index "by_n", which projects the keys alone. A plan reads the partition
// "p" of the table, until the test changes the plan.
class ReadPageTest : public testing::Test {
 protected:
  ReadPageTest() {
    plan_.table = &schema_;
    plan_.ranges = {Partition("p")};
  }

  static TableSchema MakeSchema() {
    CreateTableInput input{.name = "app"};
    input.local_secondary_indexes = {
        {.name = "by_n", .sort_key = {"n"}, .projection = ProjectionType::kKeysOnly}};
    return Value(MakeTableSchema(input, kTable, {}, 1));
  }

  static KeyRange Partition(std::string_view partition, KeyspaceId keyspace = kTable) {
    return PrefixRange(KeyPrefix(keyspace, {&partition, 1}));
  }
  static Item Key(const std::string& sort, const std::string& partition = "p") {
    return {{"PK", partition}, {"SK", sort}};
  }
  static Item With(const std::string& sort, const Item& attributes) {
    Item item = Key(sort);
    for (const auto& [name, value] : attributes) item.emplace(name, value);
    return item;
  }

  // Makes the plan read the partition "p" of the index.
  void ReadIndex() {
    plan_.index = schema_.FindIndex("by_n");
    plan_.ranges = {Partition("p", plan_.index->keyspace)};
  }

  EncodedKey RowOf(const StoredItem& item) const {
    return RowKey(kTable, *KeyOfStoredItem(schema_.keys, item.view()));
  }
  // Stores the item, and its entry in the index.
  void Put(const Item& item) {
    const StoredItem stored = test::StoreItem(item);
    WriteBatch batch;
    batch.Put(RowOf(stored), stored.view().bytes());
    IndexEntry entry;
    if (Value(MakeEntry(schema_, *schema_.FindIndex("by_n"), stored.view(), &entry))) {
      batch.Put(entry.key, entry.bytes);
    }
    Write(std::move(batch));
  }
  void Put(const std::string& sort, const std::string& partition = "p") {
    Put(Key(sort, partition));
  }
  // Deletes the row, but not its entry in the index.
  void DeleteRow(const std::string& sort) {
    WriteBatch batch;
    batch.Delete(RowOf(test::StoreItem(Key(sort))));
    Write(std::move(batch));
  }
  void Write(WriteBatch batch) { ASSERT_THAT(store_->Write(std::move(batch)), IsOk()); }

  Status Read() { return ReadPage(*store_, plan_, &page_); }
  // Reads a page, and returns the sort keys of its items.
  std::vector<std::string> Sorts() {
    EXPECT_THAT(Read(), IsOk());
    std::vector<std::string> sorts;
    for (std::size_t i = 0; i < page_.size(); ++i) sorts.emplace_back(*page_[i]["SK"].AsString());
    return sorts;
  }

  const test::TempDirectory directory_;
  const std::shared_ptr<DiskFaults> faults_ = std::make_shared<DiskFaults>();
  const std::unique_ptr<Store> store_ =
      Value(OpenPrepared({.directory = (directory_ / "db").string(),
                          .sync = false,
                          .write_buffer_bytes = 32 << 20,
                          .file_system = std::make_shared<FaultyDisk>(faults_)}));
  const TableSchema schema_ = MakeSchema();
  ReadPlan plan_;
  QueryOutput page_;
};

// The next read reuses the memory of the last key.
TEST_F(ReadPageTest, AReusedPageHasTheLastKeyOfItsLastRead) {
  Put(With("a", {{"n", "1"}}));
  Put("b", "q");
  plan_.limit = 1;
  ASSERT_THAT(Read(), IsOk());
  EXPECT_EQ(page_.last_evaluated_key(), Key("a"));
  ReadIndex();
  ASSERT_THAT(Read(), IsOk());
  EXPECT_EQ(page_.last_evaluated_key(), With("a", {{"n", "1"}}));
  plan_.index = nullptr;
  plan_.ranges = {Partition("q")};
  ASSERT_THAT(Read(), IsOk());
  EXPECT_EQ(page_.last_evaluated_key(), Key("b", "q"));
  plan_.ranges = {Partition("r")};
  ASSERT_THAT(Read(), IsOk());
  EXPECT_EQ(page_.last_evaluated_key(), Item());
}

TEST_F(ReadPageTest, ClearsThePage) {
  Put("a");
  plan_.limit = 1;
  plan_.return_consumed_capacity = ReturnConsumedCapacity::kTotal;
  EXPECT_THAT(Sorts(), ElementsAre("a"));
  EXPECT_TRUE(page_.consumed_capacity().has_value());
  plan_.ranges = {Partition("empty")};
  plan_.return_consumed_capacity = ReturnConsumedCapacity::kNone;
  EXPECT_THAT(Sorts(), IsEmpty());
  EXPECT_EQ(page_.scanned_count(), 0u);
  EXPECT_EQ(page_.last_evaluated_key(), Item());
  EXPECT_FALSE(page_.consumed_capacity().has_value());
}

// The page reads the index entries first, then the items. A delete between these reads is not
// visible, because both use one snapshot. The rows are in table files, so the page reads the disk.
TEST_F(ReadPageTest, AllItemsAreFromOneSnapshot) {
  Put(With("a", {{"n", "1"}, {"x", 1}}));
  Put(With("b", {{"n", "2"}, {"x", 2}}));
  ASSERT_THAT(store_->Compact(), IsOk());
  ReadIndex();
  plan_.fetches_items = true;
  plan_.select = Select::kAllAttributes;
  bool deleted = false;
  faults_->before_read = [&] {
    if (std::exchange(deleted, true)) return;
    for (const char* sort : {"a", "b"}) DeleteRow(sort);
  };
  EXPECT_THAT(Sorts(), ElementsAre("a", "b"));
  EXPECT_TRUE(deleted);
  faults_->before_read = nullptr;
  EXPECT_THAT(Read(), StatusIs(StatusCode::kCorruption, HasSubstr("without an item")));
}

TEST_F(ReadPageTest, DamagedItemsAndEntriesAreCorruption) {
  Put("a");
  WriteBatch damage;
  damage.Put(RowOf(test::StoreItem(Key("b"))), "\1");
  EncodedKey entry = Partition("p", schema_.FindIndex("by_n")->keyspace).lower;
  entry.AppendTerminated("n");
  const StoredItem half_key = test::StoreItem({{"PK", "p"}});
  damage.Put(entry, half_key.view().bytes());
  Write(std::move(damage));
  EXPECT_THAT(Read(), StatusIs(StatusCode::kCorruption, testing::_));
  ReadIndex();
  plan_.fetches_items = true;
  EXPECT_THAT(Read(), StatusIs(StatusCode::kCorruption, HasSubstr("lacks a key attribute")));
}

// A page after such a key would begin with the same items again.
TEST_F(ReadPageTest, APageDoesNotEndWithAnItemThatHasAnotherKey) {
  const StoredItem other = test::StoreItem(With("a", {{"n", "1"}}));
  WriteBatch damage;
  damage.Put(RowOf(test::StoreItem(Key("b"))), other.view().bytes());
  EncodedKey entry = Partition("p", schema_.FindIndex("by_n")->keyspace).lower;
  entry.AppendTerminated("2");
  damage.Put(entry, other.view().bytes());
  Write(std::move(damage));
  plan_.limit = 1;
  EXPECT_THAT(Read(), StatusIs(StatusCode::kCorruption, HasSubstr("a different key")));
  plan_.forward = false;
  EXPECT_THAT(Read(), StatusIs(StatusCode::kCorruption, HasSubstr("a different key")));
  ReadIndex();
  EXPECT_THAT(Read(), StatusIs(StatusCode::kCorruption, HasSubstr("a different key")));
}

TEST_F(ReadPageTest, ReportsAFileThatCannotBeRead) {
  Put("a");
  ASSERT_THAT(store_->Compact(), IsOk());
  faults_->reads_fail = true;
  for (const bool forward : {true, false}) {
    plan_.forward = forward;
    EXPECT_THAT(Read(), StatusIs(StatusCode::kStorage, HasSubstr("Input/output error")));
  }
}

}  // namespace
}  // namespace dolmen::engine
