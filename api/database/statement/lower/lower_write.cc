#include "database/statement/lower/lower_write.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "database/statement/lower/lower_read.h"
#include "database/statement/lower/where_split.h"
#include "engine/base/status_macros.h"
#include "engine/value/codec.h"

namespace dolmen::database {
namespace {

using NodeIndex = WhereSplit::NodeIndex;
using NodeType = engine::ConditionNode::Kind;

constexpr const char* kNoExistsCondition =
    "EXISTS() must contain a single item read with additional condition";

// Adds attribute_exists or attribute_not_exists of the attribute to the tree.
NodeIndex AddExistence(engine::ConditionOperator op, std::string_view attribute,
                       engine::ConditionSyntax* tree) {
  engine::PathStepSyntax step;
  step.text = {static_cast<std::uint32_t>(tree->text.size()),
               static_cast<std::uint32_t>(attribute.size())};
  tree->text.insert(tree->text.end(), attribute.begin(), attribute.end());
  engine::ConditionNode path;
  path.path = {static_cast<std::uint16_t>(tree->steps.size()), 1};
  tree->steps.push_back(step);
  const NodeIndex operand = tree->Add(path);
  engine::ConditionNode predicate;
  predicate.kind = NodeType::kPredicate;
  predicate.op = op;
  return tree->AddParent(predicate, {&operand, 1});
}

class WriteLowering {
 public:
  WriteLowering(const Statement& statement, const engine::TableSchema& table,
                const Parameters& parameters)
      : statement_(statement),
        keys_(table.keys),
        parameters_(parameters),
        split_(statement.where.get()) {}

  Result<LoweredWrite> Lower() {
    switch (statement_.kind) {
      case Statement::Kind::kInsert:
        return LowerInsert();
      case Statement::Kind::kUpdate:
        return LowerUpdate();
      case Statement::Kind::kDelete:
        return LowerDelete();
      default:
        return LowerExists();
    }
  }

 private:
  std::string_view partition_name() const { return keys_.partition()[0].name; }

  Result<LoweredWrite> LowerInsert() {
    PutItemInput put{.item = statement_.item};
    for (const auto& [attribute, parameter] : statement_.item_parameters) {
      put.item.insert_or_assign(attribute, parameters_[parameter]);
    }
    DOLMEN_RETURN_IF_ERROR(CheckItemKey(put.item));
    engine::ConditionSyntax tree = EmptyTree();
    tree.root =
        AddExistence(engine::ConditionOperator::kAttributeNotExists, partition_name(), &tree);
    put.condition = ToCondition(std::move(tree));
    return LoweredWrite(std::move(put));
  }

  Status CheckItemKey(const Item& item) const {
    for (const KeyAttribute& attribute : keys_.attributes()) {
      const auto found = item.find(attribute.name);
      if (found == item.end()) {
        return Status::Validation("Key attribute should be present in the item: Key " +
                                  attribute.name);
      }
      if (found->second.type() == attribute.type) continue;
      return Status::Validation(
          "Key attribute's data type should match its data type in table's schema: Key " +
          attribute.name);
    }
    return {};
  }

  Result<LoweredWrite> LowerUpdate() {
    UpdateItemInput update;
    DOLMEN_ASSIGN_OR_RETURN(update.key, TakeWholeKey(MissingKeyEquality()));
    update.update = UpdateExpression(statement_.update, parameters_.encoded());
    update.condition = ExistingItem();
    return LoweredWrite(std::move(update));
  }

  Result<LoweredWrite> LowerExists() {
    ConditionCheckInput check;
    DOLMEN_ASSIGN_OR_RETURN(check.key, TakeWholeKey(kNoExistsCondition));
    if (split_.Rest().empty()) return Status::Validation(kNoExistsCondition);
    check.condition = ExistingItem();
    return LoweredWrite(std::move(check));
  }

