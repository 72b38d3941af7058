#include "engine/expression/syntax/parser.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/deep.h"
#include "engine/base/status_macros.h"
#include "engine/expression/syntax/syntax.h"
#include "engine/expression/syntax/token_reader.h"

namespace dolmen::engine {
namespace {

std::optional<ConditionOperator> ToComparator(TokenKind kind) {
  if (kind < TokenKind::kEqual || kind > TokenKind::kGreaterOrEqual) return std::nullopt;
  static_assert(static_cast<int>(TokenKind::kGreaterOrEqual) -
                    static_cast<int>(TokenKind::kEqual) ==
                static_cast<int>(ConditionOperator::kGreaterOrEqual));
  return static_cast<ConditionOperator>(static_cast<int>(kind) -
                                        static_cast<int>(TokenKind::kEqual));
}

// A recursive-descent parser whose functions that nest are coroutines. The Read functions return the index of
// a node, or kFailed. At `(a`
// the parser cannot know if an operand begins, as in `(a) = :x`, or a condition, as in `(a = :x)`.
// The parser accepts both. Later tokens show if an operand or a condition was required.
class ConditionParser {
 private:
  using Kind = ConditionNode::Kind;
  using NodeIndex = std::uint16_t;

  static constexpr NodeIndex kFailed = Nesting::kNone;

  // The deepest valid nesting of parentheses. Each operator may be enclosed in a pair. Inside the
  // innermost operator, a function call, a size() in the call and the operand may each add a pair.
  static constexpr std::size_t kDepthMax = kExpressionOperatorsMax + 4;

 public:
  ConditionParser(std::string_view text, ExpressionKind kind)
      : reader_(text, kind, &syntax_), nesting_(&reader_, kDepthMax) {}

  Result<ConditionSyntax> Parse() {
    const NodeIndex root = ReadOr().Run();
    if (root != kFailed && RequireCondition(root)) reader_.Expect(TokenKind::kEnd);
    DOLMEN_RETURN_IF_ERROR(reader_.Finish());
    syntax_.root = root;
    return std::move(syntax_);
  }

 private:
  using Reading = Deep<NodeIndex> (ConditionParser::*)();

  Deep<NodeIndex> ReadOr() { return ReadChain(Kind::kOr, Keyword::kOr, &ConditionParser::ReadAnd); }
  Deep<NodeIndex> ReadAnd() {
    return ReadChain(Kind::kAnd, Keyword::kAnd, &ConditionParser::ReadNot);
  }

  Deep<NodeIndex> ReadChain(Kind kind, Keyword keyword, Reading read_next) {
    NodeIndex node = co_await (this->*read_next)();
    if (node == kFailed || !reader_.At(keyword)) co_return node;
    const std::size_t base = pending_.size();
    while (true) {
      if (!RequireCondition(node)) co_return kFailed;
      pending_.push_back(node);
      if (!reader_.Accept(keyword)) co_return AddParent(kind, base);
      node = co_await (this->*read_next)();
      if (node == kFailed) co_return kFailed;
    }
  }

  Deep<NodeIndex> ReadNot() { return reader_.At(Keyword::kNot) ? ReadNegated() : ReadPrimary(); }

  // DynamoDB's documentation allows NOT before any condition, which includes another NOT. DynamoDB
  // Local accepts two NOTs in a row.
  Deep<NodeIndex> ReadNegated() {
    bool negated = false;
    while (reader_.Accept(Keyword::kNot)) negated = !negated;
    const NodeIndex node = co_await ReadPrimary();
    if (node == kFailed || !RequireCondition(node)) co_return kFailed;
    nesting_.AllowParentheses();
    if (!negated) co_return node;
    pending_.push_back(node);
    co_return AddParent(Kind::kNot, pending_.size() - 1);
  }

  Deep<NodeIndex> ReadPrimary() {
    NodeIndex node = kFailed;
    if (reader_.At(TokenKind::kLeftParenthesis)) {
      node = co_await ReadGroup(&ConditionParser::ReadOr);
    } else if (reader_.AtFunction()) {
      node = co_await ReadFunction();
    } else {
      node = ReadLeaf();
    }
    if (node == kFailed || !CanBeOperand(node)) co_return node;
    const std::size_t base = pending_.size();
    if (const auto comparator = ToComparator(reader_.current().kind)) {
      reader_.Accept(reader_.current().kind);
      PushOperand(node);
      const bool read = co_await ReadAndPushOperand();
      co_return read ? AddParent(Kind::kPredicate, base, *comparator) : kFailed;
    }
    if (reader_.Accept(Keyword::kBetween)) {
      PushOperand(node);
      const bool read_lower = co_await ReadAndPushOperand();
      if (!read_lower || !reader_.Expect(Keyword::kAnd)) co_return kFailed;
      const bool read_upper = co_await ReadAndPushOperand();
      if (!read_upper) co_return kFailed;
      co_return AddParent(Kind::kPredicate, base, ConditionOperator::kBetween);
    }
    if (reader_.Accept(Keyword::kIn)) {
      PushOperand(node);
      if (!reader_.Expect(TokenKind::kLeftParenthesis)) co_return kFailed;
      const bool read = co_await ReadAndPushOperands();
      co_return read ? AddParent(Kind::kPredicate, base, ConditionOperator::kIn) : kFailed;
    }
    co_return node;
  }

