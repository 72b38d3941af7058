// Tests of the second limit of UpdateItem: DynamoDB refuses an UpdateExpression if the sum of what it charges for the
// clauses exceeds the largest size of an item. The limit applies even if the new item would be small, and DynamoDB
// checks it before the condition. tests/engine/expression/update_charge_test.cc tests the charges.

#include <dolmen/update_builder.h>

#include <string>
#include <vector>

#include "tests/behaviour/rules.h"

namespace dolmen::behaviour {
namespace {

const std::string kUpdateTooLarge = "Item size to update has exceeded the maximum allowed size";

std::string Bytes(std::size_t count) { return std::string(count, 'x'); }

class UpdateChargeRulesTest : public RulesTest {};

// Each row has an update that is charged for at most 409,600 bytes if the text :v has at most `bytes` bytes.
TEST_F(UpdateChargeRulesTest, TheClausesAreChargedForAtMost400Kilobytes) {
  struct Row {
    std::string text;
    std::size_t bytes;
    Values others = {};
    Map item = {};
  };
  for (const Row& row : std::vector<Row>{
           {"SET t = :v", 409'577},
           {"SET t = :v, u = :w", 409'554, {{":w", "yes"}}},
           {"SET m.t = :v", 409'572, {}, {{"m", Map{}}}},
           {"SET l[0] = :v", 409'572, {}, {{"l", List{}}}},
           // The value is charged for if it is not used, and for each use.
           {"SET t = if_not_exists(t, :v)", 409'522, {}, {{"t", ""}}},
           {"SET t = if_not_exists(t, :v), u = if_not_exists(u, :v)",
            204'723,
            {},
            {{"t", ""}, {"u", ""}}},
           {"SET t = if_not_exists(t, :v) REMOVE u DELETE s :s",
            409'518,
            {{":s", StringSet{"member"}}},
            {{"t", ""}}},
       }) {
    SCOPED_TRACE(row.text);
    Values values = row.others;
    values[":v"] = Bytes(row.bytes);
    PutWith(row.item);
    EXPECT_THAT(Update(row.text, values), IsOk());
    values[":v"] = Bytes(row.bytes + 1);
    CheckRefusedUpdates({{row.text, row.item, values, kUpdateTooLarge}});
  }
}

// An update that is built in C++ is an UpdateExpression, too.
TEST_F(UpdateChargeRulesTest, TheLimitAppliesToABuiltUpdate) {
  PutWith({{"t", ""}});
  const auto update = [](std::size_t bytes) {
    return dolmen::Update().Set("t", IfNotExists("t", Bytes(bytes)));
  };
  EXPECT_THAT(Update(update(409'522)), IsOk());
  EXPECT_THAT(Update(update(409'523)), IsInvalid(kUpdateTooLarge));
}

// ADD is charged only for the members that the set does not have. So the charge depends on the item.
TEST_F(UpdateChargeRulesTest, MembersThatASetHasAreFree) {
  const std::string had = Bytes(300'000);
  const std::string update = "ADD s :s SET t = if_not_exists(t, :v)";
  // 3 for the update, 19 + 1 + 3 for ADD, and 19 + 1 + 39 + 16 for SET without its value.
  const std::size_t bytes = 409'600 - 101;
  const auto values = [&](std::size_t size) {
    return Values{{":s", StringSet{had, "new"}}, {":v", Bytes(size)}};
  };
  PutWith({{"t", ""}, {"s", StringSet{had, "other"}}});
  EXPECT_THAT(Update(update, values(bytes)), IsOk());
  CheckRefusedUpdates({
      {update, {{"t", ""}, {"s", StringSet{had}}}, values(bytes + 1), kUpdateTooLarge},
      {update, {{"t", ""}, {"s", StringSet{"other"}}}, values(bytes), kUpdateTooLarge},
      {update, {{"t", ""}}, values(bytes), kUpdateTooLarge},
  });
}

TEST_F(UpdateChargeRulesTest, TheLimitComesBeforeTheCondition) {
  PutWith({{"t", ""}});
  const auto update = [&](std::size_t bytes) {
    return table().UpdateItem({.key = Key(),
                               .update = "SET t = if_not_exists(t, :v)",
                               .condition = "attribute_exists(absent)",
                               .values = {{":v", Bytes(bytes)}}});
  };
  EXPECT_THAT(update(409'522), FailsCondition());
  EXPECT_THAT(update(409'523), IsInvalid(kUpdateTooLarge));
}

// The size of the item is the only limit of every other write.
TEST_F(UpdateChargeRulesTest, OnlyUpdateItemHasTheLimit) {
  PutWith({{"t", ""}});
  const UpdateItemInput update = {
      .key = Key(), .update = "SET t = if_not_exists(t, :v)", .values = {{":v", Bytes(409'523)}}};
  EXPECT_THAT(database().TransactWriteItems({.actions = {{table(), update}}}), IsOk());
  EXPECT_THAT(
      database().Execute("UPDATE app SET u = ? WHERE PK = ? AND SK = 'a'", {Bytes(409'580), pk()}),
      IsOk());
}

}  // namespace
}  // namespace dolmen::behaviour
