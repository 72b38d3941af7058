#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "database/statement/syntax/clauses.h"
#include "database/statement/syntax/literal_parser.h"
#include "engine/expression/compose.h"

namespace dolmen::database {
namespace {

using TokenType = StatementTokenKind;

constexpr std::string_view kBadTableName =
    "Table name should be within the length [3, 255] and only contain 'a-z', 'A-Z', '0-9', '-', "
    "'_', '.'.";

bool IsTableName(std::string_view name) {
  return name.size() >= 3 && name.size() <= 255 &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_' || c == '-' || c == '.';
         });
}

// Returns the name of a column in the result: the last name of its path with the indexes after it.
std::string ColumnName(const std::vector<PathPart>& path) {
  std::string name;
  for (const PathPart& part : path) {
    if (const auto* const step = std::get_if<std::string>(&part)) {
      name = *step;
    } else {
      name.append("[").append(std::to_string(std::get<std::int64_t>(part))).append("]");
    }
  }
  return name;
}

class SelectParser {
 public:
  SelectParser(TokenCursor* cursor, Statement* statement)
      : cursor_(*cursor), statement_(*statement) {}

  bool Parse() {
    if (!ReadColumns() || !cursor_.ExpectWord("from") || !ReadFrom()) return false;
    if (cursor_.AtWord("where") && !ParseWhereClause(&cursor_, &statement_)) return false;
    return ReadLastClauses();
  }

 private:
  bool ReadColumns() {
    for (const std::string_view word : {"value", "pivot"}) {
      if (cursor_.AtWord(word)) {
        return cursor_.Fail("Select projection doesn't support value or pivot keywords");
      }
    }
    if (cursor_.AtWord("distinct")) {
      return cursor_.Fail("Unsupported token in expression: DISTINCT");
    }
    if (cursor_.AcceptSymbol("*")) return true;
    do {
      if (!ReadColumn()) return false;
    } while (cursor_.AcceptSymbol(","));
    SetColumns();
    return true;
  }

  bool ReadColumn() {
    const bool group = cursor_.AcceptSymbol("(");
    if (cursor_.AtFunction() || AtLiteral(cursor_) || cursor_.At(TokenType::kParameter)) {
      return SkipColumn();
    }
    std::vector<PathPart> path;
    if (!ReadPath(&cursor_, &path) || (group && !cursor_.ExpectSymbol(")"))) return false;
    for (const std::string_view symbol : {"+", "-", "*", "/", "%", "||"}) {
      if (cursor_.AtSymbol(symbol)) return SkipColumn();
    }
    std::string name = ColumnName(path);
    if (!distinct_names_.insert(name).second) {
      cursor_.AddFault("Duplicate identifiers in select clause: " + name);
    }
    names_.push_back(std::move(name));
    AddColumn(&cursor_, path, &columns_);
    nested_ = nested_ || path.size() > 1;
    attributes_.insert(std::get<std::string>(path.front()));
    return AcceptAlias(&cursor_);
  }

  // Skips a column that is not a path, which is a fault. The names after FROM are needed even then
  // (FindReadIndex in lower_read.h).
  bool SkipColumn() {
    cursor_.AddFaultAt("Unexpected path component", cursor_.current());
    int depth = 0;
    while (!cursor_.At(TokenType::kEnd) && !cursor_.AtSymbol(";") && !cursor_.AtWord("from") &&
           (depth > 0 || !cursor_.AtSymbol(","))) {
      const bool opens = cursor_.AtSymbol("(") || cursor_.AtSymbol("[") || cursor_.AtSymbol("{");
      const bool closes = cursor_.AtSymbol(")") || cursor_.AtSymbol("]") || cursor_.AtSymbol("}");
      depth += opens ? 1 : closes ? -1 : 0;
      if (cursor_.At(TokenType::kParameter)) {
        cursor_.TakeParameter();
      } else {
        cursor_.Advance();
      }
    }
    return true;
  }

  void SetColumns() {
    if (nested_) {
      engine::ProjectionSyntax attributes;
      attributes.dialect = engine::Dialect::kStatement;
      for (const std::string& name : attributes_) AddColumn(&cursor_, {name}, &attributes);
      statement_.column_attributes =
          std::make_shared<const engine::ProjectionSyntax>(std::move(attributes));
    }
    columns_.dialect = engine::Dialect::kStatement;
    statement_.columns = std::make_shared<const engine::ProjectionSyntax>(std::move(columns_));
    statement_.column_names = std::move(names_);
  }

