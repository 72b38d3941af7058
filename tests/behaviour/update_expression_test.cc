// Tests of the clauses of an UpdateExpression.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.UpdateExpressions.html

#include "tests/behaviour/one_item.h"

namespace dolmen::behaviour {
namespace {

class UpdateExpressionTest : public OneItemTest {};

// The new item has the key and the attributes that the update sets.
TEST_F(UpdateExpressionTest, AnUpdateCreatesAnAbsentItem) {
  EXPECT_THAT(Update("SET a = :a", {{":a", 1}}), IsOk());
  EXPECT_EQ(Get(Key()), With({{"a", 1}}));
}

// An update of an absent item can read the item's key, because UpdateItem creates the item with
// this key. The condition sees no attributes of an absent item, not even the key.
TEST_F(UpdateExpressionTest, AnUpdateReadsTheKeyOfAnAbsentItem) {
  EXPECT_THAT(table().UpdateItem({.key = Key(),
                                  .update = "SET a = SK, b = if_not_exists(b, PK)",
                                  .condition = "attribute_not_exists(PK)"}),
              IsOk());
  EXPECT_EQ(Attributes(), (Map{{"a", "a"}, {"b", pk()}}));
}

// UpdateItem without an UpdateExpression leaves an existing item as it is.
TEST_F(UpdateExpressionTest, UpdateItemWithoutAnUpdateExpressionCreatesAnAbsentItem) {
  EXPECT_THAT(Update({}), IsOk());
  EXPECT_EQ(Get(Key()), Key());
  PutWith({{"a", 1}});
  EXPECT_THAT(Update({}), IsOk());
  EXPECT_EQ(Get(Key()), With({{"a", 1}}));
}

TEST_F(UpdateExpressionTest, OperandsAreReadFromTheItemBeforeTheUpdate) {
  PutWith({{"a", 1}, {"b", 2}});
  EXPECT_THAT(Update("SET a = b, b = a"), IsOk());
  EXPECT_EQ(Attributes(), (Map{{"a", 2}, {"b", 1}}));
  EXPECT_THAT(Update("SET c = a REMOVE a"), IsOk());
  EXPECT_EQ(Attributes(), (Map{{"b", 1}, {"c", 2}}));
}

TEST_F(UpdateExpressionTest, SectionsComeInAnyOrderAndKeywordsInAnyCase) {
  PutWith({{"n", 1}, {"set", StringSet{"a", "b"}}, {"gone", 1}});
  EXPECT_THAT(Update("delete #set :b remove gone add n :one Set x = :x",
                     {{":b", StringSet{"b"}}, {":one", 1}, {":x", "x"}}, {{"#set", "set"}}),
              IsOk());
  EXPECT_EQ(Attributes(), (Map{{"n", 2}, {"set", StringSet{"a"}}, {"x", "x"}}));
}

TEST_F(UpdateExpressionTest, SetComputesInDecimalArithmetic) {
  PutWith({{"n", N("0.1")}});
  EXPECT_THAT(Update("SET n = n + :x, m = n - :x", {{":x", N("0.2")}}), IsOk());
  EXPECT_EQ(Attributes(), (Map{{"m", N("-0.1")}, {"n", N("0.3")}}));
  EXPECT_THAT(Update("SET n = :x - n", {{":x", N("1e30")}}), IsOk());
  EXPECT_EQ(Attributes().at("n"), AttributeValue(N("999999999999999999999999999999.7")));
}

TEST_F(UpdateExpressionTest, ArithmeticOutOfRangeIsRejected) {
  PutWith({{"n", N("9e125")}});
  EXPECT_THAT(Update("SET n = n + :x", {{":x", N("9e125")}}), IsInvalidWith("Number overflow"));
  EXPECT_THAT(Update("ADD n :x", {{":x", 1}}), IsInvalidWith("38 significant digits"));
  EXPECT_EQ(Attributes(), (Map{{"n", N("9e125")}}));
}

TEST_F(UpdateExpressionTest, IfNotExistsReturnsItsSecondOperandForAMissingPath) {
  EXPECT_THAT(Update("SET n = if_not_exists(n, :zero) + :one", {{":zero", 0}, {":one", 1}}),
              IsOk());
  EXPECT_THAT(Update("SET n = if_not_exists(n, :zero) + :one", {{":zero", 0}, {":one", 1}}),
              IsOk());
  EXPECT_EQ(Attributes(), (Map{{"n", 2}}));
}

TEST_F(UpdateExpressionTest, ListAppendJoinsLists) {
  PutWith({{"l", List{1}}});
  EXPECT_THAT(Update("SET l = list_append(:x, l)", {{":x", List{2}}}), IsOk());
  EXPECT_EQ(Attributes(), (Map{{"l", List{2, 1}}}));
}

// SET appends an element to the list if the element's index is beyond the end. Several appended
// elements are in the order of their indexes and leave no gaps.
TEST_F(UpdateExpressionTest, SetAtOrBeyondTheEndOfAListAppends) {
  PutWith({{"l", List{0}}});
  EXPECT_THAT(
      Update("SET l[9] = :b, l[5] = :a, l[0] = :z", {{":a", "a"}, {":b", "b"}, {":z", "z"}}),
      IsOk());
  EXPECT_EQ(Attributes(), (Map{{"l", List{"z", "a", "b"}}}));
}

// REMOVE and SET in one update name the elements by their positions in the old list. The updated
// list has no gaps.
TEST_F(UpdateExpressionTest, RemoveUsesThePositionsBeforeTheUpdate) {
  PutWith({{"l", List{0, 1, 2, 3}}});
  EXPECT_THAT(Update("REMOVE l[0], l[2] SET l[1] = :x", {{":x", "x"}}), IsOk());
  EXPECT_EQ(Attributes(), (Map{{"l", List{"x", 3}}}));
  EXPECT_THAT(Update("REMOVE l[7]"), IsOk());
  EXPECT_EQ(Attributes(), (Map{{"l", List{"x", 3}}}));
}

TEST_F(UpdateExpressionTest, SetCreatesTheLastStepOfAPath) {
  PutWith({{"m", Map{}}});
  EXPECT_THAT(Update("SET m.#new = :x", {{":x", 1}}, {{"#new", "new.with.dots"}}), IsOk());
  EXPECT_EQ(Attributes(), (Map{{"m", Map{{"new.with.dots", 1}}}}));
}

TEST_F(UpdateExpressionTest, APathWithoutAParentIsRejected) {
  PutWith({{"m", Map{}}, {"s", "text"}, {"l", List{}}});
  const std::string invalid =
      "The document path provided in the update expression is invalid for update";
  for (const std::string target : {"x.y", "m.x.y", "s.x", "s[0]", "m[0]", "l.x"}) {
    EXPECT_THAT(Update("SET " + target + " = :x", {{":x", 1}}), IsInvalid(invalid)) << target;
    EXPECT_THAT(Update("REMOVE " + target), IsInvalid(invalid)) << target;
    EXPECT_THAT(Update("ADD " + target + " :x", {{":x", 1}}), IsInvalid(invalid)) << target;
  }
  // REMOVE of an absent member or element succeeds if the map or list around it exists.
  EXPECT_THAT(Update("REMOVE m.x, l[3], nothere"), IsOk());
}

TEST_F(UpdateExpressionTest, AMissingOrWronglyTypedOperandIsRejected) {
  PutWith({{"s", "text"}, {"n", 1}});
  const std::string missing =
      "The provided expression refers to an attribute that does not exist in the item";
  const std::string type = "An operand in the update expression has an incorrect data type";
  EXPECT_THAT(Update("SET a = nothere"), IsInvalid(missing));
  EXPECT_THAT(Update("SET a = nothere + :x", {{":x", 1}}), IsInvalid(missing));
  EXPECT_THAT(Update("SET a = s + :x", {{":x", 1}}), IsInvalid(type));
  EXPECT_THAT(Update("SET a = list_append(n, :x)", {{":x", List{}}}), IsInvalid(type));
  EXPECT_THAT(Update("ADD s :x", {{":x", 1}}), IsInvalid(type));
  EXPECT_THAT(Update("ADD n :x", {{":x", StringSet{"a"}}}), IsInvalid(type));
  EXPECT_THAT(Update("DELETE n :x", {{":x", StringSet{"a"}}}), IsInvalid(type));
  EXPECT_EQ(Attributes(), (Map{{"n", 1}, {"s", "text"}}));
}

TEST_F(UpdateExpressionTest, AddCountsNumbersAndUnitesSets) {
  EXPECT_THAT(
      Update("ADD n :two, ss :a, m.x :one", {{":two", 2}, {":a", StringSet{"a"}}, {":one", 1}}),
      IsInvalidWith("invalid for update"));  // m does not exist
  PutWith({{"m", Map{}}});
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(Update("ADD n :two, ss :a, m.x :one",
                       {{":two", 2}, {":a", StringSet{"a", i == 0 ? "b" : "c"}}, {":one", 1}}),
                IsOk());
  }
  EXPECT_EQ(Attributes(), (Map{{"m", Map{{"x", 2}}}, {"n", 4}, {"ss", StringSet{"a", "b", "c"}}}));
}

// A set is never empty: the update removes a set that loses its last member.
TEST_F(UpdateExpressionTest, DeleteRemovesMembersAndEmptySets) {
  PutWith({{"ns", NumberSet{1, 2}}, {"m", Map{{"ss", StringSet{"a"}}}}});
  EXPECT_THAT(Update("DELETE ns :x", {{":x", NumberSet{2, 3}}}), IsOk());
  EXPECT_EQ(Attributes().at("ns"), AttributeValue(NumberSet{1}));
  EXPECT_THAT(Update("DELETE ns :x, m.ss :a, nothere :a",
                     {{":x", NumberSet{N("1.0")}}, {":a", StringSet{"a"}}}),
              IsOk());
  EXPECT_EQ(Attributes(), (Map{{"m", Map{}}}));
}

// Even an update of the key to its own value is rejected.
TEST_F(UpdateExpressionTest, AnUpdateOfTheKeyIsRejected) {
  for (const std::string update : {"SET SK = :x", "SET SK.y = :x", "REMOVE SK", "ADD SK :n"}) {
    const Values values = update.starts_with("ADD")      ? Values{{":n", 1}}
                          : update.starts_with("REMOVE") ? Values{}
                                                         : Values{{":x", "a"}};
    EXPECT_THAT(Update(update, values),
                IsInvalid("One or more parameter values were invalid: Cannot update attribute SK. "
                          "This attribute is part of the key"))
        << update;
  }
  EXPECT_EQ(Get(Key()), Item());
}

TEST_F(UpdateExpressionTest, AKeyThatDoesNotMatchTheSchemaIsRejected) {
  const UpdateItemInput input{.update = "SET a = :a", .values = {{":a", 1}}};
  for (const Item& key :
       {Item{{"PK", pk()}}, With({{"extra", 1}}), Item{{"PK", pk()}, {"SK", 1}}}) {
    UpdateItemInput wrong = input;
    wrong.key = key;
    EXPECT_THAT(table().UpdateItem(wrong),
                IsInvalid("The provided key element does not match the schema"));
  }
}

// UpdateItem rejects an updated item that PutItem would reject.
TEST_F(UpdateExpressionTest, AnUpdateToAnItemThatCannotBeStoredIsRejected) {
  PutWith({{"a", std::string(300'000, 'x')}, {"deep", Nested(30)}});
  EXPECT_THAT(Update("SET b = a"),
              IsInvalid("Item size to update has exceeded the maximum allowed size"));
  EXPECT_THAT(Update("SET deep[0][0][0] = :deep", {{":deep", Nested(31)}}),
              IsInvalidWith("Nesting Levels have exceeded supported limits"));
  EXPECT_THAT(Update("SET x = :x", {{":x", StringSet{}}}),
              IsInvalid("ExpressionAttributeValues contains invalid value: One or more parameter "
                        "values were invalid: An string set  may not be empty for key :x"));
  EXPECT_EQ(Attributes().size(), 2u);
}

// The condition is evaluated on the old item. If the condition fails, an error of the update is not
// reported.
TEST_F(UpdateExpressionTest, TheConditionIsTestedBeforeTheUpdate) {
  PutWith({{"n", 1}, {"s", "text"}});
  UpdateItemInput input{.key = Key(),
                        .update = "SET n = s + :one",  // fails: s is a string
                        .condition = "n = :two",
                        .values = {{":one", 1}, {":two", 2}},
                        .return_item_on_condition_failure = true};
  const Status failed = table().UpdateItem(input).status();
  EXPECT_THAT(failed, FailsCondition());
  ASSERT_NE(failed.item(), nullptr);
  EXPECT_EQ(*failed.item()->Copy(), With({{"n", 1}, {"s", "text"}}));
  EXPECT_THAT(table().UpdateItem({.key = Key("absent"), .condition = "attribute_exists(PK)"}),
              FailsCondition());
  EXPECT_EQ(Get(Key("absent")), Item());
}

}  // namespace
}  // namespace dolmen::behaviour
