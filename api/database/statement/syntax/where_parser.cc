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

namespace dolmen::database {
namespace {

using NodeType = engine::ConditionNode::Kind;
using Op = engine::ConditionOperator;
using NodeIndex = std::uint16_t;
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
constexpr std::array<std::string_view, 20> kOtherTypeWords = {
    "int",    "integer", "smallint",  "decimal", "dec",   "float",    "real",
    "double", "char",    "varchar",   "symbol",  "clob",  "sexp",     "bag",
    "date",   "time",    "timestamp", "any",     "nchar", "character"};

// A recursive-descent parser. The Read functions return the index of a node, or nothing if the
// parsing has ended.
class WhereParser {
 public:
  explicit WhereParser(TokenCursor* cursor) : cursor_(*cursor) {
    tree_.syntax().dialect = engine::Dialect::kStatement;
  }

  SyntaxTree<engine::ConditionSyntax> Parse() {
    const std::optional<NodeIndex> root = ReadOr();
    if (!root) return std::shared_ptr<const engine::ConditionSyntax>();
    RequireCondition(*root, std::string("WHERE").append(
                                " clause must contain an expression that resolves to a boolean"));
    tree_.syntax().root = *root;
    return tree_.Finish();
  }

 private:
  using Reading = std::optional<NodeIndex> (WhereParser::*)();

  std::optional<NodeIndex> ReadOr() {
    return ReadChain(NodeType::kOr, "or", &WhereParser::ReadAnd);
  }
  std::optional<NodeIndex> ReadAnd() {
    return ReadChain(NodeType::kAnd, "and", &WhereParser::ReadNot);
  }

  std::optional<NodeIndex> ReadChain(NodeType kind, std::string_view word, Reading read_next) {
    std::optional<NodeIndex> node = (this->*read_next)();
    if (!node || !cursor_.AtWord(word)) return node;
    std::vector<NodeIndex> children;
    for (;;) {
      RequireCondition(*node, "The arguments to AND/OR must be Expressions");
      children.push_back(*node);
      if (!cursor_.AcceptWord(word)) return AddParent(kind, children);
      node = (this->*read_next)();
      if (!node) return std::nullopt;
    }
  }

  std::optional<NodeIndex> ReadNot() {
    if (!cursor_.AtWord("not")) return ReadPredicate();
    bool negated = false;
    while (cursor_.AcceptWord("not")) negated = !negated;
    const std::optional<NodeIndex> node = ReadPredicate();
    if (!node) return std::nullopt;
    RequireCondition(*node, "The argument to NOT must be a Type or Expression");
    return negated ? Negate(*node) : *node;
  }

  std::optional<NodeIndex> ReadPredicate() {
    const std::optional<NodeIndex> left = ReadOperand();
    if (!left) return std::nullopt;
    for (const auto& [symbol, op] : kComparators) {
      if (cursor_.AcceptSymbol(symbol)) return ReadComparison(*left, op);
    }
    if (cursor_.AcceptWord("is")) return ReadIs(*left);
    const bool negated = cursor_.AtWord("not");
    if (negated) cursor_.Advance();
    std::optional<NodeIndex> node = left;
    if (cursor_.AcceptWord("between")) {
      node = ReadBetween(*left);
    } else if (cursor_.AcceptWord("in")) {
      node = ReadIn(*left);
    } else if (negated) {
      cursor_.FailSyntax();
      return std::nullopt;
    }
    return node && negated ? Negate(*node) : node;
  }

  std::optional<NodeIndex> ReadComparison(NodeIndex left, Op op) {
    const std::optional<NodeIndex> right = ReadOperand();
    if (!right) return std::nullopt;
    return AddPredicate(op, {left, *right});
  }

  std::optional<NodeIndex> ReadBetween(NodeIndex operand) {
    const std::optional<NodeIndex> lower = ReadOperand();
    if (!lower || !cursor_.ExpectWord("and")) return std::nullopt;
    const std::optional<NodeIndex> upper = ReadOperand();
    if (!upper) return std::nullopt;
    return AddPredicate(Op::kBetween, {operand, *lower, *upper});
  }

  std::optional<NodeIndex> ReadIn(NodeIndex operand) {
    std::vector<NodeIndex> operands = {operand};
    const bool list = cursor_.AtSymbol("[") || cursor_.AtSymbol("(");
    if (!list) {
      cursor_.AddFault(std::string(kBadIn));
      return ReadOperand();
    }
    const std::string_view end = cursor_.AtSymbol("[") ? "]" : ")";
    cursor_.Advance();
    if (cursor_.AcceptSymbol(end)) {
      cursor_.AddFault(std::string(kBadIn));
      return operand;
    }
    if (!ReadOperands(end, &operands)) return std::nullopt;
    return AddPredicate(Op::kIn, std::move(operands));
  }

  // Reads operands and the symbol after them.
  bool ReadOperands(std::string_view end, std::vector<NodeIndex>* operands) {
    return cursor_.ReadElements(end, [&] {
      const std::optional<NodeIndex> operand = ReadOperand();
      if (operand) operands->push_back(*operand);
      return operand.has_value();
    });
  }

