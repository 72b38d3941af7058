#include "command/query_request.h"

#include <array>
#include <utility>

#include "command/describe.h"
#include "command/text.h"
#include "database/base64.h"
#include "engine/base/status_macros.h"
#include "wire/attribute_json.h"
#include "wire/json.h"

namespace dolmen::command {
namespace {

// An option of the command line for a condition on the sort key, such as --sort-less.
struct RangeOption {
  const char* option;
  const std::vector<std::string> QueryWords::*words;
  // Returns the condition as an expression. `name` and `values` are the placeholders to use.
  std::string (*condition)(const std::string& name, const std::vector<std::string>& values);
};

std::string Compared(const std::string& name, const char* op, const std::string& value) {
  return name + " " + op + " " + value;
}

const std::array<RangeOption, 6> kRangeOptions = {{
    {"--sort-begins-with", &QueryWords::sort_begins_with,
     [](const std::string& name, const std::vector<std::string>& values) {
       return "begins_with(" + name + ", " + values[0] + ")";
     }},
    {"--sort-between", &QueryWords::sort_between,
     [](const std::string& name, const std::vector<std::string>& values) {
       return name + " BETWEEN " + values[0] + " AND " + values[1];
     }},
    {"--sort-less", &QueryWords::sort_less,
     [](const auto& name, const auto& values) { return Compared(name, "<", values[0]); }},
    {"--sort-at-most", &QueryWords::sort_at_most,
     [](const auto& name, const auto& values) { return Compared(name, "<=", values[0]); }},
    {"--sort-greater", &QueryWords::sort_greater,
     [](const auto& name, const auto& values) { return Compared(name, ">", values[0]); }},
    {"--sort-at-least", &QueryWords::sort_at_least,
     [](const auto& name, const auto& values) { return Compared(name, ">=", values[0]); }},
}};

// Returns the range option that the command line contains, such as --sort-less, or null.
// - kValidation: the command line contains two range options.
Result<const RangeOption*> GivenRange(const QueryWords& words) {
  const RangeOption* given = nullptr;
  for (const RangeOption& option : kRangeOptions) {
    if ((words.*option.words).empty()) continue;
    if (given != nullptr) {
      return Status::Validation(std::string(given->option) + " and " + option.option +
                                " can't be combined");
    }
    given = &option;
  }
  return given;
}

// A builder of a KeyConditionExpression. A filter of the user is in the same request, so the
// builder gives its placeholders names that the filter is unlikely to use.
class KeyCondition {
 public:
  explicit KeyCondition(QueryInput* query) : query_(*query) {}

  Status Equal(const KeyAttribute& key, const std::string& word) {
    return Add(key, {word}, [](const std::string& name, const std::vector<std::string>& values) {
      return Compared(name, "=", values[0]);
    });
  }

  template <typename Condition>
  Status Add(const KeyAttribute& key, const std::vector<std::string>& words, Condition condition) {
    std::vector<std::string> placeholders;
    const std::string number = std::to_string(query_.names.size());
    const std::string name = "#dolmen_key_" + number;
    for (const std::string& word : words) {
      DOLMEN_ASSIGN_OR_RETURN(AttributeValue value, KeyValue(key, word));
      placeholders.push_back(":dolmen_key_" + std::to_string(query_.values.size()));
      query_.values.emplace(placeholders.back(), std::move(value));
    }
    query_.names.emplace(name, key.name);
    text_.append(text_.empty() ? "" : " AND ").append(condition(name, placeholders));
    return {};
  }

  void Finish() { query_.key_condition = text_; }