  Result<LoweredWrite> LowerDelete() {
    DeleteItemInput remove;
    DOLMEN_ASSIGN_OR_RETURN(remove.key, TakeWholeKey(MissingKeyEquality()));
    const std::vector<NodeIndex> rest = split_.Rest();
    if (rest.empty()) return LoweredWrite(std::move(remove));
    engine::ConditionSyntax tree = *statement_.where;
    const NodeIndex absent =
        AddExistence(engine::ConditionOperator::kAttributeNotExists, partition_name(), &tree);
    const NodeIndex holds = AddJunction(NodeType::kAnd, rest, &tree);
    tree.root = AddJunction(NodeType::kOr, {absent, holds}, &tree);
    remove.condition = ToCondition(std::move(tree));
    return LoweredWrite(std::move(remove));
  }

  // Returns the key, or the error `missing` if an attribute of the key has no equality.
  Result<Item> TakeWholeKey(const std::string& missing) {
    DOLMEN_ASSIGN_OR_RETURN(std::optional<Item> key, TakeKey(keys_, parameters_, &split_));
    if (!key) return Status::Validation(missing);
    for (const auto& [attribute, value] : *key) {
      while (const std::optional<WhereSplit::Term> other = split_.TakeEqual(attribute)) {
        const engine::ConditionSyntax& tree = split_.tree();
        if (parameters_.ValueOf(tree, tree.nodes[other->values[0]].value) == value) continue;
        return Status::Validation("Multiple conditions on same key " + attribute +
                                  ". Only single item Update/Insert/Delete are supported");
      }
    }
    return *std::move(key);
  }

  // Returns the condition that there is an item for which the rest of WHERE holds.
  ConditionExpression ExistingItem() const {
    engine::ConditionSyntax tree = *statement_.where;
    std::vector<NodeIndex> all = split_.Rest();
    all.insert(all.begin(),
               AddExistence(engine::ConditionOperator::kAttributeExists, partition_name(), &tree));
    tree.root = AddJunction(NodeType::kAnd, all, &tree);
    return ToCondition(std::move(tree));
  }

  static NodeIndex AddJunction(NodeType kind, const std::vector<NodeIndex>& nodes,
                               engine::ConditionSyntax* tree) {
    if (nodes.size() == 1) return nodes[0];
    engine::ConditionNode junction;
    junction.kind = kind;
    return tree->AddParent(junction, nodes);
  }

  static engine::ConditionSyntax EmptyTree() {
    engine::ConditionSyntax tree;
    tree.dialect = engine::Dialect::kStatement;
    return tree;
  }

  ConditionExpression ToCondition(engine::ConditionSyntax tree) const {
    return {std::make_shared<const engine::ConditionSyntax>(std::move(tree)),
            parameters_.encoded()};
  }

  const Statement& statement_;
  const engine::KeySchema& keys_;
  const Parameters& parameters_;
  WhereSplit split_;
};

}  // namespace

Result<LoweredWrite> LowerWrite(const Statement& statement, const engine::TableSchema& table,
                                const Parameters& parameters) {
  return WriteLowering(statement, table, parameters).Lower();
}

std::uint32_t SizeOfItem(const Item& item) {
  std::string bytes;
  if (!engine::EncodeItem(item, &bytes).ok()) return 0;
  const Result<ItemView> view = ItemView::Parse(bytes);
  return view.ok() ? view->size_bytes() : 0;
}

Item KeyOfWrite(const LoweredWrite& write, const engine::KeySchema& keys) {
  const auto* const put = std::get_if<PutItemInput>(&write);
  if (put == nullptr) {
    return std::visit(
        [](const auto& input) {
          if constexpr (requires { input.key; }) return input.key;
          return Item();
        },
        write);
  }
  Item key;
  for (const KeyAttribute& attribute : keys.attributes()) {
    const auto found = put->item.find(attribute.name);
    if (found != put->item.end()) key.insert_or_assign(attribute.name, found->second);
  }
  return key;
}

}  // namespace dolmen::database
