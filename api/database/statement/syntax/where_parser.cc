#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "database/statement/syntax/clauses.h"
#include "database/statement/syntax/literal_parser.h"
#include "database/statement/syntax/token_cursor.h"
#include "engine/base/deep.h"

namespace dolmen::database {
namespace {

using NodeType = engine::ConditionNode::Kind;
using Op = engine::ConditionOperator;
using NodeIndex = std::uint16_t;
using ReadNode = engine::Deep<std::optional<NodeIndex>>;
using TokenType = StatementTokenKind;

constexpr std::string_view kBadIn =
    "IN operator must have a left hand argument of type Variable Reference and right hand argument "
    "of type Seq with at least one member";

struct Comparator {
  std::string_view symbol;
  Op op;
};
constexpr std::array<Comparator, 7> kComparators = {{{"=", Op::kEqual},
                                                     {"<>", Op::kNotEqual},
                                                     {"!=", Op::kNotEqual},
                                                     {"<", Op::kLess},
                                                     {"<=", Op::kLessOrEqual},
                                                     {">", Op::kGreater},
                                                     {">=", Op::kGreaterOrEqual}}};

// The operators that PartiQL knows and DynamoDB does not support in conditions.
constexpr std::array<std::string_view, 6> kUnsupportedOperators = {"+", "-", "*", "/", "%", "||"};

constexpr const char* kBadIs =
    "The left hand side argument to IS must be a Variable Reference, Literal, or Path";

// The name of a type after IS, and DynamoDB's name of the type.
struct TypeWord {
  std::string_view word;
  std::string_view type;
};
constexpr std::array<TypeWord, 8> kTypeWords = {{{"boolean", "BOOL"},
                                                 {"bool", "BOOL"},
                                                 {"blob", "B"},
                                                 {"string", "S"},
                                                 {"numeric", "N"},
                                                 {"struct", "M"},
                                                 {"tuple", "M"},
                                                 {"list", "L"}}};
// The other types of PartiQL. DynamoDB parses a test of one, and then refuses it.
constexpr std::array<std::string_view, 24> kOtherTypeWords = {
    "any",      "bag",  "bigint", "char",     "character", "clob",    "date",      "decimal",
    "double",   "int",  "int2",   "int4",     "int8",      "integer", "integer2",  "integer4",
    "integer8", "real", "sexp",   "smallint", "symbol",    "time",    "timestamp", "varchar"};

// A recursive-descent parser whose functions that nest are coroutines. The Read functions return the index of
// a node, or nothing if the parsing has ended.
class WhereParser {
 public:
  explicit WhereParser(TokenCursor* cursor) : cursor_(*cursor) {
    tree_.syntax().dialect = engine::Dialect::kStatement;
  }

  SyntaxTree<engine::ConditionSyntax> Parse() {
    const std::optional<NodeIndex> root = ReadOr().Run();
    if (!root) return std::shared_ptr<const engine::ConditionSyntax>();
    RequireCondition(*root, std::string("WHERE").append(
                                " clause must contain an expression that resolves to a boolean"));
    tree_.syntax().root = *root;
    return tree_.Finish();
  }

  // Reads an expression that is a whole statement. Returns DynamoDB's name of its kind, or an empty
  // text if the parsing has ended.
  std::string_view ParseStatement() {
    is_statement_ = true;
    const std::optional<NodeIndex> root = ReadOr().Run();
    if (!root) return {};
    if (std::find(type_tests_.begin(), type_tests_.end(), *root) != type_tests_.end()) {
      return "IsType";
    }
    const engine::ConditionNode& node = tree_.syntax().nodes[*root];
    if (node.kind == NodeType::kPath) {
      return node.path.step_count == 1 ? "VariableReference" : "Path";
    }
    if (node.kind == NodeType::kValue) return node.value.literal ? "Literal" : "Parameter";
    return "NAry";
  }

 private:
  using Reading = ReadNode (WhereParser::*)();

  ReadNode ReadOr() { return ReadChain(NodeType::kOr, "or", &WhereParser::ReadAnd); }
  ReadNode ReadAnd() { return ReadChain(NodeType::kAnd, "and", &WhereParser::ReadNot); }

  ReadNode ReadChain(NodeType kind, std::string_view word, Reading read_next) {
    std::optional<NodeIndex> node = co_await (this->*read_next)();
    if (!node || !cursor_.AtWord(word)) co_return node;
    std::vector<NodeIndex> children;
    for (;;) {
      RequireCondition(*node, "The arguments to AND/OR must be Expressions");
      children.push_back(*node);
      if (!cursor_.AcceptWord(word)) co_return AddParent(kind, children);
      if (!cursor_.ExpectRightSide()) co_return std::nullopt;
      node = co_await (this->*read_next)();
      if (!node) co_return std::nullopt;
    }
  }

