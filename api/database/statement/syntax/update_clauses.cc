#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "database/statement/syntax/clauses.h"
#include "database/statement/syntax/literal_parser.h"
#include "database/statement/syntax/token_cursor.h"
#include "engine/expression/compose.h"

namespace dolmen::database {
namespace {

using ActionType = engine::UpdateActionSyntax::Kind;
using NodeIndex = std::uint16_t;
using UpdateType = engine::UpdateNode::Kind;
using TokenType = StatementTokenKind;
using Path = std::vector<PathPart>;

std::string UpperCase(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - ('a' - 'A'));
  }
  return text;
}

// A recursive-descent parser. The Read functions return the index of a node, or nothing if the
// parsing has ended.
class UpdateParser {
 public:
  UpdateParser(TokenCursor* cursor, Statement* statement)
      : cursor_(*cursor), statement_(*statement) {
    tree_.syntax().dialect = engine::Dialect::kStatement;
  }

  bool Parse() {
    if (!cursor_.AtWord("set") && !cursor_.AtWord("remove")) return cursor_.FailSyntax();
    while (cursor_.AtWord("set") || cursor_.AtWord("remove")) {
      if (!(cursor_.AcceptWord("set") ? ReadAssignments() : ReadRemove())) return false;
    }
    SyntaxTree<engine::UpdateSyntax> tree = tree_.Finish();
    if (tree.ok()) {
      statement_.update = *std::move(tree);
    } else {
      cursor_.AddFault(tree.status().message());
    }
    return true;
  }

 private:
  bool ReadRemove() {
    cursor_.Advance();
    Path path;
    if (!ReadPath(&cursor_, &path)) return false;
    AddAction(ActionType::kRemove, path, 0);
    return true;
  }

  bool ReadAssignments() {
    do {
      if (!ReadAssignment()) return false;
    } while (cursor_.AcceptSymbol(","));
    return true;
  }

  bool ReadAssignment() {
    Path target;
    if (!ReadPath(&cursor_, &target) || !cursor_.ExpectSymbol("=")) return false;
    if (AtSetFunction()) return ReadSetFunction(target);
    const std::optional<NodeIndex> value = ReadSum();
    if (!value) return false;
    AddAction(ActionType::kSet, target, *value);
    return true;
  }

  void AddAction(ActionType kind, const Path& target, NodeIndex value) {
    const engine::PathSyntax path = tree_.parts().AddPath(target);
    tree_.syntax().actions.push_back({kind, path, value});
  }

  bool AtSetFunction() const {
    return cursor_.AtFunction() && (cursor_.AtWord(kSetAdd) || cursor_.AtWord(kSetDelete));
  }

  // Reads set_add(path, set) or set_delete(path, set).
  bool ReadSetFunction(const Path& target) {
    const StatementToken function = cursor_.current();
    const ActionType kind = cursor_.AtWord(kSetAdd) ? ActionType::kAdd : ActionType::kDelete;
    const std::string name = UpperCase(cursor_.TakeFunction());
    const StatementToken first = cursor_.current();
    Path path;
    if (!ReadPath(&cursor_, &path)) return false;
    if (path != target) {
      cursor_.AddFault("The first argument to " + name + " must equal the assignment value");
    }
    if (!cursor_.AcceptSymbol(",")) {
      cursor_.AddFaultAt(name + " must have exactly two arguments", function);
      return cursor_.ExpectSymbol(")");
    }
    const std::optional<NodeIndex> set = ReadSetOperand(name, first);
    if (!set) return false;
    AddAction(kind, target, *set);
    return cursor_.ExpectSymbol(")");
  }

  // Reads the set. DynamoDB reports another type at the place of the first argument.
  std::optional<NodeIndex> ReadSetOperand(const std::string& function,
                                          const StatementToken& first) {
    const std::string message =
        "The second argument to " + function + " must be a value with type SET";
    if (cursor_.At(TokenType::kParameter)) {
      statement_.set_parameters.push_back({cursor_.parameter_count(), message});
      return tree_.AddPlaceholder(cursor_.TakeParameter());
    }
    AttributeValue value;
    if (AtLiteral(cursor_)) {
      if (!ReadLiteral(&cursor_, "root", &value)) return std::nullopt;
    } else if (!ReadSum()) {
      return std::nullopt;
    }
    if (!IsSetValue(value)) cursor_.AddFaultAt(message, first);
    return AddValue(value);
  }

