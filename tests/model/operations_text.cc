// Texts of operations for failure messages.

#include <array>
#include <sstream>
#include <string_view>
#include <type_traits>

#include "tests/model/operations.h"

namespace dolmen::test {
namespace {

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

std::string TextOf(const QueryRange& range) {
  const auto* const expression = std::get_if<KeyConditionExpression>(&range);
  return expression == nullptr ? "none" : TextOf(*expression);
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

template <typename Input>
std::string ReadDetails(const Input& input) {
  constexpr std::array kSelects = {"default", "all", "all projected", "specific", "count"};
  std::ostringstream out;
  out << "\n  index: " << input.index
      << "\n  select: " << kSelects.at(static_cast<std::size_t>(input.select))
      << (input.consistent_read ? ", consistent" : "") << "\n  filter: " << TextOf(input.filter)
      << "\n  projection: " << TextOf(input.projection) << "\n  names:" << Pairs(input.names)
      << "\n  values: " << ToString(AttributeValue(input.values));
  if (input.limit) out << "\n  limit: " << *input.limit;
  return out.str();
}

}  // namespace

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

std::string ToString(const QueryOperation& operation, const Shape& shape) {
  QueryOperation said = operation;
  said.as_expression = true;
  const QueryInput input = ToQuery(said, shape, {});
  std::ostringstream out;
  out << "Query " << (operation.as_expression ? "" : " (typed)")
      << (input.forward ? "" : " backward") << "\n  key condition: " << TextOf(input.key_condition);
  if (!operation.shards.empty()) out << "\n  partitions: " << ToString(List(operation.shards));
  return out.str() + ReadDetails(input);
}

std::string ToString(const ScanOperation& operation) {
  return "Scan, segments: " + std::to_string(operation.total_segments) +
         ReadDetails(ToScan(operation, 0, {}));
}

std::string ToString(const TransactOperation& operation) {
  std::string text = "TransactWriteItems " + operation.token;
  for (const auto& [table, write] : operation.writes) {
    text += "\ntable " + std::to_string(table) + ": " + ToString(write);
  }
  return text;
}

std::string ToString(const BatchGet& operation) {
  std::string text = "table " + std::to_string(operation.table);
  for (const Item& key : operation.keys) {
    text += "\n" + ToString(GetOperation{.key = key, .projection = operation.projection});
  }
  return text;
}

}  // namespace dolmen::test
