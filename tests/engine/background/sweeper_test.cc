// Tests of the sweeper: what its thread does without a call, and what a sweep does with damaged rows. The tests of the
// catalog say what is dropped when.

#include "engine/background/sweeper.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "dolmen/clock.h"
#include "dolmen/dolmen.h"
#include "engine/engine.h"
#include "engine/schema/catalog_entries.h"
#include "engine/storage/cursor.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::engine {
namespace {

// No program may open or change the database after the table is deleted.
TEST(SweeperTest, DropsTheStreamOfADeletedTableAfter24Hours) {
  const auto clock = std::make_shared<ManualClock>();
  const auto engine =
      test::Value(Engine::InMemory({.clock = clock, .expiry_lag = std::chrono::milliseconds(1)}));
  CreateTableInput table{.name = "app"};
  table.stream_specification = StreamSpecification{.view_type = StreamViewType::kKeysOnly};
  ASSERT_THAT(engine->CreateTable(table), test::IsOk());
  ASSERT_THAT(engine->DeleteTable("app"), test::IsOk());
  clock->Advance(std::chrono::hours(24) - std::chrono::milliseconds(1));
  EXPECT_TRUE(engine->catalog().HasDisabledStreams());
  clock->Advance(std::chrono::milliseconds(1));
  while (engine->catalog().HasDisabledStreams()) std::this_thread::yield();
  Cursor deleted(engine->store(), PrefixRange(DeletedTablePrefix()));
  deleted.SeekToFirst();
  EXPECT_FALSE(deleted.Valid());
}

// The rows of a sweep are deleted together, but one damaged row keeps none of the others.
TEST(SweeperTest, ADamagedRowDoesNotKeepOtherExpiredItems) {
  const auto clock = std::make_shared<ManualClock>();
  const Database db = test::Value(Database::InMemory({.clock = clock, .expiry_lag = std::nullopt}));
  const Table table = test::Value(db.CreateTable({.name = "app", .sort_key = std::nullopt}));
  ASSERT_THAT(
      db.UpdateTimeToLive({.table_name = "app", .specification = {.attribute_name = "expires"}}),
      test::IsOk());
  const std::int64_t now =
      std::chrono::floor<std::chrono::seconds>(clock->Now()).time_since_epoch().count();
  for (const char* key : {"a", "b", "c"}) {
    ASSERT_THAT(table.PutItem({.item = {{"PK", key}, {"expires", now - 1}}}), test::IsOk());
  }
  auto* const engine = static_cast<Engine*>(db.backend().get());
  Cursor rows(engine->store(),
              PrefixRange(EncodedKey(engine->catalog().Tables()[0]->schema()->keyspace)));
  rows.SeekToFirst();
  rows.Next();
  WriteBatch damage;
  damage.Put(EncodedKey::FromBytes(rows.key()), "");
  ASSERT_THAT(engine->store().Write(std::move(damage)), test::IsOk());
  EXPECT_THAT(table.ExpireNow(), test::StatusIs(StatusCode::kCorruption, testing::_));
  EXPECT_EQ(test::Value(table.GetItem({.key = {{"PK", "a"}}})).item, std::nullopt);
  EXPECT_EQ(test::Value(table.GetItem({.key = {{"PK", "c"}}})).item, std::nullopt);
}

}  // namespace
}  // namespace dolmen::engine
