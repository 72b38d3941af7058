#include "models/examples/fresh_names.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <utility>

#include "tests/support/status_matchers.h"

namespace dolmen::examples {
namespace {

using test::IsOk;
using test::IsOkAndHolds;
using test::StatusIs;
using testing::_;
using testing::ElementsAre;
using testing::IsEmpty;

template <typename T>
T Value(Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.status().ToString());
  return *std::move(result);
}

// Organisation o_01, named Stones, with member ann.
class FreshNamesTest : public testing::Test {
 protected:
  FreshNamesTest() {
    EXPECT_THAT(organisations_.Create("o_01", "Stones"), IsOk());
    EXPECT_THAT(organisations_.AddMember("o_01", "ann"), IsOk());
  }

  // What ann sees.
  std::vector<Membership> Anns() { return Value(organisations_.MembershipsOf("ann")); }

  // All records of renames so far.
  std::vector<StreamRecord> Renames() {
    std::vector<StreamRecord> renames;
    Subscription all = Value(table_.Subscribe(
        {.name = "test",
         .filter = Attr("eventName") == "MODIFY" && Attr("Keys")["SK"] == "organisation",
         .in_background = false},
        [&](const StreamRecord& record) {
          renames.push_back(record);
          return Status();
        }));
    Value(all.Deliver());
    return renames;
  }

