// Syntax trees of expressions. The parsers create trees from texts. Builders create trees from
// parts (compose.h). The placeholders of a tree are not yet resolved.
//
// A tree owns its text and contains no pointers, so the tree can be copied, moved and stored. A
// tree can be bound any number of times, each time with different names and values. Several threads
// may bind the same tree at the same time.

#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/expression.h"
#include "dolmen/internal/lifetime.h"

namespace dolmen::engine {

// The limits of expressions.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
inline constexpr std::size_t kExpressionBytesMax = 4096;     // bytes of the text
inline constexpr std::size_t kExpressionOperatorsMax = 300;  // operators and functions
inline constexpr std::size_t kPathStepsMax = 32;             // steps of one document path

// The source of the tree: an expression, a legacy parameter, which DynamoDB had before expressions
// (database/legacy_parameters.h), or a PartiQL statement (api/database/statement). The limits and error
// messages of the three differ.
enum class Dialect : std::uint8_t { kExpression, kLegacy, kStatement };

// A range of bytes in ExpressionSyntax::text.
struct TextSpan {
  std::uint32_t start = 0;
  std::uint32_t size = 0;
};

// A step of a document path.
struct PathStepSyntax {
  enum class Kind : std::uint8_t { kName, kPlaceholder, kIndex };
  Kind kind = Kind::kName;
  TextSpan text;            // kName: the name; kPlaceholder: the token with its '#'
  std::uint32_t index = 0;  // the list index of a kIndex
};

// A document path: a range of ExpressionSyntax::steps.
struct PathSyntax {
  std::uint16_t first_step = 0;
  std::uint16_t step_count = 0;
};

// A value: the token of a placeholder with its ':' or, in built trees, a literal. A parameter of a
// statement is a placeholder whose token is ParameterToken of its number.
struct ValueSyntax {
  TextSpan text;                              // the token, or the payload of the literal
  AttributeType type = AttributeType::kNull;  // the type of a literal
  bool literal = false;                       // true: a literal; false: a placeholder
};

// Returns the token of a parameter in the trees of a statement: ":0" for the first `?`.
std::string ParameterToken(std::uint32_t parameter);
// Returns the number of the parameter with the token.
std::uint32_t ParameterNumber(std::string_view token);

// The fields that every syntax tree has.
struct ExpressionSyntax {
  // The text of the expression. A built tree has the names and the bytes of the literals here
  // instead. The type is a vector because moving a vector leaves its characters in place. Bound
  // expressions therefore stay valid when the tree is moved. A move of a short std::string would
  // move the characters.
  std::vector<char> text;
  boost::container::small_vector<PathStepSyntax, 4> steps;
  Dialect dialect = Dialect::kExpression;

  std::string_view Text(TextSpan span) const DOLMEN_LIFETIME_BOUND {
    return {text.data() + span.start, span.size};
  }
  std::span<const PathStepSyntax> Steps(PathSyntax path) const DOLMEN_LIFETIME_BOUND {
    return {steps.data() + path.first_step, path.step_count};
  }
};

// A walk over a tree does one of these after it has visited a node.
enum class WalkStep : std::uint8_t {
  kInto,  // visit the children of the node
  kPast,  // do not visit the nodes below it
  kStop,  // visit no further node
};

// A tree of operands and operators. Children precede their parents, so the root of a condition is
// the last node. An update has one root per action. The nodes of an action are adjacent, and the
// actions keep their order.
template <typename Node>
struct TreeSyntax : ExpressionSyntax {
  boost::container::small_vector<Node, 8> nodes;
  boost::container::small_vector<std::uint16_t, 8> children;  // indexes in `nodes`

  std::span<const std::uint16_t> Children(const Node& node) const DOLMEN_LIFETIME_BOUND {
    return {children.data() + node.first_child, node.child_count};
  }

  // Calls `visit`, a WalkStep(std::uint16_t), for the index of `root` and for the nodes below it: a parent
  // before its children, and these from left to right. Returns false if `visit` has returned kStop. The walk
  // does not recurse, because 300 operators may nest.
  template <typename Visit>
  bool Walk(std::uint16_t root, Visit visit) const {
    boost::container::small_vector<std::uint16_t, 16> pending = {root};  // the next node last
    while (!pending.empty()) {
      const std::uint16_t index = pending.back();
      pending.pop_back();
      const WalkStep step = visit(index);
      if (step == WalkStep::kStop) return false;
      if (step == WalkStep::kPast) continue;
      const auto below = Children(nodes[index]);
      pending.insert(pending.end(), below.rbegin(), below.rend());
    }
    return true;
  }

