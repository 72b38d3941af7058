// A fixture for rules that are written as tables. Each row is an item, an expression on the item,
// and the result. Each row is checked through the C++ API and in DynamoDB's JSON (driver.h).

#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "tests/behaviour/driver.h"
#include "tests/behaviour/one_item.h"

namespace dolmen::behaviour {

inline const std::string kInvalidValue = "One or more parameter values were invalid: ";

inline constexpr bool kHolds = true;
inline constexpr bool kFails = false;

// A condition, an item's attributes, and the expected result of the condition for this item.
struct ConditionRule {
  std::string text;
  Map item;
  Values values;
  bool holds;
  Names names = {};
};

// A condition that is rejected for every item.
struct ConditionRefusal {
  std::string text;
  Values values;
  std::string error;  // follows "Invalid ConditionExpression: " or "Invalid FilterExpression: "
  Names names = {};
};

// A condition that is rejected because of its names or values.
struct PlaceholderRefusal {
  std::string text;
  Values values;
  Names names;
  std::string error;  // the whole message
};

// An update, an item's attributes, and the expected attributes after the update.
struct UpdateRule {
  std::string text;
  Map item;
  Values values;
  Map becomes;
  Names names = {};
};

// An update that is rejected and changes nothing.
struct UpdateRefusal {
  std::string text;
  Map item;
  Values values;
  std::string error;  // the whole message
  Names names = {};
};

// A projection, an item's attributes, and the attributes that the projection must return.
struct ProjectionRule {
  std::string text;
  Map item;
  Map leaves;
  Names names = {};
};

// A projection that is rejected for every item.
struct ProjectionRefusal {
  std::string text;
  std::string error;  // the whole message
  Names names = {};
};

// A key condition, and the sort keys in the table of the items that it selects.
struct KeyConditionRule {
  std::string text;
  std::vector<std::string> selects;
  std::string index = {};  // empty: the table itself
};

// A key condition that is rejected.
struct KeyConditionRefusal {
  std::string text;
  std::string error;  // the whole message
  std::string index = {};
};

class RulesTest : public OneItemTest {
 protected:
  // REQUIRES: the database has the table.
  explicit RulesTest(const std::string& table = "app");

  // Checks each condition as the ConditionExpression of a write and as the FilterExpression of a
  // Query.
  void CheckConditions(std::initializer_list<ConditionRule> rules) const;
  void CheckRefusedConditions(std::initializer_list<ConditionRefusal> refusals) const;
  void CheckRefusedPlaceholders(std::initializer_list<PlaceholderRefusal> refusals) const;

  void CheckUpdates(std::initializer_list<UpdateRule> rules) const;
  // Checks updates of an item that does not exist. The item of each rule has no attributes.
  void CheckCreatingUpdates(std::initializer_list<UpdateRule> rules) const;
  void CheckRefusedUpdates(std::initializer_list<UpdateRefusal> refusals) const;

  void CheckProjections(std::initializer_list<ProjectionRule> rules) const;
  void CheckRefusedProjections(std::initializer_list<ProjectionRefusal> refusals) const;

  // Stores items of the test's partition with different sort keys, for CheckKeyConditions.
  void PutAll(const std::vector<Item>& items) const;
  // Checks which of the stored items each key condition selects. The placeholders of a key
  // condition have the same meaning in every rule (rules.cc): :p is the test's partition key.
  void CheckKeyConditions(std::initializer_list<KeyConditionRule> rules) const;
  void CheckRefusedKeyConditions(std::initializer_list<KeyConditionRefusal> refusals) const;

  // Returns the message of a syntax error. DynamoDB does not document how much text follows "near".
  // Dolmen quotes the wrong token and the tokens beside it (unverified).
  static std::string SyntaxError(const std::string& token, const std::string& near) {
    return "Syntax error; token: \"" + token + "\", near: \"" + near + "\"";
  }

 private:
  // Calls check(driver, row) for each driver and each row.
  template <typename Row, typename Check>
  void ForEach(std::initializer_list<Row> rows, Check check) const;

  const std::vector<std::unique_ptr<Driver>> drivers_;
};

// Returns a map from the name of each type, such as "BOOL", to a value of this type.
const Map& OfEveryType();

}  // namespace dolmen::behaviour
