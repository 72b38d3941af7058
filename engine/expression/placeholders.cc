#include "engine/expression/placeholders.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/base/status_macros.h"
#include "engine/expression/encoded_values.h"
#include "engine/expression/syntax/lexer.h"
#include "engine/value/codec.h"

namespace dolmen::engine {
namespace {

constexpr std::size_t kTokenBytesMax = 255;

constexpr std::string_view kNamesParameter = "ExpressionAttributeNames";
constexpr std::string_view kValuesParameter = "ExpressionAttributeValues";

Status Invalid(std::string_view parameter, std::string_view rest) {
  return Status::Validation(std::string(parameter).append(rest));
}

bool IsTokenCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

Status CheckToken(std::string_view parameter, char sigil, std::string_view token) {
  if (token.empty()) {
    return Invalid(parameter,
                   " contains invalid key: The expression attribute map contains an empty key;");
  }
  const bool well_formed = token.size() > 1 && token.front() == sigil &&
                           std::all_of(token.begin() + 1, token.end(), IsTokenCharacter);
  if (!well_formed) {
    return Invalid(parameter, std::string(" contains invalid key: Syntax error; key: \"")
                                  .append(Printable(token))
                                  .append("\""));
  }
  if (token.size() > kTokenBytesMax) {  // text unverified
    return Invalid(parameter,
                   std::string(" contains invalid key: The expression attribute map contains a key "
                               "that is too long; key: \"")
                       .append(token)
                       .append("\""));
  }
  return {};
}

Status CheckDefinedName(std::string_view token, std::string_view name) {
  const std::string fault = AttributeNameFault(name);
  if (fault.empty()) return {};
  return Invalid(
      kNamesParameter,
      std::string(" contains invalid value: ").append(fault).append(" for key ").append(token));
}

// Returns the end of the message for values that no expression can use, for example
// "UpdateExpression and ConditionExpression are null". Names the parameters in the order of
// ExpressionKind.
std::string NullParameters(std::initializer_list<ExpressionParameter> parameters) {
  std::vector<ExpressionKind> kinds;
  for (const ExpressionParameter& parameter : parameters) kinds.push_back(parameter.kind);
  std::sort(kinds.begin(), kinds.end());
  std::string text;
  int count = 0;
  for (const ExpressionKind kind : kinds) {
    if (kind == ExpressionKind::kProjection) continue;  // projections have no values
    if (count++ > 0) text += " and ";
    text += ExpressionKindName(kind);
  }
  return text + (count == 1 ? " is null" : " are null");
}

Status CheckExpressionsGiven(const Names& names, const Values& values,
                             std::initializer_list<ExpressionParameter> parameters) {
  bool any = false;
  bool any_with_values = false;
  for (const ExpressionParameter& parameter : parameters) {
    any = any || parameter.given;
    any_with_values =
        any_with_values || (parameter.given && parameter.kind != ExpressionKind::kProjection);
  }
  if (!names.empty() && !any) {
    return Invalid(kNamesParameter, " can only be specified when using expressions");
  }
  if (!values.empty() && !any_with_values) {
    return Invalid(kValuesParameter,
                   " can only be specified when using expressions: " + NullParameters(parameters));
  }
  return {};
}

// Returns an error that lists the unused placeholders, or success if all placeholders are used.
// `is_used(i)` returns true if the placeholder at position `i` of the map is used.
template <typename PlaceholderMap, typename IsUsed>
Status CheckUsed(std::string_view parameter, const PlaceholderMap& map, IsUsed is_used) {
  std::string unused;
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (is_used(i)) continue;
    unused.append(unused.empty() ? "" : ", ").append((map.begin() + i)->first);
  }
  if (unused.empty()) return {};
  return Status::Validation(std::string("Value provided in ")
                                .append(parameter)
                                .append(" unused in expressions: keys: {")
                                .append(unused)
                                .append("}"));
}

}  // namespace

Status Placeholders::CheckNames(const Names& names) {
  for (const auto& [token, name] : names) {
    DOLMEN_RETURN_IF_ERROR(CheckToken(kNamesParameter, '#', token));
    DOLMEN_RETURN_IF_ERROR(CheckDefinedName(token, name));
  }
  return {};
}

Result<Placeholders> Placeholders::Make(const Names& names, const Values& values,
                                        std::initializer_list<ExpressionParameter> parameters) {
  Placeholders placeholders(names, values);
  DOLMEN_RETURN_IF_ERROR(placeholders.Encode(parameters));
  return placeholders;
}

Status Placeholders::Encode(std::initializer_list<ExpressionParameter> parameters) {
  DOLMEN_RETURN_IF_ERROR(CheckExpressionsGiven(*names_, *values_, parameters));
  DOLMEN_RETURN_IF_ERROR(CheckNames(*names_));
  return EncodeValues();
}

Status Placeholders::Encode(const AttributeValue& value) {
  Status added = encoded_.Add(value);
  if (added.ok() || !in_transaction_) return added;
  if (!encoded_.Add(value, kNestingLevelsMax + 1).ok()) return added;
  has_deep_value_ = true;
  return {};
}

Status Placeholders::EncodeValues() {
  value_used_.resize(values_->size(), false);
  for (const auto& [token, value] : *values_) {
    DOLMEN_RETURN_IF_ERROR(CheckToken(kValuesParameter, ':', token));
    if (Status s = Encode(value); !s.ok()) {
      return Invalid(kValuesParameter, std::string(" contains invalid value: ")
                                           .append(s.message())
                                           .append(" for key ")
                                           .append(token));
    }
    if (encoded_.size_bytes() > kValuesBytesMax) {  // text unverified
      return Invalid(kValuesParameter, " exceeds the maximum size of 2 MB");
    }
  }
  return {};
}

const std::string* Placeholders::UseName(std::string_view token) {
  const auto found = names_->find(token);
  if (found == names_->end()) return nullptr;
  name_used_[found - names_->begin()] = true;
  return &found->second;
}

AttributeView Placeholders::UseValue(std::string_view token) {
  if (parameters_ != nullptr) return (*parameters_)[ParameterNumber(token)];
  const auto found = values_->find(token);
  if (found == values_->end()) return {};
  const auto position = static_cast<std::size_t>(found - values_->begin());
  value_used_[position] = true;
  return encoded_[position];
}

Status Placeholders::CheckAllUsed() const {
  DOLMEN_RETURN_IF_ERROR(
      CheckUsed(kNamesParameter, *names_, [&](std::size_t i) { return name_used_[i]; }));
  return CheckUsed(kValuesParameter, *values_, [&](std::size_t i) { return value_used_[i]; });
}

}  // namespace dolmen::engine
