// Tests of the order in which the errors of a request are reported.
// Only the first of these errors is reported:
// - an error that can be found without the table
// - an error that can be found with the schema of the table
// - a condition that fails
// - an update that is invalid for the stored item

#include <functional>

#include "tests/behaviour/rules.h"

namespace dolmen::behaviour {
namespace {

const std::string kUndefined =
    "An expression attribute name used in the document path is not defined; attribute name: "
    "#undefined";
const std::string kUnused =
    "Value provided in ExpressionAttributeValues unused in expressions: keys: {:unused}";
const std::string kBadName =
    "ExpressionAttributeNames contains invalid key: Syntax error; key: \"bad\"";
const std::string kBadValue = "ExpressionAttributeValues contains invalid value: " + kInvalidValue +
                              "An string set  may not be empty for key :set";
const std::string kBadKey = kInvalidValue + "An string set  may not be empty";

// An error that a test adds to a request, and the status that a request with this error returns.
template <typename Input>
struct Fault {
  std::function<void(Input&)> add;
  testing::Matcher<const Status&> reported;
};

class ErrorOrderRulesTest : public RulesTest {
 protected:
  // Checks that an earlier error of `faults` is reported instead of a later one. Adds the errors to
  // `input`, from the last to the first. After each addition, expects that the request returns the
  // error that was just added.
  template <typename Input>
  static void CheckOrder(Input input, const std::vector<Fault<Input>>& faults,
                         const std::function<Status(const Input&)>& request) {
    for (std::size_t i = faults.size(); i-- > 0;) {
      faults[i].add(input);
      EXPECT_THAT(request(input), faults[i].reported) << "fault " << i;
    }
  }

