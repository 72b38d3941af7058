// Tests of Validate, which checks a request without its table. Validate returns the same errors as
// the operation.

#include "database/validate.h"

#include <string>
#include <vector>

#include "tests/behaviour/rules.h"

namespace dolmen::behaviour {
namespace {

using testing::Not;

class ValidateTest : public RulesTest {
 protected:
  // Runs a condition check in a transaction, because a condition check is not an operation of its
  // own.
  static Status Do(const ConditionCheckInput& input) {
    return database().TransactWriteItems({.actions = {{table(), input}}}).status();
  }
  static Status Do(const GetItemInput& input) { return table().GetItem(input).status(); }
  static Status Do(const PutItemInput& input) { return table().PutItem(input).status(); }
  static Status Do(const UpdateItemInput& input) { return table().UpdateItem(input).status(); }
  static Status Do(const DeleteItemInput& input) { return table().DeleteItem(input).status(); }
  static Status Do(const QueryInput& input) { return table().Query(input).status(); }
  static Status Do(const ScanInput& input) { return table().Scan(input).status(); }

  // Checks that Validate rejects each input, with the message of the operation.
  template <typename Input>
  static void ExpectWrongByItself(const std::vector<Input>& inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const Status said = Validate(inputs[i]);
      EXPECT_EQ(said.code(), kValidation) << i;
      EXPECT_EQ(said.message(), Do(inputs[i]).message()) << i;
    }
  }

  // Checks that Validate accepts each input, and that the operation on the table rejects the input.
  template <typename Input>
  static void ExpectRightByItself(const std::vector<Input>& inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      EXPECT_THAT(Validate(inputs[i]), IsOk()) << i;
      EXPECT_THAT(Do(inputs[i]), Not(IsOk())) << i;
    }
  }

  const Item bad_key_ = {{"PK", StringSet{}}};
  const Item other_key_ = {{"id", 7}};
};

TEST_F(ValidateTest, ValidateFindsFaultsOfAGetItemThatNeedNoTable) {
  ExpectWrongByItself<GetItemInput>({{.key = bad_key_},
                                     {.key = Key(), .projection = "a,"},
                                     {.key = other_key_, .projection = "#a"},
                                     {.key = Key(), .projection = "a", .names = {{"#a", "a"}}}});
  ExpectRightByItself<GetItemInput>({{.key = other_key_}, {.key = Key(), .projection = "PK.x"}});
}

TEST_F(ValidateTest, ValidateFindsFaultsOfAPutItemThatNeedNoTable) {
  ExpectWrongByItself<PutItemInput>({{.item = bad_key_},
                                     {.item = Key(), .return_values = ReturnValues::kAllNew},
                                     {.item = {{"fill", std::string(409'600, 'x')}}},
                                     {.item = Key(), .condition = "a ="},
                                     {.item = other_key_, .condition = "a = :a"},
                                     {.item = Key(), .values = {{":a", 1}}}});
  ExpectRightByItself<PutItemInput>(
      {{.item = other_key_}, {.item = Key(), .condition = "attribute_exists(nothing)"}});
}

TEST_F(ValidateTest, ValidateFindsFaultsOfAnUpdateItemThatNeedNoTable) {
  ExpectWrongByItself<UpdateItemInput>(
      {{.key = bad_key_},
       {.key = other_key_, .update = "SET a"},
       {.key = Key(), .update = "SET a = :a"},
       {.key = Key(), .update = "SET a = :a, a = :a", .values = {{":a", 1}}}});
  ExpectRightByItself<UpdateItemInput>({{.key = other_key_},
                                        {.key = Key(), .update = "REMOVE SK"},
                                        {.key = Key(), .update = "SET a = nothing"}});
}

TEST_F(ValidateTest, ValidateFindsFaultsOfADeleteItemThatNeedNoTable) {
  ExpectWrongByItself<DeleteItemInput>({{.key = bad_key_},
                                        {.key = other_key_, .condition = "a ="},
                                        {.key = Key(), .return_values = ReturnValues::kAllNew}});
  ExpectRightByItself<DeleteItemInput>({{.key = other_key_}});
}

TEST_F(ValidateTest, ValidateFindsFaultsOfAConditionCheckThatNeedNoTable) {
  ExpectWrongByItself<ConditionCheckInput>({{.key = bad_key_, .condition = "attribute_exists(a)"},
                                            {.key = Key()},
                                            {.key = other_key_, .condition = "a ="}});
  ExpectRightByItself<ConditionCheckInput>({{.key = other_key_, .condition = "attribute_exists(a)"},
                                            {.key = Key(), .condition = "attribute_exists(PK.x)"}});
}

TEST_F(ValidateTest, ValidateFindsFaultsOfAQueryThatNeedNoTable) {
  ExpectWrongByItself<QueryInput>(
      {{},
       {.key_condition = Partition(pk()), .limit = 0},
       {.key_condition = "x ="},
       {.key_condition = Partition(pk()), .filter = "a = :a"},
       {.key_condition = Partition(pk()), .projection = "a", .select = Select::kCount},
       {.key_condition = Partition(pk()), .select = Select::kAllProjectedAttributes},
       {.key_condition = Partition(pk()), .select = Select::kSpecificAttributes},
       {.key_condition = Partition(pk()), .exclusive_start_key = bad_key_}});
  ExpectRightByItself<QueryInput>(
      {{.key_condition = Partition(7)},
       {.key_condition = "x = :v", .values = {{":v", "x"}}},
       {.index = "nothing", .key_condition = Partition(pk())},
       {.key_condition = Partition(pk()), .filter = "attribute_exists(SK)"},
       {.key_condition = Partition(pk()), .exclusive_start_key = other_key_}});
}

// Each request has two errors: one that can be found without the table, and one that can be found
// only with the table. The operation reports the error that can be found without the table.
TEST_F(ValidateTest, AQueryReportsFaultsThatNeedNoTableFirst) {
  const auto select = Select::kSpecificAttributes;  // without a projection
  ExpectWrongByItself<QueryInput>(
      {{.index = "nothing", .key_condition = Partition(pk()), .select = select},
       {.key_condition = Partition(7), .select = select},
       {.key_condition = Partition(pk()), .filter = "attribute_exists(SK)", .select = select},
       {.key_condition = Partition(pk()), .projection = "SK.x", .select = Select::kCount},
       {.key_condition = Partition(pk()), .select = select, .exclusive_start_key = other_key_},
       {.key_condition = Partition(7), .select = Select::kAllProjectedAttributes}});
}

TEST_F(ValidateTest, AScanReportsFaultsThatNeedNoTableFirst) {
  const auto select = Select::kSpecificAttributes;  // without a projection
  ExpectWrongByItself<ScanInput>({{.index = "nothing", .select = select},
                                  {.filter = "attribute_exists(SK.x)", .select = select},
                                  {.projection = "SK.x", .select = Select::kCount},
                                  {.select = select, .exclusive_start_key = other_key_}});
}

TEST_F(ValidateTest, ValidateFindsFaultsOfAScanThatNeedNoTable) {
  ExpectWrongByItself<ScanInput>({{.limit = 0},
                                  {.segment = 1},
                                  {.segment = 3, .total_segments = 3},
                                  {.filter = "a ="},
                                  {.projection = "#a"},
                                  {.select = Select::kSpecificAttributes},
                                  {.exclusive_start_key = bad_key_}});
  ExpectRightByItself<ScanInput>(
      {{.index = "nothing"}, {.projection = "SK.x"}, {.exclusive_start_key = other_key_}});
}

}  // namespace
}  // namespace dolmen::behaviour
