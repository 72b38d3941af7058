#include "database/statement/lower/branches.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "database/statement/lower/where_split.h"
#include "dolmen/attribute_value.h"
#include "engine/expression/syntax/syntax.h"

namespace dolmen::database {
namespace {

using NodeType = engine::ConditionNode::Kind;
using Op = engine::ConditionOperator;
using NodeIndex = WhereSplit::NodeIndex;
using Term = WhereSplit::Term;

// A range of sort keys, as SortableBytes.
struct SortRange {
  std::string low = {};  // included, unless low_open is true
  bool low_open = false;
  std::optional<std::string> high =
      {};  // included, unless high_open is true; nothing: no upper end
  bool high_open = false;
};

bool IsEmptyRange(const SortRange& range) {
  if (!range.high || range.low < *range.high) return false;
  return range.low > *range.high || range.low_open || range.high_open;
}

SortRange Intersection(const SortRange& a, const SortRange& b) {
  SortRange both = a;
  if (b.low >= both.low) {
    both.low_open = b.low_open || (both.low_open && b.low == both.low);
    both.low = b.low;
  }
  if (b.high && (!both.high || *b.high <= *both.high)) {
    both.high_open = b.high_open || (both.high_open && both.high == b.high);
    both.high = b.high;
  }
  return both;
}

// Returns the ranges that are in one of each list.
std::vector<SortRange> Intersections(const std::vector<SortRange>& a,
                                     const std::vector<SortRange>& b) {
  std::vector<SortRange> both;
  for (const SortRange& left : a) {
    for (const SortRange& right : b) {
      SortRange range = Intersection(left, right);
      if (!IsEmptyRange(range)) both.push_back(std::move(range));
    }
  }
  return both;
}

// Returns the end of the texts that begin with the prefix, which is no such text. Nothing: no end.
std::optional<std::string> EndOfPrefix(std::string prefix) {
  while (!prefix.empty() && static_cast<unsigned char>(prefix.back()) == 0xFF) prefix.pop_back();
  if (prefix.empty()) return std::nullopt;
  prefix.back() = static_cast<char>(prefix.back() + 1);
  return prefix;
}

// The items that one branch reads.
struct Branch {
  std::vector<std::string> partitions;
  std::vector<SortRange> ranges = {{}};
};

class BranchCheck {
 public:
  BranchCheck(const engine::ConditionSyntax& tree, const engine::KeySchema& keys,
              const Parameters& parameters)
      : tree_(tree),
        partition_(keys.partition()[0]),
        sort_(keys.sort()[0]),
        parameters_(parameters) {}

  // Returns true if two branches read the same items.
  bool Overlaps() {
    if (!AddBranches()) return false;
    for (std::size_t i = 0; i < branches_.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        if (Meet(branches_[i], branches_[k])) return true;
      }
    }
    return false;
  }

 private:
  // Adds the branches that OR joins. Returns false if the check does not apply.
  bool AddBranches() {
    return tree_.Walk(tree_.root, [&](NodeIndex index) {
      if (tree_.nodes[index].kind == NodeType::kOr) return engine::WalkStep::kInto;
      return AddBranch(index) ? engine::WalkStep::kPast : engine::WalkStep::kStop;
    });
  }

  bool AddBranch(NodeIndex index) {
    Branch branch;
    WhereSplit split(&tree_, index);
    std::optional<Term> term = split.TakeEqual(partition_.name);
    if (!term) term = split.TakeValues(partition_.name);
    if (!term) return false;
    for (const NodeIndex value : term->values) {
      if (!AddBytes(partition_, value, &branch.partitions)) return false;
    }
    while ((term = TakeSortTerm(&split))) {
      const std::optional<std::vector<SortRange>> ranges = RangesOf(*term);
      if (!ranges) return false;
      branch.ranges = Intersections(branch.ranges, *ranges);
    }
    const std::vector<NodeIndex> rest = split.Rest();
    if (std::any_of(rest.begin(), rest.end(), [&](NodeIndex node) { return Excludes(node); })) {
      return false;
    }
    branches_.push_back(std::move(branch));
    return true;
  }

