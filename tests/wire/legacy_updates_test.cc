// Tests of the legacy parameter AttributeUpdates.

#include <string>
#include <string_view>

#include "tests/wire/fixture.h"

namespace dolmen {
namespace {

class LegacyUpdatesTest : public WireItemTest {
 protected:
  LegacyUpdatesTest() {
    Put(R"({"PK":{"S":"p"},"SK":{"S":"s"},"n":{"N":"5"},"s":{"S":"x"},"ss":{"SS":["x","y"]},)"
        R"("l":{"L":[{"S":"x"}]}})");
  }

  static std::string Updating(std::string_view updates, std::string_view sort = "s") {
    return R"({"TableName":"app","ReturnValues":"UPDATED_NEW","Key":{"PK":{"S":"p"},"SK":{"S":")" +
           std::string(sort) + R"("}},"AttributeUpdates":)" + std::string(updates) + "}";
  }
  // Updates the item and returns the response, which has the new values of the named attributes.
  std::string Updated(std::string_view updates, std::string_view sort = "s") {
    return Body("UpdateItem", Updating(updates, sort));
  }
  void ExpectRefused(std::string_view update, std::string_view message) {
    ExpectCounted("UpdateItem", Updating(R"({"a":)" + std::string(update) + "}"),
                  "One or more parameter values were invalid: " + std::string(message));
  }
};

TEST_F(LegacyUpdatesTest, PutSetsAndIsTheDefault) {
  EXPECT_EQ(Updated(R"({"s":{"Action":"PUT","Value":{"N":"1"}},"new":{"Value":{"S":"y"}}})"),
            R"({"Attributes":{"new":{"S":"y"},"s":{"N":"1"}}})");
}

