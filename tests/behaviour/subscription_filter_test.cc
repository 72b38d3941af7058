// Tests of a subscription's filter, which selects the records that the handler receives.

#include <string>
#include <vector>

#include "tests/behaviour/subscription_fixture.h"

namespace dolmen::behaviour {
namespace {

class SubscriptionFilterTest : public SubscriptionFixture {
 protected:
  struct Rule {
    FilterExpression filter;
    std::vector<std::string> given;
    Values values = {};
    Names names = {};
  };

  static SubscribeInput Filtered(const FilterExpression& filter, const Values& values = {},
                                 const Names& names = {}) {
    SubscribeInput input = ByHand();
    input.filter = filter;
    input.values = values;
    input.names = names;
    return input;
  }

  // Checks which records each filter passes to the handler. Rule::given lists the expected records,
  // each as "EVENT sort key".
  void CheckFilters(const std::vector<Rule>& rules) {
    for (const Rule& rule : rules) {
      SCOPED_TRACE(rule.filter.text() ? *rule.filter.text() : "built");
      SubscribeInput input = Filtered(rule.filter, rule.values, rule.names);
      input.name = UniqueKey();
      std::vector<std::string> given;
      Subscription subscription = Subscribe(input, [&](const StreamRecord& record) {
        given.push_back(std::string(EventNameText(record.event_name)) + " " + SortKeyOf(record));
        return Status();
      });
      EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(rule.given.size()));
      EXPECT_EQ(given, rule.given);
    }
  }

  // Writes users and orders. The item u1 is inserted, modified and removed.
  void PutUsersAndOrders() {
    Put("u1", {{"entityType", "User"}, {"name", "Ann"}});
    Put("o1", {{"entityType", "Order"}, {"amount", 10}});
    Put("u1", {{"entityType", "User"}, {"name", "Anna"}});
    Put("o2", {{"entityType", "Order"}, {"amount", 30}});
    Delete("u1");
  }
};

TEST_F(SubscriptionFilterTest, AFilterMayNameImagesEventsAndKeys) {
  PutUsersAndOrders();
  const Values user{{":t", "User"}};
  CheckFilters({
      {{}, {"INSERT u1", "INSERT o1", "MODIFY u1", "INSERT o2", "REMOVE u1"}},
      {"NewImage.entityType = :t", {"INSERT u1", "MODIFY u1"}, user},
      {"OldImage.entityType = :t", {"MODIFY u1", "REMOVE u1"}, user},
      {"NewImage.entityType = :t AND eventName = :insert",
       {"INSERT u1"},
       {{":t", "User"}, {":insert", "INSERT"}}},
      {"eventName IN (:a, :b)", {"MODIFY u1", "REMOVE u1"}, {{":a", "MODIFY"}, {":b", "REMOVE"}}},
      {"attribute_exists(OldImage)", {"MODIFY u1", "REMOVE u1"}},
      {"attribute_not_exists(OldImage)", {"INSERT u1", "INSERT o1", "INSERT o2"}},
      {"attribute_not_exists(NewImage)", {"REMOVE u1"}},
      {"attribute_exists(NewImage) AND attribute_exists(OldImage)", {"MODIFY u1"}},
      {"NewImage.amount > :n", {"INSERT o2"}, {{":n", 20}}},
      {"attribute_exists(NewImage.#name) AND attribute_exists(OldImage) AND "
       "NewImage.#name <> OldImage.#name",
       {"MODIFY u1"},
       {},
       {{"#name", "name"}}},
      {"begins_with(#keys.SK, :o)", {"INSERT o1", "INSERT o2"}, {{":o", "o"}}, {{"#keys", "Keys"}}},
      {"attribute_type(NewImage, :m) AND size(#keys) = :two",
       {"INSERT u1", "INSERT o1", "MODIFY u1", "INSERT o2"},
       {{":m", "M"}, {":two", 2}},
       {{"#keys", "Keys"}}},
      {"attribute_exists(userIdentity)", {}},
      {"eventName = :lower", {}, {{":lower", "insert"}}},
      {"attribute_exists(entityType)", {}},
  });
}

TEST_F(SubscriptionFilterTest, AFilterMayBeBuiltOrPrepared) {
  PutUsersAndOrders();
  const auto prepared = FilterExpression::Prepare("eventName = :e");
  ASSERT_THAT(prepared, IsOk());
  CheckFilters({
      {Attr("NewImage")["entityType"] == "Order" && Attr("NewImage")["amount"] > 20, {"INSERT o2"}},
      {*prepared, {"REMOVE u1"}, {{":e", "REMOVE"}}},
  });
}

// If the service removes an expired item, the stream record names the service. So a filter can tell
// expiry from other removals.
TEST_F(SubscriptionFilterTest, AFilterTellsExpiryFromOtherRemovals) {
  ASSERT_THAT(database().UpdateTimeToLive(
                  {.table_name = "things", .specification = {.attribute_name = "expires"}}),
              IsOk());
  ASSERT_THAT(table().WaitForIndexes(), IsOk());
  const auto in_a_minute = std::chrono::duration_cast<std::chrono::seconds>(
                               clock().Now().time_since_epoch() + minutes(1))
                               .count();
  Put("by_program", {{"expires", in_a_minute}});
  Put("by_service", {{"expires", in_a_minute}});
  Delete("by_program");
  clock().Advance(minutes(2));
  ASSERT_THAT(table().ExpireNow(), IsOkAndHolds(1u));
  EXPECT_TRUE(Records().back().by_service);
  const Values remove{{":remove", "REMOVE"}};
  CheckFilters({
      {"attribute_exists(userIdentity)", {"REMOVE by_service"}},
      {"eventName = :remove AND attribute_not_exists(userIdentity)", {"REMOVE by_program"}, remove},
      {"eventName = :remove", {"REMOVE by_program", "REMOVE by_service"}, remove},
      {"userIdentity.principalId = :dynamodb",
       {"REMOVE by_service"},
       {{":dynamodb", "dynamodb.amazonaws.com"}}},
  });
}

// A record that the filter leaves out is never delivered, even if the filter is removed later.
TEST_F(SubscriptionFilterTest, ThePositionPassesRecordsThatTheFilterLeavesOut) {
  PutAll({"a", "b", "c"});
  const std::string last = Records().back().sequence_number;
  {
    Subscription subscription = Subscribe(Filtered(
        "#keys.SK = :a OR eventName = :no", {{":a", "a"}, {":no", "none"}}, {{"#keys", "Keys"}}));
    EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(1u));
    EXPECT_EQ(subscription.sequence_number(), last);
  }
  Put("d");
  EXPECT_THAT(Deliver(ByHand()), ElementsAre("d"));
}

