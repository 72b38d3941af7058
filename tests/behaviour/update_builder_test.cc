// Tests of updates written in C++ (dolmen/update_builder.h). Each test also writes the update as a
// text and expects the same result.

#include <string>
#include <utility>
#include <vector>

#include "tests/behaviour/one_item.h"

namespace dolmen::behaviour {
namespace {

class UpdateBuilderTest : public OneItemTest {
 protected:
  // Checks that the built update and the text turn an item with the attributes `before` into one
  // with the attributes `after`.
  void ExpectBecomes(const UpdateBuilder& built, const std::string& text, const Values& values,
                     const Map& before, const Map& after, const Names& names = {}) const {
    SCOPED_TRACE(text);
    PutWith(before);
    EXPECT_THAT(table().UpdateItem({.key = Key(), .update = built}), IsOk());
    EXPECT_EQ(Attributes(), after);
    PutWith(before);
    EXPECT_THAT(Update(text, values, names), IsOk());
    EXPECT_EQ(Attributes(), after);
  }

  void ExpectSameError(const UpdateBuilder& built, const std::string& text, const Values& values,
                       const std::string& message) const {
    PutWith({{"n", 1}, {"s", "text"}});
    EXPECT_THAT(table().UpdateItem({.key = Key(), .update = built}), IsInvalid(message));
    EXPECT_THAT(Update(text, values), IsInvalid(message));
  }
};

TEST_F(UpdateBuilderTest, SetAssignsValues) {
  ExpectBecomes(dolmen::Update().Set("firstName", "Ann").Set("age", 42).Set("ok", true),
                "SET firstName = :a, age = :b, ok = :c", {{":a", "Ann"}, {":b", 42}, {":c", true}},
                {}, {{"firstName", "Ann"}, {"age", 42}, {"ok", true}});
  ExpectBecomes(dolmen::Update().Set("tags", StringSet{"x"}).Set("nil", nullptr),
                "SET tags = :a, nil = :b", {{":a", StringSet{"x"}}, {":b", nullptr}}, {},
                {{"tags", StringSet{"x"}}, {"nil", nullptr}});
  ExpectBecomes(dolmen::Update().Set("status", "new"), "SET #s = :v", {{":v", "new"}}, {},
                {{"status", "new"}}, {{"#s", "status"}});
}

TEST_F(UpdateBuilderTest, SetComputesFromAttributes) {
  ExpectBecomes(dolmen::Update().Set("n", Attr("n") + 1), "SET n = n + :v", {{":v", 1}},
                {{"n", 41}}, {{"n", 42}});
  ExpectBecomes(dolmen::Update().Set("n", 50 - Attr("n")), "SET n = :v - n", {{":v", 50}},
                {{"n", 8}}, {{"n", 42}});
  ExpectBecomes(dolmen::Update().Set("c", Attr("a") - Attr("b")), "SET c = a - b", {},
                {{"a", 5}, {"b", 7}}, {{"a", 5}, {"b", 7}, {"c", -2}});
  ExpectBecomes(dolmen::Update().Set("a", Attr("b")).Set("b", Attr("a")), "SET a = b, b = a", {},
                {{"a", 1}, {"b", 2}}, {{"a", 2}, {"b", 1}});
  ExpectBecomes(dolmen::Update().Set("n", IfNotExists("n", 0) + 1),
                "SET n = if_not_exists(n, :z) + :one", {{":z", 0}, {":one", 1}}, {}, {{"n", 1}});
  ExpectBecomes(dolmen::Update().Set("log", ListAppend(IfNotExists("log", List{}), List{"paid"})),
                "SET #l = list_append(if_not_exists(#l, :none), :new)",
                {{":none", List{}}, {":new", List{"paid"}}}, {}, {{"log", List{"paid"}}},
                {{"#l", "log"}});
  ExpectBecomes(dolmen::Update().Set("l", ListAppend(List{0}, Attr("l"))),
                "SET l = list_append(:v, l)", {{":v", List{0}}}, {{"l", List{1}}},
                {{"l", List{0, 1}}});
}

TEST_F(UpdateBuilderTest, PathsLeadIntoMapsAndLists) {
  ExpectBecomes(dolmen::Update().Set(Attr("m")["k"], 1).Set(Attr("l")[0], "x").Remove(Attr("l")[1]),
                "SET m.k = :a, l[0] = :b REMOVE l[1]", {{":a", 1}, {":b", "x"}},
                {{"m", Map{}}, {"l", List{1, 2, 3}}}, {{"m", Map{{"k", 1}}}, {"l", List{"x", 3}}});
  ExpectBecomes(dolmen::Update().Set(Attr("l")[9], 9), "SET l[9] = :v", {{":v", 9}},
                {{"l", List{1}}}, {{"l", List{1, 9}}});
}

TEST_F(UpdateBuilderTest, RemoveAddAndDeleteCombineInOneUpdate) {
  ExpectBecomes(dolmen::Update()
                    .Add("version", 1)
                    .Remove("gone")
                    .Add("tags", StringSet{"b"})
                    .Delete("seen", NumberSet{1, 2}),
                "ADD version :one, tags :b REMOVE gone DELETE seen :seen",
                {{":one", 1}, {":b", StringSet{"b"}}, {":seen", NumberSet{1, 2}}},
                {{"gone", 1}, {"version", 2}, {"tags", StringSet{"a"}}, {"seen", NumberSet{1, 3}}},
                {{"version", 3}, {"tags", StringSet{"a", "b"}}, {"seen", NumberSet{3}}});
  ExpectBecomes(dolmen::Update().Add("count", 0.5), "ADD #c :v", {{":v", N("0.5")}}, {},
                {{"count", N("0.5")}}, {{"#c", "count"}});
  ExpectBecomes(dolmen::Update().Add("count", N("0.5")), "ADD #c :v", {{":v", N("0.5")}}, {},
                {{"count", N("0.5")}}, {{"#c", "count"}});
  ExpectBecomes(dolmen::Update().Delete("tags", StringSet{"a"}), "DELETE tags :v",
                {{":v", StringSet{"a"}}}, {{"tags", StringSet{"a"}}}, {});
}

TEST_F(UpdateBuilderTest, AnUpdateWithoutActionsIsNoUpdateExpression) {
  EXPECT_THAT(table().UpdateItem({.key = Key(), .update = dolmen::Update()}), IsOk());
  EXPECT_EQ(Get(Key()), Key()) << "creates the item, as a request without UpdateExpression does";
  EXPECT_THAT(
      database().TransactWriteItems(
          {.actions = {{table(), UpdateItemInput{.key = Key(), .update = dolmen::Update()}}}}),
      IsInvalid("Invalid UpdateExpression: The expression can not be empty;"));
}

TEST_F(UpdateBuilderTest, EachMethodReturnsANewUpdateAndLeavesItsObject) {
  const UpdateBuilder one = dolmen::Update().Set("a", 1);
  const UpdateBuilder two = one.Set("b", 2);
  PutWith({});
  EXPECT_THAT(table().UpdateItem({.key = Key(), .update = one}), IsOk());
  EXPECT_EQ(Attributes(), (Map{{"a", 1}}));
  EXPECT_THAT(table().UpdateItem({.key = Key(), .update = two}), IsOk());
  EXPECT_EQ(Attributes(), (Map{{"a", 1}, {"b", 2}}));
}

TEST_F(UpdateBuilderTest, ExtendingAMovedUpdateLeavesItsCopies) {
  UpdateBuilder update = dolmen::Update().Set("a", 1);
  const UpdateBuilder copy = update;
  for (int i = 0; i < 3; ++i) update = std::move(update).Set("b" + std::to_string(i), i);
  ExpectBecomes(copy, "SET a = :v", {{":v", 1}}, {}, {{"a", 1}});
  ExpectBecomes(update, "SET a = :one, b0 = :zero, b1 = :one, b2 = :two",
                {{":zero", 0}, {":one", 1}, {":two", 2}}, {},
                {{"a", 1}, {"b0", 0}, {"b1", 1}, {"b2", 2}});
}

TEST_F(UpdateBuilderTest, ErrorsAreTheSameAsForAnExpressionText) {
  ExpectSameError(dolmen::Update().Set("a", 1).Set("a", 2), "SET a = :x, a = :y",
                  {{":x", 1}, {":y", 2}},
                  "Invalid UpdateExpression: Two document paths overlap with each other; must "
                  "remove or rewrite one of these paths; path one: [a], path two: [a]");
  ExpectSameError(dolmen::Update().Set("a", Attr("n") + "x"), "SET a = n + :x", {{":x", "x"}},
                  "Invalid UpdateExpression: Incorrect operand type for operator or function; "
                  "operator or function: +, operand type: S");
  ExpectSameError(dolmen::Update().Set("a", Attr("n") + Attr("s")), "SET a = n + s", {},
                  "An operand in the update expression has an incorrect data type");
  ExpectSameError(dolmen::Update().Set("a", Attr("nowhere")), "SET a = nowhere", {},
                  "The provided expression refers to an attribute that does not exist in the item");
  ExpectSameError(dolmen::Update().Add("n", AttributeValue("x")), "ADD n :x", {{":x", "x"}},
                  "Invalid UpdateExpression: Incorrect operand type for operator or function; "
                  "operator: ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND");
  ExpectSameError(dolmen::Update().Set("SK", 1), "SET SK = :x", {{":x", 1}},
                  "One or more parameter values were invalid: Cannot update attribute SK. This "
                  "attribute is part of the key");
}

TEST_F(UpdateBuilderTest, OperatorsAndBytesAreLimitedAndActionsAreNot) {
  const auto update = [&](const UpdateBuilder& builder) {
    return table().UpdateItem({.key = Key(), .update = builder});
  };
  UpdateOperand nested = 1;
  for (int i = 0; i < 300; ++i) nested = IfNotExists("a", nested);
  EXPECT_THAT(update(dolmen::Update().Set("b", nested)), IsOk());
  EXPECT_THAT(update(dolmen::Update().Set("b", IfNotExists("a", nested))),
              IsInvalid("Invalid UpdateExpression: The expression contains too many operators; "
                        "operator count: 301"));
  EXPECT_THAT(update(dolmen::Update().Set("b", StringSet{}).Set("c", 1)),
              IsInvalidWith("An string set  may not be empty"));

  EXPECT_THAT(update(dolmen::Update().Set("a", std::string(3 << 20, 'x'))),
              IsInvalidWith("Expression size has exceeded the maximum allowed size"));

  UpdateBuilder many = dolmen::Update();
  for (int i = 0; i < 500; ++i) many = many.Set("a" + std::to_string(i), i);
  EXPECT_THAT(update(many), IsOk()) << "a text with this many actions would exceed 4 KB";
}

}  // namespace
}  // namespace dolmen::behaviour
