// Tests of the sweeper's thread: what it does without a call. The tests of the catalog say what is dropped when.

#include "engine/background/sweeper.h"

#include <chrono>
#include <memory>
#include <thread>

#include "dolmen/clock.h"
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

}  // namespace
}  // namespace dolmen::engine
