// Tests of the keys of operations on one item: which keys are valid, and what a write under a key
// replaces.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_PutItem.html

#include "tests/behaviour/rules.h"

namespace dolmen::behaviour {
namespace {

using test::B;

class ItemKeyRulesTest : public RulesTest {
 protected:
  // Expects that GetItem, UpdateItem and DeleteItem of this key each return a status that `matches`
  // accepts.
  static void CheckKey(const Table& table, const Item& key,
                       const testing::Matcher<const Status&>& matches) {
    SCOPED_TRACE(testing::PrintToString(key));
    EXPECT_THAT(table.GetItem({.key = key}).status(), matches);
    EXPECT_THAT(table.UpdateItem({.key = key}).status(), matches);
    EXPECT_THAT(table.DeleteItem({.key = key}).status(), matches);
  }
  static std::string Empty(const std::string& type, const std::string& name) {
    return "One or more parameter values are not valid. The AttributeValue for a key attribute "
           "cannot contain an empty " +
           type + " value. Key: " + name;
  }
  static std::string Mismatch(const std::string& name, const std::string& expected,
                              const std::string& actual) {
    return "One or more parameter values were invalid: Type mismatch for key " + name +
           " expected: " + expected + " actual: " + actual;
  }
};

TEST_F(ItemKeyRulesTest, AKeyIsExactlyTheKeyAttributes) {
  const auto mismatch = IsInvalid("The provided key element does not match the schema");
  CheckKey(table(), Key(), IsOk());
  CheckKey(table(), {}, mismatch);
  CheckKey(table(), {{"PK", pk()}}, mismatch);
  CheckKey(table(), {{"SK", "a"}}, mismatch);
  CheckKey(table(), {{"PK", pk()}, {"sk", "a"}}, mismatch);
  CheckKey(table(), With({{"x", 1}}), mismatch);
  CheckKey(table(), With({{"GSI1PK", "x"}}), mismatch);
  for (const auto& [type, value] : OfEveryType()) {
    if (type == "S") continue;
    CheckKey(table(), {{"PK", value}, {"SK", "a"}}, mismatch);
    CheckKey(table(), {{"PK", pk()}, {"SK", value}}, mismatch);
  }
}

// A string or binary that is a key attribute is never empty.
TEST_F(ItemKeyRulesTest, EmptyKeyValuesAreRejected) {
  CheckKey(table(), {{"PK", ""}, {"SK", "a"}}, IsInvalid(Empty("string", "PK")));
  CheckKey(table(), {{"PK", pk()}, {"SK", ""}}, IsInvalid(Empty("string", "SK")));
  const auto typed = database().CreateTable({.name = "item-keys",
                                             .partition_key = {"p", AttributeType::kB},
                                             .sort_key = KeyAttribute{"s", AttributeType::kN}});
  ASSERT_THAT(typed, IsOk());
  CheckKey(*typed, {{"p", B(std::string(1, '\0'))}, {"s", 0}}, IsOk());
  CheckKey(*typed, {{"p", B("")}, {"s", 0}}, IsInvalid(Empty("binary", "p")));
  CheckKey(*typed, {{"p", "x"}, {"s", 0}},
           IsInvalid("The provided key element does not match the schema"));
  EXPECT_THAT(typed->PutItem({.item = {{"p", B("")}, {"s", 0}}}), IsInvalid(Empty("binary", "p")));
  EXPECT_THAT(typed->PutItem({.item = {{"p", B("x")}, {"s", "0"}}}),
              IsInvalid(Mismatch("s", "N", "S")));
}

TEST_F(ItemKeyRulesTest, PutItemRejectsAnItemWithoutValidKeyAttributes) {
  const auto put = [](const Item& item) { return table().PutItem({.item = item}); };
  const std::string missing = "One or more parameter values were invalid: Missing the key ";
  EXPECT_THAT(put({}), IsInvalid(missing + "PK in the item"));
  EXPECT_THAT(put({{"SK", "a"}}), IsInvalid(missing + "PK in the item"));
  EXPECT_THAT(put({{"PK", pk()}}), IsInvalid(missing + "SK in the item"));
  EXPECT_THAT(put({{"PK", pk()}, {"sk", "a"}}), IsInvalid(missing + "SK in the item"));
  EXPECT_THAT(put({{"PK", ""}, {"SK", "a"}}), IsInvalid(Empty("string", "PK")));
  EXPECT_THAT(put({{"PK", pk()}, {"SK", ""}}), IsInvalid(Empty("string", "SK")));
  for (const auto& [type, value] : OfEveryType()) {
    if (type == "S") continue;
    EXPECT_THAT(put({{"PK", value}, {"SK", "a"}}), IsInvalid(Mismatch("PK", "S", type)));
    EXPECT_THAT(put({{"PK", pk()}, {"SK", value}}), IsInvalid(Mismatch("SK", "S", type)));
  }
}

// A put merges no attributes. A put of an equal item succeeds.
TEST_F(ItemKeyRulesTest, PutItemReplacesTheWholeItem) {
  PutWith({{"a", 1}, {"m", Map{{"x", 1}}}});
  PutWith({{"b", 2}, {"m", Map{{"y", 2}}}});
  EXPECT_EQ(Get(Key()), With({{"b", 2}, {"m", Map{{"y", 2}}}}));
  PutWith({{"b", 2}, {"m", Map{{"y", 2}}}});  // the same item again
  EXPECT_EQ(Get(Key()), With({{"b", 2}, {"m", Map{{"y", 2}}}}));
}

// An operation on an absent item succeeds.
TEST_F(ItemKeyRulesTest, ReadingOrDeletingAnAbsentItemSucceeds) {
  const auto got = table().GetItem({.key = Key()});
  ASSERT_THAT(got, IsOk());
  EXPECT_FALSE(got->item);
  const auto projected = table().GetItem({.key = Key(), .projection = "a"});
  ASSERT_THAT(projected, IsOk());
  EXPECT_FALSE(projected->item);
  Put(Key());
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(table().DeleteItem({.key = Key()}), IsOk());
    EXPECT_EQ(Get(Key()), Item());
  }
}

}  // namespace
}  // namespace dolmen::behaviour
