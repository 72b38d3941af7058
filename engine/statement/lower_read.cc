#include "engine/statement/lower_read.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "dolmen/internal/status_macros.h"
#include "engine/statement/where_split.h"
#include "engine/value/codec.h"
#include "engine/value/invalid_parameter.h"

namespace dolmen::engine {
namespace {

using NodeType = ConditionNode::Kind;
using NodeIndex = WhereSplit::NodeIndex;
using Op = ConditionOperator;
using Term = WhereSplit::Term;

constexpr std::size_t kPartitionsMax = 100;  // as IN

Status CheckKeyType(const KeyAttribute& attribute, const Term& term, const ConditionSyntax& tree,
                    const Parameters& parameters) {
  for (const NodeIndex value : term.values) {
    if (parameters.TypeOf(tree, tree.nodes[value].value) == attribute.type) continue;
    return Status::Validation(
        "Key attribute's data type should match its data type in table's schema: Key " +
        attribute.name);
  }
  return {};
}

class ReadLowering {
 public:
  ReadLowering(const Statement& statement, const TableSchema& table, const Parameters& parameters)
      : statement_(statement),
        table_(table),
        parameters_(parameters),
        split_(statement.where.get()) {}

  Result<LoweredRead> Lower(bool consistent) {
    DOLMEN_RETURN_IF_ERROR(FindIndex(consistent));
    DOLMEN_RETURN_IF_ERROR(CheckOrderAttributes());
    DOLMEN_RETURN_IF_ERROR(TakePartition());
    if (!partitions_.empty()) DOLMEN_RETURN_IF_ERROR(TakeSort());
    DOLMEN_RETURN_IF_ERROR(CheckOrder());
    DOLMEN_RETURN_IF_ERROR(SetRanges());
    const std::vector<NodeIndex> rest = split_.Rest();
    if (!rest.empty()) read_.filter = ConjunctionOf(*statement_.where, rest);
    DOLMEN_RETURN_IF_ERROR(CheckFilterTypes());
    DOLMEN_RETURN_IF_ERROR(CheckFilterIsProjected());
    return std::move(read_);
  }

 private:
  const KeySchema& keys() const { return index_ != nullptr ? index_->keys : table_.keys; }

  Status FindIndex(bool consistent) {
    if (statement_.index.empty()) return {};
    index_ = table_.FindIndex(statement_.index);
    if (index_ == nullptr) {
      return Status::Validation("The table does not have the specified index");
    }
    if (!consistent || index_->is_local()) return {};
    return Status::Validation(
        "Strongly consistent read is not supported on Global Secondary Indexes");
  }

  Status CheckOrderAttributes() const {
    for (const StatementOrder& order : statement_.order) {
      if (keys().HasAttribute(order.attribute)) continue;
      return Status::Validation("Variable reference " + order.attribute +
                                " in ORDER BY clause must be part of the primary key");
    }
    return {};
  }

  // Takes the conditions on the partition key. Sets equal_ and partitions_ if there are some on each
  // of its attributes.
  Status TakePartition() {
    WhereSplit rest = split_;
    std::vector<Term> terms;
    bool single = true;
    for (const KeyAttribute& attribute : keys().partition()) {
      std::optional<Term> term = rest.TakeEqual(attribute.name);
      if (!term && keys().partition().size() == 1) {
        term = rest.TakeValues(attribute.name);
        single = false;
      }
      if (!term) return {};
      DOLMEN_RETURN_IF_ERROR(CheckKeyType(attribute, *term, rest.tree(), parameters_));
      terms.push_back(*std::move(term));
    }
    split_ = std::move(rest);
    partitions_ = terms.back().values;
    path_ = terms.back().path;
    // One value for each attribute: the terms are the key conditions. Several values: each range
    // gets its own equality.
    single_ = single;
    if (single_) {
      for (const Term& term : terms) equal_.push_back(term.node);
    }
    if (partitions_.size() <= kPartitionsMax) return {};
    return Status::Validation(
        "The IN operator is provided with too many operands; number of operands: " +
        std::to_string(partitions_.size()));
  }

  Status TakeSort() {
    for (const KeyAttribute& attribute : keys().sort()) {
      std::optional<Term> term = split_.TakeEqual(attribute.name);
      const bool equal = term.has_value();
      if (!term) term = split_.TakeRange(attribute.name);
      if (!term) return {};
      DOLMEN_RETURN_IF_ERROR(CheckKeyType(attribute, *term, split_.tree(), parameters_));
      equal_.push_back(term->node);
      if (!equal) return {};
    }
    return {};
  }

  Status CheckOrder() {
    if (statement_.order.empty()) return {};
    if (partitions_.empty()) {
      return Status::Validation(
          "Must have at least one non-optional hash key condition in WHERE clause when using ORDER "
          "BY clause.");
    }
    for (const StatementOrder& order : statement_.order) {
      const bool partition = order.attribute == keys().partition()[0].name;
      if (!partition) read_.forward = !order.descending;
      if (partition) SortPartitions(order.descending);
    }
    return {};
  }

  void SortPartitions(bool descending) {
    std::stable_sort(partitions_.begin(), partitions_.end(), [&](NodeIndex a, NodeIndex b) {
      const AttributeValue left = ValueOf(a);
      const AttributeValue right = ValueOf(b);
      const auto order = SortableBytes(left).compare(SortableBytes(right));
      return descending ? order > 0 : order < 0;
    });
  }

  AttributeValue ValueOf(NodeIndex node) const {
    const ConditionSyntax& tree = split_.tree();
    return parameters_.ValueOf(tree, tree.nodes[node].value);
  }

