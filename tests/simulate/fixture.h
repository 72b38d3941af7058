// A fixture for tests of simulations: a database in memory with the table "app", and rules that
// take effect after the table was created.

#pragma once

#include <dolmen/dolmen.h>
#include <dolmen/testing/simulate.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/contents.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::simulate {

using test::IsOk;
using test::StatusIs;
using testing::_;
using testing::ElementsAre;
using testing::IsEmpty;
using Fault = SimulatedFault;
using Operation = SimulatedOperation;

inline Item KeyOf(std::string_view pk, std::string_view sk) { return {{"PK", pk}, {"SK", sk}}; }

class SimulateTest : public testing::Test {
 protected:
  SimulateTest() {
    EXPECT_THAT(db_.CreateTable({.name = "other"}), IsOk());
    for (const char* sk : {"1", "2", "3", "4"}) EXPECT_THAT(Put("p", sk), IsOk());
  }

  Status Put(std::string_view pk, std::string_view sk) const {
    return table_.PutItem({.item = KeyOf(pk, sk)}).status();
  }
  Status Get(std::string_view pk, std::string_view sk) const {
    return table_.GetItem({.key = KeyOf(pk, sk)}).status();
  }
  // Returns true if the item exists. Ends the simulation.
  bool Exists(std::string_view pk, std::string_view sk) const {
    Simulate(SimulateOptions());
    const auto got = table_.GetItem({.key = KeyOf(pk, sk)});
    EXPECT_THAT(got, IsOk());
    return got.ok() && got->item.has_value();
  }

  void Simulate(SimulateOptions options) const {
    EXPECT_THAT(simulation_.Restart(std::move(options)), IsOk());
  }
  void Simulate(std::vector<SimulateRule> rules) const {
    Simulate(SimulateOptions{.rules = std::move(rules)});
  }
  std::string TraceText() const { return ToText(simulation_.Trace()); }

  std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>();
  Database db_ =
      test::Value(Database::InMemory({.clock = clock_, .simulate = dolmen::Simulate({})}));
  Table table_ = test::Value(db_.CreateTable({.name = "app"}));
  Simulation simulation_ = test::Value(Simulation::Of(db_));
};

}  // namespace dolmen::simulate