  Deep<NodeIndex> ReadOperand() {
    if (reader_.At(TokenKind::kLeftParenthesis)) {
      co_return co_await ReadGroup(&ConditionParser::ReadOperand);
    }
    if (reader_.AtFunction()) co_return co_await ReadFunction();
    co_return ReadLeaf();
  }

  Deep<NodeIndex> ReadGroup(Reading read_inner) {
    reader_.Accept(TokenKind::kLeftParenthesis);
    if (!nesting_.EnterParentheses()) co_return kFailed;
    const NodeIndex node = co_await (this->*read_inner)();
    if (node == kFailed || !reader_.Expect(TokenKind::kRightParenthesis)) co_return kFailed;
    nesting_.LeaveParentheses();
    nesting_.CheckRedundancy(node);
    const bool extended = reader_.At(TokenKind::kDot) || reader_.At(TokenKind::kLeftBracket);
    if (syntax_.nodes[node].kind == Kind::kPath && extended) {  // (a.b).c
      nesting_.AllowParentheses();
      if (!reader_.ReadMoreSteps(&syntax_.nodes[node].path)) co_return kFailed;
    }
    co_return node;
  }

  // Reads a value or a path.
  NodeIndex ReadLeaf() {
    ConditionNode node;
    if (reader_.At(TokenKind::kValuePlaceholder)) {
      node.kind = Kind::kValue;
      reader_.ReadValue(&node.value);
      return syntax_.Add(node);
    }
    if (!reader_.ReadPath(&node.path)) return kFailed;
    return syntax_.Add(node);
  }

  Deep<NodeIndex> ReadFunction() {
    const std::string_view name = reader_.current().text;
    reader_.Accept(TokenKind::kName);
    reader_.Accept(TokenKind::kLeftParenthesis);
    const std::size_t base = pending_.size();
    if (!nesting_.EnterParentheses()) co_return kFailed;
    const bool read = co_await ReadAndPushOperands();
    if (!read) co_return kFailed;
    nesting_.LeaveParentheses();
    if (name == "size") co_return AddParent(Kind::kSize, base);
    const std::optional<ConditionOperator> op = FindConditionFunction(name);
    if (!op) AddUnknownFunctionFault(name);
    co_return AddParent(Kind::kPredicate, base, op.value_or(ConditionOperator::kAttributeExists));
  }

  void AddUnknownFunctionFault(std::string_view name) {
    const bool is_update_function = name == UpdateOperatorName(UpdateNode::Kind::kIfNotExists) ||
                                    name == UpdateOperatorName(UpdateNode::Kind::kListAppend);
    reader_.AddFault(
        Fault::kConditionFunction,
        (is_update_function ? "The function is not allowed in a condition expression; function: "
                            : "Invalid function name; function: ") +
            std::string(name));
  }

  // Reads operands and the closing parenthesis that follows them.
  Deep<bool> ReadAndPushOperands() {
    do {
      const bool read = co_await ReadAndPushOperand();
      if (!read) co_return false;
    } while (reader_.Accept(TokenKind::kComma));
    co_return reader_.Expect(TokenKind::kRightParenthesis);
  }

  Deep<bool> ReadAndPushOperand() {
    const NodeIndex node = co_await ReadOperand();
    if (node == kFailed) co_return false;
    PushOperand(node);
    co_return true;
  }

  void PushOperand(NodeIndex index) {
    const ConditionNode& node = syntax_.nodes[index];
    if (node.kind == Kind::kPredicate)
      reader_.AddMisusedFunctionFault(ConditionOperatorName(node.op));
    pending_.push_back(index);
  }

  // Returns true for a path, a value and size(), which are operands. Returns true for other
  // functions, too, because DynamoDB reports them as misused functions, not as syntax errors.
  // Returns false for all other conditions, because they are syntax errors where an operand is
  // required.
  bool CanBeOperand(NodeIndex index) const {
    const ConditionNode& node = syntax_.nodes[index];
    return node.kind == Kind::kPath || node.kind == Kind::kValue || node.kind == Kind::kSize ||
           (node.kind == Kind::kPredicate && node.op >= ConditionOperator::kAttributeExists);
  }

  // Checks that the node is a condition. Called when the tokens after the node show that a
  // condition is required. For a path or a value, adds a syntax error and returns false.
  bool RequireCondition(NodeIndex index) {
    const Kind kind = syntax_.nodes[index].kind;
    if (kind == Kind::kPath || kind == Kind::kValue) return reader_.Fail();
    if (kind == Kind::kSize) reader_.AddMisusedFunctionFault("size");
    return true;
  }