  ReadNode ReadNot() {
    if (!cursor_.AtWord("not")) co_return co_await ReadPredicate();
    bool negated = false;
    while (cursor_.AcceptWord("not")) negated = !negated;
    const std::optional<NodeIndex> node = co_await ReadPredicate();
    if (!node) co_return std::nullopt;
    RequireCondition(*node, "The argument to NOT must be a Type or Expression");
    co_return negated ? Negate(*node) : *node;
  }

  ReadNode ReadPredicate() {
    const std::optional<NodeIndex> left = co_await ReadOperand();
    if (!left) co_return std::nullopt;
    for (const auto& [symbol, op] : kComparators) {
      if (cursor_.AcceptSymbol(symbol)) co_return co_await ReadComparison(*left, op);
    }
    if (cursor_.AcceptWord("is")) co_return ReadIs(*left);
    const bool negated = cursor_.AcceptWord("not");
    std::optional<NodeIndex> node = left;
    if (cursor_.AcceptWord("between")) {
      node = co_await ReadBetween(*left);
    } else if (cursor_.AcceptWord("in")) {
      node = co_await ReadIn(*left);
    } else if (negated && cursor_.AtWord("like")) {
      node = co_await SkipUnsupportedOperator("like");
    } else if (negated) {
      cursor_.FailLeftover();
      co_return std::nullopt;
    }
    co_return node&& negated ? Negate(*node) : node;
  }

  ReadNode ReadRightSide() {
    if (!cursor_.ExpectRightSide()) co_return std::nullopt;
    co_return co_await ReadOperand();
  }

  ReadNode ReadComparison(NodeIndex left, Op op) {
    const std::optional<NodeIndex> right = co_await ReadRightSide();
    if (!right) co_return std::nullopt;
    if (op == Op::kEqual || op == Op::kNotEqual) {
      for (const auto& [function, other] : {std::pair(left, *right), std::pair(*right, left)}) {
        const std::optional<bool> truth = BooleanLiteral(other);
        if (!truth || !IsFunction(function)) continue;
        co_return *truth == (op == Op::kEqual) ? function : Negate(function);
      }
    }
    co_return AddPredicate(op, {left, *right});
  }

  // Returns true for a function that returns a boolean.
  bool IsFunction(NodeIndex index) {
    const engine::ConditionNode& node = tree_.syntax().nodes[index];
    return node.kind == NodeType::kPredicate &&
           engine::FindConditionFunction(engine::ConditionOperatorName(node.op)).has_value();
  }

  // Returns the boolean that the node is as a literal.
  std::optional<bool> BooleanLiteral(NodeIndex index) {
    const engine::ConditionNode& node = tree_.syntax().nodes[index];
    if (node.kind != NodeType::kValue || !node.value.literal) return std::nullopt;
    return AttributeView(node.value.type, tree_.syntax().Text(node.value.text)).AsBool();
  }

  ReadNode ReadBetween(NodeIndex operand) {
    const std::optional<NodeIndex> lower = co_await ReadRightSide();
    if (!lower || !cursor_.ExpectWord("and")) co_return std::nullopt;
    const std::optional<NodeIndex> upper = co_await ReadRightSide();
    if (!upper) co_return std::nullopt;
    co_return AddPredicate(Op::kBetween, {operand, *lower, *upper});
  }

  ReadNode ReadIn(NodeIndex operand) {
    std::vector<NodeIndex> operands = {operand};
    const bool list = cursor_.AtSymbol("[") || cursor_.AtSymbol("(");
    if (!list) {
      cursor_.AddFault(std::string(kBadIn));
      co_return co_await ReadRightSide();
    }
    const std::string_view end = cursor_.AtSymbol("[") ? "]" : ")";
    cursor_.Advance();
    if (cursor_.AcceptSymbol(end)) {
      cursor_.AddFault(std::string(kBadIn));
      co_return operand;
    }
    const bool read = co_await ReadOperands(end, &operands);
    if (!read) co_return std::nullopt;
    co_return AddPredicate(Op::kIn, std::move(operands));
  }

  // Reads operands and the bracket after them.
  engine::Deep<bool> ReadOperands(std::string_view end, std::vector<NodeIndex>* operands) {
    if (!cursor_.EnterNesting()) co_return false;
    do {
      const std::optional<NodeIndex> operand = co_await ReadOperand();
      if (!operand) co_return false;
      operands->push_back(*operand);
    } while (cursor_.AcceptSymbol(","));
    co_return cursor_.LeaveNesting(end);
  }