TEST_F(SubscriptionFilterTest, ThePositionAdvancesIfTheFilterLeavesOutEveryRecord) {
  PutAll({"a", "b"});
  {
    Subscription subscription = Subscribe(Filtered("eventName = :no", {{":no", "none"}}));
    EXPECT_THAT(subscription.Deliver(), IsOkAndHolds(0u));
    EXPECT_EQ(subscription.sequence_number(), Records().back().sequence_number);
  }
  EXPECT_THAT(Deliver(ByHand()), IsEmpty());
}

TEST_F(SubscriptionFilterTest, SubscribeRejectsAnInvalidFilter) {
  struct Row {
    SubscribeInput input;
    std::string error;
  };
  const auto without_filter = [](const Values& values, const Names& names) {
    SubscribeInput input = ByHand();
    input.values = values;
    input.names = names;
    return input;
  };
  for (const auto& [input, error] : std::vector<Row>{
           {Filtered("eventName ="), "Invalid FilterExpression: Syntax error"},
           {Filtered(""), "Invalid FilterExpression"},
           {Filtered("Keys.SK = :k", {{":k", "a"}}), "reserved keyword"},
           {Filtered("eventName = :missing"), ":missing"},
           {Filtered("#missing = :v", {{":v", 1}}), "#missing"},
           {Filtered("eventName = :v", {{":v", 1}, {":unused", 2}}),
            "unused in expressions: keys: {:unused}"},
           {Filtered("eventName = :v", {{":v", 1}}, {{"#unused", "x"}}),
            "unused in expressions: keys: {#unused}"},
           {without_filter({{":v", 1}}, {}), "can only be specified when using expressions"},
           {without_filter({}, {{"#n", "x"}}), "can only be specified when using expressions"}}) {
    EXPECT_THAT(table().Subscribe(input, given_.Handler()),
                StatusIs(kValidation, HasSubstr(error)));
  }
  // All rejected calls of Subscribe used the same subscription name. The name is still free.
  EXPECT_THAT(table().Subscribe(ByHand(), given_.Handler()), IsOk());
}

// If the stream's view type leaves out an image, the filter treats the image as absent.
TEST_F(SubscriptionFilterTest, AFilterSeesTheImagesOfTheViewType) {
  struct Row {
    StreamViewType view_type;
    bool has_new;
    bool has_old;
  };
  for (const auto& [view_type, has_new, has_old] :
       {Row{StreamViewType::kKeysOnly, false, false}, Row{StreamViewType::kNewImage, true, false},
        Row{StreamViewType::kOldImage, false, true},
        Row{StreamViewType::kNewAndOldImages, true, true}}) {
    SCOPED_TRACE(static_cast<int>(view_type));
    Disable();
    clock().Advance(hours(25));
    Enable(view_type);
    Put("a", {{"n", 1}});
    Put("a", {{"n", 2}});
    const auto finds = [&](const std::string& filter) {
      SubscribeInput input = Filtered(filter + " AND eventName = :e", {{":e", "MODIFY"}});
      input.name = UniqueKey();
      return !Deliver(input).empty();
    };
    EXPECT_EQ(finds("attribute_exists(NewImage.n)"), has_new);
    EXPECT_EQ(finds("attribute_exists(OldImage.n)"), has_old);
  }
}

}  // namespace
}  // namespace dolmen::behaviour