  std::optional<NodeIndex> ReadIs(NodeIndex operand) {
    if (!MayStandBeforeIs(tree_.syntax().nodes[operand])) {
      cursor_.AddFault(kBadIs);
    }
    const StatementToken is = is_token_;
    const bool negated = cursor_.AcceptWord("not");
    if (cursor_.AcceptWord("missing")) {
      return AddPredicate(negated ? Op::kAttributeExists : Op::kAttributeNotExists, {operand});
    }
    std::optional<NodeIndex> node;
    // DynamoDB treats IS NULL as an equality: the type of a key attribute is checked.
    if (cursor_.AcceptWord("null")) {
      node = AddPredicate(Op::kEqual, {operand, tree_.AddValue(nullptr)});
    }
    for (const auto& [word, type] : kTypeWords) {
      if (!node && cursor_.AcceptWord(word)) {
        node = AddPredicate(Op::kAttributeType, {operand, tree_.AddValue(AttributeValue(type))});
      }
    }
    if (node) return negated ? Negate(*node) : *node;
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
    if (!known) {
      cursor_.FailSyntax();
      return std::nullopt;
    }
    std::string name(cursor_.current().text);
    std::transform(name.begin(), name.end(), name.begin(), [](char c) {
      return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
    });
    cursor_.Advance();
    cursor_.AddFaultAt("Unsupported data type for IS operator: " + name +
                           ". Supported data types are [MISSING, NULL, BOOLEAN, BLOB, STRING, "
                           "NUMERIC, STRUCT, TUPLE, LIST]",
                       is);
    return operand;
  }

  // Reads an operand, and reports an operator after it that is not supported.
  std::optional<NodeIndex> ReadOperand() {
    const std::optional<NodeIndex> operand = ReadPrimary();
    const bool symbol = std::any_of(kUnsupportedOperators.begin(), kUnsupportedOperators.end(),
                                    [&](std::string_view text) { return cursor_.AtSymbol(text); });
    if (operand && (symbol || cursor_.AtWord("like"))) {
      cursor_.AddFault("Unsupported operator in Condition Expression. Operator: " +
                       (symbol ? std::string(cursor_.current().text) : "like"));
      cursor_.Advance();
      return ReadOperand();
    }
    is_token_ = cursor_.current();
    return operand;
  }

  std::optional<NodeIndex> ReadPrimary() {
    if (cursor_.At(TokenType::kParameter)) return tree_.AddPlaceholder(cursor_.TakeParameter());
    if (AtLiteral(cursor_)) return ReadValue();
    if (cursor_.AtSymbol("(")) return ReadGroup();
    if (cursor_.AtFunction()) return ReadFunction();
    if (cursor_.AcceptWord("missing")) {
      cursor_.AddFault(cursor_.AtWord("is") ? kBadIs
                                            : "MISSING must be compared using IS operator");
      return tree_.AddValue(nullptr);
    }
    return ReadPathOperand();
  }

  std::optional<NodeIndex> ReadPathOperand() {
    for (const std::string_view word : {"case", "select", "date", "time", "cast"}) {
      if (!cursor_.AtWord(word)) continue;
      cursor_.FailAt("Unsupported token in expression: " + std::string(cursor_.current().text),
                     cursor_.current());
      return std::nullopt;
    }
    std::vector<PathPart> path;
    if (!ReadPath(&cursor_, &path)) return std::nullopt;
    return tree_.AddPath(path);
  }

  std::optional<NodeIndex> ReadValue() {
    AttributeValue value;
    if (!ReadLiteral(&cursor_, "root", &value)) return std::nullopt;
    return cursor_.status().ok() ? tree_.AddValue(value) : tree_.AddValue(nullptr);
  }

  // Reads a condition or an operand in parentheses, or a list of literals in them.
  std::optional<NodeIndex> ReadGroup() {
    const TokenCursor::Place start = cursor_.Mark();
    cursor_.Advance();
    if (AtLiteral(cursor_)) {
      AttributeValue first;
      if (!ReadLiteral(&cursor_, "root.0", &first)) return std::nullopt;
      const bool list = cursor_.AtSymbol(",");
      cursor_.Reset(start);
      if (list) return ReadValue();
      cursor_.Advance();
    }
    if (!cursor_.EnterNesting()) return std::nullopt;
    const std::optional<NodeIndex> inner = ReadOr();
    cursor_.LeaveNesting();
    if (!inner || !cursor_.ExpectSymbol(")")) return std::nullopt;
    return inner;
  }

  std::optional<NodeIndex> ReadFunction() {
    const std::string name = cursor_.TakeFunction();
    std::vector<NodeIndex> operands;
    if (!cursor_.AcceptSymbol(")") && !ReadOperands(")", &operands)) return std::nullopt;
    const std::optional<Op> op = engine::FindConditionFunction(name);
    if (!op && name != kSizeFunction) {
      cursor_.AddFault((IsUpdateFunction(name)
                            ? "The function is not allowed in a condition expression; function: "
                            : "Unrecognized function: ") +
                       name);
    }
    if (operands.empty()) {
      cursor_.AddFault(
          "Incorrect number of operands for operator or function; operator or function: " + name +
          ", number of operands: 0");
    }
    if (name == kSizeFunction) return AddParent(NodeType::kSize, operands);
    return AddPredicate(op.value_or(Op::kAttributeExists), std::move(operands));
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
  StatementToken is_token_;  // the token after the last operand
};

}  // namespace

SyntaxTree<engine::ConditionSyntax> ParseWhere(TokenCursor* cursor) {
  return WhereParser(cursor).Parse();
}

}  // namespace dolmen::database
