#include "database/statement/lower/lower_read.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "database/statement/lower/branches.h"
#include "database/statement/lower/where_split.h"
#include "engine/base/status_macros.h"
#include "engine/value/codec.h"
#include "engine/value/invalid_parameter.h"

namespace dolmen::database {
namespace {

using NodeType = engine::ConditionNode::Kind;
using NodeIndex = WhereSplit::NodeIndex;
using Op = engine::ConditionOperator;
using Term = WhereSplit::Term;

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-operators.html
constexpr std::size_t kPartitionsOfInMax = 50;
constexpr std::size_t kPartitionsMax = 100;  // of conditions that OR joins; a limit of Dolmen

using TypedValue = ReadShape::TypedValue;

Status CheckKeyType(const TypedValue& typed, const engine::ConditionSyntax& tree,
                    const Parameters& parameters) {
  if (parameters.TypeOf(tree, typed.value) == typed.attribute.type) return {};
  return Status::Validation(
      "Key attribute's data type should match its data type in table's schema: Key " +
      typed.attribute.name);
}

Status CheckFilterType(const TypedValue& typed, const engine::ConditionSyntax& tree,
                       const Parameters& parameters) {
  if (parameters.TypeOf(tree, typed.value) == typed.attribute.type) return {};
  return engine::InvalidParameter("Condition parameter type does not match schema type");
}

Status AddKeyValue(const KeyAttribute& attribute, const engine::ValueSyntax& value,
                   const engine::ConditionSyntax& tree, const Parameters& parameters, Item* key) {
  AttributeValue copy = parameters.ValueOf(tree, value);
  if (engine::SortableBytes(copy).empty()) return engine::EmptyKeyValue(attribute);
  key->insert_or_assign(attribute.name, std::move(copy));
  return {};
}

bool Fits(const ReadShape& shape, const engine::KeySchema& keys, const engine::IndexSchema* index) {
  return std::equal(shape.keys.begin(), shape.keys.end(), keys.attributes().begin(),
                    keys.attributes().end()) &&
         (index == nullptr ? shape.projected.empty() : shape.projected == index->projected);
}

// Returns the key of the item if the statement names the whole key.
Result<std::optional<Item>> KeyOf(const ReadShape& shape, const Statement& statement,
                                  const Parameters& parameters) {
  std::optional<Item> key;
  if (!shape.whole_key) return key;
  key.emplace();
  for (const auto& [attribute, value] : shape.key_values) {
    DOLMEN_RETURN_IF_ERROR(AddKeyValue(attribute, value, *statement.where, parameters, &*key));
  }
  return key;
}

// Returns the requests of a kept form for other parameters.
Result<LoweredRead> FromShape(std::shared_ptr<const ReadShape> shape, const Statement& statement,
                              const Parameters& parameters) {
  for (const TypedValue& typed : shape->key_values) {
    DOLMEN_RETURN_IF_ERROR(CheckKeyType(typed, *statement.where, parameters));
  }
  DOLMEN_ASSIGN_OR_RETURN(std::optional<Item> key, KeyOf(*shape, statement, parameters));
  for (const TypedValue& typed : shape->filter_values) {
    DOLMEN_RETURN_IF_ERROR(CheckFilterType(typed, *statement.where, parameters));
  }
  return LoweredRead{std::move(shape), std::move(key)};
}

class ReadLowering {
 public:
  // `index` may be null: then the statement reads the table itself.
  ReadLowering(const Statement& statement, const engine::KeySchema& keys,
               const engine::IndexSchema* index, const Parameters& parameters)
      : statement_(statement),
        keys_(keys),
        index_(index),
        parameters_(parameters),
        split_(statement.where.get()) {}

  Result<LoweredRead> Lower() {
    DOLMEN_RETURN_IF_ERROR(CheckOrderAttributes());
    DOLMEN_RETURN_IF_ERROR(TakePartition());
    if (!partitions_.empty()) DOLMEN_RETURN_IF_ERROR(TakeSort());
    DOLMEN_RETURN_IF_ERROR(CheckOrder());
    DOLMEN_RETURN_IF_ERROR(SetRanges());
    const std::vector<NodeIndex> rest = split_.Rest();
    if (!rest.empty()) shape_.filter = ConjunctionOf(*statement_.where, rest);
    DOLMEN_RETURN_IF_ERROR(CheckFilterTypes());
    DOLMEN_RETURN_IF_ERROR(CheckFilterIsProjected());
    return LoweredRead{Remember(), std::move(key_)};
  }

 private:
  const engine::KeySchema& keys() const { return keys_; }

  // Returns the form, and keeps it if it does not depend on the values.
  std::shared_ptr<const ReadShape> Remember() {
    shape_.keys.assign(keys_.attributes().begin(), keys_.attributes().end());
    if (index_ != nullptr) shape_.projected = index_->projected;
    const auto shape = std::make_shared<const ReadShape>(std::move(shape_));
    if (single_ || partitions_.empty()) statement_.memo->Set(shape);
    return shape;
  }

