// Tests of the catalog alone: what it stores and loads, what a failed change leaves, which keyspaces
// it purges, and for which writers a change waits.

#include "engine/schema/catalog.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/schema/catalog_entries.h"
#include "engine/schema/schema_codec.h"
#include "engine/storage/cursor.h"
#include "tests/engine/faulty_disk.h"
#include "tests/support/items.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_directory.h"

namespace dolmen::engine {
namespace {

using test::IsOk;
using test::IsOkAndHolds;
using test::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const EncodedKey kNextKeyspaceKey = MetaKey("next_keyspace");
constexpr LockTable::RowHash kLockedRow = 1;
constexpr StreamSpecification kEnabled{.view_type = StreamViewType::kKeysOnly};

class CatalogTest : public testing::Test {
 protected:
  CatalogTest() { Open(); }

  // Opens the store, and loads its catalog.
  void Open(bool read_only = false) {
    EXPECT_THAT(TryOpen(read_only), IsOk());
    std::vector<StreamSchema> streams;
    for (const LiveTableRef& table : catalog_->TablesWithStreams()) {
      const TableSchema& schema = *table->schema();
      streams.insert(streams.end(), schema.streams.begin(), schema.streams.end());
    }
    EXPECT_THAT(changes_->Load(streams), IsOk());
  }
  void Close() {
    catalog_.reset();
    changes_.reset();
    store_.reset();
  }
  Status TryOpen(bool read_only = false) {
    Close();
    auto store = OpenPrepared({.directory = path_.string(),
                               .read_only = read_only,
                               .sync = false,
                               .file_system = std::make_shared<FaultyDisk>(faults_)});
    if (!store.ok()) return store.status();
    store_ = *std::move(store);
    changes_.emplace(store_.get(), &clock_);
    catalog_.emplace(store_.get(), &locks_, &*changes_, &clock_);
    return catalog_->Load();
  }

  LiveTableRef Create(const CreateTableInput& input) {
    const auto table = catalog_->Create(input);
    EXPECT_THAT(table, IsOk());
    return *table;
  }
  Status Update(const UpdateTableInput& input) { return catalog_->Update(input).status(); }

  // Requests that change the table "app".
  static UpdateTableInput AddIndex(const std::string& name) {
    UpdateTableInput input{.name = "app"};
    input.create_index = GlobalSecondaryIndex{.name = name, .partition_key = {{"g"}}};
    return input;
  }
  static UpdateTableInput DropIndex(const std::string& name) {
    return {.name = "app", .delete_index = name};
  }
  static UpdateTableInput SetStream(const StreamSpecification& specification) {
    UpdateTableInput input{.name = "app"};
    input.stream_specification = specification;
    return input;
  }
  static UpdateTimeToLiveInput EnableTimeToLive() {
    return {.table_name = "app", .specification = {.attribute_name = "ttl"}};
  }

  // Writes a key to the keyspace. A record of a stream may have the key.
  void Fill(KeyspaceId keyspace) {
    EncodedKey key(keyspace);
    key.AppendBigEndian(1);
    WriteBatch batch;
    batch.Put(key, "value");
    ASSERT_THAT(store_->Write(std::move(batch)), IsOk());
  }
  std::size_t KeysIn(KeyspaceId keyspace) { return CountKeys(EncodedKey(keyspace)); }
  std::size_t CountKeys(const EncodedKey& prefix) {
    std::size_t count = 0;
    Cursor cursor(*store_, PrefixRange(prefix));
    for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) ++count;
    return count;
  }

  std::vector<std::string> Names() { return catalog_->List("", 100); }
  // Returns the whole schema of the table as an item.
  Item SchemaOf(const std::string& name) {
    return EncodeTableSchema((*catalog_->Find(name))->CopyWithAnnotations());
  }

