// Tests of the syntax that all expressions share: whitespace, names, paths, placeholders and
// limits.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.Attributes.html

#include "tests/behaviour/rules.h"
#include "tests/support/text.h"

namespace dolmen::behaviour {
namespace {

using test::Repeat;

class ExpressionSyntaxRulesTest : public RulesTest {
 protected:
  Result<GetItemOutput> Project(const std::string& projection, const Names& names = {}) const {
    return table().GetItem({.key = Key(), .projection = projection, .names = names});
  }
};

TEST_F(ExpressionSyntaxRulesTest, WhitespaceIsAllowedBetweenAllTokens) {
  const Map item = {{"a", Map{{"b", List{1, 2}}}}};
  CheckConditions({
      {"a.b[1]=:v", item, {{":v", 2}}, kHolds},
      {" a . b [ 1 ] = :v ", item, {{":v", 2}}, kHolds},
      {"\ta\r\n.b\n[1]\t=\r:v", item, {{":v", 2}}, kHolds},
      {"size (a.b)=:v", item, {{":v", 2}}, kHolds},
      {"contains\n(\na.b\n,\n:v\n)", item, {{":v", 2}}, kHolds},
      {"a.b IN(:v)", item, {{":v", List{1, 2}}}, kHolds},
      {"NOT(a=:v)AND(size(a.b)=:v)", item, {{":v", 2}}, kHolds},
  });
  CheckRefusedConditions({{"a\f= :v", {}, SyntaxError("\f", "a\f=")},  // not whitespace
                          {"a\u00A0= :v", {}, SyntaxError("\u00A0", "a\u00A0=")}});
  CheckUpdates({{"SET a . b [ 0 ]=:v", item, {{":v", 9}}, {{"a", Map{{"b", List{9, 2}}}}}},
                {"\nREMOVE\ta.b [1]\n", item, {}, {{"a", Map{{"b", List{1}}}}}}});
  CheckProjections({{"a\t.\nb [ 0 ]", item, {{"a", Map{{"b", List{1}}}}}}});
}

TEST_F(ExpressionSyntaxRulesTest, KeywordsAreCaseInsensitive) {
  const Map item = {{"a", 1}, {"b", 2}, {"ss", StringSet{"x", "y"}}};
  CheckConditions({
      {"nOt a = :v aNd b = :v", item, {{":v", 2}}, kHolds},
      {"a = :v oR b = :v", item, {{":v", 2}}, kHolds},
      {"a between :v and :v", item, {{":v", 1}}, kHolds},
      {"a iN (:v)", item, {{":v", 1}}, kHolds},
  });
  CheckUpdates({{"sEt c = :v Remove b aDd a :v delete ss :x",
                 item,
                 {{":v", 5}, {":x", StringSet{"x"}}},
                 {{"a", 6}, {"c", 5}, {"ss", StringSet{"y"}}}}});
}

TEST_F(ExpressionSyntaxRulesTest, ABareNameIsAWordThatBeginsWithALetter) {
  const Map item = {{"_", 1}, {"_a9", 1}, {"A", 1}, {"a_B_1", 1}};
  const Values v = {{":v", 1}};
  CheckConditions({
      {"#u = :v AND #a = :v AND A = :v AND a_B_1 = :v",
       item,
       v,
       kHolds,
       {{"#a", "_a9"}, {"#u", "_"}}},
      {"a = :v", item, v, kFails},  // names are case-sensitive
  });
  CheckRefusedConditions({
      {"_ = :v", v, SyntaxError("_", "_ =")},
      {"_a9 = :v", v, SyntaxError("_", "_a9")},
      {"9a = :v", v, SyntaxError("9", "9a")},
      {"a-b = :v", v, SyntaxError("-", "a-b")},
      {"é = :v", v, SyntaxError("é", "é =")},
      {"a$ = :v", v, SyntaxError("$", "a$ =")},
      {"a.9 = :v", v, SyntaxError("9", ".9 =")},
      {"a. = :v", v, SyntaxError("=", ". = :v")},
      {".a = :v", v, SyntaxError(".", ".a")},
      {"# = :v", v, SyntaxError("#", "# =")},
      {"a = :", v, SyntaxError(":", "= :")},
      {"a.:v = :v", v, SyntaxError(":v", ".:v =")},
  });
}

TEST_F(ExpressionSyntaxRulesTest, AListIndexIsDecimalDigitsWithoutLeadingZeros) {
  const Values v = {{":v", 1}};
  CheckConditions({{"a[0] = :v AND a [ 0 ] = :v", {{"a", List{1}}}, v, kHolds}});
  CheckRefusedConditions({
      {"a[00] = :v", v, SyntaxError("0", "00]")},
      {"a[01] = :v", v, SyntaxError("1", "01]")},
      {"a[] = :v", v, SyntaxError("]", "[] =")},
      {"a[-1] = :v", v, SyntaxError("-", "[-1")},
      {"a[:v] = :v", v, SyntaxError(":v", "[:v]")},
      {"a[#i] = :v", v, SyntaxError("#i", "[#i]")},
      {"a[b] = :v", v, SyntaxError("b", "[b]")},
      {"a[1.5] = :v", v, SyntaxError(".", "1.5")},
      {"a[0 = :v", v, SyntaxError("=", "0 = :v")},
      {"[0] = :v", v, SyntaxError("[", "[0")},
  });
}

// A reserved word is rejected in every step of a path and in any letter case. The message
// shows the word as it is spelled in the expression.
TEST_F(ExpressionSyntaxRulesTest, AReservedWordIsRejectedAsABareName) {
  for (const std::string word : {"status", "Name", "DATE", "timestamp", "ttl", "connection"}) {
    const std::string error = "Attribute name is a reserved keyword; reserved keyword: " + word;
    const std::string update_error = "Invalid UpdateExpression: " + error;
    CheckRefusedConditions({{"attribute_exists(" + word + ")", {}, error},
                            {"a.b[0]." + word + " = :v", {{":v", 1}}, error}});
    CheckRefusedUpdates(
        {{"REMOVE " + word, {}, {}, update_error}, {"SET a = a." + word, {}, {}, update_error}});
    CheckRefusedProjections({{"a, " + word, "Invalid ProjectionExpression: " + error}});
    CheckRefusedKeyConditions({{word + " = :p", "Invalid KeyConditionExpression: " + error}});
    CheckConditions({{"attribute_not_exists(#w)", {}, {}, kHolds, {{"#w", word}}},
                     {"attribute_not_exists(" + word + "_)", {}, {}, kHolds}});
  }
  CheckConditions({{"remove = :v", {{"remove", 1}}, {{":v", 1}}, kHolds}});
  CheckRefusedProjections({{"and",
                            "Invalid ProjectionExpression: Attribute name is a reserved keyword; "
                            "reserved keyword: and"}});
  const std::string update_error =
      "Invalid UpdateExpression: Attribute name is a reserved keyword; reserved keyword: ";
  CheckRefusedUpdates({{"SET and = :v", {}, {}, update_error + "and"},
                       {"REMOVE a.set", {}, {}, update_error + "set"}});
}

TEST_F(ExpressionSyntaxRulesTest, ANamePlaceholderIsOneStepOfAPath) {
  const Map item = {{"a.b", 1}, {"a", Map{{"b", 2}, {"c[0]", 3}, {"status", 4}}}};
  CheckConditions({
      {"#n = :v", item, {{":v", 1}}, kHolds, {{"#n", "a.b"}}},
      {"#n = :v OR #n = :v", item, {{":v", 1}}, kHolds, {{"#n", "a.b"}}},
      {"a.b = :v", item, {{":v", 2}}, kHolds},
      {"#a.#b = :v", item, {{":v", 2}}, kHolds, {{"#a", "a"}, {"#b", "b"}}},
      {"a.#n = :v", item, {{":v", 3}}, kHolds, {{"#n", "c[0]"}}},
      {"a.#n = :v", item, {{":v", 4}}, kHolds, {{"#n", "status"}}},
      {"#0 = :v AND #_ = :v", item, {{":v", 1}}, kHolds, {{"#0", "a.b"}, {"#_", "a.b"}}},
  });
  const Names n = {{"#n", "x.y[0]"}};
  CheckUpdates({{"SET #n = :v", {}, {{":v", 1}}, {{"x.y[0]", 1}}, n},
                {"SET m.#n = :v", {{"m", Map{}}}, {{":v", 1}}, {{"m", Map{{"x.y[0]", 1}}}}, n}});
  CheckProjections(
      {{"#n, a.#m", item, {{"a", Map{{"c[0]", 3}}}, {"a.b", 1}}, {{"#n", "a.b"}, {"#m", "c[0]"}}}});
}

// Updates and projections reject parentheses in a path.
TEST_F(ExpressionSyntaxRulesTest, TheBeginningOfAPathMayBeInParenthesesInConditionsOnly) {
  const Map item = {{"a", Map{{"b", Map{{"c", List{1, 2}}}}}}};
  CheckConditions({
      {"(a.b).c[1] = :v", item, {{":v", 2}}, kHolds},
      {"((a).b).c[0] = :v", item, {{":v", 1}}, kHolds},
      {"(a.b.c)[1] = :v", item, {{":v", 2}}, kHolds},
      {"attribute_exists((a).b)", item, {}, kHolds},
  });
  const std::string update = "Invalid UpdateExpression: ";
  CheckRefusedUpdates({{"SET (a).b = :v", {}, {{":v", 1}}, update + SyntaxError("(", "SET (a")},
                       {"SET d = (a).b", {}, {}, update + SyntaxError(".", ").b")}});
  CheckRefusedProjections({{"(a).b", "Invalid ProjectionExpression: " + SyntaxError("(", "(a")}});
}

TEST_F(ExpressionSyntaxRulesTest, SingleParenthesesMayEncloseEveryConditionAndOperand) {
  const Map item = {{"a", 1}, {"b", Map{{"c", 2}}}};
  const Values v = {{":v", 1}};
  CheckConditions({
      {"(a = :v)", item, v, kHolds},
      {"(a) = (:v)", item, v, kHolds},
      {"((a) = :v)", item, v, kHolds},
      {"((a = :v) AND (b.c > :v))", item, v, kHolds},
      {"(NOT (a = :v)) OR (b.c > :v)", item, v, kHolds},
      {"(a) IN ((:v))", item, v, kHolds},
      {"(a) BETWEEN (:v) AND (:v)", item, v, kHolds},
      {"(size(b)) = :v", item, v, kHolds},
      {"(b.c) > :v AND (b).c > :v", item, v, kHolds},  // rule 4.1: the beginning of a path
      {"(attribute_exists(a)) AND a = :v", item, v, kHolds},
  });
}

TEST_F(ExpressionSyntaxRulesTest, APathHasAtMost32Steps) {
  const std::string error = "The document path has too many nesting levels; nesting levels: 33";
  for (const std::string step : {".b", "[0]"}) {
    const std::string longest = "a" + Repeat(31, step);
    const Values v = {{":v", 1}};
    CheckConditions({{"attribute_not_exists(" + longest + ")", {}, {}, kHolds}});
    CheckProjections({{longest, {}, {}}});
    CheckUpdates({{"SET c = if_not_exists(" + longest + ", :v)", {}, v, {{"c", 1}}}});
    CheckRefusedConditions({{"attribute_not_exists(" + longest + step + ")", {}, error}});
    CheckRefusedProjections({{longest + step, "Invalid ProjectionExpression: " + error}});
    CheckRefusedUpdates(
        {{"REMOVE " + longest + step, {}, {}, "Invalid UpdateExpression: " + error}});
  }
}

TEST_F(ExpressionSyntaxRulesTest, ExpressionsThatAreNotUtf8AreRejected) {
  for (const std::string& bytes : std::vector<std::string>{"\xFF", "a = \xC3", "\xED\xA0\x80 = :v",
                                                           std::string("a\0 = :v", 7)}) {
    EXPECT_THAT(PutIf(bytes), StatusIs(kValidation, testing::_));
    EXPECT_THAT(Update(bytes), StatusIs(kValidation, testing::_));
  }
}

// Expressions must not have a path into a key attribute of the table or of an index, such as PK.a,
// because key attributes are scalars.
TEST_F(ExpressionSyntaxRulesTest, PathsIntoKeyAttributesAreRejected) {
  const std::string message =
      "Key attributes must be scalars; list random access '[]' and map lookup '.' are not "
      "allowed: ";
  EXPECT_THAT(PutIf("PK.a = :v", {{":v", 1}}), IsInvalid(message + "Key: PK"));
  EXPECT_THAT(PutIf("attribute_exists(score[0])"), IsInvalid(message + "IndexKey: score"));
  EXPECT_THAT(Update("SET a = SK[1]"), IsInvalid(message + "Key: SK"));
  EXPECT_THAT(Update("REMOVE game.a"), IsInvalid(message + "IndexKey: game"));
  EXPECT_THAT(Update("SET GSI1PK.a = :v", {{":v", 1}}), IsInvalid(message + "IndexKey: GSI1PK"));
  EXPECT_THAT(table().DeleteItem({.key = Key(), .condition = "attribute_exists(SK.a)"}),
              IsInvalid(message + "Key: SK"));
  EXPECT_THAT(table().GetItem({.key = Key(), .projection = "a, GSI1SK.b"}),
              IsInvalid(message + "IndexKey: GSI1SK"));
}

// If a request has names and values but no expression, the error for the names is
// reported first.
TEST_F(ExpressionSyntaxRulesTest, PlaceholdersNeedAnExpression) {
  const Names n = {{"#n", "n"}};
  const Values v = {{":v", 1}};
  const std::string names = "ExpressionAttributeNames can only be specified when using expressions";
  const std::string values =
      "ExpressionAttributeValues can only be specified when using expressions: ";
  EXPECT_THAT(table().GetItem({.key = Key(), .names = n}), IsInvalid(names));
  EXPECT_THAT(PutIf({}, {}, n), IsInvalid(names));
  EXPECT_THAT(PutIf({}, v, n), IsInvalid(names));
  EXPECT_THAT(PutIf({}, v), IsInvalid(values + "ConditionExpression is null"));
  EXPECT_THAT(table().DeleteItem({.key = Key(), .names = n}), IsInvalid(names));
  EXPECT_THAT(table().DeleteItem({.key = Key(), .values = v}),
              IsInvalid(values + "ConditionExpression is null"));
  EXPECT_THAT(Update({}, {}, n), IsInvalid(names));
  EXPECT_THAT(Update({}, v),
              IsInvalid(values + "UpdateExpression and ConditionExpression are null"));
  EXPECT_THAT(table().Query({.key_condition = Partition(pk()), .names = n}), IsInvalid(names));
  EXPECT_THAT(table().Query({.key_condition = Partition(pk()), .values = v}),
              IsInvalid(values + "FilterExpression and KeyConditionExpression are null"));
  EXPECT_THAT(table().Query({.values = v}),
              IsInvalid(values + "FilterExpression and KeyConditionExpression are null"));
  EXPECT_THAT(table().Query({.filter = "a ="}), IsInvalidWith("Invalid FilterExpression: "));
  EXPECT_THAT(table().Query({.filter = "a = :v", .values = v}),
              IsInvalid("Either the KeyConditions or KeyConditionExpression parameter must be "
                        "specified in the request."));
  EXPECT_THAT(table().Query({.key_condition = Partition(pk()), .projection = "a", .values = v}),
              IsInvalid(values + "FilterExpression and KeyConditionExpression are null"));
}

TEST_F(ExpressionSyntaxRulesTest, PlaceholdersMustBeTheirSignAndAWord) {
  const Values v = {{":v", 1}};
  const std::string names = "ExpressionAttributeNames contains invalid key: ";
  const std::string values = "ExpressionAttributeValues contains invalid key: ";
  const auto quoted = [](const std::string& key) { return "Syntax error; key: \"" + key + "\""; };
  for (const std::string key :
       {"n", "#", "#n-n", "#n.n", "# n", "#n ", ":n", "n#", "#n#", "##n", "#é"}) {
    CheckRefusedPlaceholders({{"a = :v", v, {{key, "n"}}, names + quoted(key)}});
  }
  for (const std::string key : {"v", ":", ":v-v", ":v.v", ": v", "#v", "v:", "::v", ":é"}) {
    CheckRefusedPlaceholders({{"a = :v", {{key, 1}}, {}, values + quoted(key)}});
  }
  const std::string empty = "The expression attribute map contains an empty key;";
  CheckRefusedPlaceholders(
      {{"a = :v", v, {{"", "n"}}, names + empty}, {"a = :v", {{"", 1}}, {}, values + empty}});
}

// A name in a JSON request is always valid UTF-8, so DynamoDB has no message for a name that is not
// UTF-8. The message in this test is Dolmen's own.
TEST_F(ExpressionSyntaxRulesTest, NamesThatAreNotUtf8AreRejected) {
  EXPECT_THAT(PutIf("attribute_not_exists(#n)", {}, {{"#n", "\xff"}}),
              IsInvalid("ExpressionAttributeNames contains invalid value: An attribute name is not "
                        "valid UTF-8 for key #n"));
  EXPECT_THAT(PutIf("attribute_not_exists(a)", {}, {{"#\xff", "a"}}),
              IsInvalidWith("\"#\uFFFD\""));  // a message is UTF-8
}

TEST_F(ExpressionSyntaxRulesTest, EmptyNamesAreRejected) {
  CheckRefusedPlaceholders(
      {{"attribute_not_exists(#n)",
        {},
        {{"#n", ""}},
        "ExpressionAttributeNames contains invalid value: Empty attribute name for key #n"}});
}

TEST_F(ExpressionSyntaxRulesTest, UnusedPlaceholdersAreRejected) {
  const Values v = {{":v", 1}};
  const std::string names = "Value provided in ExpressionAttributeNames unused in expressions: ";
  const std::string values = "Value provided in ExpressionAttributeValues unused in expressions: ";
  const Values more = {{":v", 1}, {":x", 1}, {":w", 1}};
  CheckRefusedPlaceholders({
      {"a = :v", v, {{"#b", "b"}, {"#a", "a"}}, names + "keys: {#a, #b}"},
      {"a = :v", more, {{"#a", "a"}}, names + "keys: {#a}"},
      {"a = :v", more, {}, values + "keys: {:w, :x}"},
      {"a = :V", {{":V", 1}, {":v", 1}}, {}, values + "keys: {:v}"},
  });
  CheckRefusedProjections({{"a", names + "keys: {#a}", {{"#a", "a"}}}});
  CheckRefusedUpdates({{"REMOVE a", {}, v, values + "keys: {:v}"}});
}

TEST_F(ExpressionSyntaxRulesTest, APlaceholderMayBeUsedByAllExpressionsOfARequest) {
  PutWith({{"n", 1}});
  EXPECT_THAT(table().UpdateItem({.key = Key(),
                                  .update = "SET #n = :v, m = :v",
                                  .condition = "#n <> :v AND attribute_exists(#n)",
                                  .names = {{"#n", "n"}},
                                  .values = {{":v", 2}}}),
              IsOk());
  const auto page = table().Query({.key_condition = "PK = :p",
                                   .filter = "#n = :v AND #p <> :p",
                                   .projection = "#n, #p",
                                   .names = {{"#n", "n"}, {"#p", "m"}},
                                   .values = {{":p", pk()}, {":v", 2}}});
  ASSERT_THAT(page, IsOk());
  ASSERT_EQ(page->size(), 1u);
  EXPECT_THAT((*page)[0].Copy(), IsOkAndHolds(Item{{"m", 2}, {"n", 2}}));
}

TEST_F(ExpressionSyntaxRulesTest, AnExpressionHasAtMost4096Bytes) {
  const std::string update_error = "Expression size has exceeded the maximum allowed size;";
  const std::string error = update_error + " expression size: 4097";
  const auto padded = [](std::string text, std::size_t size) {
    text.resize(size, ' ');
    return text;
  };
  const std::string condition = "attribute_not_exists(a)";
  CheckConditions({{padded(condition, 4096), {}, {}, kHolds}});
  CheckRefusedConditions({{padded(condition, 4097), {}, error}});
  CheckUpdates({{padded("REMOVE a", 4096), {{"a", 1}}, {}, {}}});
  CheckRefusedUpdates(
      {{padded("REMOVE a", 4097), {}, {}, "Invalid UpdateExpression: " + update_error}});
  CheckProjections({{padded("a", 4096), {{"a", 1}}, {{"a", 1}}}});
  CheckRefusedProjections({{padded("a", 4097), "Invalid ProjectionExpression: " + error}});
  PutAll({Key()});
  CheckKeyConditions({{padded("PK = :p", 4096), {"a"}}});
  CheckRefusedKeyConditions(
      {{padded("PK = :p", 4097), "Invalid KeyConditionExpression: " + error}});
}

// Each comparator, BETWEEN, IN, AND, OR, NOT and function counts as one operator.
TEST_F(ExpressionSyntaxRulesTest, AnExpressionHasAtMost300OperatorsAndFunctions) {
  const std::string error = "The expression contains too many operators; operator count: 301";
  const Values v = {{":v", 1}};
  const Values w = {{":v", 1}, {":w", 2}};
  CheckConditions({
      {"a=:v" + Repeat(149, " AND a=:v"), {{"a", 1}}, v, kHolds},      // 150 comparators, 149 ANDs
      {"NOT a=:v" + Repeat(149, " AND a=:v"), {{"a", 1}}, v, kFails},  // 300 with NOT
      {"a IN (:v" + Repeat(99, ",:v") + ")", {{"a", 1}}, v, kHolds},   // one operator
      {"a=:v" + Repeat(149, " AND a=:v"), {{"a", 2}}, v, kFails},
      {"a=:v" + Repeat(149, " OR a=:v"), {{"a", 1}}, v, kHolds},
      {"a=:v" + Repeat(149, " OR a=:v"), {{"a", 2}}, v, kFails},
      {Repeat(299, "NOT (") + "a=:v" + Repeat(299, ")"), {{"a", 1}}, v, kFails},
      {Repeat(299, "NOT (") + "a=:v" + Repeat(299, ")"), {{"a", 2}}, v, kHolds},
  });
  CheckRefusedConditions({
      {"NOT NOT a=:v" + Repeat(149, " AND a=:v"), v, error},
      {"NOT size(a)=:v" + Repeat(149, " OR a=:v"), v, error},
      {"NOT contains(a,:v)" + Repeat(149, " OR a=:v") + " OR", v, SyntaxError("<EOF>", "OR")},
      {"a IN (:v)" + Repeat(150, " OR a BETWEEN :v AND :w"), w, error},
  });
  const std::string redundant = "The expression has redundant parentheses;";
  CheckRefusedConditions({{Repeat(2000, "(") + "a=:v" + Repeat(2000, ")"), v, redundant}});
  for (const auto& [text, count] :
       {std::pair(Repeat(301, "NOT ") + "a=:v", "302"),
        {Repeat(400, "NOT (") + "a=:v" + Repeat(400, ")"), "401"},
        {Repeat(600, "size(") + "a" + Repeat(600, ")") + "=:v", "601"}}) {
    CheckRefusedConditions({{text, v, error.substr(0, error.size() - 3) + count}});
  }
  std::string sums = "SET a=a+:v";
  Map becomes = {{"a", 1}};
  for (int i = 1; i < 300; ++i) {
    sums += ",b" + std::to_string(i) + "=a+:v";
    becomes["b" + std::to_string(i)] = 1;
  }
  CheckUpdates({{sums, {{"a", 0}}, v, becomes}});
  CheckRefusedUpdates({{sums + ",c=a-:v", {{"a", 0}}, v, "Invalid UpdateExpression: " + error}});
  const std::string update = "Invalid UpdateExpression: ";
  CheckRefusedUpdates({
      {"SET a=list_append(a,:v)" + Repeat(300, ",a=b-:v"), {}, v, update + error},
      {"SET a=" + Repeat(300, "f((") + "b" + Repeat(300, "))"),
       {},
       {},
       update + "Invalid function name; function: f"},
      {"SET a=" + Repeat(700, "f(") + "b" + Repeat(700, ")"),
       {},
       {},
       update + error.substr(0, error.size() - 3) + "700"},
      {"SET a=" + Repeat(2000, "(") + "b" + Repeat(2000, ")"), {}, {}, update + redundant},
  });
  // The equals sign of a SET action does not count as an operator.
  std::string sets = "SET a=:v";
  Map set = {{"a", 1}};
  for (int i = 1; i < 500; ++i) {
    sets += ",b" + std::to_string(i) + "=:v";
    set["b" + std::to_string(i)] = 1;
  }
  CheckUpdates({{sets, {}, v, set}});
}

}  // namespace
}  // namespace dolmen::behaviour
