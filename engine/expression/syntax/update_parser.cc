#include "engine/expression/syntax/update_parser.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "engine/expression/syntax/syntax_limits.h"
#include "engine/expression/syntax/token_reader.h"

namespace dolmen::engine {
namespace {

using ActionKind = UpdateActionSyntax::Kind;

std::optional<ActionKind> ToSection(Keyword keyword) {
  switch (keyword) {
    case Keyword::kSet:
      return ActionKind::kSet;
    case Keyword::kRemove:
      return ActionKind::kRemove;
    case Keyword::kAdd:
      return ActionKind::kAdd;
    case Keyword::kDelete:
      return ActionKind::kDelete;
    default:
      return std::nullopt;
  }
}

std::string_view SectionName(ActionKind kind) {
  switch (kind) {
    case ActionKind::kSet:
      return "SET";
    case ActionKind::kRemove:
      return "REMOVE";
    case ActionKind::kAdd:
      return "ADD";
    case ActionKind::kDelete:
      return "DELETE";
  }
  return "";
}

bool IsConditionFunction(std::string_view name) {
  for (const ConditionOperator op :
       {ConditionOperator::kAttributeExists, ConditionOperator::kAttributeNotExists,
        ConditionOperator::kAttributeType, ConditionOperator::kBeginsWith,
        ConditionOperator::kContains}) {
    if (name == ConditionOperatorName(op)) return true;
  }
  return name == "size";
}

// A recursive-descent parser. The functions that read a node return the index of the node, or
// kFailed. The functions that read a section or an action return false on a failure.
class UpdateParser {
 private:
  using Kind = UpdateNode::Kind;
  using NodeIndex = std::uint16_t;

  static constexpr NodeIndex kFailed = Nesting::kNone;

  // The deepest valid nesting of parentheses. Functions that nest reach this depth: each function
  // has its own pair and may be enclosed in one more pair, and so may the innermost operand.
  static constexpr std::size_t kDepthMax = 2 * kExpressionOperatorsMax + 1;

 public:
  explicit UpdateParser(std::string_view text)
      : reader_(text, ExpressionKind::kUpdate, &syntax_), nesting_(&reader_, kDepthMax) {}

  Result<UpdateSyntax> Parse() {
    do {
      if (!ReadSection()) break;
    } while (!reader_.At(TokenKind::kEnd));
    DOLMEN_RETURN_IF_ERROR(reader_.Finish());
    return std::move(syntax_);
  }

 private:
  using Reading = NodeIndex (UpdateParser::*)();

  bool ReadSection() {
    const std::optional<ActionKind> kind = ToSection(reader_.current().keyword);
    if (!kind) return reader_.Fail();
    reader_.Accept(TokenKind::kName);
    const unsigned bit = 1U << static_cast<unsigned>(*kind);
    if ((sections_ & bit) != 0) {
      reader_.AddFault(Fault::kRepeatedSection,
                       std::string("The \"")
                           .append(SectionName(*kind))
                           .append("\" section can only be used once in an update expression;"));
    }
    sections_ |= bit;
    do {
      if (!ReadAction(*kind)) return false;
    } while (reader_.Accept(TokenKind::kComma));
    return true;
  }

  bool ReadAction(ActionKind kind) {
    UpdateActionSyntax action;
    action.kind = kind;
    if (!reader_.ReadPath(&action.target)) return false;
    if (kind == ActionKind::kSet) {
      if (!reader_.Expect(TokenKind::kEqual)) return false;
      action.value = ReadSetValue();
    } else if (kind != ActionKind::kRemove) {
      action.value = ReadValue();
    }
    if (action.value == kFailed) return false;
    syntax_.actions.push_back(action);
    return true;
  }

  // Reads a value with at most one "+" or "-", because DynamoDB's grammar allows no sum of three
  // operands.
  NodeIndex ReadSetValue() {
    const NodeIndex left = reader_.At(TokenKind::kLeftParenthesis)
                               ? ReadGroup(&UpdateParser::ReadSetValue)
                               : ReadSimpleOperand();
    if (left == kFailed || IsSum(left)) return left;
    Kind kind = Kind::kPlus;
    if (reader_.Accept(TokenKind::kMinus)) {
      kind = Kind::kMinus;
    } else if (!reader_.Accept(TokenKind::kPlus)) {
      return left;
    }
    const std::size_t base = pending_.size();
    PushOperand(left);
    const NodeIndex right = ReadOperand();
    if (right == kFailed) return kFailed;
    PushOperand(right);
    return AddParent(kind, base);
  }