  Status SetRanges() {
    if (partitions_.empty()) return {};
    if (single_) {
      read_.ranges.push_back(ConjunctionOf(split_.tree(), equal_));
      return SetKey();
    }
    std::vector<AttributeValue> seen;
    for (const NodeIndex partition : partitions_) {
      AttributeValue value = ValueOf(partition);
      if (std::find(seen.begin(), seen.end(), value) != seen.end()) continue;
      seen.push_back(std::move(value));
      ConditionSyntax tree = split_.tree();
      ConditionNode equality;
      equality.kind = NodeType::kPredicate;
      equality.op = Op::kEqual;
      const NodeIndex operands[] = {path_, partition};
      std::vector<NodeIndex> nodes = {tree.AddParent(equality, operands)};
      nodes.insert(nodes.end(), equal_.begin(), equal_.end());
      read_.ranges.push_back(ConjunctionOf(std::move(tree), nodes));
    }
    return {};
  }

  // Sets the key if the statement reads the table and its key conditions are all equalities.
  Status SetKey() {
    if (index_ != nullptr) return {};
    WhereSplit whole(statement_.where.get());
    DOLMEN_ASSIGN_OR_RETURN(read_.key, TakeKey(table_.keys, parameters_, &whole));
    return {};
  }

  // Checks the types of the values with which the filter compares key attributes.
  Status CheckFilterTypes() const {
    if (read_.filter == nullptr) return {};
    return CheckTypes(read_.filter->nodes[read_.filter->root]);
  }

  Status CheckTypes(const ConditionNode& node) const {
    const ConditionSyntax& tree = *read_.filter;
    if (node.kind != NodeType::kPredicate) {
      for (const NodeIndex child : tree.Children(node)) {
        DOLMEN_RETURN_IF_ERROR(CheckTypes(tree.nodes[child]));
      }
      return {};
    }
    if (node.op == Op::kAttributeType || node.child_count < 2) return {};
    const auto operands = tree.Children(node);
    for (const bool swapped : {false, true}) {
      const ConditionNode& path = tree.nodes[operands[swapped ? 1 : 0]];
      const ConditionNode& value = tree.nodes[operands[swapped ? 0 : 1]];
      if (path.kind != NodeType::kPath || value.kind != NodeType::kValue) continue;
      if (path.path.step_count > 1) continue;
      DOLMEN_RETURN_IF_ERROR(CheckType(tree.Text(tree.Steps(path.path)[0].text), value.value));
    }
    return {};
  }

  Status CheckType(std::string_view attribute, const ValueSyntax& value) const {
    for (const KeyAttribute& key : keys().attributes()) {
      if (key.name != attribute) continue;
      if (parameters_.TypeOf(*read_.filter, value) == key.type) continue;
      return InvalidParameter("Condition parameter type does not match schema type");
    }
    return {};
  }

  // Refuses a Query of an index whose filter names attributes that the index does not project.
  // DynamoDB accepts such a filter if the statement has an OR.
  Status CheckFilterIsProjected() const {
    if (index_ == nullptr || partitions_.empty() || read_.filter == nullptr) return {};
    if (index_->projection == ProjectionType::kAll || HasOr(*statement_.where)) return {};
    std::string missing;
    AddUnprojected(read_.filter->nodes[read_.filter->root], &missing);
    if (missing.empty()) return {};
    return InvalidParameter("Secondary index " + index_->name +
                            " does not project one or more filter attributes: [" + missing + "]");
  }

  void AddUnprojected(const ConditionNode& node, std::string* missing) const {
    const ConditionSyntax& tree = *read_.filter;
    if (node.kind == NodeType::kPath) {
      const std::string_view attribute = tree.Text(tree.Steps(node.path)[0].text);
      if (index_->Projects(attribute)) return;
      missing->append(missing->empty() ? "" : ", ").append(attribute);
    }
    for (const NodeIndex child : tree.Children(node)) AddUnprojected(tree.nodes[child], missing);
  }

  const Statement& statement_;
  const TableSchema& table_;
  const Parameters& parameters_;
  WhereSplit split_;
  const IndexSchema* index_ = nullptr;  // null: the statement reads the table
  std::vector<NodeIndex> equal_;        // the key conditions that all ranges share
  std::vector<NodeIndex> partitions_;   // the values of the partition key; empty: a Scan
  NodeIndex path_ = 0;                  // the partition key
  bool single_ = false;                 // the partition key has an equality
  LoweredRead read_;
};

}  // namespace

Result<LoweredRead> LowerRead(const Statement& statement, const TableSchema& table,
                              const Parameters& parameters, bool consistent) {
  return ReadLowering(statement, table, parameters).Lower(consistent);
}

Result<std::optional<Item>> TakeKey(const KeySchema& keys, const Parameters& parameters,
                                    WhereSplit* split) {
  Item key;
  for (const KeyAttribute& attribute : keys.attributes()) {
    const std::optional<Term> term = split->TakeEqual(attribute.name);
    if (!term) return std::optional<Item>();
    const ConditionSyntax& tree = split->tree();
    DOLMEN_RETURN_IF_ERROR(CheckKeyType(attribute, *term, tree, parameters));
    AttributeValue value = parameters.ValueOf(tree, tree.nodes[term->values[0]].value);
    if (SortableBytes(value).empty()) return EmptyKeyValue(attribute);
    key.insert_or_assign(attribute.name, std::move(value));
  }
  return std::optional(std::move(key));
}

}  // namespace dolmen::engine