  std::optional<NodeIndex> ReadIs(NodeIndex operand) {
    if (!MayStandBeforeIs(tree_.syntax().nodes[operand])) {
      cursor_.AddFault(kBadIs);
    }
    const StatementToken is = is_token_;
    const bool negated = cursor_.AcceptWord("not");
    if (negated && cursor_.AcceptWord("missing")) {
      return AddPredicate(Op::kAttributeExists, {operand});
    }
    const std::optional<NodeIndex> node = ReadType(is, operand);
    if (!node) return std::nullopt;
    if (negated) return Negate(*node);
    type_tests_.push_back(*node);
    return node;
  }

  // Reads the name of a type, and returns the test of the operand for it.
  std::optional<NodeIndex> ReadType(const StatementToken& is, NodeIndex operand) {
    if (cursor_.AcceptWord("missing")) return AddPredicate(Op::kAttributeNotExists, {operand});
    // DynamoDB treats IS NULL as an equality: the type of a key attribute is checked.
    if (cursor_.AcceptWord("null")) {
      return AddPredicate(Op::kEqual, {operand, tree_.AddValue(nullptr)});
    }
    for (const auto& [word, type] : kTypeWords) {
      if (!cursor_.AcceptWord(word)) continue;
      return AddPredicate(Op::kAttributeType, {operand, tree_.AddValue(AttributeValue(type))});
    }
    return ReadOtherType(is, operand);
  }

  // Returns true for a path, and for a literal that is no list, no tuple and no set.
  static bool MayStandBeforeIs(const engine::ConditionNode& node) {
    if (node.kind != NodeType::kValue) return node.kind == NodeType::kPath;
    return node.value.literal && node.value.type < AttributeType::kM;
  }

  std::optional<NodeIndex> ReadOtherType(const StatementToken& is, NodeIndex operand) {
    const bool known = std::any_of(kOtherTypeWords.begin(), kOtherTypeWords.end(),
                                   [&](std::string_view word) { return cursor_.AtWord(word); });
    std::string name(cursor_.current().text);
    const bool two_words = cursor_.AtWord("double");
    const bool may_vary = cursor_.AtWord("character");
    if (known) cursor_.Advance();
    if (!known || (two_words && !cursor_.AcceptWord("precision"))) {
      cursor_.FailSyntax("Expected type name");
      return std::nullopt;
    }
    if (may_vary) cursor_.AcceptWord("varying");
    std::transform(name.begin(), name.end(), name.begin(), [](char c) {
      return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
    });
    cursor_.AddFaultAt("Unsupported data type for IS operator: " + name +
                           ". Supported data types are [MISSING, NULL, BOOLEAN, BLOB, STRING, "
                           "NUMERIC, STRUCT, TUPLE, LIST]",
                       is);
    return AddPredicate(Op::kAttributeExists, {operand});
  }

  // Reads an operand, and reports an operator after it that is not supported.
  ReadNode ReadOperand() {
    const std::optional<NodeIndex> operand = co_await ReadPrimary();
    const bool symbol = std::any_of(kUnsupportedOperators.begin(), kUnsupportedOperators.end(),
                                    [&](std::string_view text) { return cursor_.AtSymbol(text); });
    if (operand && (symbol || cursor_.AtWord("like"))) {
      co_return co_await SkipUnsupportedOperator(symbol ? cursor_.current().text : "like");
    }
    is_token_ = cursor_.current();
    co_return operand;
  }

  // Reports the operator at the cursor, and returns the operand after it.
  ReadNode SkipUnsupportedOperator(std::string_view name) {
    cursor_.AddFault("Unsupported operator in Condition Expression. Operator: " +
                     std::string(name));
    cursor_.Advance();
    co_return co_await ReadRightSide();
  }

  ReadNode ReadPrimary() {
    if (cursor_.At(TokenType::kParameter)) co_return tree_.AddPlaceholder(cursor_.TakeParameter());
    if (AtLiteral(cursor_)) co_return ReadValue();
    if (cursor_.AtSymbol("(")) co_return co_await ReadGroup();
    if (cursor_.AtFunction()) co_return co_await ReadFunction();
    if (cursor_.AcceptWord("missing")) {
      cursor_.AddFault(cursor_.AtWord("is") ? kBadIs
                                            : "MISSING must be compared using IS operator");
      co_return tree_.AddValue(nullptr);
    }
    co_return ReadPathOperand();
  }