  std::string Syntax(const std::string& parameter) const {
    return "Invalid " + parameter + ": " + SyntaxError("<EOF>", "=");
  }
  static std::string Undefined(const std::string& parameter) {
    return "Invalid " + parameter + ": " + kUndefined;
  }
};

TEST_F(ErrorOrderRulesTest, PutItemReportsItsFaultsInAFixedOrder) {
  using Input = PutItemInput;
  CheckOrder<Input>(
      {.item = Key()},
      {
          {[](Input& put) { put.item["v"] = StringSet{}; },
           IsInvalid(kInvalidValue + "An string set  may not be empty")},
          {[](Input& put) { put.return_values = ReturnValues::kAllNew; },
           IsInvalid("ReturnValues can only be ALL_OLD or NONE")},
          {[](Input& put) { put.item["fill"] = std::string(409'600, 'x'); },
           IsInvalid("Item size has exceeded the maximum allowed size")},
          {[](Input& put) { put.names["bad"] = "x"; }, IsInvalid(kBadName)},
          {[](Input& put) { put.values[":set"] = StringSet{}; }, IsInvalid(kBadValue)},
          {[](Input& put) { put.condition = "a ="; }, IsInvalid(Syntax("ConditionExpression"))},
          {[](Input& put) { put.condition = "attribute_exists(#undefined)"; },
           IsInvalid(Undefined("ConditionExpression"))},
          {[](Input& put) { put.values[":unused"] = 1; }, IsInvalid(kUnused)},
          {[](Input& put) { put.item.erase("PK"); },
           IsInvalid(kInvalidValue + "Missing the key PK in the item")},
          {[](Input& put) { put.item["SK"] = 1; },
           IsInvalid(kInvalidValue + "Type mismatch for key SK expected: S actual: N")},
          {[](Input& put) { put.item["GSI1PK"] = 1; },
           IsInvalid(kInvalidValue +
                     "Type mismatch for Index Key GSI1PK Expected: S Actual: N IndexName: GSI1")},
          {[](Input& put) { put.condition = "attribute_exists(PK)"; }, FailsCondition()},
      },
      [](const Input& put) { return table().PutItem(put).status(); });
  EXPECT_EQ(Get(Key()), Item());
}

TEST_F(ErrorOrderRulesTest, UpdateItemReportsItsFaultsInAFixedOrder) {
  using Input = UpdateItemInput;
  CheckOrder<Input>(
      {.key = Key()},
      {
          {[](Input& update) { update.key["v"] = StringSet{}; }, IsInvalid(kBadKey)},
          {[](Input& update) { update.names["bad"] = "x"; }, IsInvalid(kBadName)},
          {[](Input& update) { update.values[":set"] = StringSet{}; }, IsInvalid(kBadValue)},
          {[](Input& update) { update.update = "SET a ="; }, IsInvalid(Syntax("UpdateExpression"))},
          {[](Input& update) { update.condition = "a ="; },
           IsInvalid(Syntax("ConditionExpression"))},
          {[](Input& update) { update.update = "SET SK = :n, GSI1PK = :n, a = #undefined"; },
           IsInvalid(Undefined("UpdateExpression"))},
          {[](Input& update) { update.condition = "attribute_exists(#undefined)"; },
           IsInvalid(Undefined("ConditionExpression"))},
          {[](Input& update) { update.values[":unused"] = 1; }, IsInvalid(kUnused)},
          {[](Input& update) { update.update = "SET SK = :n, GSI1PK = :n, a = b"; },
           IsInvalid(kInvalidValue +
                     "Cannot update attribute SK. This attribute is part of the key")},
          {[](Input& update) {
             update.update = "SET GSI1PK = :n, a = b";
             update.values[":n"] = 1;
           },
           IsInvalid(kInvalidValue +
                     "Type mismatch for Index Key GSI1PK Expected: S Actual: N IndexName: GSI1")},
          {[](Input& update) { update.key["x"] = 1; }, IsInvalid(kKeyMismatch)},
          {[](Input& update) { update.condition = "attribute_exists(PK)"; }, FailsCondition()},
          {[](Input& update) { update.update = "SET a = b"; },
           IsInvalid("The provided expression refers to an attribute that does not exist in the "
                     "item")},
      },
      [](const Input& update) { return table().UpdateItem(update).status(); });
  EXPECT_EQ(Get(Key()), Item());
}

TEST_F(ErrorOrderRulesTest, DeleteItemReportsItsFaultsInAFixedOrder) {
  using Input = DeleteItemInput;
  CheckOrder<Input>(
      {.key = Key()},
      {
          {[](Input& erase) { erase.key["v"] = StringSet{}; }, IsInvalid(kBadKey)},
          {[](Input& erase) { erase.return_values = ReturnValues::kAllNew; },
           IsInvalid("ReturnValues can only be ALL_OLD or NONE")},
          {[](Input& erase) { erase.names["bad"] = "x"; }, IsInvalid(kBadName)},
          {[](Input& erase) { erase.values[":set"] = StringSet{}; }, IsInvalid(kBadValue)},
          {[](Input& erase) { erase.condition = "a ="; }, IsInvalid(Syntax("ConditionExpression"))},
          {[](Input& erase) { erase.condition = "attribute_exists(#undefined)"; },
           IsInvalid(Undefined("ConditionExpression"))},
          {[](Input& erase) { erase.values[":unused"] = 1; }, IsInvalid(kUnused)},
          {[](Input& erase) { erase.key.erase("SK"); }, IsInvalid(kKeyMismatch)},
          {[](Input& erase) { erase.condition = "attribute_exists(PK)"; }, FailsCondition()},
      },
      [](const Input& erase) { return table().DeleteItem(erase).status(); });
}

TEST_F(ErrorOrderRulesTest, GetItemReportsItsFaultsInAFixedOrder) {
  using Input = GetItemInput;
  CheckOrder<Input>(
      {.key = Key(), .projection = "a"},
      {
          {[](Input& get) { get.key["v"] = StringSet{}; }, IsInvalid(kBadKey)},
          {[](Input& get) { get.names["bad"] = "x"; }, IsInvalid(kBadName)},
          {[](Input& get) { get.projection = "a,"; },
           IsInvalid("Invalid ProjectionExpression: " + SyntaxError("<EOF>", ","))},
          {[](Input& get) { get.projection = "#undefined"; },
           IsInvalid(Undefined("ProjectionExpression"))},
          {[](Input& get) { get.names["#unused"] = "x"; },
           IsInvalid("Value provided in ExpressionAttributeNames unused in expressions: keys: "
                     "{#unused}")},
          {[](Input& get) { get.key["x"] = 1; }, IsInvalid(kKeyMismatch)},
      },
      [](const Input& get) { return table().GetItem(get).status(); });
}

TEST_F(ErrorOrderRulesTest, QueryReportsItsFaultsInAFixedOrder) {
  using Input = QueryInput;
  const auto start = Item{{"PK", "elsewhere"}, {"SK", "a"}};
  CheckOrder<Input>(
      {.key_condition = "PK = :p", .values = {{":p", pk()}}},
      {
          {[](Input& query) { query.limit = 0; },
           IsInvalidWith("Member must have value greater than or equal to 1")},
          {[](Input& query) { query.exclusive_start_key["v"] = StringSet{}; },
           IsInvalid("The provided starting key is invalid: " + kBadKey)},
          {[](Input& query) { query.names["bad"] = "x"; }, IsInvalid(kBadName)},
          {[](Input& query) { query.values[":set"] = StringSet{}; }, IsInvalid(kBadValue)},
          {[](Input& query) { query.key_condition = "PK ="; },
           IsInvalid(Syntax("KeyConditionExpression"))},
          {[](Input& query) { query.filter = "a ="; }, IsInvalid(Syntax("FilterExpression"))},
          {[](Input& query) { query.projection = "a,"; },
           IsInvalid("Invalid ProjectionExpression: " + SyntaxError("<EOF>", ","))},
          {[](Input& query) { query.key_condition = "#undefined = :p"; },
           IsInvalid(Undefined("KeyConditionExpression"))},
          {[](Input& query) { query.filter = "attribute_exists(#undefined)"; },
           IsInvalid(Undefined("FilterExpression"))},
          {[](Input& query) { query.projection = "#undefined"; },
           IsInvalid(Undefined("ProjectionExpression"))},
          {[](Input& query) { query.values[":unused"] = 1; }, IsInvalid(kUnused)},
          {[](Input& query) { query.key_condition = "PK = :p OR SK = :p"; },
           IsInvalid("Invalid operator used in KeyConditionExpression: OR")},
          {[](Input& query) { query.select = Select::kCount; },
           IsInvalid("1 validation error detected: Cannot specify the ProjectionExpression when "
                     "choosing to get only the "
                     "Count")},
          {[](Input& query) { query.index = "nothing"; },
           IsInvalid("The table does not have the specified index: nothing")},
          {[](Input& query) { query.key_condition = "x = :p"; },
           IsInvalid("Query condition missed key schema element: PK")},
          {[](Input& query) { query.filter = "attribute_exists(SK)"; },
           IsInvalid("Filter Expression can only contain non-primary key attributes: Primary key "
                     "attribute: SK")},
          {[](Input& query) { query.projection = "SK.x"; },
           IsInvalidWith("Key attributes must be scalars")},
          {[&](Input& query) { query.exclusive_start_key = start; },
           IsInvalid("The provided starting key is outside query boundaries based on provided "
                     "conditions")},
      },
      [](const Input& query) { return table().Query(query).status(); });
}

}  // namespace
}  // namespace dolmen::behaviour
