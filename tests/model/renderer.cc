#include "tests/model/renderer.h"

#include <array>
#include <utility>

namespace dolmen::test {
namespace {

using Operator = SortKeyCondition::Operator;

std::string Comparator(Operator op) {
  constexpr std::array kComparators = {"=", "<", "<=", ">", ">="};
  return kComparators.at(static_cast<std::size_t>(op));
}

}  // namespace

std::string Renderer::Expression(const Condition& condition) {
  switch (condition.kind) {
    case Condition::Kind::kAnd:
    case Condition::Kind::kOr: {
      const bool both = condition.kind == Condition::Kind::kAnd;
      return "(" + Expression(condition.children[0]) + (both ? ") AND (" : ") OR (") +
             Expression(condition.children[1]) + ")";
    }
    case Condition::Kind::kNot:
      return "NOT (" + Expression(condition.children[0]) + ")";
    case Condition::Kind::kCompare:
      return Text(condition.operands[0]) + " " + condition.name + " " + Text(condition.operands[1]);
    case Condition::Kind::kBetween:
      return Text(condition.operands[0]) + " BETWEEN " + Text(condition.operands[1]) + " AND " +
             Text(condition.operands[2]);
    case Condition::Kind::kIn:
      return Text(condition.operands[0]) + " IN (" + Texts(condition.operands, 1) + ")";
    case Condition::Kind::kFunction:
      return condition.name + "(" + Texts(condition.operands, 0) + ")";
  }
  return {};
}

std::string Renderer::Expression(const std::vector<UpdateAction>& update) {
  std::string text;
  for (const auto& [section, word] : {std::pair(UpdateAction::Section::kSet, "SET"),
                                      std::pair(UpdateAction::Section::kRemove, "REMOVE"),
                                      std::pair(UpdateAction::Section::kAdd, "ADD"),
                                      std::pair(UpdateAction::Section::kDelete, "DELETE")}) {
    std::string actions;
    for (const UpdateAction& action : update) {
      if (action.section == section) actions += (actions.empty() ? " " : ", ") + Text(action);
    }
    if (!actions.empty()) text += (text.empty() ? "" : " ") + (word + actions);
  }
  return text;
}

std::string Renderer::Expression(const std::vector<Path>& projection) {
  std::string text;
  for (const Path& path : projection) text += (text.empty() ? "" : ", ") + Text(path);
  return text;
}

std::string Renderer::KeyCondition(const QueryOperation& query, const Shape& shape) {
  std::string text;
  const auto equal = [&](const KeyAttribute& key, const AttributeValue& value) {
    text += (text.empty() ? "" : " AND ") + Name(key.name) + " = " + Text(value);
  };
  for (std::size_t i = 0; i < query.partition.size(); ++i) {
    equal(shape.partition[i], query.partition[i]);
  }
  for (std::size_t i = 0; i < query.sort_equals.size(); ++i) {
    equal(shape.sort[i], query.sort_equals[i]);
  }
  if (query.sort)
    text += " AND " + Range(Name(shape.sort[query.sort_equals.size()].name), *query.sort);
  return text;
}

std::string Renderer::Range(const std::string& name, const SortKeyCondition& condition) {
  const std::string value = Text(condition.value);
  switch (condition.op) {
    case Operator::kBetween:
      return name + " BETWEEN " + value + " AND " + Text(condition.upper);
    case Operator::kBeginsWith:
      return "begins_with(" + name + ", " + value + ")";
    default:
      return name + " " + Comparator(condition.op) + " " + value;
  }
}

// Returns the name, or a placeholder for the name. The reserved words `status` and `year` and all
// names with unusual characters get a placeholder.
std::string Renderer::Name(const std::string& name) {
  const bool plain = name.find_first_not_of("abcdefghijklmnopqrstuvwxyzGSIPK12") == name.npos;
  if (plain && name != "status" && name != "year") return name;
  const std::string token = "#name" + std::to_string(names_.size());
  for (const auto& [known, meaning] : names_) {
    if (meaning == name) return known;
  }
  names_.emplace(token, name);
  return token;
}

std::string Renderer::Text(const Path& path) {
  std::string text = Name(path.attribute);
  if (path.member) text += "." + Name(*path.member);
  if (path.index) text += "[" + std::to_string(*path.index) + "]";
  return text;
}

std::string Renderer::Text(const AttributeValue& value) {
  std::string token = ":value" + std::to_string(values_.size());
  values_.emplace(token, value);
  return token;
}

std::string Renderer::Text(const Operand& operand) {
  if (!operand.path) return Text(operand.value);
  return operand.size ? "size(" + Text(*operand.path) + ")" : Text(*operand.path);
}

std::string Renderer::Texts(const std::vector<Operand>& operands, std::size_t from) {
  std::string text;
  for (std::size_t i = from; i < operands.size(); ++i) {
    text += (i > from ? ", " : "") + Text(operands[i]);
  }
  return text;
}

std::string Renderer::Text(const UpdateAction& action) {
  const std::string target = Text(action.target);
  if (action.section == UpdateAction::Section::kRemove) return target;
  std::string left = Text(action.left);
  if (action.section != UpdateAction::Section::kSet) return target + " " + left;
  if (action.left_default) {
    left = "if_not_exists(" + left + ", " + Text(*action.left_default) + ")";
  }
  switch (action.source) {
    case UpdateAction::Source::kOperand:
      return target + " = " + left;
    case UpdateAction::Source::kPlus:
      return target + " = " + left + " + " + Text(action.right);
    case UpdateAction::Source::kMinus:
      return target + " = " + left + " - " + Text(action.right);
    case UpdateAction::Source::kListAppend:
      return target + " = list_append(" + left + ", " + Text(action.right) + ")";
  }
  return {};
}

}  // namespace dolmen::test
