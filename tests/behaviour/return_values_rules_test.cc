// Tests of ReturnValues and ReturnValuesOnConditionCheckFailure. The rule numbers are those of
// tests/behaviour/README.md.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateItem.html

#include "tests/behaviour/rules.h"

namespace dolmen::behaviour {
namespace {

const std::optional<Map> kNothing;

class ReturnValuesRulesTest : public RulesTest {
 protected:
  void Delete() const { EXPECT_THAT(table().DeleteItem({.key = Key()}), IsOk()); }

  // Returns all attributes that the write returned, or nothing if the write returned none.
  static std::optional<Map> ReturnedBy(const Result<WriteItemOutput>& output) {
    EXPECT_THAT(output, IsOk());
    if (!output.ok() || !output->attributes) return std::nullopt;
    return *output->attributes->Copy();
  }

  // Returns the item that failed the condition, or nothing if the error holds no item.
  static std::optional<Map> SeenBy(const Status& failure) {
    EXPECT_THAT(failure, FailsCondition());
    if (failure.item() == nullptr) return std::nullopt;
    return *failure.item()->Copy();
  }
};

TEST_F(ReturnValuesRulesTest, PutItemReturnsTheOldItemOrNone) {
  const auto put = [&](const Map& attributes, ReturnValues wanted) {
    return table().PutItem({.item = With(attributes), .return_values = wanted});
  };
  EXPECT_EQ(ReturnedBy(put({{"n", 1}}, ReturnValues::kAllOld)), kNothing);  // no item existed
  EXPECT_EQ(ReturnedBy(put({{"n", 2}}, ReturnValues::kAllOld)), With({{"n", 1}}));
  EXPECT_EQ(ReturnedBy(put({{"n", 3}}, ReturnValues::kNone)), kNothing);
  EXPECT_EQ(ReturnedBy(table().PutItem({.item = With({{"n", 4}})})), kNothing);
  for (const ReturnValues other :
       {ReturnValues::kUpdatedOld, ReturnValues::kAllNew, ReturnValues::kUpdatedNew}) {
    EXPECT_THAT(put({{"n", 5}}, other), IsInvalid("ReturnValues can only be ALL_OLD or NONE"));
  }
  EXPECT_EQ(Attributes(), (Map{{"n", 4}}));
}

TEST_F(ReturnValuesRulesTest, DeleteItemReturnsTheOldItemOrNone) {
  const auto erase = [&](ReturnValues wanted) {
    return table().DeleteItem({.key = Key(), .return_values = wanted});
  };
  EXPECT_EQ(ReturnedBy(erase(ReturnValues::kAllOld)), kNothing);  // no item existed
  PutWith({{"n", 1}});
  for (const ReturnValues other :
       {ReturnValues::kUpdatedOld, ReturnValues::kAllNew, ReturnValues::kUpdatedNew}) {
    EXPECT_THAT(erase(other), IsInvalid("ReturnValues can only be ALL_OLD or NONE"));
  }
  EXPECT_EQ(ReturnedBy(erase(ReturnValues::kAllOld)), With({{"n", 1}}));
  EXPECT_EQ(ReturnedBy(erase(ReturnValues::kAllOld)), kNothing);
  PutWith({{"n", 1}});
  EXPECT_EQ(ReturnedBy(erase(ReturnValues::kNone)), kNothing);
}

// An update, and the attributes that it returns for each of the ReturnValues. `item` is the item
// before the update; nullopt means that no item exists.
struct UpdateReturns {
  std::string update;
  std::optional<Map> item;
  Values values;
  std::optional<Map> updated_old;
  std::optional<Map> updated_new;
  Map all_new;
};

// Checks the attributes that UpdateItem returns for each of the ReturnValues.
class UpdateReturnsRulesTest : public ReturnValuesRulesTest {
 protected:
  void Check(const std::vector<UpdateReturns>& rows) const {
    for (const UpdateReturns& row : rows) {
      SCOPED_TRACE(row.update);
      const auto returned = [&](ReturnValues wanted) {
        Delete();
        if (row.item) PutWith(*row.item);
        return ReturnedBy(table().UpdateItem(
            {.key = Key(), .update = row.update, .values = row.values, .return_values = wanted}));
      };
      EXPECT_EQ(returned(ReturnValues::kNone), kNothing);
      EXPECT_EQ(returned(ReturnValues::kAllOld),
                row.item ? std::optional<Map>(With(*row.item)) : kNothing);
      EXPECT_EQ(returned(ReturnValues::kUpdatedOld), row.updated_old);
      EXPECT_EQ(returned(ReturnValues::kUpdatedNew), row.updated_new);
      EXPECT_EQ(returned(ReturnValues::kAllNew), With(row.all_new));
      EXPECT_EQ(Get(Key()), With(row.all_new));
    }
  }
};

// An absent item has no old attributes, so ALL_OLD and UPDATED_OLD return nothing.
TEST_F(UpdateReturnsRulesTest, AnUpdateOfAnAbsentItemReturnsNoOldAttributes) {
  Check({
      {"SET a = :v", {}, {{":v", 1}}, {}, {{{"a", 1}}}, {{"a", 1}}},
      {"ADD a :v SET b = :v", {}, {{":v", 1}}, {}, {{{"a", 1}, {"b", 1}}}, {{"a", 1}, {"b", 1}}},
  });
}

TEST_F(UpdateReturnsRulesTest, UpdatedOldAndNewReturnTheAttributesThatTheUpdateNames) {
  Check({
      {"SET a = :v",
       {{{"a", 1}, {"b", 2}}},
       {{":v", 3}},
       {{{"a", 1}}},
       {{{"a", 3}}},
       {{"a", 3}, {"b", 2}}},
      {"SET a = b, b = a",
       {{{"a", 1}, {"b", 2}}},
       {},
       {{{"a", 1}, {"b", 2}}},
       {{{"a", 2}, {"b", 1}}},
       {{"a", 2}, {"b", 1}}},
      {"SET c = :v", {{{"a", 1}}}, {{":v", 3}}, {}, {{{"c", 3}}}, {{"a", 1}, {"c", 3}}},
      {"ADD a :v", {{{"a", 1}}}, {{":v", 2}}, {{{"a", 1}}}, {{{"a", 3}}}, {{"a", 3}}},
      {"REMOVE a", {{{"a", 1}, {"b", 2}}}, {}, {{{"a", 1}}}, {}, {{"b", 2}}},  // unverified
      {"REMOVE a SET b = :v",
       {{{"a", 1}, {"b", 2}}},
       {{":v", 3}},
       {{{"a", 1}, {"b", 2}}},
       {{{"b", 3}}},
       {{"b", 3}}},
      {"DELETE a :v",
       {{{"a", StringSet{"x", "y"}}}},
       {{":v", StringSet{"x"}}},
       {{{"a", StringSet{"x", "y"}}}},
       {{{"a", StringSet{"y"}}}},
       {{"a", StringSet{"y"}}}},
      {"DELETE a :v",
       {{{"a", StringSet{"x"}}}},
       {{":v", StringSet{"x"}}},
       {{{"a", StringSet{"x"}}}},
       {},
       {}},
      {"SET a = :v", {{{"a", 1}}}, {{":v", 1}}, {{{"a", 1}}}, {{{"a", 1}}}, {{"a", 1}}},
  });
}

// A nested path is returned with the maps around it and without its siblings.
TEST_F(UpdateReturnsRulesTest, UpdatedOldAndNewKeepTheMapsAroundAPath) {
  const Map item = {{"m", Map{{"x", 1}, {"y", Map{{"z", 2}, {"w", 3}}}}}};
  Check({
      {"SET m.x = :v",
       item,
       {{":v", 9}},
       {{{"m", Map{{"x", 1}}}}},
       {{{"m", Map{{"x", 9}}}}},
       {{"m", Map{{"x", 9}, {"y", Map{{"z", 2}, {"w", 3}}}}}}},
      {"SET m.y.z = :v REMOVE m.x",
       item,
       {{":v", 9}},
       {{{"m", Map{{"x", 1}, {"y", Map{{"z", 2}}}}}}},
       {{{"m", Map{{"y", Map{{"z", 9}}}}}}},
       {{"m", Map{{"y", Map{{"z", 9}, {"w", 3}}}}}}},
      {"SET m.q = :v",
       item,
       {{":v", 9}},
       {},
       {{{"m", Map{{"q", 9}}}}},
       {{"m", Map{{"q", 9}, {"x", 1}, {"y", Map{{"z", 2}, {"w", 3}}}}}}},
  });
}

// If an update names elements of a list, such as l[1] and l[3], the returned list has only these
// elements, without gaps. UPDATED_OLD returns the elements that the old list has at the positions 1
// and 3. UPDATED_NEW returns the elements that the new list has there.
TEST_F(UpdateReturnsRulesTest, UpdatedOldAndNewReturnListElementsWithoutGaps) {
  Check({
      {"SET l[3] = :v, l[1] = :v",
       {{{"l", List{0, 1, 2, 3}}}},
       {{":v", 9}},
       {{{"l", List{1, 3}}}},
       {{{"l", List{9, 9}}}},
       {{"l", List{0, 9, 2, 9}}}},
      {"REMOVE l[0]",
       {{{"l", List{0, 1, 2}}}},
       {},
       {{{"l", List{0}}}},
       {{{"l", List{1}}}},
       {{"l", List{1, 2}}}},
      {"REMOVE l[2]", {{{"l", List{0, 1, 2}}}}, {}, {{{"l", List{2}}}}, {}, {{"l", List{0, 1}}}},
      {"SET l[1] = :v",
       {{{"l", List{0}}}},
       {{":v", 9}},
       {},
       {{{"l", List{9}}}},
       {{"l", List{0, 9}}}},
      {"SET l[7] = :v", {{{"l", List{0}}}}, {{":v", 9}}, {}, {}, {{"l", List{0, 9}}}},
      {"SET l[0].k = :v",
       {{{"l", List{Map{{"k", 1}, {"x", 2}}}}}},
       {{":v", 9}},
       {{{"l", List{Map{{"k", 1}}}}}},
       {{{"l", List{Map{{"k", 9}}}}}},
       {{"l", List{Map{{"k", 9}, {"x", 2}}}}}},
  });
}

// UPDATED_OLD and UPDATED_NEW return no attributes for a request without an UpdateExpression.
TEST_F(ReturnValuesRulesTest, UpdateItemWithoutAnUpdateExpressionUpdatesNoAttribute) {
  const auto touch = [&](ReturnValues wanted) {
    return ReturnedBy(table().UpdateItem({.key = Key(), .return_values = wanted}));
  };
  EXPECT_EQ(touch(ReturnValues::kAllNew), Key());
  PutWith({{"n", 1}});
  EXPECT_EQ(touch(ReturnValues::kNone), kNothing);
  EXPECT_EQ(touch(ReturnValues::kAllOld), With({{"n", 1}}));
  EXPECT_EQ(touch(ReturnValues::kUpdatedOld), kNothing);
  EXPECT_EQ(touch(ReturnValues::kUpdatedNew), kNothing);
  EXPECT_EQ(touch(ReturnValues::kAllNew), With({{"n", 1}}));
}

TEST_F(ReturnValuesRulesTest, AFailedConditionReturnsTheItemIfRequested) {
  const auto failures = [&](bool tell) {
    return std::vector<std::optional<Map>>{
        SeenBy(table()
                   .PutItem({.item = With({{"n", 2}}),
                             .condition = "n > :n",
                             .values = {{":n", 1}},
                             .return_item_on_condition_failure = tell})
                   .status()),
        SeenBy(table()
                   .UpdateItem({.key = Key(),
                                .update = "SET n = :n",
                                .condition = "n > :n",
                                .values = {{":n", 1}},
                                .return_item_on_condition_failure = tell})
                   .status()),
        SeenBy(table()
                   .DeleteItem({.key = Key(),
                                .condition = "n > :n",
                                .values = {{":n", 1}},
                                .return_item_on_condition_failure = tell})
                   .status())};
  };
  EXPECT_THAT(failures(true), testing::Each(kNothing));  // no item exists
  PutWith({{"n", 1}, {"m", 1}});
  EXPECT_THAT(failures(false), testing::Each(kNothing));
  EXPECT_THAT(failures(true), testing::Each(With({{"n", 1}, {"m", 1}})));
  EXPECT_EQ(Attributes(), (Map{{"m", 1}, {"n", 1}}));
}

// A condition on an absent item sees no attributes.
TEST_F(ReturnValuesRulesTest, AConditionOnAnAbsentItemSeesNoAttributes) {
  const auto erase = [&](const std::string& condition) {
    return table().DeleteItem({.key = Key(), .condition = condition});
  };
  const auto update = [&](const std::string& condition) {
    return table().UpdateItem({.key = Key(), .condition = condition});
  };
  EXPECT_THAT(erase("attribute_not_exists(PK)"), IsOk());
  EXPECT_THAT(erase("attribute_exists(PK)"), FailsCondition());
  EXPECT_THAT(update("attribute_exists(SK)"), FailsCondition());
  EXPECT_THAT(PutIf("PK = :v", {{":v", pk()}}), FailsCondition());
  EXPECT_THAT(PutIf("PK <> :v", {{":v", pk()}}), IsOk());
  EXPECT_THAT(PutIf("PK = :v", {{":v", pk()}}), IsOk());
  EXPECT_THAT(update("attribute_exists(SK)"), IsOk());
}

}  // namespace
}  // namespace dolmen::behaviour
