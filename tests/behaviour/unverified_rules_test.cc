// The rules of expressions that are unverified: DynamoDB's documentation leaves them undefined. A row or
// a test here documents what Dolmen does, and DynamoDB may do something else.

#include "tests/behaviour/rules.h"
#include "tests/support/text.h"

namespace dolmen::behaviour {
namespace {

using test::B;
using test::Repeat;

class UnverifiedRulesTest : public RulesTest {
 protected:
  static std::string OperandTypeError(const std::string& function, const std::string& type) {
    return "Incorrect operand type for operator or function; operator or function: " + function +
           ", operand type: " + type;
  }
};

TEST_F(UnverifiedRulesTest, AListContainsValuesOfEveryType) {
  const Map item = {{"l", List{List{2}, Map{{"k", 1}}, StringSet{"q"}, nullptr}}};
  CheckConditions({{"contains(l, :v)", item, {{":v", List{2}}}, kHolds},
                   {"contains(l, :v)", item, {{":v", Map{{"k", 1}}}}, kHolds},
                   {"contains(l, :v)", item, {{":v", StringSet{"q"}}}, kHolds},
                   {"contains(l, :v)", item, {{":v", nullptr}}, kHolds}});
}

TEST_F(UnverifiedRulesTest, NotMayBeRepeated) {
  for (const bool a : {false, true}) {
    CheckConditions({{"NOT NOT a=:t", {{"a", a}}, {{":t", true}}, a}});
  }
}

// The form of the bytes in the message is unverified.
TEST_F(UnverifiedRulesTest, BetweenRejectsBinaryBoundsInTheWrongOrder) {
  EXPECT_THAT(PutIf("a BETWEEN :l AND :h", {{":l", B("b")}, {":h", B("a")}}),
              IsInvalidWith("upper bound to be greater than or equal to lower bound"));
}

TEST_F(UnverifiedRulesTest, ASetThatBecomesEmptyLeavesItsList) {
  CheckUpdates({{"DELETE l[0] :v",
                 {{"l", List{StringSet{"x"}, 1}}},
                 {{":v", StringSet{"x"}}},
                 {{"l", List{1}}}}});
}

TEST_F(UnverifiedRulesTest, FunctionsOfConditionsAreRejectedInUpdates) {
  const std::string error =
      "Invalid UpdateExpression: The function is not allowed in an update expression; function: ";
  CheckRefusedUpdates({{"SET a = size(b)", {}, {}, error + "size"},
                       {"SET a = contains(b, :v)", {}, {}, error + "contains"}});
}

// The message for a function that only updates may use.
TEST_F(UnverifiedRulesTest, UpdateFunctionsAreRejectedInConditions) {
  CheckRefusedConditions({
      {"if_not_exists(a, :v) = :w",
       {},
       "The function is not allowed in a condition expression; function: "
       "if_not_exists"},
      {"a = list_append(b, :v)",
       {},
       "The function is not allowed in a condition expression; function: list_append"},
  });
}

// Dolmen rejects an order comparison with a value that has no order. DynamoDB might
// evaluate the comparison to false instead.
TEST_F(UnverifiedRulesTest, OrderComparisonsRejectTypesWithoutAnOrder) {
  for (const auto& [type, value] : OfEveryType()) {
    if (type == "S" || type == "N" || type == "B") continue;
    for (const std::string op : {"<", "<=", ">", ">="}) {
      CheckRefusedConditions({{"a " + op + " :v", {{":v", value}}, OperandTypeError(op, type)},
                              {":v " + op + " a", {{":v", value}}, OperandTypeError(op, type)}});
    }
    CheckRefusedConditions({
        {"a BETWEEN :v AND b", {{":v", value}}, OperandTypeError("BETWEEN", type)},
        {"a BETWEEN b AND :v", {{":v", value}}, OperandTypeError("BETWEEN", type)},
        {":v BETWEEN a AND b", {{":v", value}}, OperandTypeError("BETWEEN", type)},
    });
  }
}

// The messages for a placeholder that is too long.
TEST_F(UnverifiedRulesTest, PlaceholdersHaveAtMost255Bytes) {
  const std::string word(254, 'x');
  EXPECT_THAT(PutIf("#" + word + " <> :" + word, {{":" + word, 1}}, {{"#" + word, "n"}}), IsOk());
  EXPECT_THAT(PutIf("#" + word + "x <> :v", {{":v", 1}}, {{"#" + word + "x", "n"}}),
              IsInvalidWith("ExpressionAttributeNames contains invalid key: "));
  EXPECT_THAT(PutIf("a <> :" + word + "x", {{":" + word + "x", 1}}),
              IsInvalidWith("ExpressionAttributeValues contains invalid key: "));
}

// The message for an empty name or a name that is too long.
TEST_F(UnverifiedRulesTest, NamesOfAttributesHave1To65535Bytes) {
  EXPECT_THAT(PutIf("attribute_not_exists(#n)", {}, {{"#n", std::string(65'535, 'x')}}), IsOk());
  for (const std::string& name : {std::string(), std::string(65'536, 'x')}) {
    EXPECT_THAT(PutIf("attribute_not_exists(#n)", {}, {{"#n", name}}),
                IsInvalidWith("ExpressionAttributeNames contains invalid value: "));
  }
}

// The message if the values of a request have more than 2 MB in total.
TEST_F(UnverifiedRulesTest, ValuesHaveAtMost2MegabytesTogether) {
  const std::string megabyte(std::size_t{1} << 20, 'x');
  Values values = {{":a", megabyte}, {":b", megabyte}};
  EXPECT_THAT(PutIf("a <> :a AND a <> :b", values), IsOk());
  values[":c"] = "x";
  EXPECT_THAT(PutIf("a <> :a AND a <> :b AND a <> :c", values),
              IsInvalidWith("ExpressionAttributeValues"));
}

// The message for too many operands of IN.
TEST_F(UnverifiedRulesTest, InHasAtMost100Operands) {
  const std::string hundred = "a IN (:v" + Repeat(99, ", :v");
  CheckConditions({{hundred + ")", {{"a", 1}}, {{":v", 1}}, kHolds}});
  CheckRefusedConditions(
      {{hundred + ", :v)",
        {{":v", 1}},
        "The IN operator is provided with too many operands; number of operands: 101"}});
}

}  // namespace
}  // namespace dolmen::behaviour
