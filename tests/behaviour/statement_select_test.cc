// SELECT: what it reads, and in which order.

#include "tests/behaviour/statement_fixture.h"

namespace dolmen::behaviour {
namespace {

// Returns the texts of items of the partition `a` with these sort keys.
std::vector<std::string> OfA(const std::vector<int>& sort_keys) {
  std::vector<std::string> texts;
  for (const int sk : sort_keys) texts.push_back("{pk: \"a\", sk: " + std::to_string(sk) + "}");
  return texts;
}
std::vector<std::string> WithB(std::vector<std::string> texts, bool first = true) {
  texts.insert(first ? texts.begin() : texts.end(), "{pk: \"b\", sk: 1}");
  return texts;
}

TEST_F(StatementTest, SelectReadsTheItemsOfItsKeyCondition) {
  ExpectItems({
      {"SELECT pk,sk FROM Tbl WHERE pk='a' AND sk=1", {}, OfA({1})},
      {"SELECT pk,sk FROM Tbl WHERE sk=1 AND 'a'=pk", {}, OfA({1})},
      {"SELECT pk,sk FROM Tbl WHERE pk='a'", {}, OfA({0, 1, 2, 3, 4})},
      {"SELECT pk,sk FROM Tbl WHERE pk=? AND sk>=?", {"a", 3}, OfA({3, 4})},
      {"SELECT pk,sk FROM Tbl WHERE pk='a' AND 1>sk", {}, OfA({0})},
      {"SELECT pk,sk FROM Tbl WHERE pk='a' AND sk BETWEEN 1 AND 2", {}, OfA({1, 2})},
      {"SELECT pk,sk FROM Tbl WHERE pk='a' AND sk>1 AND sk<4", {}, OfA({2, 3})},
      {"SELECT pk,sk FROM Tbl WHERE pk='a' AND sk IN [1,3]", {}, OfA({1, 3})},
      {"SELECT pk,sk FROM Tbl WHERE pk='a' AND (sk=3 OR sk=2)", {}, OfA({2, 3})},
      {"SELECT pk,sk FROM Tbl WHERE pk='a' AND pk='b'", {}, {}},
      {"SELECT pk,sk FROM Tbl WHERE pk IN ['b','a']", {}, WithB(OfA({0, 1, 2, 3, 4}))},
      {"SELECT pk,sk FROM Tbl WHERE pk IN ['a','a'] AND sk=1", {}, OfA({1})},
      {"SELECT pk,sk FROM Tbl WHERE pk='b' OR pk='a'", {}, WithB(OfA({0, 1, 2, 3, 4}))},
      {"SELECT pk,sk FROM Tbl WHERE (pk='a' OR pk='b') AND sk=1", {}, WithB(OfA({1}), false)},
      {"SELECT pk,sk FROM Tbl WHERE pk IN ['a','b'] AND pk='a' AND sk=2", {}, OfA({2})},
      {"SELECT pk,sk FROM Tbl WHERE pk='nosuch'", {}, {}},
      {"SELECT pk,sk FROM Tbl.lidx WHERE pk='a' AND begins_with(l,'l3')", {}, OfA({3})},
      {"SELECT pk,sk FROM \"Tbl\".\"gidx\" WHERE g='g1' AND sk<2", {}, OfA({0, 1})},
  });
}

TEST_F(StatementTest, SelectWithoutAConditionOnThePartitionKeyScans) {
  const Result<ExecuteStatementOutput> all = db_.Execute("SELECT * FROM Tbl;");
  ASSERT_THAT(all, IsOk());
  EXPECT_EQ(all->page.size(), 6u);
  EXPECT_EQ(all->page.scanned_count(), 6u);
  ExpectItems({
      {"SELECT pk,sk FROM Tbl WHERE v > 'a'", {}, WithB({})},
      {"SELECT pk,sk FROM Tbl WHERE m = {'x':1,'y':['y0','y1']}", {}, OfA({1})},
      {"SELECT pk,sk FROM Tbl WHERE m.y[0]='y0' AND m['x']=2", {}, OfA({2})},
      {"SELECT pk,sk FROM Tbl WHERE s = 'str1' OR pk='b'", {}, WithB(OfA({1}), false)},
      {"SELECT pk,sk FROM Tbl WHERE begins_with(pk,'b')", {}, WithB({})},
      {"SELECT pk,sk FROM Tbl WHERE ss = <<'q','p'>> AND sk IN [1,'x']", {}, OfA({1})},
      {"SELECT pk,sk FROM Tbl WHERE g='g1' AND NOT sk<4", {}, OfA({4})},
  });
}

TEST_F(StatementTest, AConditionHasTheMeaningThatItHasInExpressions) {
  ExpectItems({
      {"SELECT pk,sk FROM Tbl WHERE pk='a' AND v NOT BETWEEN 10 AND 20", {}, OfA({0, 3, 4})},
      {"SELECT pk,sk FROM Tbl WHERE pk='b' AND v NOT BETWEEN 10 AND 20", {}, WithB({})},
      {"SELECT pk,sk FROM Tbl WHERE pk='b' AND nosuch <> 1", {}, WithB({})},
      {"SELECT pk,sk FROM Tbl WHERE pk='b' AND nosuch != 1", {}, WithB({})},
      {"SELECT pk,sk FROM Tbl WHERE pk='b' AND NOT nosuch = 1", {}, WithB({})},
      {"SELECT pk,sk FROM Tbl WHERE pk='b' AND nosuch NOT IN [1]", {}, WithB({})},
      {"SELECT pk,sk FROM Tbl WHERE pk='b' AND nosuch > 1", {}, {}},
      {"SELECT pk,sk FROM Tbl WHERE pk='b' AND m IS MISSING", {}, WithB({})},
      {"SELECT pk,sk FROM Tbl WHERE m IS MISSING", {}, WithB({})},
      {"SELECT pk,sk FROM Tbl WHERE pk='b' AND m IS NULL", {}, {}},
      {"SELECT pk,sk FROM Tbl WHERE pk='b' AND m IS NOT NULL", {}, WithB({})},
      {"SELECT pk,sk FROM Tbl WHERE v IS STRING", {}, WithB({})},
      {"SELECT pk,sk FROM Tbl WHERE pk='a' AND v IS STRING", {}, {}},
      {"SELECT pk,sk FROM Tbl WHERE size(s) = 4 AND v = 10", {}, OfA({1})},
      {"SELECT pk,sk FROM Tbl WHERE begins_with('str1', s)", {}, OfA({1})},
      {"SELECT pk,sk FROM Tbl WHERE contains(ss, 'p') AND sk=4", {}, OfA({4})},
      {"SELECT pk,sk FROM Tbl WHERE attribute_type(ss, ?) AND sk=4", {"SS"}, OfA({4})},
      {"SELECT pk,sk FROM Tbl WHERE v = ?", {10}, OfA({1})},
      {"SELECT pk,sk FROM Tbl WHERE pk = \"a\"", {}, {}},  // two attributes
  });
}

TEST_F(StatementTest, AColumnHasTheLastNameOfItsPath) {
  ExpectItems({
      {"SELECT m.x, m.y[0] FROM Tbl WHERE pk='a' AND sk=1", {}, {"{x: 1, y[0]: \"y0\"}"}},
      {"SELECT m['x'], v FROM Tbl WHERE pk='a' AND sk=1", {}, {"{v: 10, x: 1}"}},
      {"SELECT m.y[1] FROM Tbl WHERE pk='a' AND sk=1", {}, {"{y[1]: \"y1\"}"}},
      {"SELECT m.x FROM Tbl WHERE pk IN ['b','a'] AND sk=1", {}, {"{}", "{x: 1}"}},
      {"SELECT nosuch FROM Tbl WHERE pk='a' AND sk=1", {}, {"{}"}},
      {"SELECT \"v\" FROM Tbl WHERE pk='a' AND sk=1", {}, {"{v: 10}"}},
      {"SELECT v FROM Tbl WHERE pk='a' AND sk=9", {}, {}},
  });
}

TEST_F(StatementTest, OrderByTurnsAndSortsPartitions) {
  ExpectItems({
      {"SELECT pk,sk FROM Tbl WHERE pk='a' ORDER BY sk DESC", {}, OfA({4, 3, 2, 1, 0})},
      {"SELECT pk,sk FROM Tbl WHERE pk='a' ORDER BY pk DESC", {}, OfA({0, 1, 2, 3, 4})},
      {"SELECT pk,sk FROM Tbl WHERE pk='a' AND sk IN [3,2] ORDER BY sk DESC", {}, OfA({3, 2})},
      {"SELECT pk,sk FROM Tbl WHERE pk IN ['b','a'] AND sk<2 ORDER BY sk DESC",
       {},
       WithB(OfA({1, 0}))},
      {"SELECT pk,sk FROM Tbl WHERE pk IN ['b','a'] AND sk<2 ORDER BY pk",
       {},
       WithB(OfA({0, 1}), false)},
      {"SELECT pk,sk FROM Tbl WHERE pk IN ['a','b'] AND sk<2 ORDER BY pk DESC, sk",
       {},
       WithB(OfA({0, 1}))},
      {"SELECT pk,sk FROM Tbl.lidx WHERE pk='a' ORDER BY l DESC", {}, OfA({4, 3, 2, 1, 0})},
  });
}

// --- pages ---

struct Page {
  std::vector<std::string> items;
  bool last;
};

std::vector<Page> Pages(const Database& db, ExecuteStatementInput input) {
  std::vector<Page> pages;
  do {
    ExecuteStatementOutput output;
    const Status read = db.ExecuteStatement(input, &output);
    EXPECT_THAT(read, IsOk());
    if (!read.ok()) break;
    std::vector<std::string> texts;
    for (const ItemView item : output.page) texts.push_back(item.ToString());
    pages.push_back({texts, output.next_token.empty()});
    input.next_token = output.next_token;
  } while (!input.next_token.empty() && pages.size() < 20);
  return pages;
}

std::vector<std::size_t> Sizes(const std::vector<Page>& pages) {
  std::vector<std::size_t> sizes;
  for (const Page& page : pages) sizes.push_back(page.items.size());
  return sizes;
}

TEST_F(StatementTest, APageEndsAfterTheLimitAndItsTokenReadsTheNext) {
  const std::string both = "SELECT pk,sk FROM Tbl WHERE pk IN ['b','a']";
  const auto pages = Pages(db_, {.statement = both, .limit = 2});
  EXPECT_THAT(Sizes(pages), ElementsAre(2, 2, 2, 0));
  EXPECT_THAT(pages[1].items, testing::ElementsAreArray(OfA({1, 2})));
  // The limit counts the items before the condition.
  const std::string filtered = "SELECT pk,sk FROM Tbl WHERE pk='a' AND v=30";
  EXPECT_THAT(Sizes(Pages(db_, {.statement = filtered, .limit = 2})), ElementsAre(0, 1, 0));
  EXPECT_THAT(Sizes(Pages(db_, {.statement = "SELECT * FROM Tbl", .limit = 4})), ElementsAre(4, 2));
  EXPECT_THAT(Sizes(Pages(db_, {.statement = "SELECT m.x FROM Tbl", .limit = 4})),
              ElementsAre(4, 2));
  // A page that ends at the limit has a token, even if nothing follows.
  const std::string one = "SELECT * FROM Tbl WHERE pk='a' AND sk=1";
  EXPECT_THAT(Sizes(Pages(db_, {.statement = one, .limit = 1})), ElementsAre(1, 0));
  EXPECT_THAT(Sizes(Pages(db_, {.statement = one})), ElementsAre(1));
}

TEST_F(StatementTest, APageWithATokenNamesTheLastKeyThatWasRead) {
  const auto last_key = [&](const std::string& statement, std::optional<std::uint32_t> limit) {
    ExecuteStatementOutput output;
    EXPECT_THAT(db_.ExecuteStatement({.statement = statement, .limit = limit}, &output), IsOk());
    return output.page.last_evaluated_key();
  };
  for (const char* statement :
       {"SELECT v FROM Tbl WHERE pk='a'", "SELECT m.x FROM Tbl WHERE pk='a'",
        "SELECT v FROM Tbl WHERE pk IN ['b','a']", "SELECT v FROM Tbl WHERE pk='a' AND v=99"}) {
    const bool several = std::string_view(statement).find("IN") != std::string_view::npos;
    EXPECT_EQ(last_key(statement, several ? 3 : 2), (Item{{"pk", "a"}, {"sk", 1}})) << statement;
    EXPECT_EQ(last_key(statement, std::nullopt), Item()) << statement;
  }
  EXPECT_EQ(last_key("SELECT sk FROM Tbl.lidx WHERE pk='a'", 1),
            (Item{{"pk", "a"}, {"sk", 0}, {"l", "l0"}}));
}

TEST_F(StatementTest, ATokenIsBoundToTheStatementAndItsParameters) {
  ExecuteStatementInput input{
      .statement = "SELECT sk FROM Tbl WHERE pk=?", .parameters = {"a"}, .limit = 2};
  ExecuteStatementOutput first;
  ASSERT_THAT(db_.ExecuteStatement(input, &first), IsOk());
  input.next_token = first.next_token;
  const auto continues = [&](const std::string& statement, List parameters) {
    ExecuteStatementOutput output;
    input.statement = statement;
    input.parameters = std::move(parameters);
    return db_.ExecuteStatement(input, &output).message();
  };
  EXPECT_EQ(continues("SELECT pk FROM Tbl WHERE pk=?", {"a"}), "");  // other columns
  const std::string mismatch = "NextToken does not match request";
  EXPECT_EQ(continues("SELECT sk FROM Tbl WHERE pk=?", {"b"}), mismatch);
  EXPECT_EQ(continues("SELECT sk FROM Tbl WHERE pk='a'", {}), mismatch);
  EXPECT_EQ(continues("SELECT sk FROM Tbl.lidx WHERE pk=?", {"a"}), mismatch);
  EXPECT_EQ(continues("SELECT sk FROM Tbl WHERE pk=? ORDER BY sk DESC", {"a"}), mismatch);
  input.next_token = "no token!";
  EXPECT_EQ(continues("SELECT sk FROM Tbl WHERE pk=?", {"a"}), "Invalid NextToken");
}

TEST_F(StatementTest, ARememberedStatementFitsEachTableAndParameter) {
  const std::string statement = "SELECT pk,sk FROM Tbl WHERE pk=? AND sk=? AND g<>'x' AND pk<>?";
  const std::string one = "SELECT pk,sk FROM Tbl WHERE pk=? AND sk=?";
  const std::string type = "Key attribute's data type should match its data type in table's schema";
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(Execute(statement, {"a", 1, "b"}), OfA({1}));
    EXPECT_EQ(Execute(statement, {"a", 2, "b"}), OfA({2}));
    EXPECT_EQ(Execute(one, {"a", 3}), OfA({3}));
    EXPECT_THAT(Execute(statement, {"a", "x", "b"}), ElementsAre(type + ": Key sk"));
    EXPECT_THAT(Execute(one, {1, 1}), ElementsAre(type + ": Key pk"));
    EXPECT_THAT(Execute(statement, {"a", 1, 1}),
                ElementsAre("One or more parameter values were invalid: Condition parameter type "
                            "does not match schema type"));
    EXPECT_THAT(Execute(one, {"", 1}),
                ElementsAre("One or more parameter values are not valid. The AttributeValue for a "
                            "key attribute cannot contain an empty string value. Key: pk"));
  }
  const Database other = test::Value(Database::InMemory());
  CreateTableInput input{.name = "Tbl", .partition_key = {"sk", AttributeType::kN}};
  input.sort_key = std::nullopt;
  const Table table = test::Value(other.CreateTable(input));
  ASSERT_THAT(table.PutItem({.item = {{"pk", "a"}, {"sk", 1}}}), IsOk());
  EXPECT_EQ(Texts(other.Execute(one, {"a", 1})), OfA({1}));
  EXPECT_THAT(Texts(other.Execute(one, {7, 1})), IsEmpty());  // pk is no key attribute there
  EXPECT_EQ(Execute(one, {"a", 3}), OfA({3}));
}

TEST_F(StatementTest, CapacityIsThatOfTheReads) {
  const auto units = [&](const std::string& statement, bool consistent) {
    ExecuteStatementOutput output;
    EXPECT_THAT(db_.ExecuteStatement(
                    {.statement = statement,
                     .consistent_read = consistent,
                     .options = {.return_consumed_capacity = ReturnConsumedCapacity::kTotal}},
                    &output),
                IsOk());
    return output.page.consumed_capacity()->total.read_units;
  };
  EXPECT_EQ(units("SELECT * FROM Tbl WHERE pk='a' AND sk=1", false), 0.5);
  EXPECT_EQ(units("SELECT * FROM Tbl WHERE pk='a' AND sk=9", true), 1);
  EXPECT_EQ(units("SELECT * FROM Tbl WHERE pk='a'", true), 1);
  EXPECT_EQ(units("SELECT * FROM Tbl WHERE pk IN ['a','b']", true), 2);
  EXPECT_EQ(units("SELECT * FROM Tbl", false), 0.5);
}

TEST_F(StatementTest, AnInOnThePartitionKeyHasAtMost50Values) {
  const auto values = [](int count) {
    std::string text = "'a'";
    for (int i = 1; i < count; ++i) text += ",'" + std::to_string(i) + "'";
    return "[" + text + "]";
  };
  const std::string keys = "SELECT pk,sk FROM Tbl WHERE pk IN ";
  EXPECT_EQ(Execute(keys + values(50)), OfA({0, 1, 2, 3, 4}));
  const std::string refused =
      "The IN operator is provided with too many operands; number of operands: ";
  EXPECT_THAT(Execute(keys + values(51)), ElementsAre(refused + "51"));
  const std::string others = "SELECT pk,sk FROM Tbl WHERE pk='a' AND s IN ";
  EXPECT_EQ(Execute(others + values(100)), std::vector<std::string>());
  EXPECT_THAT(Execute(others + values(101)), ElementsAre(refused + "101"));
}

TEST_F(StatementTest, BranchesThatReadTheSameItemsAreRefused) {
  const std::string overlap =
      "Overlapping conditions with range keys are not supported in where clause";
  const std::string select = "SELECT pk,sk FROM Tbl WHERE ";
  for (const char* where :
       {"pk='a' AND v>3 OR pk='a' AND sk=1", "pk='a' AND v<>3 OR pk='a' AND v=3",
        "pk='a' OR 'a'=pk AND sk>1", "pk='a' AND sk<=1 OR pk='a' AND sk>=1",
        "pk='a' AND sk BETWEEN 1 AND 3 OR pk='a' AND sk IN [9, 3]",
        "pk='a' AND 2>sk OR pk='b' OR pk='a' AND sk=1 AND v=2",
        "pk IN ['b','a'] OR (pk='a' AND sk=1 OR pk='c')"}) {
    EXPECT_THAT(Execute(select + where), ElementsAre(overlap)) << where;
  }
  EXPECT_THAT(Execute("SELECT * FROM Tbl WHERE pk=? AND sk<? OR pk=? AND sk>?", {"a", 2, "a", 1}),
              ElementsAre(overlap));
  EXPECT_THAT(Execute("SELECT * FROM Tbl.lidx WHERE pk='a' AND begins_with(l,'l') OR pk='a' AND "
                      "l='l3'"),
              ElementsAre(overlap));
  EXPECT_THAT(Execute("SELECT * FROM Tbl WHERE pk=? AND sk<? OR pk=? AND sk>=?", {"a", 1, "a", 4}),
              testing::SizeIs(2))
      << "the values of the same statement decide";
}

TEST_F(StatementTest, BranchesThatReadDifferentItemsAreJoined) {
  ExpectItems({
      {"SELECT pk,sk FROM Tbl WHERE pk='a' AND sk<1 OR pk='a' AND sk>3", {}, OfA({0, 4})},
      {"SELECT pk,sk FROM Tbl WHERE pk='a' AND sk=1 OR pk='b' AND sk=1",
       {},
       WithB(OfA({1}), false)},
      {"SELECT pk,sk FROM Tbl WHERE pk='a' AND sk>1 AND sk<3 OR pk='a' AND sk>=3 AND sk<=3",
       {},
       OfA({2, 3})},
      // A branch with the sort key under NOT or <>: all branches are joined, each item once.
      {"SELECT pk,sk FROM Tbl WHERE pk='a' AND NOT sk=1 OR pk='a' AND sk=2", {}, OfA({0, 2, 3, 4})},
      {"SELECT pk,sk FROM Tbl WHERE pk='a' AND sk<>1 OR pk='a'", {}, OfA({0, 1, 2, 3, 4})},
      // A branch without the partition key: a Scan.
      {"SELECT pk,sk FROM Tbl WHERE v=10 OR pk='a' AND sk=1 OR pk='a' AND sk<1", {}, OfA({0, 1})},
      // A table without a sort key.
      {"SELECT * FROM Hsh WHERE id='a' AND v=1 OR id='a'", {}, {}},
  });
}

TEST_F(StatementTest, TheFunctionsOfExistenceAreConditions) {
  ExpectItems({
      {"SELECT pk,sk FROM Tbl WHERE attribute_exists(m) AND sk=1", {}, OfA({1})},
      {"SELECT pk,sk FROM Tbl WHERE attribute_not_exists(m) = TRUE", {}, WithB({})},
      {"SELECT pk,sk FROM Tbl WHERE pk='b' AND attribute_exists(v) = true", {}, WithB({})},
  });
  const std::string path = "Operator or function requires a document path; operator or function: ";
  const std::string count =
      "Incorrect number of operands for operator or function; operator or function: ";
  ExpectRefusals({
      {"SELECT * FROM Tbl WHERE attribute_exists('m')", {}, path + "attribute_exists"},
      {"SELECT * FROM Tbl WHERE attribute_not_exists(?)", {"m"}, path + "attribute_not_exists"},
      {"SELECT * FROM Tbl WHERE attribute_exists(m, v)",
       {},
       count + "attribute_exists, number of operands: 2"},
  });
}

TEST_F(StatementTest, AnErrorOfTheConditionComesBeforeAnErrorOfTheKey) {
  ExpectRefusals({
      {"SELECT m.x, m FROM Tbl WHERE pk=1 AND v > TRUE",
       {},
       "Two document paths overlap with each other; must remove or rewrite one of these paths; "
       "path one: [m], path two: [m, x]"},
      {"SELECT * FROM Tbl WHERE pk=1 AND v > TRUE",
       {},
       "Incorrect operand type for operator or function; operator or function: >, operand type: "
       "BOOL"},
  });
}

TEST_F(StatementTest, SelectRefusesWhatItCannotRead) {
  const std::string type = "Key attribute's data type should match its data type in table's schema";
  const std::string schema =
      "One or more parameter values were invalid: Condition parameter type does not match schema "
      "type";
  const std::string count = "Number of parameters in request and statement don't match.";
  ExpectRefusals({
      {"SELECT * FROM Tbl WHERE pk=1", {}, type + ": Key pk"},
      {"SELECT * FROM Tbl WHERE pk='a' AND sk=?", {"x"}, type + ": Key sk"},
      {"SELECT * FROM Tbl WHERE pk IS NULL", {}, type + ": Key pk"},
      {"SELECT * FROM Tbl WHERE pk='a' AND sk BETWEEN 'a' AND 'b'", {}, type + ": Key sk"},
      {"SELECT * FROM Tbl WHERE pk='a' AND NOT sk='x'", {}, schema},
      {"SELECT * FROM Tbl WHERE sk > 'x'", {}, schema},
      {"SELECT * FROM Tbl WHERE v=1 OR pk IN [1]", {}, schema},
      {"SELECT * FROM Tbl WHERE pk=''",
       {},
       "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
       "contain an empty string value. Key: pk"},
      {"SELECT * FROM Tbl.nosuch", {}, "The table does not have the specified index"},
      {"SELECT * FROM Tbl WHERE v > TRUE",
       {},
       "Incorrect operand type for operator or function; operator or function: >, operand type: "
       "BOOL"},
      {"SELECT * FROM Nope WHERE v > TRUE",
       {},
       "Incorrect operand type for operator or function; operator or function: >, operand type: "
       "BOOL"},
      {"SELECT * FROM Tbl WHERE v = v",
       {},
       "The first operand must be distinct from the remaining operands for this operator or "
       "function; operator: =, first operand: [v]"},
      {"SELECT m.x, m FROM Tbl",
       {},
       "Two document paths overlap with each other; must remove or rewrite one of these paths; "
       "path one: [m], path two: [m, x]"},
      {"SELECT v FROM Tbl.gidx WHERE g='g1'",
       {},
       "One or more parameter values were invalid: Global secondary index gidx does not project "
       "[v]"},
      {"SELECT pk FROM Tbl.gidx WHERE g='g1' AND v=1",
       {},
       "One or more parameter values were invalid: Secondary index gidx does not project one or "
       "more filter attributes: [v]"},
      {"SELECT pk FROM Tbl WHERE v=1 ORDER BY sk",
       {},
       "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY "
       "clause."},
      {"SELECT pk FROM Tbl WHERE pk='a' ORDER BY v",
       {},
       "Variable reference v in ORDER BY clause must be part of the primary key"},
      {"SELECT * FROM Tbl WHERE pk=?", {}, count},
      {"SELECT * FROM Tbl WHERE pk=?", {"a", "b"}, count},
      {"EXISTS(SELECT * FROM Tbl WHERE pk='a' AND sk=1 AND v=1)",
       {},
       "EXISTS can only be used in ExecuteTransaction write requests."},
  });
  EXPECT_THAT(db_.Execute("SELECT * FROM Nope"),
              StatusIs(StatusCode::kResourceNotFound, "Requested resource not found"));
}

}  // namespace
}  // namespace dolmen::behaviour
