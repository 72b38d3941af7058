#include "engine/expression/placeholders.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/support/items.h"

namespace dolmen::engine {
namespace {

using test::IsOk;
using test::StatusIs;
using testing::HasSubstr;
using testing::Pointee;
using testing::StartsWith;

constexpr ExpressionParameter kConditionGiven = {ExpressionKind::kCondition, true};

Status MakeStatus(const Names& names, const Values& values,
                  std::initializer_list<ExpressionParameter> parameters = {kConditionGiven}) {
  return Placeholders::Make(names, values, parameters).status();
}

TEST(PlaceholdersTest, ReturnsTheNameOrValueOfAToken) {
  const Names names = {{"#a", "a"}, {"#_0", "a.b"}};
  const Values values = {{":0", 12}, {":s", "text"}, {":l", List{1, "x"}}};
  Result<Placeholders> placeholders = Placeholders::Make(names, values, {kConditionGiven});
  ASSERT_THAT(placeholders, IsOk());
  EXPECT_THAT(placeholders->UseName("#a"), Pointee(std::string("a")));
  EXPECT_THAT(placeholders->UseName("#_0"), Pointee(std::string("a.b")));
  EXPECT_EQ(placeholders->UseValue(":0").ToString(), "12");
  EXPECT_EQ(placeholders->UseValue(":s").ToString(), "\"text\"");
  EXPECT_EQ(placeholders->UseValue(":l").ToString(), "[1, \"x\"]");
  EXPECT_THAT(placeholders->CheckAllUsed(), IsOk());
}

TEST(PlaceholdersTest, ReturnsNothingForAnUndefinedToken) {
  const Names names = {{"#a", "a"}};
  const Values values = {{":a", 1}};
  Result<Placeholders> placeholders = Placeholders::Make(names, values, {kConditionGiven});
  ASSERT_THAT(placeholders, IsOk());
  EXPECT_EQ(placeholders->UseName("#A"), nullptr);
  EXPECT_EQ(placeholders->UseName("a"), nullptr);
  EXPECT_FALSE(placeholders->UseValue(":b").exists());
}

TEST(PlaceholdersTest, AnEmptyStringIsAValue) {
  const Values values = {{":a", ""}};
  const Names names;
  Result<Placeholders> placeholders = Placeholders::Make(names, values, {kConditionGiven});
  ASSERT_THAT(placeholders, IsOk());
  EXPECT_TRUE(placeholders->UseValue(":a").exists());
}

TEST(PlaceholdersTest, ReportsUnusedNamesAndValues) {
  const Names names = {{"#c", "c"}, {"#a", "a"}, {"#b", "b"}};
  const Values values = {{":y", 1}, {":x", 1}};
  Result<Placeholders> placeholders = Placeholders::Make(names, values, {kConditionGiven});
  ASSERT_THAT(placeholders, IsOk());
  placeholders->UseName("#b");
  EXPECT_THAT(placeholders->CheckAllUsed(),
              StatusIs(StatusCode::kValidation,
                       "Value provided in ExpressionAttributeNames unused in expressions: keys: "
                       "{#a, #c}"));
  placeholders->UseName("#a");
  placeholders->UseName("#c");
  EXPECT_THAT(placeholders->CheckAllUsed(),
              StatusIs(StatusCode::kValidation,
                       "Value provided in ExpressionAttributeValues unused in expressions: keys: "
                       "{:x, :y}"));
  placeholders->UseValue(":x");
  placeholders->UseValue(":y");
  EXPECT_THAT(placeholders->CheckAllUsed(), IsOk());
}

TEST(PlaceholdersTest, RejectsNamesWithoutAnExpression) {
  const Names names = {{"#a", "a"}};
  const std::string message =
      "ExpressionAttributeNames can only be specified when using expressions";
  EXPECT_THAT(MakeStatus(names, {}, {{ExpressionKind::kProjection, false}}),
              StatusIs(StatusCode::kValidation, message));
  EXPECT_THAT(MakeStatus(names, {{":a", 1}}, {{ExpressionKind::kCondition, false}}),
              StatusIs(StatusCode::kValidation, message));
  EXPECT_THAT(MakeStatus(names, {}, {{ExpressionKind::kProjection, true}}), IsOk());
}

TEST(PlaceholdersTest, RejectsValuesWithoutAnExpressionThatCanUseThem) {
  const Values values = {{":a", 1}};
  const std::string message =
      "ExpressionAttributeValues can only be specified when using expressions: ";
  EXPECT_THAT(MakeStatus({}, values, {{ExpressionKind::kCondition, false}}),
              StatusIs(StatusCode::kValidation, message + "ConditionExpression is null"));
  EXPECT_THAT(MakeStatus({}, values,
                         {{ExpressionKind::kUpdate, false}, {ExpressionKind::kCondition, false}}),
              StatusIs(StatusCode::kValidation,
                       message + "UpdateExpression and ConditionExpression are null"));
  EXPECT_THAT(MakeStatus({}, values,
                         {{ExpressionKind::kFilter, false},
                          {ExpressionKind::kKeyCondition, false},
                          {ExpressionKind::kProjection, true}}),
              StatusIs(StatusCode::kValidation,
                       message + "FilterExpression and KeyConditionExpression are null"));
  EXPECT_THAT(MakeStatus({}, values,
                         {{ExpressionKind::kFilter, false}, {ExpressionKind::kProjection, true}}),
              StatusIs(StatusCode::kValidation, message + "FilterExpression is null"));
  EXPECT_THAT(MakeStatus({}, values,
                         {{ExpressionKind::kUpdate, true}, {ExpressionKind::kCondition, false}}),
              IsOk());
}

TEST(PlaceholdersTest, ARequestWithoutPlaceholdersNeedsNoExpression) {
  EXPECT_THAT(MakeStatus({}, {}, {{ExpressionKind::kCondition, false}}), IsOk());
}

TEST(PlaceholdersTest, MessagesReplaceBytesThatAreNotUtf8) {
  EXPECT_THAT(MakeStatus({{"#\xFF", "a"}}, {}),
              StatusIs(StatusCode::kValidation, testing::EndsWith("\"#\uFFFD\"")));
}

TEST(PlaceholdersTest, TokensHaveAtMost255Bytes) {
  EXPECT_THAT(MakeStatus({{"#" + std::string(254, 'a'), "a"}}, {}), IsOk());
  EXPECT_THAT(MakeStatus({{"#" + std::string(255, 'a'), "a"}}, {}),
              StatusIs(StatusCode::kValidation,
                       StartsWith("ExpressionAttributeNames contains invalid key: ")));
  EXPECT_THAT(MakeStatus({}, {{":" + std::string(254, 'a'), 1}}), IsOk());
  EXPECT_THAT(MakeStatus({}, {{":" + std::string(255, 'a'), 1}}),
              StatusIs(StatusCode::kValidation,
                       StartsWith("ExpressionAttributeValues contains invalid key: ")));
}

TEST(PlaceholdersTest, NamesHave1To65535Bytes) {
  EXPECT_THAT(MakeStatus({{"#a", std::string(65535, 'x')}}, {}), IsOk());
  for (const std::string& name : {std::string(), std::string(65536, 'x')}) {
    EXPECT_THAT(MakeStatus({{"#a", name}}, {}),
                StatusIs(StatusCode::kValidation,
                         StartsWith("ExpressionAttributeNames contains invalid value: ")));
  }
}

TEST(PlaceholdersTest, RejectsValuesThatDynamoDBDoesNotStore) {
  EXPECT_THAT(MakeStatus({}, {{":a", 1}, {":b", StringSet{}}}),
              StatusIs(StatusCode::kValidation,
                       "ExpressionAttributeValues contains invalid value: One or more parameter "
                       "values were invalid: An string set  may not be empty for key :b"));
  EXPECT_THAT(MakeStatus({}, {{":a", "\xFF"}}),
              StatusIs(StatusCode::kValidation,
                       HasSubstr("ExpressionAttributeValues contains invalid value: ")));
}

TEST(PlaceholdersTest, ValuesHaveAtMost2MegabytesTogether) {
  constexpr std::size_t kMegabyte = std::size_t{1} << 20;
  Values values = {{":a", std::string(kMegabyte, 'x')}, {":b", std::string(kMegabyte, 'x')}};
  EXPECT_THAT(MakeStatus({}, values), IsOk());
  values[":c"] = "x";
  EXPECT_THAT(MakeStatus({}, values),
              StatusIs(StatusCode::kValidation, StartsWith("ExpressionAttributeValues ")));
}

}  // namespace
}  // namespace dolmen::engine
