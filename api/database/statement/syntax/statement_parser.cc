#include "database/statement/syntax/statement_parser.h"

#include <memory>
#include <set>
#include <string>
#include <utility>

#include "database/statement/syntax/clauses.h"
#include "database/statement/syntax/literal_parser.h"
#include "database/statement/syntax/token_cursor.h"
#include "engine/base/status_macros.h"
#include "engine/expression/syntax/text_cache.h"
#include "engine/value/utf8.h"
#include "engine/value/violation.h"

namespace dolmen::database {
namespace {

using TokenType = StatementTokenKind;

constexpr std::string_view kNoSimplePath = "Expected identifier for simple path";

class StatementParser {
 public:
  // Borrows the text in the statement.
  StatementParser(Statement* statement, bool additions)
      : statement_(*statement),
        additions_(additions),
        cursor_({statement->text.data(), statement->text.size()}) {}

  Status Parse() {
    if (cursor_.error().ok() && ReadStatement() && !AcceptEnd()) cursor_.FailLeftover();
    statement_.parameter_count = cursor_.parameter_count();
    statement_.fault = cursor_.fault();
    return cursor_.error();
  }

 private:
  bool ReadStatement() {
    statement_.explains = additions_ && cursor_.AcceptWord("explain");
    if (cursor_.AcceptWord("select")) return ParseSelect(&cursor_, &statement_);
    if (cursor_.AcceptWord("insert")) return ReadInsert();
    if (cursor_.AcceptWord("update")) return ReadUpdate();
    if (cursor_.AcceptWord("delete")) return ReadDelete();
    if (cursor_.AcceptWord("from")) return ReadFromFirstUpdate();
    if (statement_.explains) return cursor_.FailManipulation();
    if (cursor_.AtWord("exists") && cursor_.AtFunction()) return ReadExists();
    return ReadOther();
  }

  // Reads the optional semicolon. Returns true if the statement ends there.
  bool AcceptEnd() {
    cursor_.AcceptSymbol(";");
    return cursor_.At(TokenType::kEnd);
  }

  // Reads a text that begins no statement. PartiQL reads it as an expression, and DynamoDB refuses an
  // expression that is complete.
  bool ReadOther() {
    const std::string_view operation = ParseExpression(&cursor_);
    if (operation.empty()) return false;
    if (!AcceptEnd()) return cursor_.FailLeftover();
    return cursor_.Fail("Unsupported operation: " + std::string(operation));
  }

  bool ReadInsert() {
    statement_.kind = Statement::Kind::kInsert;
    if (!cursor_.AcceptWord("into")) return cursor_.FailSyntax("Unexpected keyword");
    const StatementToken table = cursor_.current();
    if (!ParseTarget(&cursor_, &statement_, kNoSimplePath)) return false;
    if (!statement_.index.empty()) {
      cursor_.AddFaultAt(
          "FROM clause may only contain a single table name in data manipulation statements",
          table);
    }
    // PartiQL reads the names of columns, which DynamoDB does not have, and finds VALUES after them.
    if (cursor_.AtSymbol("(")) return cursor_.FailSyntax("Unexpected keyword");
    if (cursor_.AtWord("as")) return cursor_.FailLeftover();  // like an alias without AS
    if (!cursor_.ExpectWord("value") || !ReadItem()) return false;
    if (cursor_.AtWord("returning")) return cursor_.Fail("RETURNING is not supported in INSERT");
    return true;
  }

  bool ReadItem() {
    if (!cursor_.AtSymbol("{")) {
      const bool value = AtLiteral(cursor_) || cursor_.At(TokenType::kParameter);
      if (!value && !cursor_.AtName()) return cursor_.FailTerm();
      return cursor_.FailAt(
          "Unsupported format in item expression. Please use struct format {...} to express item "
          "values for insert statement.",
          cursor_.current());
    }
    cursor_.Advance();
    if (cursor_.AcceptSymbol("}")) return true;
    do {
      if (!ReadAttribute()) return false;
    } while (cursor_.AcceptSymbol(","));
    return cursor_.ExpectSymbol("}");
  }

  bool ReadAttribute() {
    const StatementToken token = cursor_.current();
    std::string name;
    if (cursor_.AtName()) {
      cursor_.AddFaultAt(
          "Tuple keys must be of type String. Actual type: VariableReference under root", token);
    } else if (cursor_.At(TokenType::kString)) {
      name = UnquotedText(token);
      if (name.empty()) cursor_.AddFault("Path component cannot be an empty string");
    } else {
      return cursor_.FailTerm();
    }
    cursor_.Advance();
    if (!names_.insert(name).second) {
      cursor_.AddFaultAt("Duplicate keys in tuple. Key: " + name + " under root", token);
    }
    return cursor_.ExpectSymbol(":") && ReadAttributeValue(std::move(name));
  }