 private:
  QueryInput& query_;
  std::string text_;
};

Status AddPartition(const KeyAttributes& keys, const QueryWords& words, KeyCondition* condition) {
  if (words.partition.size() != keys.partition.size()) {
    return Status::Validation("--partition must be given " +
                              CountText(keys.partition.size(), "time") + ", for " +
                              KeysText({.partition = keys.partition}));
  }
  for (std::size_t i = 0; i < words.partition.size(); ++i) {
    DOLMEN_RETURN_IF_ERROR(condition->Equal(keys.partition[i], words.partition[i]));
  }
  return {};
}

Status AddSort(const KeyAttributes& keys, const QueryWords& words, KeyCondition* condition) {
  DOLMEN_ASSIGN_OR_RETURN(const RangeOption* const range, GivenRange(words));
  const std::size_t conditions = words.sort_equals.size() + (range == nullptr ? 0 : 1);
  if (conditions > keys.sort.size()) {
    return Status::Validation(keys.sort.empty()
                                  ? "there is no sort key: omit the --sort-... conditions"
                                  : "there are more --sort-... conditions than sort keys: " +
                                        KeysText({.sort = keys.sort}));
  }
  for (std::size_t i = 0; i < words.sort_equals.size(); ++i) {
    DOLMEN_RETURN_IF_ERROR(condition->Equal(keys.sort[i], words.sort_equals[i]));
  }
  if (range == nullptr) return {};
  return condition->Add(keys.sort[words.sort_equals.size()], words.*range->words, range->condition);
}

// Parses the JSON of an option. The result is valid until the parser parses again.
// - kValidation: the text is not a JSON object.
Result<wire::Json> ParseObject(const char* option, const std::string& json,
                               simdjson::dom::parser* parser) {
  DOLMEN_ASSIGN_OR_RETURN(wire::Json object, wire::ParseJson(json, option, parser));
  if (object.is_object()) return object;
  return Status::Validation(std::string(option) + " is not a JSON object");
}

Result<Names> NamesOf(const std::string& json) {
  Names names;
  if (json.empty()) return names;
  simdjson::dom::parser parser;
  DOLMEN_ASSIGN_OR_RETURN(const wire::Json& object, ParseObject("--names", json, &parser));
  for (const simdjson::dom::key_value_pair member : wire::ObjectOf(object)) {
    if (!member.value.is_string()) {
      return Status::Validation("--names: " + std::string(member.key) + " is not a string");
    }
    names.insert_or_assign(std::string(member.key), std::string(wire::StringOf(member.value)));
  }
  return names;
}

Result<Values> ValuesOf(const std::string& json) {
  if (json.empty()) return Values();
  simdjson::dom::parser parser;
  DOLMEN_ASSIGN_OR_RETURN(const wire::Json& object, ParseObject("--values", json, &parser));
  Result<Item> values = wire::ReadNamedItem(object);
  if (values.ok()) return *std::move(values);
  return Status::Validation("--values: " + values.status().message());
}

// Sets the index and the filter, which Query and Scan share.
template <typename Input>
Status SetFilter(const QueryWords& words, Input* input) {
  input->index = words.index;
  if (!words.filter.empty()) input->filter = words.filter;
  DOLMEN_ASSIGN_OR_RETURN(Names names, NamesOf(words.names));
  DOLMEN_ASSIGN_OR_RETURN(Values values, ValuesOf(words.values));
  input->names = std::move(names);
  input->values = std::move(values);
  return {};
}

}  // namespace

Result<AttributeValue> KeyValue(const KeyAttribute& key, const std::string& word) {
  if (key.type == AttributeType::kN) {
    const Result<Number> number = Number::Parse(word);
    if (number.ok()) return AttributeValue(*number);
    return Status::Validation(key.name + " is a number: " + number.status().message());
  }
  if (key.type == AttributeType::kB) {
    Binary binary;
    if (internal::DecodeBase64(word, &binary.bytes).ok()) return AttributeValue(std::move(binary));
    return Status::Validation(key.name +
                              " is binary and must be given in Base64: " + Printable(word));
  }
  return AttributeValue(word);
}

Result<QueryInput> QueryOf(const TableDescription& table, const QueryWords& words) {
  DOLMEN_ASSIGN_OR_RETURN(const KeyAttributes& keys, KeysOf(table, words.index));
  QueryInput query{.forward = !words.reverse};
  DOLMEN_RETURN_IF_ERROR(SetFilter(words, &query));
  KeyCondition condition(&query);
  DOLMEN_RETURN_IF_ERROR(AddPartition(keys, words, &condition));
  DOLMEN_RETURN_IF_ERROR(AddSort(keys, words, &condition));
  condition.Finish();
  return query;
}

Result<ScanInput> ScanOf(const TableDescription& table, const QueryWords& words) {
  DOLMEN_RETURN_IF_ERROR(KeysOf(table, words.index).status());
  DOLMEN_ASSIGN_OR_RETURN(const RangeOption* const range, GivenRange(words));
  if (words.reverse || !words.sort_equals.empty() || range != nullptr) {
    const char* option = words.reverse                ? "--reverse"
                         : !words.sort_equals.empty() ? "--sort-equals"
                                                      : range->option;
    return Status::Validation(std::string(option) + " needs --partition");
  }
  ScanInput scan;
  DOLMEN_RETURN_IF_ERROR(SetFilter(words, &scan));
  return scan;
}

}  // namespace dolmen::command