  std::optional<NodeIndex> ReadPathOperand() {
    for (const std::string_view word : {"case", "select", "date", "time", "cast"}) {
      if (!cursor_.AtWord(word)) continue;
      cursor_.FailAt("Unsupported token in expression: " + std::string(cursor_.current().text),
                     cursor_.current());
      return std::nullopt;
    }
    // A text whose first token begins no term, or which reaches FROM, was meant to be a statement.
    if (is_statement_ && !cursor_.AtName() && (cursor_.AtStart() || cursor_.AtWord("from"))) {
      cursor_.FailManipulation();
      return std::nullopt;
    }
    std::vector<PathPart> path;
    if (!ReadPath(&cursor_, &path)) return std::nullopt;
    return tree_.AddPath(path);
  }

  std::optional<NodeIndex> ReadValue() {
    AttributeValue value;
    if (!ReadLiteral(&cursor_, &value)) return std::nullopt;
    return !cursor_.failed() ? tree_.AddValue(value) : tree_.AddValue(nullptr);
  }

  // Reads a condition or an operand in parentheses, or a list of literals in them.
  ReadNode ReadGroup() {
    const TokenCursor::Place start = cursor_.Mark();
    cursor_.Advance();
    if (AtLiteral(cursor_)) {
      AttributeValue first;
      if (!ReadLiteral(&cursor_, &first)) co_return std::nullopt;
      const bool list = cursor_.AtSymbol(",");
      cursor_.Reset(start);
      if (list) co_return ReadValue();
      cursor_.Advance();
    }
    if (!cursor_.EnterNesting()) co_return std::nullopt;
    const std::optional<NodeIndex> inner = co_await ReadOr();
    if (!inner || !cursor_.LeaveNesting(")")) co_return std::nullopt;
    co_return inner;
  }

  ReadNode ReadFunction() {
    const StatementToken token = cursor_.current();
    const std::string name = cursor_.TakeFunction();
    std::vector<NodeIndex> operands;
    if (!cursor_.AcceptSymbol(")")) {
      const bool read = co_await ReadOperands(")", &operands);
      if (!read) co_return std::nullopt;
    }
    const std::optional<Op> op = engine::FindConditionFunction(name);
    if (IsUpdateFunction(name)) {
      cursor_.AddFault("The function is not allowed in a condition expression; function: " + name);
    } else if (!op && name != kSizeFunction) {
      cursor_.AddFaultAt("Unrecognized function: " + name, token);
    }
    if (operands.empty()) {
      cursor_.AddFault(
          "Incorrect number of operands for operator or function; operator or function: " + name +
          ", number of operands: 0");
    }
    if (name == kSizeFunction) co_return AddParent(NodeType::kSize, operands);
    co_return AddPredicate(op.value_or(Op::kAttributeExists), std::move(operands));
  }

  NodeType KindOf(NodeIndex node) { return tree_.syntax().nodes[node].kind; }

  void RequireCondition(NodeIndex node, const std::string& message) {
    const NodeType kind = KindOf(node);
    if (kind == NodeType::kPath || kind == NodeType::kValue || kind == NodeType::kSize) {
      cursor_.AddFault(message);
    }
  }

  NodeIndex Negate(NodeIndex node) { return AddParent(NodeType::kNot, {node}); }
  NodeIndex AddParent(NodeType kind, const std::vector<NodeIndex>& children) {
    engine::ConditionNode node;
    node.kind = kind;
    return tree_.AddParent(node, children);
  }
  NodeIndex AddPredicate(Op op, const std::vector<NodeIndex>& operands) {
    for (const NodeIndex operand : operands) {
      if (KindOf(operand) < NodeType::kPredicate) continue;
      cursor_.AddFault("A condition is used where a value is required. Compare values only.");
    }
    engine::ConditionNode node;
    node.kind = NodeType::kPredicate;
    node.op = op;
    return tree_.AddParent(node, operands);
  }

  TokenCursor& cursor_;
  engine::TreeComposer<engine::ConditionSyntax> tree_;
  StatementToken is_token_;            // the token after the last operand
  std::vector<NodeIndex> type_tests_;  // the nodes of IS
  bool is_statement_ = false;          // the expression is a whole statement
};

}  // namespace

SyntaxTree<engine::ConditionSyntax> ParseWhere(TokenCursor* cursor) {
  return WhereParser(cursor).Parse();
}

std::string_view ParseExpression(TokenCursor* cursor) {
  return WhereParser(cursor).ParseStatement();
}

}  // namespace dolmen::database