  std::optional<Term> TakeSortTerm(WhereSplit* split) const {
    std::optional<Term> term = split->TakeRange(sort_.name);
    return term ? term : split->TakeValues(sort_.name);
  }

  // Adds the bytes of a value. Returns false if it does not have the type of the attribute.
  bool AddBytes(const KeyAttribute& attribute, NodeIndex value,
                std::vector<std::string>* bytes) const {
    const engine::ValueSyntax& syntax = tree_.nodes[value].value;
    if (parameters_.TypeOf(tree_, syntax) != attribute.type) return false;
    bytes->emplace_back(engine::SortableBytes(parameters_.ValueOf(tree_, syntax)));
    return true;
  }

  // Returns the sort keys for which the term holds, or nothing if a value has another type.
  std::optional<std::vector<SortRange>> RangesOf(const Term& term) const {
    std::vector<std::string> values;
    for (const NodeIndex value : term.values) {
      if (!AddBytes(sort_, value, &values)) return std::nullopt;
    }
    const engine::ConditionNode& node = tree_.nodes[term.node];
    const std::string first = values.front();
    if (node.kind == NodeType::kPredicate) {
      const bool swapped = tree_.Children(node)[0] != term.path;
      switch (node.op) {
        case Op::kLess:
        case Op::kLessOrEqual:
        case Op::kGreater:
        case Op::kGreaterOrEqual: {
          const bool open = node.op == Op::kLess || node.op == Op::kGreater;
          const bool less = node.op == Op::kLess || node.op == Op::kLessOrEqual;
          if (less != swapped) return {{{.high = first, .high_open = open}}};
          return {{{.low = first, .low_open = open}}};
        }
        case Op::kBetween:
          return {{{.low = first, .high = values.back()}}};
        case Op::kBeginsWith:
          return {{{.low = first, .high = EndOfPrefix(first), .high_open = true}}};
        default:
          break;
      }
    }
    std::vector<SortRange> points;  // of an equality, an IN, or an OR of both
    // Each value counts once. Otherwise several lists of equal values would multiply.
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    for (const std::string& value : values) points.push_back({.low = value, .high = value});
    return points;
  }

  // Returns true if the condition has the sort key under NOT or <>.
  bool Excludes(NodeIndex root) const {
    return !tree_.Walk(root, [&](NodeIndex index) {
      const engine::ConditionNode& node = tree_.nodes[index];
      const bool negates = node.kind == NodeType::kNot ||
                           (node.kind == NodeType::kPredicate && node.op == Op::kNotEqual);
      if (!negates) return engine::WalkStep::kInto;
      return Mentions(index) ? engine::WalkStep::kStop : engine::WalkStep::kPast;
    });
  }

  bool Mentions(NodeIndex root) const {
    return !tree_.Walk(root, [&](NodeIndex index) {
      const engine::ConditionNode& node = tree_.nodes[index];
      const bool is_sort =
          node.kind == NodeType::kPath && tree_.Text(tree_.Steps(node.path)[0].text) == sort_.name;
      return is_sort ? engine::WalkStep::kStop : engine::WalkStep::kInto;
    });
  }

  static bool Meet(const Branch& a, const Branch& b) {
    const bool same =
        std::find_first_of(a.partitions.begin(), a.partitions.end(), b.partitions.begin(),
                           b.partitions.end()) != a.partitions.end();
    return same && std::ranges::any_of(a.ranges, [&](const SortRange& range) {
             return std::ranges::any_of(b.ranges, [&](const SortRange& other) {
               return !IsEmptyRange(Intersection(range, other));
             });
           });
  }

  const engine::ConditionSyntax& tree_;
  const KeyAttribute& partition_;
  const KeyAttribute& sort_;
  const Parameters& parameters_;
  std::vector<Branch> branches_;
};

}  // namespace

Status CheckBranches(const Statement& statement, const engine::KeySchema& keys,
                     const Parameters& parameters) {
  const engine::ConditionSyntax* const where = statement.where.get();
  if (where == nullptr || where->nodes[where->root].kind != NodeType::kOr) return {};
  if (keys.sort().empty() || !BranchCheck(*where, keys, parameters).Overlaps()) return {};
  return Status::Validation(
      "Overlapping conditions with range keys are not supported in where clause");
}

}  // namespace dolmen::database
