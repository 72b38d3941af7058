// The bytes that DynamoDB charges for the clauses of an UpdateExpression. The figures were observed on the service.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "engine/expression/update.h"
#include "engine/value/codec.h"

namespace dolmen::engine {
namespace {

using ActionKind = UpdateActionSyntax::Kind;
using NodeKind = UpdateNode::Kind;

constexpr std::uint64_t kExpressionBytes = 3;
constexpr std::uint64_t kAssignmentBytes = 19;  // of SET and ADD
constexpr std::uint64_t kRemovalBytes = 1;      // of REMOVE and DELETE
constexpr std::uint64_t kTargetStepBytes = 4;   // of each step after the first
constexpr std::uint64_t kOperandBytes = 1;      // of an operand that is a path
constexpr std::uint64_t kOperandStepBytes = 14;

std::uint64_t Digits(std::uint32_t number) {
  std::uint64_t digits = 1;
  for (; number >= 10; number /= 10) ++digits;
  return digits;
}

// Returns the bytes of the names and of the digits of the indexes, and `step_bytes` for each step after the first.
std::uint64_t PathBytes(const DocumentPath& path, std::uint64_t step_bytes) {
  std::uint64_t bytes = path.attribute().size();
  for (const PathStep& step : path.nested()) {
    bytes += step_bytes + (step.is_index() ? Digits(step.index()) : step.name().size());
  }
  return bytes;
}

std::uint64_t OperatorBytes(NodeKind kind) {
  switch (kind) {
    case NodeKind::kPlus:
      return 34;
    case NodeKind::kMinus:
    case NodeKind::kListAppend:
      return 37;
    case NodeKind::kIfNotExists:
      return 39;
    case NodeKind::kPath:
    case NodeKind::kValue:
      break;
  }
  return 0;
}

// Returns the bytes of the members of `added` that the set `old` has, or 0 if `old` is no set of the same type.
std::uint64_t SharedBytes(const AttributeView& old, const AttributeView& added) {
  if (!old.exists() || old.type() != added.type() || !old.Check().ok()) return 0;
  const auto of = [](const AttributeView& set) {
    std::vector<AttributeView> members;
    for (const AttributeView member : set.AsSet()) members.push_back(member);
    return members;
  };
  const auto less = [](const AttributeView& a, const AttributeView& b) {
    return a.payload() < b.payload();
  };
  const std::vector<AttributeView> had = of(old);
  const std::vector<AttributeView> adds = of(added);
  std::vector<AttributeView> shared;
  std::set_intersection(adds.begin(), adds.end(), had.begin(), had.end(),
                        std::back_inserter(shared), less);
  std::uint64_t bytes = 0;
  for (const AttributeView& member : shared) bytes += SizeOf(member);
  return bytes;
}

}  // namespace

Status UpdateTooLarge() {
  return Status::Validation("Item size to update has exceeded the maximum allowed size");
}

std::uint64_t Update::ChargedBytes() const {
  std::uint64_t bytes = kExpressionBytes;
  for (std::size_t i = 0; i < actions_.size(); ++i) {
    const ActionKind kind = actions_[i].kind;
    const bool assigns = kind == ActionKind::kSet || kind == ActionKind::kAdd;
    bytes +=
        (assigns ? kAssignmentBytes : kRemovalBytes) + PathBytes(targets_[i], kTargetStepBytes);
    // The sum below counts every value, but the members that DELETE removes are free.
    if (kind == ActionKind::kDelete) bytes -= SizeOf(nodes_[actions_[i].value].value);
  }
  for (const Node& node : nodes_) {
    bytes += OperatorBytes(node.kind);
    if (node.kind == NodeKind::kValue) bytes += SizeOf(node.value);
    if (node.kind == NodeKind::kPath) {
      bytes += kOperandBytes + kOperandStepBytes + PathBytes(node.path, kOperandStepBytes);
    }
  }
  return bytes;
}

Status Update::CheckCharge(const ItemView& old) const {
  std::uint64_t bytes = ChargedBytes();
  for (std::size_t i = 0; i < actions_.size(); ++i) {
    if (actions_[i].kind != ActionKind::kAdd) continue;
    const AttributeView& added = nodes_[actions_[i].value].value;
    if (!added.Is(AttributeType::kN)) bytes -= SharedBytes(targets_[i].Find(old), added);
  }
  return bytes <= kItemBytesMax ? Status() : UpdateTooLarge();
}

}  // namespace dolmen::engine
