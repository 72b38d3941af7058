#include "database/statement/syntax/function_names.h"

#include <algorithm>

#include "engine/expression/syntax/syntax.h"

namespace dolmen::engine {

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  });
  return lower;
}

bool IsAggregateFunction(std::string_view lower) {
  return lower == "count" || lower == "sum" || lower == "avg" || lower == "min" || lower == "max";
}

bool IsUpdateFunction(std::string_view lower) {
  return lower == UpdateOperatorName(UpdateNode::Kind::kIfNotExists) ||
         lower == UpdateOperatorName(UpdateNode::Kind::kListAppend) || lower == kSetAdd ||
         lower == kSetDelete;
}

}  // namespace dolmen::engine
