#include "engine/expression/update.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/expression/binding.h"
#include "engine/expression/syntax/diagnostics.h"
#include "engine/expression/update_evaluator.h"
#include "engine/value/invalid_parameter.h"

namespace dolmen::engine {
namespace {

using ActionKind = UpdateActionSyntax::Kind;
using NodeKind = UpdateNode::Kind;

// Returns the name that the messages of ADD and DELETE use for a type.
std::string_view TypeWord(AttributeType type) {
  switch (type) {
    case AttributeType::kS:
      return "STRING";
    case AttributeType::kN:
      return "NUMBER";
    case AttributeType::kB:
      return "BINARY";
    case AttributeType::kBool:
      return "BOOLEAN";
    case AttributeType::kNull:
      return "NULL";
    case AttributeType::kL:
      return "LIST";
    case AttributeType::kM:
      return "MAP";
    default:
      return AttributeTypeName(type);  // sets, which ADD and DELETE never reject
  }
}

bool IsSet(AttributeType type) {
  return type == AttributeType::kSS || type == AttributeType::kNS || type == AttributeType::kBS;
}

}  // namespace

class UpdateBinder {
 public:
  UpdateBinder(const UpdateSyntax& syntax, Placeholders& placeholders, Update* update)
      : syntax_(syntax), placeholders_(placeholders), update_(*update) {
    update_.dialect_ = syntax.dialect;
    update_.in_transaction_ = placeholders.in_transaction();
    update_.has_deep_value_ = placeholders.has_deep_value();
    update_.targets_.reserve(syntax.actions.size());
    update_.actions_.reserve(syntax.actions.size());
    update_.nodes_.reserve(syntax.nodes.size());
  }

  Status Bind() {
    for (const UpdateActionSyntax& action : syntax_.actions) BindAction(action);
    CheckForClash(update_.targets(), &diagnostics_);
    return diagnostics_.status();
  }

 private:
  void BindAction(const UpdateActionSyntax& action) {
    update_.targets_.push_back(BindPath(syntax_, action.target, placeholders_, &diagnostics_));
    AddNested(update_.targets_.back());
    update_.actions_.push_back({action.kind, action.value});
    if (action.kind == ActionKind::kRemove) return;
    // Binds the nodes of this action. In `syntax_.nodes` they follow the nodes of the previous
    // action, and children precede their parents, so the root node `action.value` is the last of
    // them.
    while (update_.nodes_.size() <= action.value) {
      BindNode(syntax_.nodes[update_.nodes_.size()]);
    }
    if (action.kind == ActionKind::kAdd || action.kind == ActionKind::kDelete) {
      CheckActionType(action.kind, update_.nodes_[action.value].value);
    }
  }

  void AddNested(const DocumentPath& path) {
    if (path.is_nested()) update_.nested_.push_back(path);
  }

  void BindNode(const UpdateNode& node) {
    Update::Node bound;
    bound.kind = node.kind;
    if (node.kind == NodeKind::kPath) {
      bound.path = BindPath(syntax_, node.path, placeholders_, &diagnostics_);
      AddNested(bound.path);
    } else if (node.kind == NodeKind::kValue) {
      bound.value = BindValue(syntax_, node.value, placeholders_, &diagnostics_);
    } else {
      BindOperands(node, &bound);
    }
    update_.nodes_.push_back(std::move(bound));
  }

  void BindOperands(const UpdateNode& node, Update::Node* bound) {
    const auto operands = syntax_.Children(node);
    const std::string_view name = UpdateOperatorName(node.kind);
    if (operands.size() != 2) {
      return AddOperandCountFault(Fault::kUpdateOperandCount, name, operands.size(), &diagnostics_);
    }
    bound->left = operands[0];
    bound->right = operands[1];
    if (node.kind == NodeKind::kIfNotExists) {
      CheckDefault(update_.nodes_[bound->left], update_.nodes_[bound->right]);
      return;
    }
    const AttributeType type =
        node.kind == NodeKind::kListAppend ? AttributeType::kL : AttributeType::kN;
    for (const std::uint16_t operand : operands) {
      const AttributeView& value = update_.nodes_[operand].value;
      if (value.exists() && !value.Is(type)) AddOperandTypeFault(name, value.type(), &diagnostics_);
    }
  }

  // Checks the operands of if_not_exists.
  void CheckDefault(const Update::Node& path, const Update::Node& value) {
    const std::string_view name = UpdateOperatorName(NodeKind::kIfNotExists);
    if (path.kind != NodeKind::kPath) return AddPathRequiredFault(name, &diagnostics_);
    if (value.kind == NodeKind::kPath && value.path == path.path) {
      AddNotDistinctFault(name, path.path, &diagnostics_);
    }
  }

  void CheckActionType(ActionKind kind, const AttributeView& value) {
    if (!value.exists() || IsSet(value.type())) return;
    if (kind == ActionKind::kAdd && value.Is(AttributeType::kN)) return;
    const std::string_view section = kind == ActionKind::kAdd ? "ADD" : "DELETE";
    diagnostics_.AddFault(Fault::kOperandType,
                          std::string("Incorrect operand type for operator or function; operator: ")
                              .append(section)
                              .append(", operand type: ")
                              .append(TypeWord(value.type()))
                              .append(", typeSet: ALLOWED_FOR_")
                              .append(section)
                              .append("_OPERAND"));
  }

  const UpdateSyntax& syntax_;
  Placeholders& placeholders_;
  Diagnostics diagnostics_{ExpressionKind::kUpdate, syntax_.dialect};
  Update& update_;
};

Status Update::Apply(const ItemView& old, std::string* out) const {
  const bool changes_parts =
      std::any_of(targets_.begin(), targets_.end(),
                  [](const DocumentPath& target) { return target.is_nested(); });
  UpdateEvaluator evaluator(*this, old);
  return changes_parts ? evaluator.ApplyToItem(out) : evaluator.ApplyToBytes(out);
}

AttributeView Update::AssignedValue(std::string_view attribute) const {
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    if (targets_[i].is_nested() || targets_[i].attribute() != attribute) continue;
    const bool assigns = actions_[i].kind == UpdateActionSyntax::Kind::kSet &&
                         nodes_[actions_[i].value].kind == UpdateNode::Kind::kValue;
    return assigns ? nodes_[actions_[i].value].value : AttributeView();
  }
  return {};
}

bool Update::OnlyRemoves() const {
  return std::all_of(actions_.begin(), actions_.end(), [](const Action& action) {
    return action.kind == ActionKind::kRemove || action.kind == ActionKind::kDelete;
  });
}

bool Update::Touches(std::string_view attribute) const {
  return std::any_of(targets_.begin(), targets_.end(),
                     [&](const DocumentPath& target) { return target.attribute() == attribute; });
}

Status Update::CheckKeyUnchanged(std::span<const std::string_view> key_names) const {
  for (const std::string_view name : key_names) {
    if (!Touches(name)) continue;
    return InvalidParameter(std::string("Cannot update attribute ")
                                .append(name)
                                .append(". This attribute is part of the key"));
  }
  return {};
}

Status BindUpdate(const UpdateSyntax& syntax, Placeholders& placeholders, Update* update) {
  return UpdateBinder(syntax, placeholders, update).Bind();
}

Result<Update> BindUpdate(const UpdateSyntax& syntax, Placeholders& placeholders) {
  Update update;
  DOLMEN_RETURN_IF_ERROR(BindUpdate(syntax, placeholders, &update));
  return update;
}

}  // namespace dolmen::engine