  std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>();
  Database database_ = Value(Database::InMemory({.clock = clock_}));
  Organisations organisations_ = Value(Organisations::Open(database_));
  Table table_ = Value(database_.OpenTable("organisations"));
};

TEST_F(FreshNamesTest, ARenameReachesAllCopies) {
  Subscription fresh = Value(organisations_.KeepNamesFresh(/*in_background=*/false));
  EXPECT_THAT(organisations_.AddMember("o_01", "bob"), IsOk());
  EXPECT_THAT(organisations_.Create("o_02", "Pebbles"), IsOk());
  EXPECT_THAT(organisations_.AddMember("o_02", "ann"), IsOk());

  EXPECT_THAT(organisations_.Rename("o_01", "Menhirs"), IsOk());
  EXPECT_THAT(Anns(), ElementsAre(Membership{"o_01", "Stones"}, Membership{"o_02", "Pebbles"}));
  EXPECT_THAT(fresh.Deliver(), IsOkAndHolds(1U));
  EXPECT_THAT(Anns(), ElementsAre(Membership{"o_01", "Menhirs"}, Membership{"o_02", "Pebbles"}));
  EXPECT_THAT(organisations_.MembershipsOf("bob"),
              IsOkAndHolds(ElementsAre(Membership{"o_01", "Menhirs"})));
}

// More members than a page of 1 MB holds.
TEST_F(FreshNamesTest, AsManyCopiesAsThereAreGetTheName) {
  constexpr int kMembers = 1'100;
  const std::string long_part(990, 'x');
  for (int i = 0; i < kMembers; ++i) {
    ASSERT_THAT(organisations_.AddMember("o_01", long_part + std::to_string(i)), IsOk());
  }
  Subscription fresh = Value(organisations_.KeepNamesFresh(/*in_background=*/false));
  EXPECT_THAT(organisations_.Rename("o_01", "Menhirs"), IsOk());
  EXPECT_THAT(fresh.Deliver(), IsOkAndHolds(1U));
  for (int i = 0; i < kMembers; ++i) {
    EXPECT_THAT(organisations_.MembershipsOf(long_part + std::to_string(i)),
                IsOkAndHolds(ElementsAre(Membership{"o_01", "Menhirs"})));
  }
}

TEST_F(FreshNamesTest, NothingButARenameIsHandedOver) {
  Subscription fresh = Value(organisations_.KeepNamesFresh(/*in_background=*/false));
  EXPECT_THAT(organisations_.AddMember("o_01", "bob"), IsOk());
  EXPECT_THAT(organisations_.RemoveMember("o_01", "bob"), IsOk());
  EXPECT_THAT(organisations_.Rename("o_01", "Stones"), IsOk());  // as it was
  EXPECT_THAT(fresh.Deliver(), IsOkAndHolds(0U));
  EXPECT_THAT(organisations_.Rename("o_01", "Menhirs"), IsOk());
  EXPECT_THAT(fresh.Deliver(), IsOkAndHolds(1U));
  EXPECT_THAT(fresh.Deliver(), IsOkAndHolds(0U));  // not of the copies that it has changed
}

TEST_F(FreshNamesTest, WhatIsRenamedWhileNobodyListensIsMadeUpFor) {
  EXPECT_THAT(organisations_.Rename("o_01", "Menhirs"), IsOk());
  clock_->Advance(std::chrono::days(29));
  Subscription fresh = Value(organisations_.KeepNamesFresh(/*in_background=*/false));
  EXPECT_THAT(fresh.Deliver(), IsOkAndHolds(1U));
  EXPECT_THAT(Anns(), ElementsAre(Membership{"o_01", "Menhirs"}));
}

TEST_F(FreshNamesTest, ARecordThatComesAgainChangesNothing) {
  Subscription fresh = Value(organisations_.KeepNamesFresh(/*in_background=*/false));
  EXPECT_THAT(organisations_.Rename("o_01", "Menhirs"), IsOk());
  EXPECT_THAT(fresh.Deliver(), IsOkAndHolds(1U));
  const std::vector<Membership> once = Anns();
  EXPECT_THAT(fresh.Seek({.type = ShardIteratorType::kTrimHorizon}), IsOk());
  EXPECT_THAT(fresh.Deliver(), IsOkAndHolds(1U));
  EXPECT_EQ(Anns(), once);
}

TEST_F(FreshNamesTest, AnOlderNameDoesNotReplaceANewerOne) {
  EXPECT_THAT(organisations_.Rename("o_01", "Menhirs"), IsOk());
  EXPECT_THAT(organisations_.Rename("o_01", "Dolmens"), IsOk());
  const std::vector<StreamRecord> renames = Renames();
  ASSERT_EQ(renames.size(), 2U);
  EXPECT_THAT(organisations_.RefreshCopies(renames[1]), IsOk());
  EXPECT_THAT(organisations_.RefreshCopies(renames[0]), IsOk());
  EXPECT_THAT(Anns(), ElementsAre(Membership{"o_01", "Dolmens"}));
}

TEST_F(FreshNamesTest, WhoJoinsAfterARenameKeepsTheNewName) {
  EXPECT_THAT(organisations_.Rename("o_01", "Menhirs"), IsOk());
  EXPECT_THAT(organisations_.Rename("o_01", "Dolmens"), IsOk());
  EXPECT_THAT(organisations_.AddMember("o_01", "bob"), IsOk());
  const std::vector<StreamRecord> renames = Renames();
  ASSERT_EQ(renames.size(), 2U);
  EXPECT_THAT(organisations_.RefreshCopies(renames[0]), IsOk());
  EXPECT_THAT(organisations_.MembershipsOf("bob"),
              IsOkAndHolds(ElementsAre(Membership{"o_01", "Dolmens"})));
}

TEST_F(FreshNamesTest, WhoHasLeftDoesNotComeBack) {
  EXPECT_THAT(organisations_.Rename("o_01", "Menhirs"), IsOk());
  EXPECT_THAT(organisations_.RemoveMember("o_01", "ann"), IsOk());
  Subscription fresh = Value(organisations_.KeepNamesFresh(/*in_background=*/false));
  EXPECT_THAT(fresh.Deliver(), IsOkAndHolds(1U));
  EXPECT_THAT(Anns(), IsEmpty());
}

// As if somebody left between the look at the members and the change of the copies.
TEST_F(FreshNamesTest, ACopyThatIsGoneIsNotMadeAnew) {
  EXPECT_THAT(organisations_.Rename("o_01", "Menhirs"), IsOk());
  EXPECT_THAT(table_.DeleteItem({.key = {{"PK", "user/ann"}, {"SK", "userOrganisation/o_01"}}}),
              IsOk());
  Subscription fresh = Value(organisations_.KeepNamesFresh(/*in_background=*/false));
  EXPECT_THAT(fresh.Deliver(), IsOkAndHolds(1U));
  EXPECT_THAT(Anns(), IsEmpty());
}

TEST_F(FreshNamesTest, OrganisationsAreMadeOnceAndRenamedIfTheyAreThere) {
  EXPECT_THAT(organisations_.Create("o_01", "Others"), StatusIs(StatusCode::kResourceInUse, _));
  EXPECT_THAT(organisations_.Rename("o_09", "Nobody"), StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_THAT(organisations_.AddMember("o_09", "ann"), StatusIs(StatusCode::kResourceNotFound, _));
  EXPECT_THAT(Anns(), ElementsAre(Membership{"o_01", "Stones"}));
}

}  // namespace
}  // namespace dolmen::examples
