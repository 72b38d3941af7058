// Tests that each SELECT returns the items that a Scan with the same condition as a
// FilterExpression returns, whatever requests the statement becomes.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/dolmen.h"
#include "tests/support/random.h"
#include "tests/support/status_matchers.h"
#include "tests/support/value.h"

namespace dolmen::test {
namespace {

constexpr std::size_t kStatements = 3000;

// A condition in both languages. The statement has its values as literals or as parameters.
struct BothTexts {
  std::string statement;
  std::string expression;
};

class StatementPropertyTest : public SeededTest {
 protected:
  StatementPropertyTest() {
    CreateTableInput input{.name = "Tbl", .partition_key = {.name = "pk"}};
    input.sort_key = KeyAttribute{"sk", AttributeType::kN};
    input.local_secondary_indexes = {{.name = "lidx", .sort_key = {"n", AttributeType::kN}}};
    table_.emplace(Value(db_.CreateTable(input)));
    for (const char* pk : {"a", "b", "c"}) {
      for (int sk = 0; sk < 8; ++sk) PutRandomItem(pk, sk);
    }
  }

  void PutRandomItem(const char* pk, int sk) {
    Item item = {{"pk", pk}, {"sk", sk}};
    if (!random_.OneIn(4)) item["v"] = RandomValue();
    if (!random_.OneIn(3)) item["n"] = static_cast<int>(random_.Below(4));
    if (!random_.OneIn(3)) item["m"] = Map{{"x", RandomValue()}, {"l", List{RandomValue()}}};
    EXPECT_THAT(table_->PutItem({.item = item}), IsOk());
  }

  AttributeValue RandomValue() {
    switch (random_.Below(6)) {
      case 0:
        return random_.Pick<std::string>({"", "x", "xy", "it's"});
      case 1:
        return nullptr;
      case 2:
        return random_.OneIn(2);
      case 3:
        return StringSet{"x", random_.Pick<std::string>({"y", "z"})};
      default:
        return static_cast<int>(random_.Below(4));
    }
  }

  // Adds the value to both conditions of the statement: as a literal or as a parameter, and as a
  // value of the expression.
  BothTexts Operand(const AttributeValue& value) {
    const std::string token = ":v" + std::to_string(values_.size());
    values_.try_emplace(token, value);
    if (const auto* const number = value.get_if<Number>(); number != nullptr && random_.OneIn(2)) {
      return {number->ToString(), token};
    }
    if (value.get_if<Null>() != nullptr && random_.OneIn(2)) return {"NULL", token};
    if (const auto* const text = value.get_if<std::string>(); text != nullptr && *text != "it's") {
      if (random_.OneIn(2)) return {"'" + *text + "'", token};
    }
    parameters_.push_back(value);
    return {"?", token};
  }

  AttributeValue OrderedValue() {
    if (random_.OneIn(3)) return random_.Pick<std::string>({"x", "xy"});
    return static_cast<int>(random_.Below(4));
  }

  BothTexts OnKey() {
    if (random_.OneIn(2)) {
      const BothTexts value = Operand(random_.Pick<std::string>({"a", "b", "c", "d"}));
      if (random_.OneIn(3)) {
        const BothTexts other = Operand(random_.Pick<std::string>({"a", "b"}));
        return {"pk IN [" + value.statement + ", " + other.statement + "]",
                "pk IN (" + value.expression + ", " + other.expression + ")"};
      }
      return Both("pk", "=", value);
    }
    const BothTexts value = Operand(static_cast<int>(random_.Below(8)));
    return Both("sk", random_.Pick<std::string>({"=", "<", "<=", ">", ">=", "<>"}), value);
  }

  static BothTexts Both(const std::string& path, const std::string& op, const BothTexts& value) {
    return {path + " " + op + " " + value.statement, path + " " + op + " " + value.expression};
  }

