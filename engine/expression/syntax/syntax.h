// Expressions as plain syntax trees: what a text says before its placeholders are known, or what a
// builder has put together (compose.h).
//
// A tree owns its text and holds no pointers, so it can be copied, moved, kept, and bound any
// number of times, to other names and values each time, by any number of threads at once.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/expression.h"
#include "dolmen/lifetime.h"

namespace dolmen::engine {

// How a request says what a tree means: as an expression, or by the parameters that there were
// before expressions (dolmen/legacy_parameters.h), which have other limits and other words for
// errors.
enum class Dialect : std::uint8_t { kExpression, kLegacy };

// A stretch of an expression's text.
struct TextSpan {
  std::uint32_t start = 0;
  std::uint32_t size = 0;
};

struct PathStepSyntax {
  enum class Kind : std::uint8_t { kName, kPlaceholder, kIndex };
  Kind kind = Kind::kName;
  TextSpan text;            // kName: the name; kPlaceholder: the token with its '#'
  std::uint32_t index = 0;  // kIndex
};

// A stretch of ExpressionSyntax::steps.
struct PathSyntax {
  std::uint16_t first_step = 0;
  std::uint16_t step_count = 0;
};

// A value: a placeholder's token with its ':', or, in built trees, the encoded value itself.
struct ValueSyntax {
  TextSpan text;
  AttributeType type = AttributeType::kNull;  // of a literal
  bool literal = false;
};

// What the trees have in common.
struct ExpressionSyntax {
  // Not a std::string: a vector's characters stay where they are when it is moved, so that what is
  // bound to a tree survives the tree's moves.
  std::vector<char> text;  // a built tree's is its names and its literals' bytes
  std::vector<PathStepSyntax> steps;
  Dialect dialect = Dialect::kExpression;

  std::string_view Text(TextSpan span) const DOLMEN_LIFETIME_BOUND {
    return {text.data() + span.start, span.size};
  }
  std::span<const PathStepSyntax> Steps(PathSyntax path) const DOLMEN_LIFETIME_BOUND {
    return std::span(steps).subspan(path.first_step, path.step_count);
  }
};

// A tree of operands and operators on them.  Children come before their parents, so that the root
// comes last; of an update, which has a root for each action, the nodes of one action come together
// and in the order of the actions.
template <typename Node>
struct TreeSyntax : ExpressionSyntax {
  std::vector<Node> nodes;
  std::vector<std::uint16_t> children;  // indexes of nodes

  std::span<const std::uint16_t> Children(const Node& node) const DOLMEN_LIFETIME_BOUND {
    return std::span(children).subspan(node.first_child, node.child_count);
  }

  // Each returns the index of the node added.  REQUIRES: there is room for it.
  std::uint16_t Add(const Node& node) {
    nodes.push_back(node);
    return static_cast<std::uint16_t>(nodes.size() - 1);
  }
  std::uint16_t AddParent(Node node, std::span<const std::uint16_t> of) {
    node.first_child = static_cast<std::uint16_t>(children.size());
    node.child_count = static_cast<std::uint16_t>(of.size());
    children.insert(children.end(), of.begin(), of.end());
    return Add(node);
  }
};

// What compares operands and is true or false.
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
};

// As an expression writes it: "=", "BETWEEN", "attribute_exists".
std::string_view ConditionOperatorName(ConditionOperator op);

struct ConditionNode {
  enum class Kind : std::uint8_t {
    kPath,       // operand
    kValue,      // operand
    kSize,       // operand; its children are the function's operands, of which there should be one
    kPredicate,  // `op` of its children, which are operands, in the order written
    kAnd,        // of two or more conditions
    kOr,         // of two or more conditions
    kNot,        // of one condition
  };
  Kind kind = Kind::kPath;
  ConditionOperator op = ConditionOperator::kEqual;  // kPredicate
  PathSyntax path = {};                              // kPath
  ValueSyntax value = {};                            // kValue
  std::uint16_t first_child = 0;                     // in TreeSyntax::children
  std::uint16_t child_count = 0;
};

// A ConditionExpression, FilterExpression or KeyConditionExpression.
struct ConditionSyntax : TreeSyntax<ConditionNode> {
  std::uint16_t root = 0;
};

struct ProjectionSyntax : ExpressionSyntax {
  std::vector<PathSyntax> paths;
};

// An operand of SET.
struct UpdateNode {
  enum class Kind : std::uint8_t { kPath, kValue, kIfNotExists, kListAppend, kPlus, kMinus };
  Kind kind = Kind::kPath;
  PathSyntax path = {};           // kPath
  ValueSyntax value = {};         // kValue
  std::uint16_t first_child = 0;  // in TreeSyntax::children; functions may have any number
  std::uint16_t child_count = 0;
};

// As an expression writes it: "if_not_exists", "list_append", "+", "-".
// REQUIRES: kind is neither kPath nor kValue
std::string_view UpdateOperatorName(UpdateNode::Kind kind);

struct UpdateActionSyntax {
  enum class Kind : std::uint8_t { kSet, kRemove, kAdd, kDelete };
  Kind kind = Kind::kSet;
  PathSyntax target;
  std::uint16_t value = 0;  // index of a node, which is a kValue for kAdd and kDelete; not kRemove
};

struct UpdateSyntax : TreeSyntax<UpdateNode> {
  std::vector<UpdateActionSyntax> actions;
};

}  // namespace dolmen::engine
