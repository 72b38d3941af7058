#include "tests/model/operations.h"

#include <array>
#include <map>
#include <sstream>
#include <string_view>
#include <type_traits>
#include <utility>

namespace dolmen::test {
namespace {

using Operator = SortKeyCondition::Operator;

// Writes expressions, and collects the names and values that they need.
class Renderer {
 public:
  Names names;
  Values values;

  std::string Expression(const Condition& condition) {
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
        return Text(condition.operands[0]) + " " + condition.name + " " +
               Text(condition.operands[1]);
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

  std::string Expression(const std::vector<UpdateAction>& update) {
    using Section = UpdateAction::Section;
    std::string text;
    for (const auto& [section, word] :
         {std::pair(Section::kSet, "SET"), std::pair(Section::kRemove, "REMOVE"),
          std::pair(Section::kAdd, "ADD"), std::pair(Section::kDelete, "DELETE")}) {
      std::string actions;
      for (const UpdateAction& action : update) {
        if (action.section == section) actions += (actions.empty() ? " " : ", ") + Text(action);
      }
      if (!actions.empty()) text += (text.empty() ? "" : " ") + (word + actions);
    }
    return text;
  }

  std::string Expression(const std::vector<Path>& projection) {
    std::string text;
    for (const Path& path : projection) text += (text.empty() ? "" : ", ") + Text(path);
    return text;
  }

  std::string KeyCondition(const QueryOperation& query) {
    const KeyNames& keys = KeyNamesOf(query.index);
    std::string text = keys.partition + " = " + Text(query.partition);
    if (!query.sort) return text;
    const std::string value = Text(query.sort->value);
    switch (query.sort->op) {
      case Operator::kBetween:
        return text + " AND " + keys.sort + " BETWEEN " + value + " AND " + Text(query.sort->upper);
      case Operator::kBeginsWith:
        return text + " AND begins_with(" + keys.sort + ", " + value + ")";
      default:
        return text + " AND " + keys.sort + " " + Comparator(query.sort->op) + " " + value;
    }
  }

 private:
  static std::string Comparator(Operator op) {
    constexpr std::array kComparators = {"=", "<", "<=", ">", ">="};
    return kComparators.at(static_cast<std::size_t>(op));
  }

  // Some names can be written as they are, one must not, and the others sometimes are not.
  std::string Name(const std::string& name) {
    const bool plain = name.find_first_not_of("abcdefghijklmnopqrstuvwxyzGSIPK12") == name.npos;
    if (plain && name != "status") return name;
    const std::string token = "#name" + std::to_string(names.size());
    for (const auto& [known, meaning] : names) {
      if (meaning == name) return known;
    }
    names.emplace(token, name);
    return token;
  }

  std::string Text(const Path& path) {
    std::string text = Name(path.attribute);
    if (path.member) text += "." + Name(*path.member);
    if (path.index) text += "[" + std::to_string(*path.index) + "]";
    return text;
  }

  std::string Text(const AttributeValue& value) {
    std::string token = ":value" + std::to_string(values.size());
    values.emplace(token, value);
    return token;
  }

  std::string Text(const Operand& operand) {
    if (!operand.path) return Text(operand.value);
    return operand.size ? "size(" + Text(*operand.path) + ")" : Text(*operand.path);
  }

  std::string Texts(const std::vector<Operand>& operands, std::size_t from) {
    std::string text;
    for (std::size_t i = from; i < operands.size(); ++i) {
      text += (i > from ? ", " : "") + Text(operands[i]);
    }
    return text;
  }

  std::string Text(const UpdateAction& action) {
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
};

template <typename Input>
void Finish(const WriteOperation& operation, Renderer* renderer, Input* input) {
  if (operation.condition) input->condition = renderer->Expression(*operation.condition);
  if constexpr (requires { input->return_values; }) {
    input->return_values = operation.return_values;
  }
  input->return_item_on_condition_failure = operation.return_item_on_condition_failure;
  input->names = std::move(renderer->names);
  input->values = std::move(renderer->values);
}

std::string Quoted(std::string_view bytes) {
  std::ostringstream out;
  out << '"';
  for (const char c : bytes) {
    if (c >= ' ' && c != '"') {
      out << c;
    } else {
      out << "\\x" << std::hex << static_cast<int>(static_cast<unsigned char>(c));
    }
  }
  out << '"';
  return out.str();
}

std::string Member(const std::string& text) { return Quoted(text); }
std::string Member(const Number& number) { return number.ToString(); }
std::string Member(const Binary& binary) { return "b" + Quoted(binary.bytes); }
std::string Member(const AttributeValue& value) { return ToString(value); }

template <typename Range>
std::string Members(const Range& range, std::string_view open, std::string_view close) {
  std::string text(open);
  for (const auto& member : range) text += (text.size() > open.size() ? ", " : "") + Member(member);
  return text + std::string(close);
}

template <typename Expression>
std::string TextOf(const Expression& expression) {
  return expression.text() == nullptr ? "none" : *expression.text();
}

std::string Pairs(const Names& names) {
  std::string text;
  for (const auto& [token, name] : names) text += " " + token + "=" + name;
  return text;
}

template <typename Input>
std::string Details(const Input& input) {
  std::string text;
  if constexpr (requires { input.update; }) text += "\n  update: " + TextOf(input.update);
  text += "\n  condition: " + TextOf(input.condition);
  if (!input.names.empty()) text += "\n  names:" + Pairs(input.names);
  if (!input.values.empty()) text += "\n  values: " + ToString(AttributeValue(input.values));
  if constexpr (requires { input.return_values; }) {
    text += "\n  return values: " + std::to_string(static_cast<int>(input.return_values));
  }
  return text;
}

}  // namespace

const KeyNames& KeyNamesOf(std::string_view index) {
  static const std::map<std::string, KeyNames, std::less<>> kKeyNames = {
      {"", {"PK", "SK"}}, {"GSI1", {"GSI1PK", "GSI1SK"}}, {"GSI2", {"GSI2PK", "n"}}};
  return kKeyNames.find(index)->second;
}

CreateTableInput ModelTable() {
  const GlobalSecondaryIndex by_number{
      .name = "GSI2",
      .partition_key = {{.name = "GSI2PK", .type = AttributeType::kN}},
      .sort_key = {{.name = "n", .type = AttributeType::kN}}};
  return {.name = "model",
          .global_secondary_indexes = {GlobalSecondaryIndex::Overloaded("GSI1"), by_number}};
}

PutItemInput ToPut(const WriteOperation& operation) {
  PutItemInput input{.item = operation.item};
  Renderer renderer;
  Finish(operation, &renderer, &input);
  return input;
}

UpdateItemInput ToUpdate(const WriteOperation& operation) {
  UpdateItemInput input{.key = operation.item};
  Renderer renderer;
  if (!operation.update.empty()) input.update = renderer.Expression(operation.update);
  Finish(operation, &renderer, &input);
  return input;
}

DeleteItemInput ToDelete(const WriteOperation& operation) {
  DeleteItemInput input{.key = operation.item};
  Renderer renderer;
  Finish(operation, &renderer, &input);
  return input;
}

TransactWriteItem ToAction(const WriteOperation& operation, const Table& table) {
  switch (operation.kind) {
    case WriteOperation::Kind::kPut:
      return {table, ToPut(operation)};
    case WriteOperation::Kind::kUpdate:
      return {table, ToUpdate(operation)};
    case WriteOperation::Kind::kDelete:
      return {table, ToDelete(operation)};
    case WriteOperation::Kind::kCheck:
      break;
  }
  ConditionCheckInput input{.key = operation.item};
  Renderer renderer;
  Finish(operation, &renderer, &input);
  return {table, std::move(input)};
}

GetItemInput ToGet(const GetOperation& operation) {
  Renderer renderer;
  GetItemInput input{.key = operation.key};
  if (!operation.projection.empty()) input.projection = renderer.Expression(operation.projection);
  input.names = std::move(renderer.names);
  return input;
}

QueryInput ToQuery(const QueryOperation& operation, const Item& start_key) {
  Renderer renderer;
  QueryInput input{.index = operation.index};
  if (operation.as_expression) {
    input.key_condition = renderer.KeyCondition(operation);
  } else {
    input.partition = operation.partition;
    input.sort = operation.sort;
  }
  if (operation.filter) input.filter = renderer.Expression(*operation.filter);
  if (!operation.projection.empty()) input.projection = renderer.Expression(operation.projection);
  input.names = std::move(renderer.names);
  input.values = std::move(renderer.values);
  input.forward = operation.forward;
  input.limit = operation.limit;
  input.select = operation.select;
  input.exclusive_start_key = start_key;
  return input;
}

std::string ToString(const AttributeValue& value) {
  return std::visit(
      [](const auto& v) -> std::string {
        using T = std::remove_cvref_t<decltype(v)>;
        if constexpr (std::is_same_v<T, bool>) {
          return v ? "true" : "false";
        } else if constexpr (std::is_same_v<T, Null>) {
          return "null";
        } else if constexpr (std::is_same_v<T, Map>) {
          std::string text = "{";
          for (const auto& [name, element] : v) {
            text += (text.size() > 1 ? ", " : "") + name + ": " + ToString(element);
          }
          return text + "}";
        } else if constexpr (std::is_same_v<T, List>) {
          return Members(v, "[", "]");
        } else if constexpr (requires { v.begin()->bytes; } || std::is_same_v<T, StringSet> ||
                             std::is_same_v<T, NumberSet>) {
          return Members(v, "<<", ">>");
        } else {
          return Member(v);
        }
      },
      value.variant());
}

std::string ToString(const WriteOperation& operation) {
  const std::string item = ToString(AttributeValue(operation.item));
  switch (operation.kind) {
    case WriteOperation::Kind::kPut:
      return "PutItem " + item + Details(ToPut(operation));
    case WriteOperation::Kind::kUpdate:
      return "UpdateItem " + item + Details(ToUpdate(operation));
    case WriteOperation::Kind::kDelete:
      return "DeleteItem " + item + Details(ToDelete(operation));
    case WriteOperation::Kind::kCheck:
      return "ConditionCheck " + item + Details(ToDelete(operation));
  }
  return {};
}

std::string ToString(const GetOperation& operation) {
  const GetItemInput input = ToGet(operation);
  return "GetItem " + ToString(AttributeValue(input.key)) +
         "\n  projection: " + TextOf(input.projection) + Pairs(input.names);
}

std::string ToString(const QueryOperation& operation) {
  QueryOperation said = operation;
  said.as_expression = true;
  const QueryInput input = ToQuery(said, {});
  std::ostringstream out;
  out << "Query " << input.index << (operation.as_expression ? "" : " (typed)")
      << (input.forward ? "" : " backward") << "\n  key condition: " << TextOf(input.key_condition)
      << "\n  filter: " << TextOf(input.filter) << "\n  projection: " << TextOf(input.projection)
      << "\n  names:" << Pairs(input.names)
      << "\n  values: " << ToString(AttributeValue(input.values));
  if (input.limit) out << "\n  limit: " << *input.limit;
  return out.str();
}

}  // namespace dolmen::test