  // Adds a node without children and returns the index of the node.
  // REQUIRES: in Add and in AddParent, `nodes` and `children` have fewer than 2^16 elements.
  std::uint16_t Add(const Node& node) {
    nodes.push_back(node);
    return static_cast<std::uint16_t>(nodes.size() - 1);
  }
  // Adds a node with children and returns the index of the node.
  std::uint16_t AddParent(Node node, std::span<const std::uint16_t> indexes) {
    node.first_child = static_cast<std::uint16_t>(children.size());
    node.child_count = static_cast<std::uint16_t>(indexes.size());
    children.insert(children.end(), indexes.begin(), indexes.end());
    return Add(node);
  }
};

// The operators and functions that return true or false.
enum class ConditionOperator : std::uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kBetween,
  kIn,
  kAttributeExists,
  kAttributeNotExists,
  kAttributeType,
  kBeginsWith,
  kContains,
  kNotContains,  // legacy parameters only; false for an absent attribute, unlike NOT contains
};

// Returns the operator as it is written in an expression: "=", "BETWEEN", "attribute_exists".
std::string_view ConditionOperatorName(ConditionOperator op);
// Returns the function with this name, or nothing. size() is not among them.
std::optional<ConditionOperator> FindConditionFunction(std::string_view name);

// A node of a condition.
struct ConditionNode {
  enum class Kind : std::uint8_t {
    kPath,       // an operand
    kValue,      // an operand
    kSize,       // an operand: size(); binding rejects a number of children other than 1
    kPredicate,  // `op` on its children, which are operands in the order of the text
    kAnd,        // two or more conditions
    kOr,         // two or more conditions
    kNot,        // one condition
  };
  Kind kind = Kind::kPath;
  ConditionOperator op = ConditionOperator::kEqual;  // kPredicate only
  PathSyntax path = {};                              // kPath
  ValueSyntax value = {};                            // kValue
  std::uint16_t first_child = 0;                     // in TreeSyntax::children
  std::uint16_t child_count = 0;
};

// The tree of a ConditionExpression, FilterExpression or KeyConditionExpression.
struct ConditionSyntax : TreeSyntax<ConditionNode> {
  std::uint16_t root = 0;  // index in `nodes`
};

// The tree of a ProjectionExpression.
struct ProjectionSyntax : ExpressionSyntax {
  std::vector<PathSyntax> paths;
};

// A node in the value that an action assigns, adds or deletes.
struct UpdateNode {
  enum class Kind : std::uint8_t { kPath, kValue, kIfNotExists, kListAppend, kPlus, kMinus };
  Kind kind = Kind::kPath;
  PathSyntax path = {};           // kPath
  ValueSyntax value = {};         // kValue
  std::uint16_t first_child = 0;  // in TreeSyntax::children
  std::uint16_t child_count = 0;
};

// Returns the operator as it is written in an expression: "if_not_exists", "list_append", "+", "-".
// REQUIRES: `kind` is neither kPath nor kValue.
std::string_view UpdateOperatorName(UpdateNode::Kind kind);

// An action of an update: the keyword of the section, a target path and a value.
struct UpdateActionSyntax {
  enum class Kind : std::uint8_t { kSet, kRemove, kAdd, kDelete };
  Kind kind = Kind::kSet;
  PathSyntax target;
  // The index of the root node of the value. For kAdd and kDelete the node is a kValue. Not set for
  // kRemove.
  std::uint16_t value = 0;
};

// The tree of an UpdateExpression.
struct UpdateSyntax : TreeSyntax<UpdateNode> {
  boost::container::small_vector<UpdateActionSyntax, 4> actions;
};

// Append the structure and the texts of the tree to `*out`. If two trees append equal bytes, they have
// the same meaning for the same names and values. TransactWriteItems recognizes a repeated request by
// these bytes. Threads may call these functions at the same time with different `out`.
void AppendSyntax(const ConditionSyntax& syntax, std::string* out);
void AppendSyntax(const UpdateSyntax& syntax, std::string* out);

}  // namespace dolmen::engine
