// A fixture for tests of the engine's operations on tables: an engine in memory with one table,
// "app".

#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"
#include "engine/engine.h"
#include "engine/read/get_item.h"
#include "engine/read/get_items.h"
#include "engine/read/query.h"
#include "engine/read/read_context.h"
#include "engine/read/scan.h"
#include "engine/write/atomic_write.h"
#include "engine/write/write_items.h"
#include "tests/support/items.h"
#include "tests/support/status_matchers.h"

namespace dolmen::engine {

using test::IsOk;
using test::IsOkAndHolds;
using test::StatusIs;

class EngineTableTest : public testing::Test {
 protected:
  explicit EngineTableTest(OnConflict on_conflict = OnConflict::kWait)
      : on_conflict_(on_conflict) {}

  void SetUp() override {
    auto engine = Engine::InMemory({.clock = clock_, .on_conflict = on_conflict_});
    ASSERT_THAT(engine, IsOk());
    engine_ = *std::move(engine);
    auto live = engine_->catalog().Create({.name = "app"});
    ASSERT_THAT(live, IsOk());
    live_ = *std::move(live);
  }

  Engine& engine() { return *engine_; }
  LiveTable& live() { return *live_; }
  const TableSchema& schema() { return *live_->schema(); }

  // Returns the key with the partition key "p" and the given sort key.
  static Item Key(const std::string& sort) { return {{"PK", "p"}, {"SK", sort}}; }
  LockTable::RowHash RowOf(const std::string& sort) {
    return LockTable::HashOf(*RowOfRequest(schema(), Key(sort)));
  }

  Result<TransactWriteItemsOutput> Transact(const TransactWriteItemsInput& input) {
    const std::vector<LiveTable*> tables(input.actions.size(), &live());
    return TransactWriteItems(engine().write_context(), input, tables);
  }
  TableRef handle() const { return {engine_, live_}; }
  TransactWriteItem PutAction(const std::string& sort) const {
    return {handle(), PutItemInput{.item = Key(sort)}};
  }

  bool Exists(const std::string& sort) {
    GetItemOutput got;
    EXPECT_THAT(GetItem(engine().read_context(), schema(), {.key = Key(sort)}, &got), IsOk());
    return got.item.has_value();
  }

  // Returns the result of calling the function in another thread. A thread that holds the lock of
  // a row must not lock the row again.
  template <typename Function>
  static auto InAnotherThread(Function function) {
    return std::async(std::launch::async, std::move(function)).get();
  }

  const std::shared_ptr<ManualClock> clock_ =
      std::make_shared<ManualClock>(*ParseIso8601("2026-04-15T12:00:00Z"));

 private:
  const OnConflict on_conflict_;
  std::shared_ptr<Engine> engine_;
  LiveTableRef live_;
};

}  // namespace dolmen::engine
