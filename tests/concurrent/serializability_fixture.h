// A fixture for tests of the checker: a history written by hand, and checks of what the checker
// finds in the history.

#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/concurrent/serializability.h"

namespace dolmen::test {

class SerializabilityTest : public testing::Test {
 protected:
  static constexpr std::size_t kX = 0;  // starts as an empty list, like kY
  static constexpr std::size_t kY = 1;
  static constexpr std::size_t kNew = 2;  // starts absent

  static ItemWrite Deletion(std::size_t item) { return {.item = item}; }

  // Adds an operation that begins now. It overlaps every earlier operation that no call of Await()
  // has ended.
  void Do(std::vector<ItemRead> reads, std::vector<ItemWrite> writes) {
    history_.operations.push_back({.name = "operation",
                                   .thread = history_.operations.size(),
                                   .began = now_++,
                                   .reads = std::move(reads),
                                   .writes = std::move(writes)});
  }
  void Read(std::vector<ItemRead> reads) { Do(std::move(reads), {}); }
  void Write(std::vector<ItemWrite> writes) { Do({}, std::move(writes)); }
  void Fail(std::vector<ItemRead> reads, std::vector<ItemWrite> writes) {
    Do(std::move(reads), std::move(writes));
    history_.operations.back().committed = false;
  }

  // Ends all operations except `but`. Operations that are added later begin after these ends.
  void Await(std::optional<std::size_t> but = std::nullopt) {
    for (std::size_t i = 0; i < history_.operations.size(); ++i) {
      Operation& operation = history_.operations[i];
      if (operation.ended == 0 && i != but) operation.ended = now_++;
    }
  }

  void ExpectGood() {
    Await();
    const auto violation = CheckSerializability(history_);
    EXPECT_FALSE(violation.has_value()) << violation->text;
  }

  // Expects this anomaly, with a description that matches `text`.
  template <typename Matcher>
  void ExpectBad(Anomaly anomaly, Matcher text) {
    Await();
    const auto violation = CheckSerializability(history_);
    ASSERT_TRUE(violation.has_value()) << "expected: " << AnomalyName(anomaly);
    EXPECT_EQ(violation->anomaly, anomaly) << violation->text;
    EXPECT_THAT(violation->text, text);
    EXPECT_THAT(violation->text, testing::HasSubstr(std::string(AnomalyName(anomaly))));
  }
  void ExpectBad(Anomaly anomaly) { ExpectBad(anomaly, testing::HasSubstr("#")); }

  History history_{.items = {{.name = "x"}, {.name = "y"}, {.name = "new", .starts_absent = true}}};

 private:
  Moment now_ = 1;
};

}  // namespace dolmen::test