  bool IsSum(NodeIndex node) const {
    const Kind kind = syntax_.nodes[node].kind;
    return kind == Kind::kPlus || kind == Kind::kMinus;
  }

  NodeIndex ReadOperand() {
    return reader_.At(TokenKind::kLeftParenthesis) ? ReadGroup(&UpdateParser::ReadOperand)
                                                   : ReadSimpleOperand();
  }

  NodeIndex ReadGroup(Reading read_inner) {
    reader_.Accept(TokenKind::kLeftParenthesis);
    if (!nesting_.EnterParentheses()) return kFailed;
    const NodeIndex node = (this->*read_inner)();
    if (node == kFailed || !reader_.Expect(TokenKind::kRightParenthesis)) return kFailed;
    nesting_.LeaveParentheses();
    nesting_.CheckRedundancy(node);
    return node;
  }

  NodeIndex ReadSimpleOperand() {
    if (reader_.At(TokenKind::kValuePlaceholder)) return ReadValue();
    if (reader_.AtFunction()) return ReadFunction();
    UpdateNode node;
    if (!reader_.ReadPath(&node.path)) return kFailed;
    return syntax_.Add(node);
  }

  NodeIndex ReadValue() {
    UpdateNode node;
    node.kind = Kind::kValue;
    return reader_.ReadValue(&node.value) ? syntax_.Add(node) : kFailed;
  }

  NodeIndex ReadFunction() {
    const std::string_view name = reader_.current().text;
    reader_.Accept(TokenKind::kName);
    reader_.Accept(TokenKind::kLeftParenthesis);
    Kind kind = Kind::kIfNotExists;
    if (name == UpdateOperatorName(Kind::kListAppend)) {
      kind = Kind::kListAppend;
    } else if (name != UpdateOperatorName(Kind::kIfNotExists)) {
      AddUnknownFunctionFault(name);
    }
    const std::size_t base = pending_.size();
    if (!nesting_.EnterParentheses()) return kFailed;
    do {
      const NodeIndex operand = ReadOperand();
      if (operand == kFailed) return kFailed;
      PushOperand(operand);
    } while (reader_.Accept(TokenKind::kComma));
    if (!reader_.Expect(TokenKind::kRightParenthesis)) return kFailed;
    nesting_.LeaveParentheses();
    return AddParent(kind, base);
  }

  // Adds an operand of the node that is being read. DynamoDB allows list_append only as the whole
  // value of an action. A list_append as an operand is an error, even in another list_append.
  void PushOperand(NodeIndex index) {
    if (syntax_.nodes[index].kind == Kind::kListAppend) {
      reader_.AddMisusedFunctionFault(UpdateOperatorName(Kind::kListAppend));
    }
    pending_.push_back(index);
  }

  void AddUnknownFunctionFault(std::string_view name) {
    reader_.AddFault(Fault::kUpdateFunction,
                     (IsConditionFunction(name)
                          ? "The function is not allowed in an update expression; function: "
                          : "Invalid function name; function: ") +
                         std::string(name));
  }

  // Adds a node. Its children are the elements of pending_ from position `base` on.
  NodeIndex AddParent(Kind kind, std::size_t base) {
    UpdateNode node;
    node.kind = kind;
    const NodeIndex added = syntax_.AddParent(node, std::span(pending_).subspan(base));
    pending_.resize(base);
    return added;
  }

  UpdateSyntax syntax_;
  TokenReader reader_;
  Nesting nesting_;
  std::vector<NodeIndex> pending_;  // nodes whose parent is not complete yet
  unsigned sections_ = 0;           // one bit for each kind of section read so far
};

}  // namespace

Result<UpdateSyntax> ParseUpdate(std::string_view text) {
  DOLMEN_RETURN_IF_ERROR(CheckTextSize(text, ExpressionKind::kUpdate));
  return UpdateParser(text).Parse();
}

}  // namespace dolmen::engine