  // Reads terms with + and - between them.
  std::optional<NodeIndex> ReadSum() {
    std::optional<NodeIndex> sum = ReadTerm();
    while (sum) {
      const bool plus = cursor_.AtSymbol("+");
      if (!plus && !cursor_.AtSymbol("-")) return CheckNoOperator() ? sum : std::nullopt;
      cursor_.Advance();
      const std::optional<NodeIndex> right = ReadTerm();
      if (!right) return std::nullopt;
      sum = AddParent(plus ? UpdateType::kPlus : UpdateType::kMinus, {*sum, *right});
    }
    return sum;
  }

  bool CheckNoOperator() {
    for (const std::string_view symbol : {"*", "/", "%", "||"}) {
      if (cursor_.AtSymbol(symbol)) return FailOperator(symbol);
    }
    return true;
  }
  bool FailOperator(std::string_view symbol) {
    return cursor_.Fail("Unsupported operator in Update Expression. Operator: " +
                        std::string(symbol));
  }

  std::optional<NodeIndex> ReadTerm() {
    if (cursor_.At(TokenType::kParameter)) return tree_.AddPlaceholder(cursor_.TakeParameter());
    if (AtLiteral(cursor_)) {
      AttributeValue value;
      if (!ReadLiteral(&cursor_, "root", &value)) return std::nullopt;
      return AddValue(value);
    }
    if (cursor_.AtSymbol("(")) return ReadGroup();
    if (cursor_.AtWord("not")) {
      FailOperator("not");
      return std::nullopt;
    }
    if (cursor_.AcceptWord("missing")) {
      cursor_.AddFault("MISSING must be compared using IS operator");
      return AddValue(nullptr);
    }
    if (cursor_.AtFunction()) return ReadFunction();
    Path path;
    if (!ReadPath(&cursor_, &path)) return std::nullopt;
    return tree_.AddPath(path);
  }

  std::optional<NodeIndex> ReadGroup() {
    cursor_.Advance();
    if (!cursor_.EnterNesting()) return std::nullopt;
    const std::optional<NodeIndex> inner = ReadSum();
    cursor_.LeaveNesting();
    if (!inner || !cursor_.ExpectSymbol(")")) return std::nullopt;
    return inner;
  }

  std::optional<NodeIndex> ReadFunction() {
    const std::string name = cursor_.TakeFunction();
    std::vector<NodeIndex> operands;
    const auto read_operand = [&] {
      const std::optional<NodeIndex> operand = ReadSum();
      if (operand) operands.push_back(*operand);
      return operand.has_value();
    };
    const bool read = cursor_.AcceptSymbol(")") || cursor_.ReadElements(")", read_operand);
    return read ? std::optional(AddFunction(name, operands)) : std::nullopt;
  }

  NodeIndex AddFunction(const std::string& name, const std::vector<NodeIndex>& operands) {
    for (const UpdateType kind : {UpdateType::kIfNotExists, UpdateType::kListAppend}) {
      if (name == engine::UpdateOperatorName(kind)) return AddParent(kind, operands);
    }
    const bool known = name == kSizeFunction || engine::FindConditionFunction(name).has_value();
    cursor_.AddFault((known ? "The function is not allowed in an update expression; function: "
                            : "Unrecognized function: ") +
                     name);
    return AddValue(nullptr);
  }

  // Adds the value. A value that is not supported is a fault, and NULL takes its place.
  NodeIndex AddValue(const AttributeValue& value) {
    return cursor_.status().ok() ? tree_.AddValue(value) : tree_.AddValue(nullptr);
  }
  NodeIndex AddParent(UpdateType kind, const std::vector<NodeIndex>& children) {
    engine::UpdateNode node;
    node.kind = kind;
    return tree_.AddParent(node, children);
  }

  TokenCursor& cursor_;
  Statement& statement_;
  engine::TreeComposer<engine::UpdateSyntax> tree_;
};

}  // namespace

bool ParseUpdateClauses(TokenCursor* cursor, Statement* statement) {
  return UpdateParser(cursor, statement).Parse();
}

}  // namespace dolmen::database
