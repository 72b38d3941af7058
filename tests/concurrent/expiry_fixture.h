// A fixture for tests that expire items while other threads write: the table, its time to live and
// the clock of its database.

#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "dolmen/dolmen.h"
#include "tests/support/contents.h"
#include "tests/support/items.h"
#include "tests/support/random.h"

namespace dolmen::test {

class ExpiryFixture : public SeededTest {
 protected:
  static constexpr const char* kAll = "by_colour";
  static constexpr const char* kKeysOnly = "keys_by_colour";
  static constexpr const char* kLocal = "by_turn";

  static inline const UpdateTimeToLiveInput kEnable{.table_name = "things",
                                                    .specification = {.attribute_name = "expires"}};
  static inline const UpdateTimeToLiveInput kDisable{
      .table_name = "things", .specification = {.enabled = false, .attribute_name = "expires"}};

  static CreateTableInput TableInput() {
    CreateTableInput input;
    input.name = "things";
    input.global_secondary_indexes = {{.name = kAll, .partition_key = {{"colour"}}},
                                      {.name = kKeysOnly,
                                       .partition_key = {{"colour"}},
                                       .projection = ProjectionType::kKeysOnly}};
    input.local_secondary_indexes = {{.name = kLocal,
                                      .sort_key = {"turn", AttributeType::kN},
                                      .projection = ProjectionType::kKeysOnly}};
    input.stream_specification = {{.view_type = StreamViewType::kNewAndOldImages}};
    return input;
  }

  // Returns the key of an item that only this writer writes. The items of different writers are
  // next to each other in a partition, so that a sweep or a page meets items of several writers.
  static Item KeyOf(std::size_t writer, std::size_t i) {
    return {{"PK", "p" + std::to_string(i % 3)},
            {"SK", std::to_string(i) + "/" + std::to_string(writer)}};
  }

  OpenOptions Options() const {
    OpenOptions options;
    // Only transactions conflict. The test and the sweeps run no transaction, so no request may
    // fail with a conflict.
    options.on_conflict = OnConflict::kFail;
    options.durability = Durability::kBuffered;
    options.clock = clock_;
    options.expiry_lag = std::nullopt;
    options.write_buffer_bytes = 256 << 10;
    return options;
  }

  std::int64_t Now() const {
    return std::chrono::floor<std::chrono::seconds>(clock_->Now().time_since_epoch()).count();
  }

  static void ExpectIndexesMatch(const Table& table) {
    const Contents rows = ReadContents(table);
    EXPECT_EQ(ReadContents(table, kAll), rows);
    EXPECT_EQ(ReadContents(table, kKeysOnly), Projected(rows, "colour", {"PK", "SK", "colour"}));
    EXPECT_EQ(ReadContents(table, kLocal), Projected(rows, "turn", {"PK", "SK", "turn"}));
  }

  const std::shared_ptr<ManualClock> clock_ =
      std::make_shared<ManualClock>(*ParseIso8601("2026-04-15T12:00:00Z"));
};

}  // namespace dolmen::test