  bool ReadFrom() {
    const bool name = cursor_.AtName();
    if (!name &&
        (cursor_.AtSymbol("(") || cursor_.At(TokenType::kParameter) || AtLiteral(cursor_))) {
      return cursor_.Fail("Unexpected from source");
    }
    if (!ParseTarget(&cursor_, &statement_) || !AcceptAlias(&cursor_)) return false;
    if (cursor_.AtSymbol(",")) {
      return cursor_.Fail("Only select from a single table or index is supported.");
    }
    return true;
  }

  bool ReadLastClauses() {
    if (cursor_.AtWord("group")) return cursor_.Fail("Unsupported clause: GROUP BY");
    for (const auto& [word, name] : kUnsupportedClauses) {
      if (!cursor_.AcceptWord(word)) continue;
      return cursor_.FailAt("Unsupported clause: " + std::string(name), cursor_.current());
    }
    if (!cursor_.AcceptWord("order")) return true;
    if (!cursor_.ExpectWord("by")) return false;
    do {
      if (!ReadOrderKey()) return false;
    } while (cursor_.AcceptSymbol(","));
    if (statement_.where == nullptr) {
      cursor_.AddFault("Must have WHERE clause in the statement when using ORDER BY clause.");
    }
    return true;
  }

  bool ReadOrderKey() {
    std::vector<PathPart> path;
    if (!ReadPath(&cursor_, &path)) return false;
    if (path.size() > 1) {
      cursor_.AddFault("Argument to ORDER BY must be of type VariableReference. Type: PATH");
    }
    StatementOrder order{std::get<std::string>(path.front())};
    order.descending = cursor_.AcceptWord("desc");
    if (!order.descending) cursor_.AcceptWord("asc");
    statement_.order.push_back(std::move(order));
    return true;
  }

  struct Clause {
    std::string_view word;
    std::string_view name;
  };
  static constexpr std::array<Clause, 2> kUnsupportedClauses = {
      {{"limit", "LIMIT"}, {"having", "HAVING"}}};

  TokenCursor& cursor_;
  Statement& statement_;
  engine::ProjectionSyntax columns_;
  std::vector<std::string> names_;  // of the columns, in their order
  std::set<std::string> distinct_names_;
  std::set<std::string> attributes_;
  bool nested_ = false;
};

}  // namespace

bool ParseSelect(TokenCursor* cursor, Statement* statement) {
  return SelectParser(cursor, statement).Parse();
}

bool AcceptAlias(TokenCursor* cursor) {
  const bool as = cursor->AcceptWord("as");
  if (!as && !cursor->AtName()) return true;
  cursor->AddFault("Aliasing is not supported");
  std::string alias;
  return cursor->ExpectName(&alias);
}

bool ParseTarget(TokenCursor* cursor, Statement* statement, std::string_view missing) {
  std::vector<std::string> names(1);
  if (!cursor->ExpectName(&names.back(), missing)) return false;
  while (cursor->AcceptSymbol(".")) {
    if (!cursor->ExpectName(&names.emplace_back(), kBadDotComponent)) return false;
  }
  if (std::find(names.begin(), names.end(), "") != names.end()) {
    cursor->AddFault("Path component cannot be an empty string");
  }
  if (names.size() > 2) {
    cursor->AddFault("A path may contain at most 2 components in the FROM clause");
  }
  if (!IsTableName(names.front())) cursor->AddFault(std::string(kBadTableName));
  statement->table = std::move(names.front());
  if (names.size() > 1) statement->index = std::move(names[1]);
  return true;
}

bool ParseWhereClause(TokenCursor* cursor, Statement* statement) {
  cursor->Advance();
  SyntaxTree<engine::ConditionSyntax> tree = ParseWhere(cursor);
  if (!tree.ok()) {
    cursor->AddFault(tree.status().message());
  } else if (*tree == nullptr) {
    return false;
  } else {
    statement->where = *std::move(tree);
  }
  return true;
}

void AddColumn(TokenCursor* cursor, const std::vector<PathPart>& path,
               engine::ProjectionSyntax* columns) {
  engine::PartComposer parts(columns);
  columns->paths.push_back(parts.AddPath(path));
  if (!parts.status().ok()) cursor->AddFault(parts.status().message());
}

}  // namespace dolmen::database
