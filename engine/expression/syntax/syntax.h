// Syntax trees of expressions.  The parsers create them from texts, whose placeholders are not yet
// resolved.  Builders create them from parts (compose.h).
//
// A tree owns its text and contains no pointers, so it can be copied, moved and kept.  It can be
// bound any number of times, each time to other names and values.  Threads may bind the same tree
// at the same time.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dolmen/attribute_value.h"
#include "dolmen/expression.h"
#include "dolmen/lifetime.h"

namespace dolmen::engine {

// The form in which the request contains the tree: an expression, or a legacy parameter, which is
// older than expressions (dolmen/legacy_parameters.h).  Legacy parameters have other limits and
// other error messages.
enum class Dialect : std::uint8_t { kExpression, kLegacy };

// A part of ExpressionSyntax::text.
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

// A value: the token of a placeholder with its ':', or, in built trees, a literal.
struct ValueSyntax {
  TextSpan text;                              // the token, or the payload of the literal
  AttributeType type = AttributeType::kNull;  // the type of a literal
  bool literal = false;                       // true: a literal; false: a placeholder
};

// The part that all syntax trees share.
struct ExpressionSyntax {
  // The text of the expression.  For a built tree, its names and the bytes of its literals.
  // It is a vector because moving a vector does not move its characters, as moving a short
  // std::string does.  Bound expressions therefore stay valid when the tree is moved.
  std::vector<char> text;
  std::vector<PathStepSyntax> steps;
  Dialect dialect = Dialect::kExpression;

  std::string_view Text(TextSpan span) const DOLMEN_LIFETIME_BOUND {
    return {text.data() + span.start, span.size};
  }
  std::span<const PathStepSyntax> Steps(PathSyntax path) const DOLMEN_LIFETIME_BOUND {
    return std::span(steps).subspan(path.first_step, path.step_count);
  }
};

// A tree of operands and operators.  Children precede their parents, so the root is the last node.
// An update has a root for each action.  The nodes of an action are adjacent, in the order of the
// actions.
template <typename Node>
struct TreeSyntax : ExpressionSyntax {
  std::vector<Node> nodes;
  std::vector<std::uint16_t> children;  // indexes in `nodes`

  std::span<const std::uint16_t> Children(const Node& node) const DOLMEN_LIFETIME_BOUND {
    return std::span(children).subspan(node.first_child, node.child_count);
  }

  // Adds a node without children and returns its index.
  // REQUIRES: `nodes` and `children` stay within 16-bit indexes, here and in AddParent.
  std::uint16_t Add(const Node& node) {
    nodes.push_back(node);
    return static_cast<std::uint16_t>(nodes.size() - 1);
  }
  // Adds a node with children and returns its index.
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
};

// Returns the operator as an expression writes it: "=", "BETWEEN", "attribute_exists".
std::string_view ConditionOperatorName(ConditionOperator op);

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

// A node of the value of an action.
struct UpdateNode {
  enum class Kind : std::uint8_t { kPath, kValue, kIfNotExists, kListAppend, kPlus, kMinus };
  Kind kind = Kind::kPath;
  PathSyntax path = {};           // kPath
  ValueSyntax value = {};         // kValue
  std::uint16_t first_child = 0;  // in TreeSyntax::children; functions may have any number
  std::uint16_t child_count = 0;
};

// Returns the operator as an expression writes it: "if_not_exists", "list_append", "+", "-".
// REQUIRES: `kind` is neither kPath nor kValue.
std::string_view UpdateOperatorName(UpdateNode::Kind kind);

// An action of an update: a section's keyword, a target and a value.
struct UpdateActionSyntax {
  enum class Kind : std::uint8_t { kSet, kRemove, kAdd, kDelete };
  Kind kind = Kind::kSet;
  PathSyntax target;
  // Index of a node.  For kAdd and kDelete it is a kValue.  Not set for kRemove.
  std::uint16_t value = 0;
};

// The tree of an UpdateExpression.
struct UpdateSyntax : TreeSyntax<UpdateNode> {
  std::vector<UpdateActionSyntax> actions;
};

}  // namespace dolmen::engine
