// Tests of the order service by faults and a clock. Each test runs with both versions of the service:
// it finds a bug of the first version, and the mended version passes. The suites in Python,
// JavaScript and Go (models/examples) have the same tests with the same contents and the same seed.

#include "models/examples/order_service.h"

#include <dolmen/testing/seed.h>
#include <dolmen/testing/simulate.h>
#include <dolmen/testing/test_database.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <type_traits>

#include "tests/support/source_directory.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::examples {
namespace {

using test::IsOk;
using testing::ElementsAre;
using testing::SizeIs;

// Holds the contents of orders.json. Only tests move its clock, and expired items stay in it, as they
// can on AWS.
const TestDatabase& Shop() {
  static const TestDatabase shop(
      [](const Database& db) {
        std::ostringstream seed;
        seed << std::ifstream(test::SourceFile("/models/examples/orders.json")).rdbuf();
        return LoadSeed(db, seed.str());
      },
      {.clock = std::make_shared<ManualClock>(*ParseIso8601("2026-04-15T10:00:00Z")),
       .expiry_lag = std::nullopt,
       .simulate = Simulate({})});
  return shop;
}

template <typename Service>
class OrderServiceTest : public testing::Test {
 protected:
  static constexpr bool kHasBugs = std::is_same_v<Service, FirstOrderService>;

  // Prints the faults of a failed test.
  void TearDown() override {
    if (HasFailure()) std::cout << ToText(simulation_.Trace());
  }

  // Begins the faults of the rules, which follow from the seed.
  void Simulate(std::vector<SimulateRule> rules) const {
    ASSERT_THAT(simulation_.Restart({.seed = 4, .rules = std::move(rules)}), IsOk());
  }
  void Advance(std::chrono::milliseconds by) const { db_.clock()->AsManualClock()->Advance(by); }

  std::int64_t Stock(const char* product) const {
    const Item key = {{"PK", std::string("PRODUCT#") + product}, {"SK", "STOCK"}};
    const GetItemOutput got = test::Value(table_.GetItem({.key = key}));
    return got.item ? (*got.item)["stock"].AsInt64().value_or(-1) : -1;
  }

  const Database db_ = Shop().Fork();
  const Table table_ = test::Value(db_.OpenTable("shop"));
  const Simulation simulation_ = test::Value(Simulation::Of(db_));
  const Service service_{db_, table_, [this](std::chrono::milliseconds by) { Advance(by); }};
};

struct VersionName {
  template <typename Service>
  static std::string GetName(int) {
    return std::is_same_v<Service, FirstOrderService> ? "FirstVersion" : "MendedVersion";
  }
};
using Versions = testing::Types<FirstOrderService, OrderService>;
TYPED_TEST_SUITE(OrderServiceTest, Versions, VersionName);

TYPED_TEST(OrderServiceTest, AnOrderTakesOneLampAlthoughAnAnswerIsLost) {
  this->Simulate({{.fault = SimulatedFault::kInternalServerError,
                   .moment = FaultMoment::kAfter,
                   .chance = 0.5,
                   .calls_max = 1}});
  EXPECT_THAT(this->service_.Place({"ann", "7", "lamp"}), IsOk());
  EXPECT_THAT(this->simulation_.Trace(), SizeIs(1));
  EXPECT_EQ(this->Stock("lamp"), this->kHasBugs ? 8 : 9);
}

TYPED_TEST(OrderServiceTest, AnImportStoresAllOrdersAlthoughABatchIsCut) {
  this->Simulate({{.fault = SimulatedFault::kPartialBatch, .chance = 0.5}});
  EXPECT_THAT(
      this->service_.ImportAll({{"eve", "1", "lamp"}, {"eve", "2", "desk"}, {"eve", "3", "sofa"}}),
      IsOk());
  const auto ids = test::Value(this->service_.List("eve"));
  if (this->kHasBugs) {
    EXPECT_THAT(ids, ElementsAre("3"));
  } else {
    EXPECT_THAT(ids, ElementsAre("1", "2", "3"));
  }
}

TYPED_TEST(OrderServiceTest, AListHasAllOrdersAlthoughPagesAreShort) {
  this->Simulate({{.fault = SimulatedFault::kPageItems, .amount_min = 1, .amount_max = 3}});
  const auto ids = test::Value(this->service_.List("ann"));
  if (this->kHasBugs) {
    EXPECT_THAT(ids, ElementsAre("1", "2"));
  } else {
    EXPECT_THAT(ids, ElementsAre("1", "2", "3", "4", "5"));
  }
}

TYPED_TEST(OrderServiceTest, AReservedOrderIsFoundUntilItExpires) {
  EXPECT_TRUE(test::Value(this->service_.Find("bob", "6")));
  this->Advance(std::chrono::minutes(15));
  EXPECT_EQ(test::Value(this->service_.Find("bob", "6")).has_value(), this->kHasBugs);
}

}  // namespace
}  // namespace dolmen::examples