  // Adds a node. Its children are the elements of pending_ from position `base` on.
  NodeIndex AddParent(Kind kind, std::size_t base,
                      ConditionOperator op = ConditionOperator::kEqual) {
    ConditionNode node;
    node.kind = kind;
    node.op = op;
    const NodeIndex added = syntax_.AddParent(node, std::span(pending_).subspan(base));
    pending_.resize(base);
    return added;
  }

  ConditionSyntax syntax_;
  TokenReader reader_;
  Nesting nesting_;
  std::vector<NodeIndex> pending_;  // nodes whose parent is not complete yet
};

}  // namespace

Result<ConditionSyntax> ParseCondition(std::string_view text, ExpressionKind kind) {
  DOLMEN_RETURN_IF_ERROR(CheckTextSize(text, kind));
  return ConditionParser(text, kind).Parse();
}

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
  return FindConditionFunction(name) || name == "size";
}

// A recursive-descent parser whose functions that nest are coroutines. The functions that read a node return
// the index of the node, or kFailed. The functions that read a section or an action return false on a failure.
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
  using Reading = Deep<NodeIndex> (UpdateParser::*)();

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
      action.value = ReadSetValue().Run();
    } else if (kind != ActionKind::kRemove) {
      action.value = ReadValue();
    }
    if (action.value == kFailed) return false;
    syntax_.actions.push_back(action);
    return true;
  }

  // Reads a value with at most one "+" or "-", because DynamoDB's grammar allows no sum of three
  // operands.
  Deep<NodeIndex> ReadSetValue() {
    NodeIndex left = kFailed;
    if (reader_.At(TokenKind::kLeftParenthesis)) {
      left = co_await ReadGroup(&UpdateParser::ReadSetValue);
    } else if (reader_.AtFunction()) {
      left = co_await ReadFunction();
    } else {
      left = ReadLeaf();
    }
    if (left == kFailed || IsSum(left)) co_return left;
    Kind kind = Kind::kPlus;
    if (reader_.Accept(TokenKind::kMinus)) {
      kind = Kind::kMinus;
    } else if (!reader_.Accept(TokenKind::kPlus)) {
      co_return left;
    }
    const std::size_t base = pending_.size();
    PushOperand(left);
    const NodeIndex right = co_await ReadOperand();
    if (right == kFailed) co_return kFailed;
    PushOperand(right);
    co_return AddParent(kind, base);
  }

  bool IsSum(NodeIndex node) const {
    const Kind kind = syntax_.nodes[node].kind;
    return kind == Kind::kPlus || kind == Kind::kMinus;
  }

  Deep<NodeIndex> ReadOperand() {
    if (reader_.At(TokenKind::kLeftParenthesis)) {
      co_return co_await ReadGroup(&UpdateParser::ReadOperand);
    }
    if (reader_.AtFunction()) co_return co_await ReadFunction();
    co_return ReadLeaf();
  }

  Deep<NodeIndex> ReadGroup(Reading read_inner) {
    reader_.Accept(TokenKind::kLeftParenthesis);
    if (!nesting_.EnterParentheses()) co_return kFailed;
    const NodeIndex node = co_await (this->*read_inner)();
    if (node == kFailed || !reader_.Expect(TokenKind::kRightParenthesis)) co_return kFailed;
    nesting_.LeaveParentheses();
    nesting_.CheckRedundancy(node);
    co_return node;
  }

  // Reads a value or a path.
  NodeIndex ReadLeaf() {
    if (reader_.At(TokenKind::kValuePlaceholder)) return ReadValue();
    UpdateNode node;
    if (!reader_.ReadPath(&node.path)) return kFailed;
    return syntax_.Add(node);
  }

  NodeIndex ReadValue() {
    UpdateNode node;
    node.kind = Kind::kValue;
    return reader_.ReadValue(&node.value) ? syntax_.Add(node) : kFailed;
  }

  Deep<NodeIndex> ReadFunction() {
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
    if (!nesting_.EnterParentheses()) co_return kFailed;
    do {
      const NodeIndex operand = co_await ReadOperand();
      if (operand == kFailed) co_return kFailed;
      PushOperand(operand);
    } while (reader_.Accept(TokenKind::kComma));
    if (!reader_.Expect(TokenKind::kRightParenthesis)) co_return kFailed;
    nesting_.LeaveParentheses();
    co_return AddParent(kind, base);
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

Result<ProjectionSyntax> ParseProjection(std::string_view text) {
  DOLMEN_RETURN_IF_ERROR(CheckTextSize(text, ExpressionKind::kProjection));
  ProjectionSyntax syntax;
  TokenReader reader(text, ExpressionKind::kProjection, &syntax);
  bool more = true;
  while (more) {
    PathSyntax path;
    if (!reader.ReadPath(&path)) break;
    syntax.paths.push_back(path);
    more = reader.Accept(TokenKind::kComma);
    if (!more) reader.Expect(TokenKind::kEnd);
  }
  DOLMEN_RETURN_IF_ERROR(reader.Finish());
  return syntax;
}

}  // namespace dolmen::engine
