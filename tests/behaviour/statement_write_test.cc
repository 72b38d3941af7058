// INSERT, UPDATE and DELETE.

#include "tests/behaviour/statement_fixture.h"

namespace dolmen::behaviour {
namespace {

class StatementWriteTest : public StatementTest {
 protected:
  // Executes the statement, expects success, and returns the text of the item that it returns.
  std::string Write(const std::string& statement, List parameters = {}) const {
    const auto output = db_.Execute(statement, std::move(parameters));
    EXPECT_THAT(output, IsOk()) << statement;
    return output.ok() && !output->page.empty() ? output->page[0].ToString() : "";
  }
  // Returns the item of Hsh with the id `x`.
  std::string X() const { return Write("SELECT * FROM Hsh WHERE id='x'"); }
  Status Fails(const std::string& statement) const { return db_.Execute(statement).status(); }
};

TEST_F(StatementWriteTest, InsertStoresAnItem) {
  EXPECT_EQ(Write("INSERT INTO Hsh VALUE {'id':'i1','d':1.50,'ns':<<1,2.0>>,'nu':NULL,"
                  "'l':[TRUE,{'a':'b'}]}"),
            "");
  EXPECT_EQ(Write("SELECT * FROM Hsh WHERE id='i1'"),
            "{d: 1.5, id: \"i1\", l: [true, {a: \"b\"}], ns: <<1, 2>>, nu: null}");
  Write("INSERT INTO Hsh VALUE {'id':?,'b':?}", {"i2", Binary{"\x01"}});
  EXPECT_EQ(Write("SELECT * FROM Hsh WHERE id='i2'"), "{b: x\"01\", id: \"i2\"}");
}

TEST_F(StatementWriteTest, InsertNeverReplacesAnItem) {
  Write("INSERT INTO Hsh VALUE {'id':'x','v':1}");
  EXPECT_THAT(Fails("INSERT INTO Hsh VALUE {'id':'x','v':2}"),
              StatusIs(StatusCode::kDuplicateItem, "Duplicate primary key exists in table"));
  EXPECT_EQ(X(), "{id: \"x\", v: 1}");
}

// A chain of updates of one item: the clauses, what RETURNING asks for, what it returns, and the
// item afterwards.
struct UpdateStep {
  std::string clauses;
  std::string returning;
  std::string returned;
  std::string after;
};

TEST_F(StatementWriteTest, UpdateChangesAnItem) {
  Write("INSERT INTO Hsh VALUE {'id':'x','v':1}");
  const std::vector<UpdateStep> steps = {
      {"SET v=v+1 SET w=v", "", "", "{id: \"x\", v: 2, w: 1}"},
      {"SET v=10-v-1", " RETURNING ALL OLD *", "{id: \"x\", v: 2, w: 1}",
       "{id: \"x\", v: 7, w: 1}"},
      {"REMOVE w SET n=if_not_exists(n, 5)", " RETURNING ALL NEW *", "{id: \"x\", n: 5, v: 7}",
       "{id: \"x\", n: 5, v: 7}"},
      {"SET v='s' REMOVE n", " RETURNING MODIFIED OLD *", "{n: 5, v: 7}", "{id: \"x\", v: \"s\"}"},
      {"REMOVE nosuch", " RETURNING MODIFIED NEW *", "", "{id: \"x\", v: \"s\"}"},
      {"SET v={'l':['a','b'],'k':1}", " RETURNING MODIFIED NEW *", "{v: {k: 1, l: [\"a\", \"b\"]}}",
       "{id: \"x\", v: {k: 1, l: [\"a\", \"b\"]}}"},
      {"SET v.k=2, v.l[9]='c'", " RETURNING MODIFIED NEW *", "{v: {k: 2}}",
       "{id: \"x\", v: {k: 2, l: [\"a\", \"b\", \"c\"]}}"},
      {"REMOVE v.l[0]", " RETURNING MODIFIED NEW *", "{v: {l: [\"b\"]}}",
       "{id: \"x\", v: {k: 2, l: [\"b\", \"c\"]}}"},
      {"SET v.l=list_append(v.l, ['d'])", " RETURNING MODIFIED OLD *", "{v: {l: [\"b\", \"c\"]}}",
       "{id: \"x\", v: {k: 2, l: [\"b\", \"c\", \"d\"]}}"},
      {"SET s=set_add(s, <<1,2>>) REMOVE v", "", "", "{id: \"x\", s: <<1, 2>>}"},
      {"SET s=set_delete(s, <<1>>)", "", "", "{id: \"x\", s: <<2>>}"},
      {"SET s=set_delete(s, <<2>>)", "", "", "{id: \"x\"}"},
  };
  for (const UpdateStep& step : steps) {
    const std::string statement = "UPDATE Hsh " + step.clauses + " WHERE id='x'" + step.returning;
    EXPECT_EQ(Write(statement), step.returned) << statement;
    EXPECT_EQ(X(), step.after) << statement;
  }
}

TEST_F(StatementWriteTest, UpdateNeverCreatesAnItem) {
  const auto failed =
      StatusIs(StatusCode::kConditionalCheckFailed, "The conditional request failed");
  EXPECT_THAT(Fails("UPDATE Hsh SET v=1 WHERE id='none'"), failed);
  EXPECT_THAT(Fails("UPDATE Hsh SET v=1 WHERE id='none' AND v IS MISSING"), failed);
  Write("INSERT INTO Hsh VALUE {'id':'x','v':1}");
  EXPECT_THAT(Fails("UPDATE Hsh SET v=2 WHERE id='x' AND v=7"), failed);
  EXPECT_THAT(Fails("UPDATE Hsh SET v=2 WHERE id='x' AND NOT (v=1 OR v=2)"), failed);
  EXPECT_EQ(X(), "{id: \"x\", v: 1}");
  Write("UPDATE Hsh SET v=? WHERE 'x'=id AND (v=? OR v=3) AND id='x'", {2, 1});
  EXPECT_EQ(X(), "{id: \"x\", v: 2}");
}

TEST_F(StatementWriteTest, AnUpdateMayBeginWithFrom) {
  Write("INSERT INTO Hsh VALUE {'id':'x','v':3,'w':1}");
  EXPECT_EQ(Write("from Hsh where id = ? and v > ? set v = v - ? remove w returning modified new *",
                  {"x", 2, 1}),
            "{v: 2}");
  EXPECT_EQ(X(), "{id: \"x\", v: 2}");
  const auto failed =
      StatusIs(StatusCode::kConditionalCheckFailed, "The conditional request failed");
  EXPECT_THAT(Fails("FROM Hsh WHERE id='x' AND v=7 SET v=1"), failed);
  EXPECT_THAT(Fails("FROM Hsh WHERE id='none' SET v=1"), failed);
  EXPECT_THAT(Fails("FROM Nope WHERE id='x' SET v=1"),
              StatusIs(StatusCode::kResourceNotFound, "Requested resource not found"));
}

TEST_F(StatementWriteTest, ASetFunctionNeedsTheTypeOfTheStoredSet) {
  Write("INSERT INTO Hsh VALUE {'id':'x','s':<<'a'>>,'n':1}");
  const std::string type = "An operand in the update expression has an incorrect data type";
  ExpectRefusals({
      {"UPDATE Hsh SET s=set_add(s, <<1>>) WHERE id='x'", {}, type},
      {"UPDATE Hsh SET n=set_delete(n, <<1>>) WHERE id='x'", {}, type},
  });
}

TEST_F(StatementWriteTest, TheErrorHasTheItemIfTheRequestAsksForIt) {
  Write("INSERT INTO Hsh VALUE {'id':'x','v':1}");
  ExecuteStatementOutput output;
  const Status failed = db_.ExecuteStatement({.statement = "DELETE FROM Hsh WHERE id='x' AND v=7",
                                              .return_item_on_condition_failure = true},
                                             &output);
  ASSERT_NE(failed.item(), nullptr);
  EXPECT_EQ(failed.item()->ToString(), "{id: \"x\", v: 1}");
}

TEST_F(StatementWriteTest, DeleteOfAnAbsentItemSucceeds) {
  EXPECT_EQ(Write("DELETE FROM Hsh WHERE id='none' AND v=7"), "");
  Write("INSERT INTO Hsh VALUE {'id':'x','v':1}");
  EXPECT_THAT(Fails("DELETE FROM Hsh WHERE id='x' AND v=7"),
              StatusIs(StatusCode::kConditionalCheckFailed, "The conditional request failed"));
  EXPECT_EQ(Write("DELETE FROM Hsh WHERE id='x' AND v=1 RETURNING ALL OLD *"), "{id: \"x\", v: 1}");
  EXPECT_EQ(X(), "");
}

TEST_F(StatementWriteTest, WritesConsumeTheCapacityOfTheirOperations) {
  const auto units = [&](const std::string& statement) {
    ExecuteStatementOutput output;
    EXPECT_THAT(db_.ExecuteStatement(
                    {.statement = statement,
                     .options = {.return_consumed_capacity = ReturnConsumedCapacity::kTotal}},
                    &output),
                IsOk());
    return output.page.consumed_capacity()->total.write_units;
  };
  EXPECT_EQ(units("INSERT INTO Tbl VALUE {'pk':'c','sk':1,'g':'g','l':'l'}"), 3);
  EXPECT_EQ(units("INSERT INTO Hsh VALUE {'id':'x'}"), 1);
  EXPECT_EQ(units("UPDATE Hsh SET v=1 WHERE id='x'"), 1);
}

TEST_F(StatementWriteTest, RefusesWritesThatDoNotNameOneItem) {
  const std::string no_key =
      "Where clause does not contain a mandatory equality on all key attributes";
  const std::string type = "Key attribute's data type should match its data type in table's schema";
  const std::string operand = "Incorrect operand type for operator or function; operator or ";
  ExpectRefusals({
      {"UPDATE Hsh SET a=1 WHERE id='x' OR id='y'", {}, no_key},
      {"UPDATE Hsh SET a=1 WHERE id IN ['x']", {}, no_key},
      {"UPDATE Hsh SET a=1 WHERE NOT id='x'", {}, no_key},
      {"UPDATE Hsh SET a=1 WHERE id>'x'", {}, no_key},
      {"DELETE FROM Tbl WHERE pk='x'", {}, no_key},
      {"DELETE FROM Hsh", {}, no_key},
      {"UPDATE Hsh SET a=1 WHERE id='x' AND id='y'",
       {},
       "Multiple conditions on same key id. Only single item Update/Insert/Delete are supported"},
      {"UPDATE Hsh SET a=1 WHERE id=1", {}, type + ": Key id"},
      {"DELETE FROM Tbl WHERE pk='x' AND sk=?", {"1"}, type + ": Key sk"},
      {"DELETE FROM Tbl WHERE pk='' AND 1=sk",
       {},
       "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
       "contain an empty string value. Key: pk"},
      {"INSERT INTO Hsh VALUE {'a':1}", {}, "Key attribute should be present in the item: Key id"},
      {"INSERT INTO Hsh VALUE {'id':?}", {1}, type + ": Key id"},
      {"UPDATE Hsh SET a=1-'a' WHERE id='x'", {}, operand + "function: -, operand type: S"},
      {"UPDATE Hsh SET a=list_append(a, 1) WHERE id='x'",
       {},
       operand + "function: list_append, operand type: N"},
      {"UPDATE Hsh SET a=if_not_exists(1, 1) WHERE id='x'",
       {},
       "Operator or function requires a document path; operator or function: if_not_exists"},
      {"UPDATE Hsh SET a=set_add(a, ?) WHERE id='x'",
       {1},
       "The second argument to SET_ADD must be a value with type SET at 1:26:1"},
      {"FROM Tbl WHERE pk='x' SET a=1", {}, no_key},
      {"UPDATE Hsh SET a=1, a.b=2 WHERE id='x'",
       {},
       "Two document paths overlap with each other; must remove or rewrite one of these paths; "
       "path one: [a, b], path two: [a]"},
      {"UPDATE Hsh SET id='y' WHERE id='x'",
       {},
       "One or more parameter values were invalid: Cannot update attribute id. This attribute is "
       "part of the key"},
  });
}

}  // namespace
}  // namespace dolmen::behaviour