  // Checks the types of the values of a condition on a key attribute.
  Status AddKeyTerm(const KeyAttribute& attribute, const Term& term) {
    const engine::ConditionSyntax& tree = *statement_.where;
    for (const NodeIndex value : term.values) {
      shape_.key_values.push_back({attribute, tree.nodes[value].value});
      DOLMEN_RETURN_IF_ERROR(CheckKeyType(shape_.key_values.back(), tree, parameters_));
    }
    return {};
  }

  Status CheckOrderAttributes() const {
    for (const StatementOrder& order : statement_.order) {
      if (keys().HasAttribute(order.attribute)) continue;
      return Status::Validation("Variable reference " + order.attribute +
                                " in ORDER BY clause must be part of the primary key");
    }
    return {};
  }

  // Takes the condition on the partition key. Sets equal_ and partitions_ if there is one.
  Status TakePartition() {
    const KeyAttribute& attribute = keys().partition()[0];
    std::optional<Term> term = split_.TakeEqual(attribute.name);
    single_ = term.has_value();
    if (!term) term = split_.TakeValues(attribute.name);
    if (!term) return {};
    DOLMEN_RETURN_IF_ERROR(AddKeyTerm(attribute, *term));
    partitions_ = term->values;
    path_ = term->path;
    // One value: the term is the key condition. Several values: each range gets its own equality.
    if (single_) equal_.push_back(term->node);
    const bool in = split_.tree().nodes[term->node].op == Op::kIn;
    if (partitions_.size() <= (in ? kPartitionsOfInMax : kPartitionsMax)) return {};
    return Status::Validation(
        "The IN operator is provided with too many operands; number of operands: " +
        std::to_string(partitions_.size()));
  }

  Status TakeSort() {
    all_equal_ = true;
    if (keys().sort().empty()) return {};
    const KeyAttribute& attribute = keys().sort()[0];
    std::optional<Term> term = split_.TakeEqual(attribute.name);
    all_equal_ = term.has_value();
    if (!term) term = split_.TakeRange(attribute.name);
    if (!term) return {};
    equal_.push_back(term->node);
    return AddKeyTerm(attribute, *term);
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
      if (!partition) shape_.forward = !order.descending;
      if (partition) SortPartitions(order.descending);
    }
    return {};
  }

  void SortPartitions(bool descending) {
    std::stable_sort(partitions_.begin(), partitions_.end(), [&](NodeIndex a, NodeIndex b) {
      const AttributeValue left = ValueOf(a);
      const AttributeValue right = ValueOf(b);
      const auto order = engine::SortableBytes(left).compare(engine::SortableBytes(right));
      return descending ? order > 0 : order < 0;
    });
  }

  AttributeValue ValueOf(NodeIndex node) const {
    const engine::ConditionSyntax& tree = split_.tree();
    return parameters_.ValueOf(tree, tree.nodes[node].value);
  }

  Status SetRanges() {
    if (partitions_.empty()) return {};
    if (single_) {
      shape_.ranges.push_back(ConjunctionOf(split_.tree(), equal_));
      return SetKey();
    }
    std::vector<AttributeValue> seen;
    for (const NodeIndex partition : partitions_) {
      AttributeValue value = ValueOf(partition);
      if (std::find(seen.begin(), seen.end(), value) != seen.end()) continue;
      seen.push_back(std::move(value));
      engine::ConditionSyntax tree = split_.tree();
      engine::ConditionNode equality;
      equality.kind = NodeType::kPredicate;
      equality.op = Op::kEqual;
      const NodeIndex operands[] = {path_, partition};
      std::vector<NodeIndex> nodes = {tree.AddParent(equality, operands)};
      nodes.insert(nodes.end(), equal_.begin(), equal_.end());
      shape_.ranges.push_back(ConjunctionOf(std::move(tree), nodes));
    }
    return {};
  }

  // Sets the key if the statement reads the table and its key conditions are all equalities.
  Status SetKey() {
    shape_.whole_key = index_ == nullptr && all_equal_;
    DOLMEN_ASSIGN_OR_RETURN(key_, KeyOf(shape_, statement_, parameters_));
    return {};
  }

  // Checks the types of the values with which the filter compares key attributes.
  Status CheckFilterTypes() {
    if (shape_.filter == nullptr) return {};
    const engine::ConditionSyntax& tree = *shape_.filter;
    Status status;
    tree.Walk(tree.root, [&](NodeIndex index) {
      const engine::ConditionNode& node = tree.nodes[index];
      if (node.kind != NodeType::kPredicate) return engine::WalkStep::kInto;
      status = CheckTypes(node);
      return status.ok() ? engine::WalkStep::kPast : engine::WalkStep::kStop;
    });
    return status;
  }