  bool ReadAttributeValue(std::string name) {
    if (cursor_.At(TokenType::kParameter)) {
      statement_.item_parameters.emplace_back(std::move(name), cursor_.parameter_count());
      cursor_.TakeParameter();
      return true;
    }
    const StatementToken token = cursor_.current();
    if (cursor_.AtName() || cursor_.AtFunction() || cursor_.AtWord("missing")) {
      return cursor_.FailAt("Unsupported data type: " + std::string(token.text) + " under key root",
                            token);
    }
    AttributeValue value;
    if (!ReadLiteral(&cursor_, &value)) return false;
    for (const std::string_view symbol : {"+", "-", "*", "/", "%", "||"}) {
      if (cursor_.AtSymbol(symbol)) {
        return cursor_.FailAt("Unsupported data type: " + std::string(symbol) + " under key root",
                              cursor_.current());
      }
    }
    statement_.item.insert_or_assign(std::move(name), std::move(value));
    return true;
  }

  bool ReadUpdate() {
    statement_.kind = Statement::Kind::kUpdate;
    if (!ReadWriteTarget() || !ParseUpdateClauses(&cursor_, &statement_)) return false;
    return ReadWriteWhere() && ReadReturning();
  }

  bool ReadDelete() {
    statement_.kind = Statement::Kind::kDelete;
    if (!cursor_.ExpectWord("from") || !ReadWriteTarget()) return false;
    return ReadWriteWhere() && ReadReturning();
  }

  // Reads FROM table WHERE condition, then the clauses of an UPDATE.
  bool ReadFromFirstUpdate() {
    statement_.kind = Statement::Kind::kUpdate;
    return ReadWriteTarget() && ReadWriteWhere() && ParseUpdateClauses(&cursor_, &statement_) &&
           ReadReturning();
  }

  bool ReadWriteTarget() {
    if (!ParseTarget(&cursor_, &statement_, kNoSimplePath) || !AcceptAlias(&cursor_)) return false;
    if (!statement_.index.empty()) {
      cursor_.AddFault("This operation is not supported on an index");
    }
    return true;
  }

  bool ReadWriteWhere() {
    if (cursor_.AtWord("where")) return ParseWhereClause(&cursor_, &statement_);
    cursor_.AddFault(MissingKeyEquality());
    return true;
  }

  bool ReadReturning() {
    if (!cursor_.AcceptWord("returning")) return true;
    const bool all = cursor_.AtWord("all");
    if (!all && !cursor_.AtWord("modified")) return cursor_.FailSyntax();
    cursor_.Advance();
    const bool old = cursor_.AtWord("old");
    if (!old && !cursor_.AtWord("new")) return cursor_.FailSyntax();
    cursor_.Advance();
    if (cursor_.AtName()) {
      return cursor_.Fail(
          "Expected '*' after ( MODIFIED | ALL ) ( NEW | OLD ) in RETURNING clause");
    }
    if (!cursor_.ExpectSymbol("*")) return false;
    if (cursor_.AtSymbol(",")) {
      return cursor_.Fail("Invalid syntax with multiple returning elements in RETURNING clause");
    }
    if (statement_.kind == Statement::Kind::kDelete && !(all && old)) {
      cursor_.AddFault(
          std::string("Invalid returning clause: RETURNING ")
              .append(all ? "ALL " : "MODIFIED ")
              .append(old ? "OLD" : "NEW")
              .append(" *. Only RETURNING ALL OLD * is allowed in DELETE statements."));
    }
    statement_.returning = all ? (old ? ReturnValues::kAllOld : ReturnValues::kAllNew)
                               : (old ? ReturnValues::kUpdatedOld : ReturnValues::kUpdatedNew);
    return true;
  }

  bool ReadExists() {
    const TokenCursor::Place start = cursor_.Mark();
    cursor_.Advance();
    cursor_.Advance();
    if (!cursor_.AcceptWord("select")) {
      cursor_.Reset(start);
      return ReadOther();
    }
    if (!ParseSelect(&cursor_, &statement_)) return false;
    statement_.kind = Statement::Kind::kExists;
    return cursor_.ExpectSymbol(")");
  }

  Statement& statement_;
  const bool additions_;
  TokenCursor cursor_;
  std::set<std::string> names_;  // of the item
};

}  // namespace

Result<Statement> ParseStatement(std::string_view text, bool additions) {
  if (text.size() > kStatementBytesMax) {
    return Status::Validation(engine::AtMost("length", kStatementBytesMax));
  }
  if (!engine::IsUtf8(text)) {
    return Status::Validation(
        "Statement wasn't well formed, can't be processed: The text is not valid UTF-8");
  }
  Statement statement;
  statement.text.assign(text.begin(), text.end());
  DOLMEN_RETURN_IF_ERROR(StatementParser(&statement, additions).Parse());
  return statement;
}

Result<std::shared_ptr<const Statement>> GetStatement(std::string_view text, bool additions) {
  DOLMEN_ASSIGN_OR_RETURN(
      std::shared_ptr<const Statement> statement,
      engine::FindOrParse<Statement>(text, [&] { return ParseStatement(text, additions); }));
  // The cache may hold an EXPLAIN that another request was allowed to have.
  if (statement->explains && !additions) return ParseStatement(text, false).status();
  return statement;
}

}  // namespace dolmen::database
