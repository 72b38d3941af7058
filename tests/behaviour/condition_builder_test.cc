// Tests of conditions that are built in C++ (dolmen/condition_builder.h and the headers beside it).
// Most tests check one condition in two forms, built and as text. Both forms must have the same
// result.

#include <concepts>
#include <string>
#include <vector>

#include "database/legacy_parameters.h"
#include "tests/behaviour/one_item.h"

namespace dolmen::behaviour {
namespace {

// Concepts that are true if a C++ expression compiles. The tests check that the compiler rejects
// each expression that DynamoDB's grammar rejects.
template <typename A, typename B>
concept Comparable = requires(A a, B b) { a == b; };
template <typename A, typename B>
concept Conjoinable = requires(A a, B b) { a&& b; };
template <typename A>
concept AddableTwice = requires(A a) { a + a + a; };
template <typename T>
concept CanBeAdded = requires(UpdateBuilder update, T value) { update.Add("a", value); };
template <typename T>
concept CanBeDeleted = requires(UpdateBuilder update, T value) { update.Delete("a", value); };
template <typename T>
concept Negatable = requires(T value) { !value; };
template <typename A>
concept HasPrefix = requires(A a) { a.BeginsWith("x"); };

static_assert(Comparable<Attr, int> && Comparable<std::string, Attr> && Comparable<Size, int>);
static_assert(!std::constructible_from<Attr, std::nullptr_t>);
static_assert(!std::constructible_from<ConditionExpression, std::nullptr_t>);
static_assert(Comparable<Attr, double>);
static_assert(!Comparable<Attr, char>, "a character is neither a text nor a number");
static_assert(!Comparable<Attr, ConditionBuilder>);
static_assert(!Comparable<Attr, UpdateValue>, "conditions don't compute");
static_assert(!Comparable<dolmen::Key, Attr>, "a key is compared with values");
static_assert(!Conjoinable<ConditionBuilder, Attr>, "an attribute is no condition");
static_assert(!Conjoinable<ConditionBuilder, KeyConditionBuilder>);
static_assert(!Negatable<KeyConditionBuilder>, "key conditions know AND alone");
static_assert(HasPrefix<Attr> && !HasPrefix<Size>, "a size is a number");
static_assert(!AddableTwice<Attr>, "one + or - to an assignment");
static_assert(!std::convertible_to<UpdateValue, UpdateOperand>, "nor a sum of list_append");
static_assert(CanBeAdded<int> && CanBeAdded<NumberSet> && !CanBeAdded<List>);
static_assert(!CanBeAdded<std::string> && !CanBeAdded<bool>);
static_assert(CanBeDeleted<StringSet> && !CanBeDeleted<int>);
static_assert(!std::convertible_to<ConditionBuilder, KeyConditionExpression>);
static_assert(!std::convertible_to<UpdateBuilder, ConditionExpression>);
static_assert(!std::convertible_to<ConditionExpression, FilterExpression>);

// Returns the attributes of the item that the conditions test.
Map Book() {
  return {{"title", "Night Train"},
          {"pages", 320},
          {"price", N("12.50")},
          {"tags", StringSet{"crime", "rail"}},
          {"authors", List{"Ann", "Bob"}},
          {"address", Map{{"city", "Bonn"}, {"zip", Map{{"code", 53111}}}}},
          {"cover", Binary{"\x01\x02\x03"}},
          {"nothing", nullptr},
          {"sold", true},
          {"status", "in print"},  // a reserved word
          {"a.b", "dotted"}};
}

struct ConditionRow {
  ConditionBuilder built;
  std::string text;
  Values values;
  Names names;
  bool holds;
};

class ConditionBuilderTest : public OneItemTest {
 protected:
  void SetUp() override { PutWith(Book()); }

  // Returns the status of an UpdateItem that has the condition but no UpdateExpression.
  Status If(const ConditionExpression& condition, const Values& values = {},
            const Names& names = {}) const {
    return table()
        .UpdateItem({.key = Key(), .condition = condition, .names = names, .values = values})
        .status();
  }

