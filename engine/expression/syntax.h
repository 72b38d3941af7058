// Expressions as plain syntax trees: what a text says before its placeholders are known.
//
// A tree owns its text and holds no pointers, so it can be copied, moved, kept, and bound any
// number of times, to other names and values each time, by any number of threads at once.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dolmen/lifetime.h"

namespace dolmen::engine {

// The parameter an expression came in; its error messages begin with the name.
enum class ExpressionKind : std::uint8_t {
  kUpdate,
  kCondition,
  kFilter,
  kKeyCondition,
  kProjection,
};

// DynamoDB's name of the parameter: "UpdateExpression", "ConditionExpression", ...
std::string_view ExpressionKindName(ExpressionKind kind);

// A stretch of an expression's text.
struct TextSpan {
  std::uint16_t start = 0;
  std::uint16_t size = 0;
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

// What the trees have in common.
struct ExpressionSyntax {
  // Not a std::string: a vector's characters stay where they are when it is moved, so that what is
  // bound to a tree survives the tree's moves.
  std::vector<char> text;
  std::vector<PathStepSyntax> steps;

  std::string_view Text(TextSpan span) const DOLMEN_LIFETIME_BOUND {
    return {text.data() + span.start, span.size};
  }
  std::span<const PathStepSyntax> Steps(PathSyntax path) const DOLMEN_LIFETIME_BOUND {
    return std::span(steps).subspan(path.first_step, path.step_count);
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
  PathSyntax path;                                   // kPath
  TextSpan value;                                    // kValue: the token with its ':'
  std::uint16_t first_child = 0;                     // in ConditionSyntax::children
  std::uint16_t child_count = 0;
};

// A ConditionExpression, FilterExpression or KeyConditionExpression.
struct ConditionSyntax : ExpressionSyntax {
  std::vector<ConditionNode> nodes;
  std::vector<std::uint16_t> children;  // indexes of nodes
  std::uint16_t root = 0;

  std::span<const std::uint16_t> Children(const ConditionNode& node) const DOLMEN_LIFETIME_BOUND {
    return std::span(children).subspan(node.first_child, node.child_count);
  }
};

struct ProjectionSyntax : ExpressionSyntax {
  std::vector<PathSyntax> paths;
};

// An operand of SET.
struct UpdateNode {
  enum class Kind : std::uint8_t { kPath, kValue, kIfNotExists, kListAppend, kPlus, kMinus };
  Kind kind = Kind::kPath;
  PathSyntax path;                // kPath
  TextSpan value;                 // kValue: the token with its ':'
  std::uint16_t first_child = 0;  // in UpdateSyntax::children; functions may have any number
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

struct UpdateSyntax : ExpressionSyntax {
  std::vector<UpdateNode> nodes;
  std::vector<std::uint16_t> children;  // indexes of nodes
  std::vector<UpdateActionSyntax> actions;

  std::span<const std::uint16_t> Children(const UpdateNode& node) const DOLMEN_LIFETIME_BOUND {
    return std::span(children).subspan(node.first_child, node.child_count);
  }
};

}  // namespace dolmen::engine
