#include "database/statement/syntax/statement_parser.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "engine/expression/syntax/expression_text.h"
#include "tests/support/status_matchers.h"

namespace dolmen::database {
namespace {

using test::IsOk;
using testing::ElementsAre;

struct StatementCase {
  std::string text;
  std::string expected;
};

// Returns the message of the error or the fault, or an empty text.
std::string MessageOf(const Result<Statement>& parsed) {
  return parsed.ok() ? parsed->fault.message() : parsed.status().message();
}
std::string MessageOf(const std::string& statement) { return MessageOf(ParseStatement(statement)); }

// Returns the condition of `SELECT * FROM Tbl WHERE ...` as text, or the message of the error.
std::string WhereText(const std::string& where) {
  const Result<Statement> parsed = ParseStatement("SELECT * FROM Tbl WHERE " + where);
  const std::string message = MessageOf(parsed);
  return message.empty() ? ExpressionText(*parsed->where) : message;
}

std::string UpdateText(const std::string& clauses) {
  const Result<Statement> parsed = ParseStatement("UPDATE Hsh " + clauses + " WHERE id='x'");
  const std::string message = MessageOf(parsed);
  return message.empty() ? ExpressionText(*parsed->update) : message;
}

TEST(StatementParserTest, ReadsAConditionIntoTheTreeOfAnExpression) {
  const std::vector<StatementCase> cases = {
      {"a = 1", "a = 1"},
      {"10 < a", "10 < a"},
      {"a != 'it''s'", "a <> \"it's\""},
      {"a = 1 OR b = 2 AND c = 3", "a = 1 OR (b = 2 AND c = 3)"},
      {"(a = 1 OR b = 2) AND c = 3", "(a = 1 OR b = 2) AND c = 3"},
      {"((a = 1))", "a = 1"},
      {"NOT a = 1", "NOT (a = 1)"},
      {"NOT NOT a = 1", "a = 1"},
      {"a BETWEEN 1 AND 2", "a BETWEEN 1 AND 2"},
      {"a NOT BETWEEN 1 AND 2", "NOT (a BETWEEN 1 AND 2)"},
      {"a IN [1, 'b', ?]", "a IN (1, \"b\", :0)"},
      {"a IN (1)", "a IN (1)"},
      {"a NOT IN [1]", "NOT (a IN (1))"},
      {"a IS MISSING", "attribute_not_exists(a)"},
      {"a IS NOT MISSING", "attribute_exists(a)"},
      {"a IS NULL", "a = null"},
      {"a IS NOT NULL", "NOT (a = null)"},
      {"a IS bool", "attribute_type(a, \"BOOL\")"},
      {"BEGINS_WITH(a, 'x')", "begins_with(a, \"x\")"},
      {"size(a) > 1", "size(a) > 1"},
      {"m.x.y[0]['z'] = 1", "m.x.y[0].z = 1"},
      {"\"a.b\".c = ? AND d = ?", "a.b.c = :0 AND d = :1"},
      {"a = - 5", "a = -5"},
      {"a = 1.50", "a = 1.5"},
      {"a = (1)", "a = 1"},
      {"attribute_exists(a.b)", "attribute_exists(a.b)"},
      {"attribute_exists(a) = true", "attribute_exists(a)"},
      {"FALSE = attribute_not_exists(a)", "NOT (attribute_not_exists(a))"},
      {"begins_with(a, 'x') <> TRUE", "NOT (begins_with(a, \"x\"))"},
      {"contains(a, 1) != false", "contains(a, 1)"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(WhereText(text), expected) << text;
}

TEST(StatementParserTest, ReadsClausesIntoTheTreeOfAnUpdate) {
  const std::vector<StatementCase> cases = {
      {"SET a=1, b='x'", "SET a = 1, b = \"x\""},
      {"SET a=1 REMOVE b SET c=?", "SET a = 1, c = :0 REMOVE b"},
      {"SET a=a+1-b", "SET a = a + 1 - b"},
      {"SET a=if_not_exists(a, 1)", "SET a = if_not_exists(a, 1)"},
      {"SET a=list_append(a, [1])", "SET a = list_append(a, [1])"},
      {"SET a=set_add(a, <<1>>)", "ADD a <<1>>"},
      {"SET a=set_delete(a, ?)", "DELETE a :0"},
      {"REMOVE m.l[0]", "REMOVE m.l[0]"},
      {"SET a=b*2", "Unsupported operator in Update Expression. Operator: *"},
      {"SET a='x'||'y'", "Unsupported operator in Update Expression. Operator: ||"},
      {"SET a=NOT b", "Unsupported operator in Update Expression. Operator: not"},
      {"SET a=size(b)", "The function is not allowed in an update expression; function: size"},
      {"SET a=foo(b)", "Unrecognized function: foo at 1:18:3"},
      {"SET a=count(b)", "Unsupported token in expression: count at 1:18:5"},
      {"SET a=MISSING", "MISSING must be compared using IS operator"},
      {"SET a=set_add(b, <<1>>)",
       "The first argument to SET_ADD must equal the assignment value at 1:18:7"},
      {"SET a=Set_Delete('a', <<1>>)",
       "The first argument to SET_DELETE must equal the assignment value at 1:18:10"},
      {"SET a=set_add(?, <<1>>)",
       "The first argument to SET_ADD must equal the assignment value at 1:18:7"},
      {"SET a=set_add(a, 1)",
       "The second argument to SET_ADD must be a value with type SET at 1:26:1"},
      {"SET a=set_add(a, b)",
       "The second argument to SET_ADD must be a value with type SET at 1:26:1"},
      {"SET a=set_delete(a, [1])",
       "The second argument to SET_DELETE must be a value with type SET at 1:29:1"},
      {"SET a=set_add(a)", "SET_ADD must have exactly two arguments at 1:18:7"},
      {"SET a=set_add()", "SET_ADD must have exactly two arguments at 1:18:7"},
      {"SET a=set_add(a, <<1>>, <<2>>)", "SET_ADD must have exactly two arguments at 1:18:7"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(UpdateText(text), expected) << text;
}

TEST(StatementParserTest, ReadsTheOtherPartsOfAStatement) {
  const Result<Statement> select =
      ParseStatement("select m.x, \"y\"[1] from \"Tbl\".lidx where pk = ? order by pk, l desc;");
  ASSERT_THAT(select, IsOk());
  EXPECT_EQ(select->table + "/" + select->index, "Tbl/lidx");
  EXPECT_EQ(ExpressionText(*select->columns), "m.x, y[1]");
  EXPECT_EQ(ExpressionText(*select->column_attributes), "m, y");
  EXPECT_THAT(select->column_names, ElementsAre("x", "y[1]"));
  EXPECT_EQ(select->order.size(), 2u);
  EXPECT_TRUE(select->order[1].descending);
  EXPECT_EQ(select->parameter_count, 1u);

  const Result<Statement> insert =
      ParseStatement("INSERT INTO Hsh VALUE {'id': ?, 'a': {'b': [1, 'x', <<'y'>>, NULL]}}");
  ASSERT_THAT(insert, IsOk());
  EXPECT_EQ(insert->item_parameters[0].first, "id");
  EXPECT_EQ(insert->item, (Item{{"a", Map{{"b", List{1, "x", StringSet{"y"}, nullptr}}}}}));

  const Result<Statement> update =
      ParseStatement("UPDATE Hsh SET a=1 WHERE id='x' RETURNING modified new *");
  ASSERT_THAT(update, IsOk());
  EXPECT_EQ(update->returning, ReturnValues::kUpdatedNew);
}

constexpr const char* kNotWellFormed = "Statement wasn't well formed, can't be processed: ";

TEST(StatementParserTest, AnErrorInTheSyntaxSaysWhatTheParserStoodBefore) {
  const std::string leftover = "Unexpected token after expression";
  const std::string term = "Unexpected term";
  const std::string keyword = "Unexpected keyword";
  const std::string op = "Unexpected operator";
  const std::string right = "Missing right-hand side expression of infix operator";
  const std::string type = "Expected type name";
  const std::string dot = "Invalid path dot component";
  const std::string name = "Expected identifier for simple path";
  const std::string manipulation = "Expected data manipulation";
  const std::vector<StatementCase> cases = {
      // A complete statement, then anything more.
      {"SELECT title FROM Books WHERE isbn='i1' please", leftover},
      {"SELECT title FROM Books WHERE isbn='i1')", leftover},
      {"SELECT * FROM Books WHERE a NOT 1", leftover},
      {"SELECT * FROM Books ORDER BY isbn WHERE isbn='i1'", leftover},
      {"DELETE FROM Books WHERE isbn='i1' ORDER BY isbn", leftover},
      {"UPDATE Books SET a=1 WHERE isbn='i1' ORDER BY isbn", leftover},
      {"INSERT INTO Books VALUE {'isbn':'i1'} ORDER BY isbn", leftover},
      {"FROM Books SET a=1 WHERE isbn='i1'", leftover},
      {"INSERT INTO Books VALUE {'isbn':'i1'} IF NOT EXISTS", leftover},
      {"INSERT INTO Books b VALUE {'isbn':'i1'}", leftover},
      {"INSERT INTO Books AS b VALUE {'isbn':'i1'}", leftover},
      {"UPDATE Books REMOVE a, b WHERE isbn='i1'", leftover},
      {"SELECT * FROM Books; SELECT * FROM Books", leftover},
      {"SELECT *, a FROM Books", leftover},
      {"notes IS STRING please", leftover},
      {"EXPLAIN SELECT * FROM Books", leftover},
      // A term must begin.
      {"SELECT a, a FROM Books WHERE", term},
      {"SELECT * FROM Books WHERE;", term},
      {"SELECT * FROM Books WHERE NOT", term},
      {"SELECT * FROM Books WHERE ()", term},
      {"SELECT * FROM Books WHERE (", term},
      {"SELECT * FROM", term},
      {"SELECT * FROM Books WHERE a = [1,]", term},
      {"UPDATE Books SET a=1 WHERE isbn='i1' RETURNING ALL", term},
      {"SELECT FROM Books", keyword},
      {"SELECT date FROM Books", keyword},
      {"SELECT * FROM Books WHERE ORDER BY isbn", keyword},
      {"UPDATE Books SET a=1, REMOVE b WHERE isbn='i1'", keyword},
      {"INSERT INTO Books (isbn) VALUES ('i1')", keyword},
      {"INSERT Books VALUE {'isbn':'i1'}", keyword},
      {"SELECT * FROM Books WHERE a == 1", op},
      {"SELECT * FROM Books WHERE IS NULL", op},
      {"SELECT * FROM Books WHERE LIKE 'x'", op},
      {"SELECT * FROM Books WHERE a = 1 AND AND b = 1", op},
      // An infix operator, then nothing.
      {"UPDATE Books REMOVE title WHERE (isbn='i1' AND", right},
      {"SELECT * FROM Books WHERE isbn='i1' OR;", right},
      {"SELECT * FROM Books WHERE isbn =", right},
      {"SELECT * FROM Books WHERE isbn BETWEEN 1 AND", right},
      {"UPDATE Books SET a=a+", right},
      // IS, paths, names of tables.
      {"SELECT * FROM Books WHERE isbn='i1' AND notes IS COLOUR", type},
      {"SELECT * FROM Books WHERE notes IS NOT", type},
      {"SELECT * FROM Books WHERE notes IS DOUBLE", type},
      {"SELECT * FROM Books WHERE isbn='i1' AND box.table = 3", dot},
      {"SELECT box.date FROM Books", dot},
      {"UPDATE Books SET box.value = 1 WHERE isbn='i1'", dot},
      {"DELETE FROM WHERE isbn='i1'", name},
      {"DELETE FROM 'Books' WHERE isbn='i1'", name},
      {"UPDATE SET a=1 WHERE isbn='i1'", name},
      {"INSERT INTO VALUE {'isbn':'i1'}", name},
      {"FROM WHERE isbn='i1' SET a=1", name},
      // A statement or its clause must begin.
      {"", manipulation},
      {"SELEC * FROM Books", manipulation},
      {"ORDER BY isbn", manipulation},
      {"UPDATE Pay-x SET a=1 WHERE isbn='i1'", manipulation},
      {"UPDATE Books WHERE isbn='i1'", manipulation},
      {"FROM Books WHERE isbn='i1'", manipulation},
  };
  for (const auto& [text, detail] : cases) {
    EXPECT_EQ(MessageOf(text), kNotWellFormed + detail) << text;
  }
}

TEST(StatementParserTest, AnUnknownTokenAnywhereIsTheFirstErrorAndHasNoDetail) {
  for (const char* text :
       {"SELECT * FROM Books WHERE isbn='i1", "SELECT * FROM \"Books", "SELECT /* * FROM Books",
        "SELEC # FROM Books", "SELECT * FROM Books WHERE AND a = 0x10",
        "SELECT * FROM Books WHERE a = 1_000", "SELECT * FROM Books WHERE a = 1e2147483648",
        "SELECT * FROM Books WHERE a = 0.5e-2147483647"}) {
    EXPECT_EQ(MessageOf(std::string(text)), kNotWellFormed) << text;
  }
}

TEST(StatementParserTest, AStatementThatIsAnExpressionIsRefusedByItsKind) {
  const std::vector<StatementCase> cases = {
      {"foo", "VariableReference"},
      {"EXPLAIN", "VariableReference"},
      {"foo.bar;", "Path"},
      {"notes IS TIMESTAMP", "IsType"},
      {"notes IS CHARACTER VARYING", "IsType"},
      {"notes IS DOUBLE PRECISION", "IsType"},
      {"notes IS MISSING", "IsType"},
      {"a = 1", "NAry"},
      {"EXISTS(a)", "NAry"},
      {"7", "Literal"},
      {"?", "Parameter"},
  };
  for (const auto& [text, kind] : cases) {
    EXPECT_EQ(MessageOf(text), "Unsupported operation: " + kind) << text;
  }
}

// DynamoDB tests few types, but its parser knows the types of PartiQL.
TEST(StatementParserTest, IsTakesTheNamesOfAllTypesOfPartiQl) {
  for (const char* type :
       {"ANY",     "BAG",       "BIGINT",   "BLOB",     "BOOL",     "BOOLEAN", "CHAR",
        "CLOB",    "DATE",      "DECIMAL",  "INT",      "INT2",     "INT4",    "INT8",
        "INTEGER", "INTEGER2",  "INTEGER4", "INTEGER8", "LIST",     "MISSING", "NULL",
        "NUMERIC", "REAL",      "SEXP",     "SMALLINT", "STRING",   "STRUCT",  "SYMBOL",
        "TIME",    "TIMESTAMP", "TUPLE",    "VARCHAR",  "CHARACTER"}) {
    EXPECT_EQ(MessageOf("notes IS " + std::string(type)), "Unsupported operation: IsType") << type;
  }
}

TEST(StatementParserTest, ExplainIsReadOnlyWithTheAdditionsOfDolmen) {
  const Result<Statement> parsed = ParseStatement("EXPLAIN SELECT * FROM Tbl", true);
  ASSERT_THAT(parsed, IsOk());
  EXPECT_TRUE(parsed->explains);
  EXPECT_EQ(MessageOf("EXPLAIN SELECT * FROM Tbl"),
            std::string(kNotWellFormed) + "Unexpected token after expression");
  for (const char* text : {"EXPLAIN", "EXPLAIN EXPLAIN SELECT * FROM Tbl", "EXPLAIN foo",
                           "EXPLAIN EXISTS(SELECT * FROM Tbl WHERE pk='a' AND v=1)"}) {
    EXPECT_EQ(MessageOf(ParseStatement(text, true)),
              std::string(kNotWellFormed) + "Expected data manipulation")
        << text;
  }
}

TEST(StatementParserTest, AnUpdateMayBeginWithFrom) {
  const Result<Statement> parsed = ParseStatement(
      "from Books where isbn = ? and lang = 'en' set copies = copies - ? remove held "
      "returning modified new *");
  ASSERT_THAT(parsed, IsOk());
  EXPECT_THAT(parsed->fault, IsOk());
  EXPECT_EQ(parsed->kind, Statement::Kind::kUpdate);
  EXPECT_EQ(parsed->table, "Books");
  EXPECT_EQ(ExpressionText(*parsed->where), "isbn = :0 AND lang = \"en\"");
  EXPECT_EQ(ExpressionText(*parsed->update), "SET copies = copies - :1 REMOVE held");
  EXPECT_EQ(parsed->returning, ReturnValues::kUpdatedNew);
  EXPECT_EQ(MessageOf("FROM Books SET a=1"),
            "Where clause does not contain a mandatory equality on all key attributes");
}

TEST(StatementParserTest, RefusesSelectsThatDynamoDbDoesNotSupport) {
  const std::vector<StatementCase> cases = {
      {"SELECT count(*) FROM Tbl", "Unexpected path component at 1:8:5"},
      {"SELECT size(m) FROM Tbl", "Unexpected path component at 1:8:4"},
      {"SELECT 'a' FROM Tbl", "Unexpected path component at 1:8:3"},
      {"SELECT ? FROM Tbl", "Unexpected path component at 1:8:1"},
      {"SELECT m.x + 1 FROM Tbl", "Unexpected path component at 1:12:1"},
      {"SELECT pk AS x FROM Tbl", "Aliasing is not supported"},
      {"SELECT pk FROM Tbl AS t", "Aliasing is not supported"},
      {"SELECT pk FROM Tbl t", "Aliasing is not supported"},
      {"UPDATE Tbl t SET a=1 WHERE pk='a'", "Aliasing is not supported"},
      {"UPDATE Tbl AS t SET a=1 WHERE pk='a'", "Aliasing is not supported"},
      {"DELETE FROM Tbl t WHERE pk='a'", "Aliasing is not supported"},
      {"DELETE FROM Tbl AS t WHERE pk='a'", "Aliasing is not supported"},
      {"FROM Tbl t WHERE pk='a' SET a=1", "Aliasing is not supported"},
      {"SELECT pk, count(m[0], 'a') + ? FROM Tbl", "Unexpected path component at 1:12:5"},
      {"SELECT attribute_exists(m) FROM Tbl", "Unexpected path component at 1:8:16"},
      {"SELECT pk FROM Tbl, Hsh", "Only select from a single table or index is supported."},
      {"SELECT DISTINCT pk FROM Tbl", "Unsupported token in expression: DISTINCT"},
      {"SELECT VALUE pk FROM Tbl", "Select projection doesn't support value or pivot keywords"},
      {"SELECT m.* FROM Tbl", "Changing item's hierarchy while reading isn't supported"},
      {"SELECT pk FROM Tbl GROUP BY pk", "Unsupported clause: GROUP BY"},
      {"SELECT pk FROM Tbl LIMIT 3", "Unsupported clause: LIMIT at 1:26:1"},
      {"SELECT pk FROM (SELECT * FROM Tbl)", "Unexpected from source"},
      {"SELECT * FROM ?", "Unexpected from source"},
      {"SELECT pk FROM 'Tbl'", "Unexpected from source"},
      {"SELECT pk FROM \"\"", "Path component cannot be an empty string"},
      {"SELECT pk FROM Tbl.\"\"", "Path component cannot be an empty string"},
      {"SELECT pk FROM a.b.c", "A path may contain at most 2 components in the FROM clause"},
      {"SELECT pk FROM Tb",
       "Table name should be within the length [3, 255] and only contain 'a-z', 'A-Z', '0-9', "
       "'-', '_', '.'."},
      {"SELECT v, v FROM Tbl", "Duplicate identifiers in select clause: v"},
      {"SELECT m.x, x FROM Tbl", "Duplicate identifiers in select clause: x"},
      {"SELECT pk FROM Tbl ORDER BY sk",
       "Must have WHERE clause in the statement when using ORDER BY clause."},
      {"SELECT pk FROM Tbl WHERE pk='a' ORDER BY m.x",
       "Argument to ORDER BY must be of type VariableReference. Type: PATH"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(MessageOf(text), message) << text;
}

TEST(StatementParserTest, RefusesWritesThatDynamoDbDoesNotSupport) {
  const std::vector<StatementCase> cases = {
      {"INSERT INTO Tbl.gidx VALUE {'id':'x'}",
       "FROM clause may only contain a single table name in data manipulation statements at "
       "1:13:3"},
      {"INSERT INTO Hsh VALUE {'id':'x'} RETURNING ALL OLD *",
       "RETURNING is not supported in INSERT"},
      {"INSERT INTO Hsh VALUE ?",
       "Unsupported format in item expression. Please use struct format {...} to express item "
       "values for insert statement. at 1:23:1"},
      {"INSERT INTO Hsh VALUE {id:'i1','a':1}",
       "Tuple keys must be of type String. Actual type: VariableReference under root at 1:24:2"},
      {"INSERT INTO Hsh VALUE {'id':'i1','a':1,'a':2}",
       "Duplicate keys in tuple. Key: a under root at 1:40:3"},
      {"INSERT INTO Hsh VALUE {'id':'i1','a':{'x':1,'x':2}}",
       "Duplicate keys in tuple. Key: x under root at 1:38:1"},
      {"INSERT INTO Hsh VALUE {'id':'i1','a':MISSING}",
       "Unsupported data type: MISSING under key root at 1:38:7"},
      {"INSERT INTO Hsh VALUE {'id':'i1','a':[?]}",
       "Unsupported data type: Parameter under key root.0 at 1:39:1"},
      {"INSERT INTO Hsh VALUE {'id':'i1','a':{'b':foo}}",
       "Unsupported data type: VariableReference under key root.b at 1:43:3"},
      {"INSERT INTO Hsh VALUE {'id':'i1','a':1+1}",
       "Unsupported data type: + under key root at 1:39:1"},
      {"INSERT INTO Hsh VALUE {'id':'i1','a':`1`}",
       "Ion Literals are not supported: INT under key root at 1:38:3"},
      {"INSERT INTO Hsh VALUE {'id':'i1','a':<<>>}", "Empty bags are not supported"},
      {"UPDATE Hsh SET a=<<>> WHERE id='i1'", "Empty bags are not supported"},
      {"INSERT INTO Hsh VALUE {'id':'i1','a':[<<'q','p','q'>>]}",
       "One or more parameter values were invalid: Input collection [q, p, q] contains "
       "duplicates."},
      {"INSERT INTO Hsh VALUE {'id':'i1','a':<<1,'a'>>}",
       "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags"},
      {"INSERT INTO Hsh VALUE {'id':'i1','a':<<[1]>>}",
       "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags "
       "at 1:40:1"},
      {"INSERT INTO Hsh VALUE {'id':'i1','a':<<1,1.0>>}", "Input collection contains duplicates"},
      {"UPDATE Hsh SET a=1",
       "Where clause does not contain a mandatory equality on all key attributes"},
      {"UPDATE Tbl.gidx SET a=1 WHERE pk='x' AND sk=1",
       "This operation is not supported on an index"},
      {"UPDATE Hsh SET a=1 WHERE id='x' RETURNING ALL OLD a",
       "Expected '*' after ( MODIFIED | ALL ) ( NEW | OLD ) in RETURNING clause"},
      {"UPDATE Hsh SET a=1 WHERE id='x' RETURNING ALL OLD *, ALL NEW *",
       "Invalid syntax with multiple returning elements in RETURNING clause"},
      {"DELETE FROM Hsh WHERE id='x' RETURNING ALL NEW *",
       "Invalid returning clause: RETURNING ALL NEW *. Only RETURNING ALL OLD * is allowed in "
       "DELETE statements."},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(MessageOf(text), message) << text;
}

TEST(StatementParserTest, RefusesConditionsThatDynamoDbDoesNotSupport) {
  const std::string no_boolean =
      "WHERE clause must contain an expression that resolves to a boolean";
  const std::string bad_is =
      "The left hand side argument to IS must be a Variable Reference, Literal, or Path";
  const std::vector<StatementCase> cases = {
      {"a", no_boolean},
      {"TRUE", no_boolean},
      {"size(a)", no_boolean},
      {"NOT b", "The argument to NOT must be a Type or Expression"},
      {"a = 1 AND TRUE", "The arguments to AND/OR must be Expressions"},
      {"a + 1 = 2", "Unsupported operator in Condition Expression. Operator: +"},
      {"a LIKE 'x'", "Unsupported operator in Condition Expression. Operator: like"},
      {"a = MISSING", "MISSING must be compared using IS operator"},
      {"a IS INTEGER",
       "Unsupported data type for IS operator: INTEGER. Supported data types are [MISSING, NULL, "
       "BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE, LIST] at 1:27:2"},
      {"size(a) IS MISSING", bad_is},
      {"['x'] IS NOT LIST", bad_is},
      {"? IS LIST", bad_is},
      {"MISSING IS STRUCT", bad_is},
      {"a IN []",
       "IN operator must have a left hand argument of type Variable Reference and right hand "
       "argument of type Seq with at least one member"},
      {"a IN ?",
       "IN operator must have a left hand argument of type Variable Reference and right hand "
       "argument of type Seq with at least one member"},
      {"Foo(a)", "Unrecognized function: foo at 1:25:3"},
      {"size() = 1",
       "Incorrect number of operands for operator or function; operator or function: size, number "
       "of operands: 0"},
      {"list_append(a, b) = 1",
       "The function is not allowed in a condition expression; function: list_append"},
      {"a = (SELECT 1 FROM Tbl)", "Unsupported token in expression: SELECT at 1:30:6"},
      {"a.y[-1] = 1", "List index is not within the allowable range; index: [-1] at 1:30:1"},
      {"a.y[1.5] = 1", "Unexpected path component at 1:29:3"},
      {"a = [m]", "Unsupported data type: VariableReference under key root.0 at 1:30:1"},
      {"attribute_exists() = true",
       "Incorrect number of operands for operator or function; operator or function: "
       "attribute_exists, number of operands: 0"},
      {"EXISTS(notes)", "Unrecognized function: exists at 1:25:6"},
      {"SET_ADD(a, <<1>>)", "Unrecognized function: set_add at 1:25:7"},
      {"b = 1 AND set_delete(a, <<1>>)", "Unrecognized function: set_delete at 1:35:10"},
      {"(a = 1) = true", "A condition is used where a value is required. Compare values only."},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(WhereText(text), message) << text;
}

TEST(StatementParserTest, AnErrorOfANumberNamesItsPlaceInTheValue) {
  const std::string over =
      "Number overflow. Attempting to store a number with magnitude larger than supported range";
  const std::string under =
      "Number underflow. Attempting to store a number with magnitude smaller than supported range";
  const std::string digits = "Attempting to store more than 38 significant digits in a Number";
  const std::vector<StatementCase> cases = {
      {"INSERT INTO Books VALUE {'isbn':'i1','lang':'en','dims':{'cm':[2, 7e200]}}",
       over + " under root.cm[1]"},
      {"INSERT INTO Books VALUE {'isbn':'i1','n':-1e126}", over + " under root"},
      {"UPDATE Books SET w = 2e-140 WHERE isbn='i1'", under + " under root"},
      {"UPDATE Books SET w = [[{'a':1e-131}]] WHERE isbn='i1'", under + " under root[0][0].a"},
      {"SELECT * FROM Books WHERE a = 0e126", over + " under root"},
      {"SELECT * FROM Books WHERE a = (1, 1e126)", over + " under root[1]"},
      {"SELECT * FROM Books WHERE a = (1e126)", over + " under root"},
      {"DELETE FROM Books WHERE a = " + std::string(39, '7'), digits + " under root"},
      // A fault of a literal comes before other faults, and after errors in the syntax.
      {"SELECT a, a FROM Books WHERE a = 1e126", over + " under root"},
      {"SELECT a, a FROM Books WHERE a = 1e126 please",
       std::string(kNotWellFormed) + "Unexpected token after expression"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(MessageOf(text), message) << text;
}

TEST(StatementParserTest, TheSizeAndTheNestingOfAStatementAreLimited) {
  EXPECT_EQ(MessageOf(std::string(8193, ' ')),
            "Member must have length less than or equal to 8192");
  const std::string open(7000, '(');
  EXPECT_EQ(WhereText(open), "The expression has too many nesting levels; nesting levels: 301");
  EXPECT_EQ(WhereText("a = " + std::string(7000, '[')),
            "The expression has too many nesting levels; nesting levels: 301");
}

}  // namespace
}  // namespace dolmen::database