  // Expects that `change` publishes a new schema, and returns only after a writer that holds a row
  // has released the row.
  void ExpectWaitsForWriters(const LiveTable& table, const std::function<Status()>& change) {
    std::optional<LockTable::Guard> writer(std::in_place, locks_);
    writer->Lock({&kLockedRow, 1}, LockTable::Holder::kSingleWrite, OnConflict::kWait);
    const TableSchema* const former = table.schema();
    std::atomic<bool> released = false;
    auto changed = std::async(std::launch::async, [&] {
      EXPECT_THAT(change(), IsOk());
      return released.load();
    });
    const auto has_ended = [&] {
      return changed.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    };
    while (table.schema() == former && !has_ended()) std::this_thread::yield();
    for (int i = 0; i < 1'000; ++i) std::this_thread::yield();
    released = true;
    writer.reset();
    EXPECT_TRUE(changed.get());
  }

  const test::TempDirectory directory_;
  const std::filesystem::path path_ = directory_ / "db";
  const std::shared_ptr<DiskFaults> faults_ = std::make_shared<DiskFaults>();
  ManualClock clock_{*ParseIso8601("2026-04-15T12:00:00Z")};
  LockTable locks_;
  std::unique_ptr<Store> store_;
  std::optional<ChangeLog> changes_;
  std::optional<Catalog> catalog_;
};

TEST_F(CatalogTest, LoadReturnsEveryTableAsItWasStored) {
  CreateTableInput input{.name = "full"};
  input.global_secondary_indexes = {{.name = "by_g", .partition_key = {{"g"}}}};
  input.stream_specification = StreamSpecification{.view_type = StreamViewType::kNewImage};
  input.annotations = {{"team", "red"}};
  input.deletion_protection = true;
  Create(input);
  Create({.name = "app"});
  ASSERT_THAT(catalog_->UpdateTimeToLive(EnableTimeToLive()), IsOk());
  const Item full = SchemaOf("full");
  const Item app = SchemaOf("app");
  Open();
  EXPECT_THAT(Names(), ElementsAre("app", "full"));
  EXPECT_EQ(SchemaOf("full"), full);
  EXPECT_EQ(SchemaOf("app"), app);
}

TEST_F(CatalogTest, LoadPurgesDroppedKeyspacesIfTheStoreIsWritable) {
  const KeyspaceId dropped[] = {Create({.name = "app"})->keyspace()};
  WriteBatch batch;
  DeleteSchema(*(*catalog_->Find("app"))->schema(), &batch);
  PutDropped(dropped, &batch);
  ASSERT_THAT(store_->Write(std::move(batch)), IsOk());
  Fill(dropped[0]);
  const EncodedKey mark = MetaKey("dropped");
  Open(/*read_only=*/true);
  EXPECT_EQ(KeysIn(dropped[0]), 1u);
  EXPECT_EQ(CountKeys(mark), 1u);
  Open();
  EXPECT_EQ(KeysIn(dropped[0]), 0u);
  EXPECT_EQ(CountKeys(mark), 0u);
}

TEST_F(CatalogTest, LoadRejectsADamagedCatalog) {
  EncodedKey entry(KeyspaceId::kCatalog);
  entry.AppendRaw("app");
  EncodedKey other(KeyspaceId::kCatalog);
  other.AppendRaw("other");
  using Damage = std::function<void(const TableSchema&, std::string, WriteBatch*)>;
  const struct {
    const char* name;
    StatusCode code;
    Damage damage;  // gets the schema and the stored entry of the table "app"
  } cases[] = {
      {"the entry is cut off", StatusCode::kCorruption,
       [&](auto&, std::string bytes, auto* batch) { batch->Put(entry, bytes.substr(0, 20)); }},
      {"a newer release wrote the entry", StatusCode::kUnsupportedFormat,
       [&](auto&, std::string bytes, auto* batch) { batch->Put(entry, "\2" + bytes.substr(1)); }},
      {"the entry is under another name", StatusCode::kCorruption,
       [&](auto&, std::string bytes, auto* batch) { batch->Put(other, bytes); }},
      {"two tables own one keyspace", StatusCode::kCorruption,
       [](TableSchema schema, auto&&, auto* batch) {
         schema.name = "copy";
         EXPECT_THAT(PutSchema(schema, batch), IsOk());
       }},
      {"the keyspace is not reserved", StatusCode::kCorruption,
       [](auto&, auto&&, auto* batch) { batch->Delete(kNextKeyspaceKey); }},
      {"the keyspace is marked as dropped", StatusCode::kCorruption,
       [](auto& schema, auto&&, auto* batch) {
         PutDropped({&schema.keyspace, 1}, batch);
       }}};
  for (const auto& [name, code, damage] : cases) {
    Open();
    const LiveTableRef table = Create({.name = "app"});
    PinnedValue bytes;
    ASSERT_THAT(store_->Get(entry, &bytes), IsOkAndHolds(true));
    WriteBatch batch;
    damage(*table->schema(), bytes.ToString(), &batch);
    bytes.Reset();
    ASSERT_THAT(store_->Write(std::move(batch)), IsOk());
    EXPECT_THAT(TryOpen(), StatusIs(code, testing::_)) << name;
    Close();
    std::filesystem::remove_all(path_);
  }
}

TEST_F(CatalogTest, AFailedCreationLeavesNoTableAndReservesNoKeyspace) {
  const auto first = static_cast<std::uint32_t>(Create({.name = "app"})->keyspace());
  EXPECT_THAT(catalog_->Create({.name = "?"}), StatusIs(StatusCode::kValidation, testing::_));
  EXPECT_THAT(catalog_->Create({.name = "app"}),
              StatusIs(StatusCode::kResourceInUse, "Table already exists: app"));
  faults_->writes_fail = true;
  EXPECT_THAT(catalog_->Create({.name = "other"}), StatusIs(StatusCode::kStorage, testing::_));
  EXPECT_THAT(Names(), ElementsAre("app"));
  faults_->writes_fail = false;
  Open();
  EXPECT_THAT(Names(), ElementsAre("app"));
  EXPECT_EQ(static_cast<std::uint32_t>(Create({.name = "other"})->keyspace()), first + 1);
}

TEST_F(CatalogTest, ChangesFailIfNoKeyspaceNumberIsLeft) {
  WriteBatch batch;
  const Number last(std::int64_t{0xFFFFFFFE});
  batch.Put(kNextKeyspaceKey, last.encoded());
  ASSERT_THAT(store_->Write(std::move(batch)), IsOk());
  Open();
  Create({.name = "app"});
  const auto is_full = StatusIs(StatusCode::kValidation, HasSubstr("all keyspace numbers"));
  EXPECT_THAT(catalog_->Create({.name = "other"}), is_full);
  EXPECT_THAT(Update(AddIndex("by_g")), is_full);
  EXPECT_THAT(Update(SetStream(kEnabled)), is_full);
  EXPECT_THAT(catalog_->UpdateTimeToLive(EnableTimeToLive()), is_full);
}

TEST_F(CatalogTest, FindsTablesByNameAndListsThemInOrder) {
  for (const char* name : {"ccc", "aaa", "bbb"}) Create({.name = name});
  EXPECT_EQ((*catalog_->Find("bbb"))->name(), "bbb");
  EXPECT_THAT(catalog_->Find("bb"),
              StatusIs(StatusCode::kResourceNotFound, "Requested resource not found"));
  EXPECT_THAT(
      catalog_->FindToManage("bb"),
      StatusIs(StatusCode::kResourceNotFound, "Requested resource not found: Table: bb not found"));
  EXPECT_THAT(catalog_->List("", 2), ElementsAre("aaa", "bbb"));
  EXPECT_THAT(catalog_->List("aaa", 2), ElementsAre("bbb", "ccc"));
  std::vector<std::string> names;
  for (const LiveTableRef& table : catalog_->Tables()) names.push_back(table->name());
  EXPECT_THAT(names, ElementsAre("aaa", "bbb", "ccc"));
}

TEST_F(CatalogTest, AChangeWaitsForTheWritersOfTheFormerSchema) {
  const LiveTableRef table = Create({.name = "app"});
  ExpectWaitsForWriters(*table, [&] { return Update(AddIndex("by_g")); });
  const KeyspaceId index = table->schema()->FindIndex("by_g")->keyspace;
  ExpectWaitsForWriters(*table, [&] { return catalog_->FinishBackfill(*table, index); });
  ExpectWaitsForWriters(*table, [&] { return Update(DropIndex("by_g")); });
  ExpectWaitsForWriters(*table, [&] { return Update(SetStream(kEnabled)); });
  ExpectWaitsForWriters(*table,
                        [&] { return catalog_->UpdateTimeToLive(EnableTimeToLive()).status(); });
  ExpectWaitsForWriters(*table, [&] { return catalog_->Drop("app"); });
}

TEST_F(CatalogTest, AChangeOfAnnotationsDoesNotWaitForWriters) {
  const LiveTableRef table = Create({.name = "app"});
  const TableSchema* const former = table->schema();
  std::optional<LockTable::Guard> writer(std::in_place, locks_);
  writer->Lock({&kLockedRow, 1}, LockTable::Holder::kSingleWrite, OnConflict::kWait);
  auto changed = std::async(std::launch::async, [&] {
    return Update({.name = "app", .annotations = Map{{"team", "red"}}});
  });
  EXPECT_EQ(changed.wait_for(std::chrono::minutes(1)), std::future_status::ready);
  writer.reset();
  EXPECT_THAT(changed.get(), IsOk());
  EXPECT_EQ(table->schema(), former);
  EXPECT_EQ(*table->annotations(), (Map{{"team", "red"}}));
}

TEST_F(CatalogTest, AFailedChangeLeavesTheSchema) {
  const LiveTableRef table = Create({.name = "app"});
  const TableSchema* const former = table->schema();
  const Item stored = SchemaOf("app");
  faults_->writes_fail = true;
  EXPECT_THAT(Update(AddIndex("by_g")), StatusIs(StatusCode::kStorage, testing::_));
  EXPECT_THAT(Update({.name = "app", .annotations = Map{{"team", "red"}}}),
              StatusIs(StatusCode::kStorage, testing::_));
  EXPECT_THAT(catalog_->UpdateTimeToLive(EnableTimeToLive()),
              StatusIs(StatusCode::kStorage, testing::_));
  EXPECT_THAT(catalog_->Drop("app"), StatusIs(StatusCode::kStorage, testing::_));
  EXPECT_EQ(table->schema(), former);
  EXPECT_EQ(SchemaOf("app"), stored);
  faults_->writes_fail = false;
  Open();
  EXPECT_EQ(SchemaOf("app"), stored);
}

TEST_F(CatalogTest, DroppingAnIndexPurgesItsKeyspaceAndRetiresItsNumber) {
  const LiveTableRef table = Create({.name = "app"});
  Fill(table->keyspace());
  ASSERT_THAT(Update(AddIndex("by_g")), IsOk());
  const KeyspaceId index = table->schema()->FindIndex("by_g")->keyspace;
  EXPECT_TRUE(table->schema()->FindIndex("by_g")->backfilling);
  Fill(index);
  ASSERT_THAT(Update(DropIndex("by_g")), IsOk());
  EXPECT_EQ(table->schema()->FindIndex("by_g"), nullptr);
  EXPECT_EQ(KeysIn(index), 0u);
  EXPECT_EQ(KeysIn(table->keyspace()), 1u);
  Open();
  ASSERT_THAT(Update(AddIndex("by_g")), IsOk());
  EXPECT_GT((*catalog_->Find("app"))->schema()->FindIndex("by_g")->keyspace, index);
}

TEST_F(CatalogTest, DroppingATablePurgesAllItsKeyspaces) {
  CreateTableInput input{.name = "app", .deletion_protection = true};
  input.global_secondary_indexes = {{.name = "by_g", .partition_key = {{"g"}}}};
  const LiveTableRef table = Create(input);
  const std::vector<KeyspaceId> keyspaces = table->schema()->Keyspaces();
  EXPECT_EQ(keyspaces.size(), 2u);
  for (const KeyspaceId keyspace : keyspaces) Fill(keyspace);
  EXPECT_THAT(catalog_->Drop("app"), StatusIs(StatusCode::kValidation, HasSubstr("protect")));
  EXPECT_EQ(KeysIn(keyspaces[0]), 1u);
  ASSERT_THAT(Update({.name = "app", .deletion_protection = false}), IsOk());
  ASSERT_THAT(catalog_->Drop("app"), IsOk());
  for (const KeyspaceId keyspace : keyspaces) EXPECT_EQ(KeysIn(keyspace), 0u);
  EXPECT_EQ(table->schema(), nullptr);
  EXPECT_THAT(Names(), IsEmpty());
  EXPECT_GT(Create({.name = "app"})->keyspace(), keyspaces[1]);
}

TEST_F(CatalogTest, DropsAStreamOnceItIsDisabledForItsRetention) {
  const LiveTableRef table = Create({.name = "app"});
  ASSERT_THAT(Update(SetStream(kEnabled)), IsOk());
  clock_.Advance(std::chrono::hours(24 * 365));
  ASSERT_THAT(catalog_->DropOldStreams(), IsOk());
  ASSERT_NE(table->schema()->enabled_stream(), nullptr);
  const StreamSchema stream = table->schema()->streams.at(0);
  ASSERT_THAT(Update(SetStream({.enabled = false})), IsOk());
  clock_.Advance(stream.retention - std::chrono::milliseconds(1));
  ASSERT_THAT(catalog_->DropOldStreams(), IsOk());
  EXPECT_EQ(table->schema()->streams.size(), 1u);
  clock_.Advance(std::chrono::milliseconds(1));
  ASSERT_THAT(catalog_->DropOldStreams(), IsOk());
  EXPECT_THAT(table->schema()->streams, IsEmpty());
  EXPECT_EQ(table->schema()->last_of_gone_streams, stream.first - 1);
  Open();
  EXPECT_THAT((*catalog_->Find("app"))->schema()->streams, IsEmpty());
}

// A deleted table keeps its disabled and its enabled stream, and nothing else. Each stream has its own
// end. The space of a stream is freed when the stream is dropped.
TEST_F(CatalogTest, DroppingATableKeepsItsStreamsForTheirRetention) {
  const LiveTableRef table = Create({.name = "app"});
  ASSERT_THAT(Update(SetStream(kEnabled)), IsOk());
  ASSERT_THAT(Update(SetStream({.enabled = false})), IsOk());
  clock_.Advance(std::chrono::hours(1));
  ASSERT_THAT(Update(SetStream(kEnabled)), IsOk());
  const std::vector<StreamSchema> streams = table->schema()->streams;
  const std::vector<KeyspaceId> keyspaces = table->schema()->Keyspaces();
  for (const KeyspaceId keyspace : keyspaces) Fill(keyspace);
  ASSERT_THAT(catalog_->Drop("app"), IsOk());
  Create({.name = "app"});

  const auto expect_kept = [&](std::vector<KeyspaceId> kept) {
    EXPECT_EQ(catalog_->HasDisabledStreams(), !kept.empty());
    EXPECT_EQ(catalog_->TablesWithStreams("app").size(), kept.empty() ? 1u : 2u);
    EXPECT_EQ(CountKeys(DeletedTablePrefix()), kept.empty() ? 0u : 1u);
    EXPECT_EQ(CountKeys(DroppedPrefix()), 0u);
    for (const KeyspaceId keyspace : keyspaces) {
      EXPECT_EQ(KeysIn(keyspace), std::ranges::count(kept, keyspace) == 1 ? 1u : 0u);
    }
  };
  clock_.Advance(std::chrono::hours(22));
  ASSERT_THAT(catalog_->DropOldStreams(), IsOk());
  expect_kept({streams[0].keyspace, streams[1].keyspace});
  clock_.Advance(std::chrono::hours(1));
  ASSERT_THAT(catalog_->DropOldStreams(), IsOk());
  expect_kept({streams[1].keyspace});
  Open();
  expect_kept({streams[1].keyspace});
  clock_.Advance(std::chrono::hours(1));
  ASSERT_THAT(catalog_->DropOldStreams(), IsOk());
  expect_kept({});
  Open();
  expect_kept({});
}

TEST_F(CatalogTest, AFinishedBackfillIsStored) {
  const LiveTableRef table = Create({.name = "app"});
  ASSERT_THAT(Update(AddIndex("by_g")), IsOk());
  ASSERT_THAT(catalog_->UpdateTimeToLive(EnableTimeToLive()), IsOk());
  for (const KeyspaceId keyspace :
       {table->schema()->FindIndex("by_g")->keyspace, table->schema()->expiry->index.keyspace}) {
    EXPECT_TRUE(table->schema()->FindIndex(keyspace)->backfilling);
    WriteBatch position;
    position.Put(BackfillKey(keyspace), "position");
    ASSERT_THAT(store_->Write(std::move(position)), IsOk());
    ASSERT_THAT(catalog_->FinishBackfill(*table, keyspace), IsOk());
    EXPECT_FALSE(table->schema()->FindIndex(keyspace)->backfilling);
    EXPECT_EQ(CountKeys(BackfillKey(keyspace)), 0u);
  }
  Open();
  EXPECT_EQ((*catalog_->Find("app"))->schema()->FindBackfilling(), nullptr);
}

TEST_F(CatalogTest, TheBackfillOfADroppedIndexOrTableFinishesNothing) {
  const LiveTableRef table = Create({.name = "app"});
  ASSERT_THAT(Update(AddIndex("by_g")), IsOk());
  const KeyspaceId index = table->schema()->FindIndex("by_g")->keyspace;
  ASSERT_THAT(Update(DropIndex("by_g")), IsOk());
  const std::uint64_t sequence = store_->LatestSequence();
  EXPECT_THAT(catalog_->FinishBackfill(*table, index), IsOk());
  EXPECT_EQ(store_->LatestSequence(), sequence);
  ASSERT_THAT(catalog_->Drop("app"), IsOk());
  EXPECT_THAT(catalog_->FinishBackfill(*table, index), IsOk());
  EXPECT_THAT(Names(), IsEmpty());
}

}  // namespace
}  // namespace dolmen::engine
