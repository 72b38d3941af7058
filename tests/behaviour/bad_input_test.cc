// Tests of text, names, values and keys that no item may have. Each operation returns an error and
// stores nothing.

#include "tests/behaviour/one_item.h"

namespace dolmen::behaviour {
namespace {

const std::vector<std::string>& NotUtf8() {
  static const std::vector<std::string> kNotUtf8 = {
      "\xFF",
      "\x80",              // a continuation byte without a start byte
      "a\xC3",             // a start byte without a continuation byte
      "\xC0\x80",          // U+0000, encoded in more bytes than needed
      "\xE0\x80\xAF",      // '/', encoded in more bytes than needed
      "\xED\xA0\x80",      // a surrogate
      "\xF4\x90\x80\x80",  // beyond U+10FFFF
      "12345678\xF0\x9F\x98",
  };
  return kNotUtf8;
}

class BadInputTest : public OneItemTest {
 protected:
  static auto IsNotUtf8() { return IsInvalidWith("UTF-8"); }
};

TEST_F(BadInputTest, WritesRejectTextThatIsNotUtf8) {
  for (const std::string& bytes : NotUtf8()) {
    EXPECT_THAT(table().PutItem({.item = With({{"s", bytes}})}), IsNotUtf8());
    EXPECT_THAT(table().PutItem({.item = With({{"l", List{Map{{"s", bytes}}}}})}), IsNotUtf8());
    EXPECT_THAT(table().PutItem({.item = With({{"ss", StringSet{"a", bytes}}})}), IsNotUtf8());
    EXPECT_THAT(
        table().UpdateItem({.key = Key(), .update = "SET s = :s", .values = {{":s", bytes}}}),
        IsNotUtf8());
    EXPECT_THAT(table().PutItem({.item = Key(), .condition = "s = :s", .values = {{":s", bytes}}}),
                IsNotUtf8());
    EXPECT_THAT(table().PutItem({.item = With({{"b", Binary{bytes}}}, "binary")}), IsOk());
  }
  EXPECT_EQ(Get(Key()), Item());
}

TEST_F(BadInputTest, WritesRejectAttributeNamesThatAreNotUtf8) {
  for (const std::string& bytes : NotUtf8()) {
    EXPECT_THAT(table().PutItem({.item = With({{bytes, 1}})}), IsNotUtf8());
    EXPECT_THAT(table().PutItem({.item = With({{"m", Map{{bytes, 1}}}})}), IsNotUtf8());
    EXPECT_THAT(table().UpdateItem({.key = Key(),
                                    .update = "SET #n = :v",
                                    .names = {{"#n", bytes}},
                                    .values = {{":v", 1}}}),
                IsNotUtf8());
  }
  EXPECT_EQ(Get(Key()), Item());
}

TEST_F(BadInputTest, OperationsRejectKeysThatAreNotUtf8) {
  for (const std::string& bytes : NotUtf8()) {
    EXPECT_THAT(table().PutItem({.item = Key(bytes)}), IsNotUtf8());
    EXPECT_THAT(table().PutItem({.item = {{"PK", bytes}, {"SK", "a"}}}), IsNotUtf8());
    EXPECT_THAT(table().PutItem({.item = With({{"GSI1PK", bytes}})}), IsNotUtf8());
    EXPECT_THAT(table().GetItem({.key = Key(bytes)}), IsNotUtf8());
    EXPECT_THAT(table().UpdateItem({.key = Key(bytes)}), IsNotUtf8());
    EXPECT_THAT(table().DeleteItem({.key = Key(bytes)}), IsNotUtf8());
  }
}

TEST_F(BadInputTest, QueryRejectsKeyValuesThatAreNotUtf8) {
  for (const std::string& bytes : NotUtf8()) {
    EXPECT_THAT(table().Query({.key_condition = Partition(bytes)}), IsNotUtf8());
    EXPECT_THAT(table().Query({.key_condition = Partition(pk(), Equal(bytes))}), IsNotUtf8());
    EXPECT_THAT(table().Query({.key_condition = "PK = :p", .values = {{":p", bytes}}}),
                IsNotUtf8());
  }
}

// A value may have 32 nesting levels. PutItem, UpdateItem and a filter reject a deeper value.
TEST_F(BadInputTest, RequestsRejectValuesOfMoreThan32Levels) {
  for (const int levels : {33, 1'000}) {
    EXPECT_THAT(table().PutItem({.item = With({{"deep", Nested(levels)}})}),
                IsInvalidWith("Nesting Levels"));
    EXPECT_THAT(table().UpdateItem(
                    {.key = Key(), .update = "SET d = :d", .values = {{":d", Nested(levels)}}}),
                IsInvalidWith("Nesting Levels"));
    EXPECT_THAT(table().Query({.key_condition = "PK = :p",
                               .filter = "d = :d",
                               .values = {{":p", pk()}, {":d", Nested(levels)}}}),
                IsInvalidWith("Nesting Levels"));
  }
}

// An update that puts a value into a stored list adds the levels of both. The same value is accepted
// outside of the list.
TEST_F(BadInputTest, UpdateItemRejectsAValueThatIsTooDeepInItsPlace) {
  PutWith({{"deep", Nested(30)}});
  EXPECT_THAT(table().UpdateItem(
                  {.key = Key(), .update = "SET deep[0] = :d", .values = {{":d", Nested(30)}}}),
              IsOk());
  const Values list = {{":l", List{Nested(30)}}};
  EXPECT_THAT(
      table().UpdateItem({.key = Key(), .update = "SET d = list_append(:l, :l)", .values = list}),
      IsOk());
  EXPECT_THAT(table().UpdateItem(
                  {.key = Key(), .update = "SET deep[0] = list_append(:l, :l)", .values = list}),
              IsInvalidWith("Nesting Levels"));
}

// A path has at most 32 steps. A list index that does not fit into 64 bits is rejected, too.
TEST_F(BadInputTest, RequestsRejectPathsThatAreTooLongAndIndexesThatAreTooLarge) {
  std::string path = "a";
  for (int i = 0; i < 40; ++i) path += "[0]";
  EXPECT_THAT(table().GetItem({.key = Key(), .projection = path}),
              StatusIs(kValidation, testing::_));
  EXPECT_THAT(table().UpdateItem({.key = Key(), .update = "REMOVE a[99999999999999999999]"}),
              StatusIs(kValidation, testing::_));
}

}  // namespace
}  // namespace dolmen::behaviour
