// Tests of doubles that are not a number in DynamoDB's range, in every part of a request. The request
// fails and stores nothing.

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/behaviour/fixture.h"

namespace dolmen::behaviour {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kInvalidDouble = "A double is not a number in DynamoDB's range";

class InvalidDoubleTest : public TableTest {
 protected:
  // Returns the matcher of the error.
  static auto IsRejected() { return StatusIs(kValidation, HasSubstr(kInvalidDouble)); }
  static Item NewKey() { return {{"PK", UniqueKey()}, {"SK", "a"}}; }
};

TEST_F(InvalidDoubleTest, PutItemRejectsItAtEachLevel) {
  const AttributeValue number = kNotANumber;
  const NumberSet set = {*number.get_if<Number>(), 1};
  for (const AttributeValue& value :
       {number, AttributeValue(List{1, number}), AttributeValue(Map{{"n", number}}),
        AttributeValue(set), AttributeValue(std::numeric_limits<double>::infinity()),
        AttributeValue(1e126), AttributeValue(1e-131),
        AttributeValue(std::numeric_limits<float>::infinity())}) {
    Item item = NewKey();
    const Item key = item;
    item["n"] = value;
    EXPECT_THAT(table().PutItem({.item = item}), IsRejected());
    EXPECT_THAT(database().BatchWriteItem({.requests = {{table(), {PutRequest{item}}}}}),
                IsRejected());
    EXPECT_THAT(Get(key), IsEmpty());
  }
}

TEST_F(InvalidDoubleTest, AConditionRejectsIt) {
  Item item = NewKey();
  EXPECT_THAT(table().PutItem({.item = item,
                               .condition = "attribute_not_exists(n) OR n < :n",
                               .values = {{":n", kNotANumber}}}),
              IsRejected());
  EXPECT_THAT(table().PutItem({.item = item, .condition = !(Attr("n") == kNotANumber)}),
              IsRejected());
  EXPECT_THAT(Get(item), IsEmpty());
}

TEST_F(InvalidDoubleTest, AnUpdateRejectsIt) {
  const Item key = NewKey();
  EXPECT_THAT(
      table().UpdateItem({.key = key, .update = "SET n = :n", .values = {{":n", kNotANumber}}}),
      IsRejected());
  EXPECT_THAT(table().UpdateItem({.key = key, .update = Update().Set("n", kNotANumber)}),
              IsRejected());
  EXPECT_THAT(
      table().UpdateItem({.key = key, .update = "ADD n :n", .values = {{":n", kNotANumber}}}),
      IsRejected());
  EXPECT_THAT(Get(key), IsEmpty());
}

TEST_F(InvalidDoubleTest, AKeyRejectsIt) {
  const auto numbered =
      database().CreateTable({.name = "numbered", .sort_key = {{"SK", AttributeType::kN}}});
  ASSERT_THAT(numbered, IsOk());
  const Item key = {{"PK", "p"}, {"SK", kNotANumber}};
  EXPECT_THAT(numbered->PutItem({.item = key}), IsRejected());
  EXPECT_THAT(numbered->GetItem({.key = key}), IsRejected());
  EXPECT_THAT(numbered->DeleteItem({.key = key}), IsRejected());
  EXPECT_THAT(numbered->UpdateItem({.key = key}), IsRejected());
  EXPECT_THAT(numbered->Query({.key_condition = Key("PK") == "p" && Key("SK") > kNotANumber}),
              IsRejected());
  EXPECT_THAT(numbered->Query({.key_condition = Partition("p", Greater(kNotANumber))}),
              IsRejected());
  EXPECT_THAT(numbered->Query({.key_condition = Partition("p", Between(1, kNotANumber))}),
              StatusIs(kValidation, testing::_));
  EXPECT_THAT(numbered->Query({.key_condition = Partition("p"), .exclusive_start_key = key}),
              StatusIs(kValidation, HasSubstr("The provided starting key is invalid")));
  EXPECT_EQ(numbered->Scan({})->count(), 0U);
}

TEST_F(InvalidDoubleTest, ANullPointerToATextIsNull) {
  const char* const text = nullptr;
  Item item = NewKey();
  item["n"] = text;
  Put(item);
  EXPECT_EQ(Get({{"PK", item["PK"]}, {"SK", "a"}}), item);
  EXPECT_EQ(item.at("n").type(), AttributeType::kNull);
  EXPECT_THAT(table().PutItem({.item = item, .condition = AttributeExists(Attr(text))}),
              StatusIs(kValidation, testing::_));
}

}  // namespace
}  // namespace dolmen::behaviour