// An UpdateExpression that sets so long a text is refused (update_charge_rules_test.cc).
TEST_F(LegacyUpdatesTest, OnlyTheSizeOfTheNewItemIsLimited) {
  const auto set = [](std::size_t bytes) {
    return R"({"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"long"}},"AttributeUpdates":)"
           R"({"t":{"Value":{"S":")" +
           std::string(bytes, 'x') + R"("}}}})";
  };
  constexpr std::size_t kRest = 2 + 1 + 2 + 4 + 1;  // PK, p, SK, long and t
  Body("UpdateItem", set(409'600 - kRest));
  ExpectInvalid("UpdateItem", set(409'600 - kRest + 1),
                "Item size to update has exceeded the maximum allowed size");
}

TEST_F(LegacyUpdatesTest, NamesAreNotReadAsPaths) {
  EXPECT_EQ(Updated(R"({"l[0]":{"Value":{"N":"1"}},"a.b":{"Value":{"N":"2"}}})"),
            R"({"Attributes":{"a.b":{"N":"2"},"l[0]":{"N":"1"}}})");
}

TEST_F(LegacyUpdatesTest, AnUpdateOfAnAbsentItemCreatesIt) {
  Updated(R"({"a":{"Action":"ADD","Value":{"N":"1"}}})", "new");
  EXPECT_EQ(Get("p", "new"), R"({"Item":{"PK":{"S":"p"},"SK":{"S":"new"},"a":{"N":"1"}}})");
  Updated("{}", "bare");
  EXPECT_EQ(Get("p", "bare"), R"({"Item":{"PK":{"S":"p"},"SK":{"S":"bare"}}})");
}

TEST_F(LegacyUpdatesTest, DeletesFromAnAbsentItemCreateNone) {
  constexpr std::string_view kDelete = R"({"a":{"Action":"DELETE"}})";
  EXPECT_EQ(Updated(kDelete, "none"), "{}");
  EXPECT_EQ(Get("p", "none"), "{}");
  EXPECT_EQ(Updated(R"({"a":{"Action":"DELETE","Value":{"SS":["x"]}}})", "none"), "{}");
  const std::string expecting =
      Updating(kDelete, "none").substr(0, Updating(kDelete, "none").size() - 1) + R"(,"Expected":)";
  EXPECT_EQ(Body("UpdateItem", expecting + R"({"b":{"Exists":false}}})"), "{}");
  Body("UpdateItem", expecting + R"({"b":{"Value":{"N":"1"}}}})", 400);
  EXPECT_EQ(Get("p", "none"), "{}");
}

TEST_F(LegacyUpdatesTest, AnUpdateThatOnlyDeletesChecksItsCondition) {
  const std::string request =
      R"({"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"s"}},"AttributeUpdates":{"n":{)"
      R"("Action":"DELETE"}},"Expected":{"n":{"Value":{"N":"6"}}})";
  constexpr std::string_view type =
      "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException";
  constexpr std::string_view message = "The conditional request failed";
  EXPECT_EQ(Body("UpdateItem", request + "}", 400), ErrorBody(type, message));
  const std::string item = Get("p", "s");  // has the form {"Item":{...}}
  EXPECT_EQ(
      Body("UpdateItem", request + R"(,"ReturnValuesOnConditionCheckFailure":"ALL_OLD"})", 400),
      R"({"__type":")" + std::string(type) + R"(","Message":")" + std::string(message) + R"(",)" +
          item.substr(1));
}

TEST_F(LegacyUpdatesTest, TheLastUpdateOfADuplicateAttributeCounts) {
  EXPECT_EQ(Updated(R"({"s":{"Value":{"N":"1"}},"s":{"Value":{"N":"2"}}})"),
            R"({"Attributes":{"s":{"N":"2"}}})");
}

TEST_F(LegacyUpdatesTest, PutAndAddNeedAValue) {
  constexpr std::string_view kMessage =
      "Only DELETE action is allowed when no attribute value is specified";
  ExpectRefused("{}", kMessage);
  ExpectRefused(R"({"Action":"PUT"})", kMessage);
  ExpectRefused(R"({"Action":"ADD"})", kMessage);
}

TEST_F(LegacyUpdatesTest, ActionsRejectValuesOfUnsupportedTypes) {
  ExpectRefused(R"({"Action":"DELETE","Value":{"S":"x"}})",
                "DELETE action with value is not supported for the type S");
  ExpectRefused(R"({"Action":"DELETE","Value":{"L":[]}})",
                "DELETE action with value is not supported for the type L");
  ExpectRefused(R"({"Action":"ADD","Value":{"B":"AA=="}})",
                "ADD action is not supported for the type B");
  ExpectRefused(R"({"Action":"ADD","Value":{"M":{}}})",
                "ADD action is not supported for the type M");
  ExpectRefused(R"({"Action":"ADD","Value":{"BOOL":true}})",
                "ADD action is not supported for the type BOOL");
}

TEST_F(LegacyUpdatesTest, AddAndDeleteRejectAStoredValueOfAnotherType) {
  constexpr std::string_view kMessage = "Type mismatch for attribute to update";
  ExpectInvalid("UpdateItem", Updating(R"({"s":{"Action":"ADD","Value":{"N":"1"}}})"), kMessage);
  ExpectInvalid("UpdateItem", Updating(R"({"ss":{"Action":"ADD","Value":{"NS":["1"]}}})"),
                kMessage);
  ExpectInvalid("UpdateItem", Updating(R"({"n":{"Action":"ADD","Value":{"L":[]}}})"), kMessage);
  ExpectInvalid("UpdateItem", Updating(R"({"ss":{"Action":"DELETE","Value":{"NS":["1"]}}})"),
                kMessage);
}

TEST_F(LegacyUpdatesTest, AValueIsCheckedBeforeItsAction) {
  ExpectCounted("UpdateItem", Updating(R"({"a":{"Action":"DELETE","Value":{"N":"1e999"}}})"),
                "Number overflow. Attempting to store a number with magnitude larger than "
                "supported range");
  ExpectRefused(R"({"Value":{"SS":[]}})", "An string set  may not be empty");
}

TEST_F(LegacyUpdatesTest, KeyAttributesCannotBeUpdated) {
  for (const std::string_view update :
       {R"({"SK":{"Value":{"S":"s"}}})", R"({"SK":{"Action":"DELETE"}})"}) {
    ExpectInvalid("UpdateItem", Updating(update),
                  "One or more parameter values were invalid: Cannot update attribute SK. This "
                  "attribute is part of the key");
  }
}

TEST_F(LegacyUpdatesTest, UnknownActionsAreRejected) {
  ExpectInvalid("UpdateItem", Updating(R"({"a":{"Action":"SET"}})"),
                "1 validation error detected: Value 'SET' at 'attributeUpdates.a.member.action' "
                "failed to satisfy constraint: Member must satisfy enum value set: [ADD, DELETE, "
                "PUT]");
}

}  // namespace
}  // namespace dolmen