  // Checks the types of the values of a predicate.
  Status CheckTypes(const engine::ConditionNode& node) {
    const engine::ConditionSyntax& tree = *shape_.filter;
    if (node.op == Op::kAttributeType || node.child_count < 2) return {};
    const auto operands = tree.Children(node);
    for (const bool swapped : {false, true}) {
      const engine::ConditionNode& path = tree.nodes[operands[swapped ? 1 : 0]];
      const engine::ConditionNode& value = tree.nodes[operands[swapped ? 0 : 1]];
      if (path.kind != NodeType::kPath || value.kind != NodeType::kValue) continue;
      if (path.path.step_count > 1) continue;
      DOLMEN_RETURN_IF_ERROR(CheckType(tree.Text(tree.Steps(path.path)[0].text), value.value));
    }
    return {};
  }

  Status CheckType(std::string_view attribute, const engine::ValueSyntax& value) {
    for (const KeyAttribute& key : keys().attributes()) {
      if (key.name != attribute) continue;
      shape_.filter_values.push_back({key, value});
      DOLMEN_RETURN_IF_ERROR(
          CheckFilterType(shape_.filter_values.back(), *statement_.where, parameters_));
    }
    return {};
  }

  // Refuses a Query of an index whose filter names attributes that the index does not project.
  // DynamoDB accepts such a filter if the statement has an OR.
  Status CheckFilterIsProjected() const {
    if (index_ == nullptr || partitions_.empty() || shape_.filter == nullptr) return {};
    if (index_->projection == ProjectionType::kAll || HasOr(*statement_.where)) return {};
    const std::string missing = Unprojected(*shape_.filter);
    if (missing.empty()) return {};
    return engine::InvalidParameter("Secondary index " + index_->name +
                                    " does not project one or more filter attributes: [" + missing +
                                    "]");
  }

  // Returns the attributes in the condition that the index does not project, with commas between them.
  std::string Unprojected(const engine::ConditionSyntax& tree) const {
    std::string missing;
    tree.Walk(tree.root, [&](NodeIndex index) {
      const engine::ConditionNode& node = tree.nodes[index];
      if (node.kind != NodeType::kPath) return engine::WalkStep::kInto;
      const std::string_view attribute = tree.Text(tree.Steps(node.path)[0].text);
      if (!index_->Projects(attribute)) {
        missing.append(missing.empty() ? "" : ", ").append(attribute);
      }
      return engine::WalkStep::kPast;
    });
    return missing;
  }

  const Statement& statement_;
  const engine::KeySchema& keys_;
  const engine::IndexSchema* index_;
  const Parameters& parameters_;
  WhereSplit split_;
  std::vector<NodeIndex> equal_;       // the key conditions that all ranges share
  std::vector<NodeIndex> partitions_;  // the values of the partition key; empty: a Scan
  NodeIndex path_ = 0;                 // the partition key
  bool single_ = false;                // the partition key has an equality
  bool all_equal_ = false;             // each attribute of the key has an equality
  std::optional<Item> key_;
  ReadShape shape_;
};

}  // namespace

Status CheckReadable(const engine::IndexSchema& index) {
  if (index.keys.partition().size() <= 1 && index.keys.sort().size() <= 1) return {};
  return Status::Validation(
      "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or "
      "multi-attribute RANGE keys.");
}

Result<const engine::IndexSchema*> FindReadIndex(const Statement& statement,
                                                 const engine::TableSchema& table,
                                                 bool consistent) {
  const engine::IndexSchema* index = nullptr;
  if (statement.index.empty()) return index;
  index = table.FindIndex(statement.index);
  if (index == nullptr) return Status::Validation("The table does not have the specified index");
  DOLMEN_RETURN_IF_ERROR(CheckReadable(*index));
  if (!consistent || index->is_local()) return index;
  return Status::Validation(
      "Strongly consistent read is not supported on Global Secondary Indexes");
}

Result<LoweredRead> LowerRead(const Statement& statement, const engine::TableSchema& table,
                              const Parameters& parameters, bool consistent) {
  DOLMEN_ASSIGN_OR_RETURN(const engine::IndexSchema* const index,
                          FindReadIndex(statement, table, consistent));
  const engine::KeySchema& keys = index != nullptr ? index->keys : table.keys;
  DOLMEN_RETURN_IF_ERROR(CheckBranches(statement, keys, parameters));
  std::shared_ptr<const ReadShape> shape = statement.memo->Get();
  if (shape != nullptr && Fits(*shape, keys, index)) {
    return FromShape(std::move(shape), statement, parameters);
  }
  return ReadLowering(statement, keys, index, parameters).Lower();
}

Result<std::optional<Item>> TakeKey(const engine::KeySchema& keys, const Parameters& parameters,
                                    WhereSplit* split) {
  Item key;
  for (const KeyAttribute& attribute : keys.attributes()) {
    const std::optional<Term> term = split->TakeEqual(attribute.name);
    if (!term) return std::optional<Item>();
    const engine::ConditionSyntax& tree = split->tree();
    const engine::ValueSyntax& value = tree.nodes[term->values[0]].value;
    DOLMEN_RETURN_IF_ERROR(CheckKeyType({attribute, value}, tree, parameters));
    DOLMEN_RETURN_IF_ERROR(AddKeyValue(attribute, value, tree, parameters, &key));
  }
  return std::optional(std::move(key));
}

}  // namespace dolmen::database
