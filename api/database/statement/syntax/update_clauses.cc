#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "database/statement/syntax/clauses.h"
#include "database/statement/syntax/literal_parser.h"
#include "database/statement/syntax/token_cursor.h"
#include "engine/base/deep.h"
#include "engine/expression/compose.h"

namespace dolmen::database {
namespace {

using ActionType = engine::UpdateActionSyntax::Kind;
using NodeIndex = std::uint16_t;
using ReadUpdateNode = engine::Deep<std::optional<NodeIndex>>;
using UpdateType = engine::UpdateNode::Kind;
using TokenType = StatementTokenKind;
using Path = std::vector<PathPart>;

std::string UpperCase(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - ('a' - 'A'));
  }
  return text;
}

// A recursive-descent parser whose functions that nest are coroutines. The Read functions return the index of
// a node, or nothing if the parsing has ended.
class UpdateParser {
 public:
  UpdateParser(TokenCursor* cursor, Statement* statement)
      : cursor_(*cursor), statement_(*statement) {
    tree_.syntax().dialect = engine::Dialect::kStatement;
  }

  bool Parse() {
    if (!cursor_.AtWord("set") && !cursor_.AtWord("remove")) return cursor_.FailManipulation();
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
  // An argument of set_add or set_delete: a path, a parameter, a literal, or another expression.
  struct SetArgument {
    StatementToken start;
    std::variant<std::monostate, Path, std::uint32_t, AttributeValue> value;
  };

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
    const std::optional<NodeIndex> value = ReadSum().Run();
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
    std::vector<SetArgument> arguments;
    if (!cursor_.AcceptSymbol(")") && !ReadSetArguments(&arguments)) return false;
    if (arguments.size() != 2) {
      cursor_.AddFaultAt(name + " must have exactly two arguments", function);
      return true;
    }
    const auto* const path = std::get_if<Path>(&arguments[0].value);
    if (path == nullptr || *path != target) {
      cursor_.AddFaultAt("The first argument to " + name + " must equal the assignment value",
                         function);
    }
    AddAction(kind, target, AddSet(name, arguments));
    return true;
  }

  bool ReadSetArguments(std::vector<SetArgument>* arguments) {
    if (!cursor_.EnterNesting()) return false;
    do {
      if (!ReadSetArgument(&arguments->emplace_back())) return false;
    } while (cursor_.AcceptSymbol(","));
    return cursor_.LeaveNesting(")");
  }

  bool ReadSetArgument(SetArgument* argument) {
    argument->start = cursor_.current();
    if (cursor_.At(TokenType::kParameter)) {
      argument->value = cursor_.parameter_count();
      cursor_.TakeParameter();
      return true;
    }
    if (AtLiteral(cursor_)) {
      return ReadLiteral(&cursor_, &argument->value.emplace<AttributeValue>());
    }
    if (cursor_.AtName() && !cursor_.AtFunction()) {
      return ReadPath(&cursor_, &argument->value.emplace<Path>());
    }
    return ReadSum().Run().has_value();
  }

  // Adds the node of the set. DynamoDB reports a value of another type at the place of the first
  // argument.
  NodeIndex AddSet(const std::string& function, const std::vector<SetArgument>& arguments) {
    const StatementToken& first = arguments[0].start;
    const std::string message =
        "The second argument to " + function + " must be a value with type SET";
    const auto& value = arguments[1].value;
    if (const auto* const parameter = std::get_if<std::uint32_t>(&value)) {
      statement_.set_parameters.push_back({*parameter, cursor_.AtPosition(message, first)});
      return tree_.AddPlaceholder(engine::ParameterToken(*parameter));
    }
    const auto* const set = std::get_if<AttributeValue>(&value);
    if (set != nullptr && IsSetValue(*set)) return AddValue(*set);
    cursor_.AddFaultAt(message, first);
    return AddValue(nullptr);
  }

  // Reads terms with + and - between them.
  ReadUpdateNode ReadSum() {
    std::optional<NodeIndex> sum = co_await ReadTerm();
    while (sum) {
      const bool plus = cursor_.AtSymbol("+");
      if (!plus && !cursor_.AtSymbol("-")) co_return CheckNoOperator() ? sum : std::nullopt;
      cursor_.Advance();
      if (!cursor_.ExpectRightSide()) co_return std::nullopt;
      const std::optional<NodeIndex> right = co_await ReadTerm();
      if (!right) co_return std::nullopt;
      sum = AddParent(plus ? UpdateType::kPlus : UpdateType::kMinus, {*sum, *right});
    }
    co_return sum;
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

  ReadUpdateNode ReadTerm() {
    if (cursor_.At(TokenType::kParameter)) co_return tree_.AddPlaceholder(cursor_.TakeParameter());
    if (AtLiteral(cursor_)) {
      AttributeValue value;
      if (!ReadLiteral(&cursor_, &value)) co_return std::nullopt;
      co_return AddValue(value);
    }
    if (cursor_.AtSymbol("(")) co_return co_await ReadGroup();
    if (cursor_.AtWord("not")) {
      FailOperator("not");
      co_return std::nullopt;
    }
    if (cursor_.AcceptWord("missing")) {
      cursor_.AddFault("MISSING must be compared using IS operator");
      co_return AddValue(nullptr);
    }
    if (cursor_.AtFunction()) co_return co_await ReadFunction();
    Path path;
    if (!ReadPath(&cursor_, &path)) co_return std::nullopt;
    co_return tree_.AddPath(path);
  }

  ReadUpdateNode ReadGroup() {
    cursor_.Advance();
    if (!cursor_.EnterNesting()) co_return std::nullopt;
    const std::optional<NodeIndex> inner = co_await ReadSum();
    if (!inner || !cursor_.LeaveNesting(")")) co_return std::nullopt;
    co_return inner;
  }

  ReadUpdateNode ReadFunction() {
    const StatementToken token = cursor_.current();
    const std::string name = cursor_.TakeFunction();
    std::vector<NodeIndex> operands;
    if (!cursor_.AcceptSymbol(")")) {
      if (!cursor_.EnterNesting()) co_return std::nullopt;
      do {
        const std::optional<NodeIndex> operand = co_await ReadSum();
        if (!operand) co_return std::nullopt;
        operands.push_back(*operand);
      } while (cursor_.AcceptSymbol(","));
      if (!cursor_.LeaveNesting(")")) co_return std::nullopt;
    }
    co_return AddFunction(name, token, operands);
  }

  NodeIndex AddFunction(const std::string& name, const StatementToken& token,
                        const std::vector<NodeIndex>& operands) {
    for (const UpdateType kind : {UpdateType::kIfNotExists, UpdateType::kListAppend}) {
      if (name == engine::UpdateOperatorName(kind)) return AddParent(kind, operands);
    }
    const bool known = name == kSizeFunction || engine::FindConditionFunction(name).has_value();
    if (known) {
      cursor_.AddFault("The function is not allowed in an update expression; function: " + name);
    } else {
      cursor_.AddFaultAt("Unrecognized function: " + name, token);
    }
    return AddValue(nullptr);
  }

  // Adds the value. A value that is not supported is a fault, and NULL takes its place.
  NodeIndex AddValue(const AttributeValue& value) {
    return !cursor_.failed() ? tree_.AddValue(value) : tree_.AddValue(nullptr);
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