  BothTexts OnAttribute() {
    const std::string path = random_.Pick<std::string>({"v", "m.x", "m.l[0]", "nosuch"});
    switch (random_.Below(8)) {
      case 0:
        return {path + " IS MISSING", "attribute_not_exists(" + path + ")"};
      case 1:
        return {path + " IS NOT MISSING", "attribute_exists(" + path + ")"};
      case 2:
        values_.try_emplace(":type", "N");
        return {path + " IS NUMERIC", "attribute_type(" + path + ", :type)"};
      case 3: {
        const BothTexts value = Operand(OrderedValue());
        return Both(path, random_.Pick<std::string>({"<", "<=", ">", ">="}), value);
      }
      case 4: {
        const BothTexts value = Operand(random_.Pick<std::string>({"x", "it"}));
        const std::string start =
            random_.Pick<std::string>({"begins_with", "contains"}) + "(" + path;
        return {start + ", " + value.statement + ")", start + ", " + value.expression + ")"};
      }
      case 5: {
        const BothTexts low = Operand(1);
        const BothTexts high = Operand(2);
        return {path + " BETWEEN " + low.statement + " AND " + high.statement,
                path + " BETWEEN " + low.expression + " AND " + high.expression};
      }
      default:
        return Both(path, random_.Pick<std::string>({"=", "<>"}), Operand(RandomValue()));
    }
  }

  BothTexts Condition(int depth) {
    if (depth == 0 || random_.OneIn(3)) return random_.OneIn(2) ? OnKey() : OnAttribute();
    const BothTexts left = Condition(depth - 1);
    if (random_.OneIn(4)) return {"NOT (" + left.statement + ")", "NOT " + Group(left.expression)};
    const BothTexts right = Condition(depth - 1);
    const std::string junction = random_.OneIn(3) ? " OR " : " AND ";
    return {"(" + left.statement + ")" + junction + "(" + right.statement + ")",
            Group(left.expression) + junction + Group(right.expression)};
  }
  static std::string Group(const std::string& text) { return "(" + text + ")"; }

  std::vector<std::string> Sorted(const QueryOutput& page) const {
    std::vector<std::string> texts;
    for (const ItemView item : page) texts.push_back(item.ToString());
    std::sort(texts.begin(), texts.end());
    return texts;
  }

  // Returns the items of all pages of the statement. Returns nothing for a statement that DynamoDB
  // refuses because two of its branches read the same items.
  std::optional<std::vector<std::string>> Select(const std::string& statement) const {
    ExecuteStatementInput input{.statement = statement, .parameters = parameters_};
    if (limit_ > 0) input.limit = limit_;
    std::vector<std::string> texts;
    do {
      ExecuteStatementOutput output;
      const Status read = db_.ExecuteStatement(input, &output);
      if (read.message().starts_with("Overlapping conditions")) return std::nullopt;
      EXPECT_THAT(read, IsOk()) << statement;
      if (!read.ok()) return std::vector<std::string>();
      for (const ItemView item : output.page) texts.push_back(item.ToString());
      input.next_token = output.next_token;
    } while (!input.next_token.empty());
    std::sort(texts.begin(), texts.end());
    return texts;
  }

  Database db_ = Value(Database::InMemory());
  std::optional<Table> table_;
  Values values_;    // of the expression
  List parameters_;  // of the statement
  std::uint32_t limit_ = 0;
};

TEST_F(StatementPropertyTest, EachSelectReturnsTheItemsOfTheScanWithItsCondition) {
  const std::size_t statements = TestSteps(kStatements);
  for (std::size_t step = 0; step < statements; ++step) {
    values_.clear();
    parameters_.clear();
    limit_ = random_.OneIn(3) ? static_cast<std::uint32_t>(1 + random_.Below(5)) : 0;
    const BothTexts where = Condition(3);
    const bool index = random_.OneIn(4);
    ScanInput scan{.index = index ? "lidx" : "", .filter = where.expression, .values = values_};
    QueryOutput page;
    const Status scanned = table_->Scan(scan, &page);
    if (!scanned.ok()) continue;  // equal operands or too many parentheses: only in expressions
    const std::string statement =
        std::string("SELECT * FROM Tbl") + (index ? ".lidx" : "") + " WHERE " + where.statement;
    const auto selected = Select(statement);
    if (!selected) continue;
    ASSERT_EQ(*selected, Sorted(page)) << "step " << step << ": " << statement;
  }
}

}  // namespace
}  // namespace dolmen::test
