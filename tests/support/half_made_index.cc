#include "tests/support/half_made_index.h"

#include <gtest/gtest.h>

#include "engine/engine.h"
#include "engine/key/encoded_key.h"
#include "tests/support/encrypted_run.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::test {

// Writes an invalid item as the first row. The backfill reads that row first, treats it as
// corruption and stops. Removes the invalid item afterwards.
void LeaveIndexHalfMade(const std::filesystem::path& path, const std::string& table,
                        const GlobalSecondaryIndex& index) {
  const auto engine = Value(OpenEngine(path, {.create_if_missing = false}));
  const engine::LiveTableRef live = Value(engine->catalog().Find(table));
  engine::EncodedKey first(live->keyspace());
  first.AdvancePast();
  engine::WriteBatch obstacle;
  obstacle.Put(first, "\x01");
  ASSERT_THAT(engine->store().Write(std::move(obstacle)), IsOk());
  ASSERT_THAT(engine->UpdateTable({.name = table, .create_index = index}), IsOk());
  ASSERT_THAT(engine->backfiller().Wait(*live), StatusIs(StatusCode::kCorruption, testing::_));
  engine::WriteBatch removal;
  removal.Delete(first);
  ASSERT_THAT(engine->store().Write(std::move(removal)), IsOk());
}

}  // namespace dolmen::test