  void ExpectAgreement(const std::vector<ConditionRow>& rows) const {
    for (const ConditionRow& row : rows) {
      SCOPED_TRACE(row.text);
      const auto expected = row.holds ? StatusCode::kOk : StatusCode::kConditionalCheckFailed;
      EXPECT_EQ(If(row.built).code(), expected) << "built: " << If(row.built).ToString();
      EXPECT_EQ(If(row.text, row.values, row.names).code(), expected)
          << "text: " << If(row.text, row.values, row.names).ToString();
    }
  }

  // Expects that the built condition and the text are rejected with the same message.
  void ExpectSameError(const ConditionBuilder& built, const std::string& text, const Values& values,
                       const std::string& message) const {
    EXPECT_THAT(If(built), IsInvalid(message));
    EXPECT_THAT(If(text, values), IsInvalid(message));
  }
};

TEST_F(ConditionBuilderTest, BuiltComparisonsAgreeWithTheirText) {
  ExpectAgreement({
      {Attr("pages") == 320, "pages = :v", {{":v", 320}}, {}, true},
      {Attr("pages") == "320", "pages = :v", {{":v", "320"}}, {}, false},
      {Attr("pages") != 320, "pages <> :v", {{":v", 320}}, {}, false},
      {Attr("nowhere") != 320, "nowhere <> :v", {{":v", 320}}, {}, true},
      {Attr("pages") < 320, "pages < :v", {{":v", 320}}, {}, false},
      {Attr("pages") <= 320, "pages <= :v", {{":v", 320}}, {}, true},
      {Attr("pages") > 319, "pages > :v", {{":v", 319}}, {}, true},
      {Attr("pages") >= 321, "pages >= :v", {{":v", 321}}, {}, false},
      {Attr("price") == N("12.5"), "price = :v", {{":v", N("12.5")}}, {}, true},
      {Attr("nothing") == nullptr, "nothing = :v", {{":v", nullptr}}, {}, true},
      {Attr("sold") == true, "sold = :v", {{":v", true}}, {}, true},
      {Attr("cover") == Binary{"\x01\x02\x03"},
       "cover = :v",
       {{":v", Binary{"\x01\x02\x03"}}},
       {},
       true},
      {Attr("tags") == StringSet{"rail", "crime"},
       "tags = :v",
       {{":v", StringSet{"crime", "rail"}}},
       {},
       true},
      {Attr("authors") == List{"Ann", "Bob"},
       "authors = :v",
       {{":v", List{"Ann", "Bob"}}},
       {},
       true},
  });
}

TEST_F(ConditionBuilderTest, EitherSideMayBeAValueOrAnAttribute) {
  ExpectAgreement({
      {300 < Attr("pages"), ":v < pages", {{":v", 300}}, {}, true},
      {"Night Train" == Attr("title"), ":v = title", {{":v", "Night Train"}}, {}, true},
      {Attr("pages") > Attr("price"), "pages > price", {}, {}, true},
      {Attr("title") == Attr("address")["city"], "title = address.city", {}, {}, false},
  });
}

TEST_F(ConditionBuilderTest, BuiltBetweenAndInAgreeWithTheirText) {
  ExpectAgreement({
      {Attr("pages").Between(300, 320),
       "pages BETWEEN :a AND :b",
       {{":a", 300}, {":b", 320}},
       {},
       true},
      {Attr("pages").Between(Attr("price"), 100),
       "pages BETWEEN price AND :b",
       {{":b", 100}},
       {},
       false},
      {Attr("pages").In({1, 320, "x"}),
       "pages IN (:a, :b, :c)",
       {{":a", 1}, {":b", 320}, {":c", "x"}},
       {},
       true},
      {Attr("title").In({"a", "b"}), "title IN (:a, :b)", {{":a", "a"}, {":b", "b"}}, {}, false},
      {Size("tags").In({Size("authors"), 7}),
       "size(tags) IN (size(authors), :n)",
       {{":n", 7}},
       {},
       true},
  });
}

TEST_F(ConditionBuilderTest, BuiltFunctionsAgreeWithTheirText) {
  ExpectAgreement({
      {AttributeExists("nothing"), "attribute_exists(nothing)", {}, {}, true},
      {AttributeExists("nowhere"), "attribute_exists(nowhere)", {}, {}, false},
      {AttributeNotExists("nowhere"), "attribute_not_exists(nowhere)", {}, {}, true},
      {Attr("title").BeginsWith("Night"), "begins_with(title, :v)", {{":v", "Night"}}, {}, true},
      {Attr("title").BeginsWith("Day"), "begins_with(title, :v)", {{":v", "Day"}}, {}, false},
      {Attr("cover").BeginsWith(Binary{"\x01"}),
       "begins_with(cover, :v)",
       {{":v", Binary{"\x01"}}},
       {},
       true},
      {Attr("title").Contains("Train"), "contains(title, :v)", {{":v", "Train"}}, {}, true},
      {Attr("tags").Contains("rail"), "contains(tags, :v)", {{":v", "rail"}}, {}, true},
      {Attr("authors").Contains("Eve"), "contains(authors, :v)", {{":v", "Eve"}}, {}, false},
      {Attr("tags").IsType(AttributeType::kSS),
       "attribute_type(tags, :t)",
       {{":t", "SS"}},
       {},
       true},
      {Attr("nothing").IsType(AttributeType::kNull),
       "attribute_type(nothing, :t)",
       {{":t", "NULL"}},
       {},
       true},
      {Size("title") == 11, "size(title) = :n", {{":n", 11}}, {}, true},
      {Size("tags") > 2, "size(tags) > :n", {{":n", 2}}, {}, false},
      {Size(Attr("authors")) == Size("tags"), "size(authors) = size(tags)", {}, {}, true},
  });
}

TEST_F(ConditionBuilderTest, PathsLeadIntoMapsAndLists) {
  const int second = 1;
  ExpectAgreement({
      {Attr("address")["city"] == "Bonn", "address.city = :v", {{":v", "Bonn"}}, {}, true},
      {Attr("address")["zip"]["code"] > 1, "address.zip.code > :v", {{":v", 1}}, {}, true},
      {Attr("authors")[0] == "Ann", "authors[0] = :v", {{":v", "Ann"}}, {}, true},
      {Attr("authors")[second] == "Bob", "authors[1] = :v", {{":v", "Bob"}}, {}, true},
      {AttributeExists(Attr("authors")[2]), "attribute_exists(authors[2])", {}, {}, false},
  });
}

TEST_F(ConditionBuilderTest, ANameIsLiteralEvenIfItIsReservedOrLooksLikeAPath) {
  ExpectAgreement({
      {Attr("status") == "in print", "#s = :v", {{":v", "in print"}}, {{"#s", "status"}}, true},
      {Attr("a.b") == "dotted", "#d = :v", {{":v", "dotted"}}, {{"#d", "a.b"}}, true},
      {AttributeExists("authors[0]"), "attribute_exists(#n)", {}, {{"#n", "authors[0]"}}, false},
  });
}

TEST_F(ConditionBuilderTest, CombinedConditionsKeepTheirGrouping) {
  const ConditionBuilder yes = Attr("pages") == 320;
  const ConditionBuilder no = Attr("pages") == 1;
  const Values values = {{":y", 320}, {":n", 1}};
  ExpectAgreement({
      {yes && no, "pages = :y AND pages = :n", values, {}, false},
      {yes || no, "pages = :y OR pages = :n", values, {}, true},
      {!no && yes, "NOT pages = :n AND pages = :y", values, {}, true},
      {!(no && yes), "NOT (pages = :n AND pages = :y)", values, {}, true},
      {(no && yes) || yes, "pages = :n AND pages = :y OR pages = :y", values, {}, true},
      {no && (yes || yes), "pages = :n AND (pages = :y OR pages = :y)", values, {}, false},
      {!!yes && !no, "NOT NOT pages = :y AND NOT pages = :n", values, {}, true},
  });
}

TEST_F(ConditionBuilderTest, APartCanBeUsedInSeveralConditions) {
  const Attr pages("pages");
  const ConditionBuilder thick = pages > 300;
  ConditionBuilder all = thick;
  for (int i = 0; i < 5; ++i) all = all && thick && pages < 1000 + i;
  EXPECT_THAT(If(all), IsOk());
  EXPECT_THAT(If(thick), IsOk());
  EXPECT_THAT(If(!all), FailsCondition());

  ConditionBuilder copy = thick;
  const ConditionExpression expression = all;
  EXPECT_THAT(If(std::move(copy) && pages < 0), FailsCondition());
  EXPECT_THAT(If(std::move(all) && pages < 0), FailsCondition());
  EXPECT_THAT(If(thick), IsOk());
  EXPECT_THAT(If(expression), IsOk());
}

TEST_F(ConditionBuilderTest, OperandErrorsAreTheSameForBuiltConditionsAndText) {
  ExpectSameError(Attr("a") < true, "a < :v", {{":v", true}},
                  "Invalid ConditionExpression: Incorrect operand type for operator or function; "
                  "operator or function: <, operand type: BOOL");
  ExpectSameError(Attr("a").BeginsWith(1), "begins_with(a, :v)", {{":v", 1}},
                  "Invalid ConditionExpression: Incorrect operand type for operator or function; "
                  "operator or function: begins_with, operand type: N");
  ExpectSameError(Attr("a").Between(2, 1), "a BETWEEN :l AND :h", {{":l", 2}, {":h", 1}},
                  "Invalid ConditionExpression: The BETWEEN operator requires upper bound to be "
                  "greater than or equal to lower bound; lower bound operand: AttributeValue: "
                  "{N:2}, upper bound operand: AttributeValue: {N:1}");
  ExpectSameError(Attr("a") == Attr("a"), "a = a", {},
                  "Invalid ConditionExpression: The first operand must be distinct from the "
                  "remaining operands for this operator or function; operator: =, first operand: "
                  "[a]");
}

TEST_F(ConditionBuilderTest, ValuesThatDynamoDBDoesNotStoreAreRejected) {
  EXPECT_THAT(If(Attr("a") == StringSet{}),
              IsInvalid("Invalid ConditionExpression: One or more parameter values were invalid: "
                        "An string set  may not be empty"));
  EXPECT_THAT(If(AttributeExists("a") && Attr("a") == "\xff"), IsInvalidWith("UTF-8"));
}

TEST_F(ConditionBuilderTest, BuiltConditionsHaveTheLimitsOfText) {
  ConditionBuilder many = Attr("pages") == 320;
  for (int i = 0; i < 149; ++i) many = many && Attr("pages") == 320;
  EXPECT_THAT(If(many), IsOk()) << "150 comparisons and 149 AND are 299 operators";
  EXPECT_THAT(If(!many), FailsCondition()) << "300";
  EXPECT_THAT(If(!!many), IsInvalid("Invalid ConditionExpression: The expression contains too "
                                    "many operators; operator count: 301"));

  Attr deep("a");
  for (int i = 0; i < 31; ++i) deep = deep["b"];
  EXPECT_THAT(If(AttributeNotExists(deep)), IsOk());
  EXPECT_THAT(If(AttributeNotExists(deep[0])),
              IsInvalid("Invalid ConditionExpression: The document path has too many nesting "
                        "levels; nesting levels: 33"));
  EXPECT_THAT(If(AttributeNotExists(Attr("a")[-1])),
              IsInvalid("Invalid ConditionExpression: List index is not within the allowable "
                        "range; index: [-1]"));
  EXPECT_THAT(If(AttributeNotExists(Attr("a")[std::int64_t{1} << 40])),
              IsInvalidWith("List index"));
  EXPECT_THAT(If(AttributeNotExists("")), IsInvalidWith("Empty attribute name"));
  EXPECT_THAT(If(AttributeNotExists("\xff")),
              IsInvalidWith("An attribute name is not valid UTF-8"));
  EXPECT_THAT(If(AttributeNotExists(std::string(65535, 'n'))), IsOk());
  EXPECT_THAT(If(AttributeNotExists(std::string(65536, 'n'))), IsInvalidWith("65535 bytes"));

  EXPECT_THAT(If(Attr("pages").In(std::vector<ConditionOperand>(100, 320))), IsOk());
  EXPECT_THAT(If(Attr("pages").In(std::vector<ConditionOperand>(101, 320))),
              IsInvalid("Invalid ConditionExpression: The IN operator is provided with too many "
                        "operands; number of operands: 101"));
  EXPECT_THAT(If(Attr("pages").In({})), IsInvalidWith("Incorrect number of operands"));
  EXPECT_THAT(If(Attr("pages").In(std::vector<ConditionOperand>(70'000, 320))),
              IsInvalidWith("Expression size has exceeded the maximum allowed size"));
}

// Legacy parameters may have any number of operators, so the limit of 300 operators does not apply
// to a built condition that contains them. Such a condition has at most 300 nesting levels instead.
TEST_F(ConditionBuilderTest, ConditionsWithLegacyParametersHaveAtMost300Levels) {
  const std::vector<AttributeCondition> expected = {{.attribute = "pages", .values = {320}}};
  ConditionBuilder many(ConditionTree(expected, ConditionalOperator::kAnd));
  for (int i = 0; i < 299; ++i) many = Attr("pages") == 320 && many;
  EXPECT_THAT(If(many), IsOk());
  EXPECT_THAT(If(!many), IsInvalid("Invalid ConditionExpression: The expression has too many "
                                   "nesting levels; nesting levels: 301"));
}

TEST_F(ConditionBuilderTest, AHugeConditionIsRejectedInBoundedTimeAndMemory) {
  ConditionBuilder more = Attr("a") == std::string(300'000, 'x');
  for (int i = 0; i < 10'000; ++i) more = more || more;
  EXPECT_THAT(If(more), IsInvalidWith("Invalid ConditionExpression: "));
}

TEST_F(ConditionBuilderTest, AMovedFromConditionIsRejectedAndNotIgnored) {
  ConditionExpression condition = Attr("pages") == 1;
  const ConditionExpression kept = std::move(condition);
  EXPECT_THAT(If(kept), FailsCondition());
  EXPECT_THAT(If(condition), IsInvalidWith("moved from"));

  Attr attribute("pages");
  const Attr moved = std::move(attribute);
  EXPECT_THAT(If(AttributeExists(attribute)), IsInvalidWith("moved from"));
  EXPECT_THAT(If(AttributeExists(moved)), IsOk());

  ConditionBuilder built = Attr("pages") == 320;
  const ConditionBuilder whole = std::move(built);
  EXPECT_THAT(If(whole && built), IsInvalidWith("moved from"));
}

TEST_F(ConditionBuilderTest, OneRequestMayMixBuiltAndTextExpressions) {
  EXPECT_THAT(table().UpdateItem({.key = Key(),
                                  .update = "SET pages = :p",
                                  .condition = Attr("pages") == 320,
                                  .values = {{":p", 321}}}),
              IsOk());
  EXPECT_EQ(Attributes()["pages"], 321);
  EXPECT_THAT(If(Attr("pages") == 321, {{":p", 321}}),
              IsInvalidWith("Value provided in ExpressionAttributeValues unused in expressions"));
}

TEST_F(ConditionBuilderTest, ABuiltConditionWorksAsTheFilterOfAQuery) {
  const auto query = [&](const FilterExpression& filter) {
    return table().Query({.key_condition = Partition(pk()), .filter = filter});
  };
  const auto found = query(Attr("pages") > 300 && Size("tags") == 2);
  ASSERT_THAT(found, IsOk());
  EXPECT_EQ(found->count(), 1U);
  const auto none = query(!AttributeExists("pages"));
  ASSERT_THAT(none, IsOk());
  EXPECT_EQ(none->count(), 0U);
  EXPECT_EQ(none->scanned_count(), 1U);
  EXPECT_THAT(query(Attr("a") < nullptr),
              IsInvalidWith("Invalid FilterExpression: Incorrect operand type"));
  EXPECT_THAT(query(Attr("PK") == "x"),
              IsInvalid("Filter Expression can only contain non-primary key attributes: Primary "
                        "key attribute: PK"));
}

}  // namespace
}  // namespace dolmen::behaviour
