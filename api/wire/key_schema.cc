#include <algorithm>
#include <array>
#include <set>

#include "engine/base/status_macros.h"
#include "wire/errors.h"
#include "wire/java_text.h"
#include "wire/table_json.h"

namespace dolmen::wire {
namespace {

std::string Ordinal(std::size_t index) {
  constexpr std::array<std::string_view, 8> kOrdinals = {"first", "second", "third",   "fourth",
                                                         "fifth", "sixth",  "seventh", "eighth"};
  return std::string(kOrdinals[std::min(index, kOrdinals.size() - 1)]);
}

Status WrongKind(std::size_t index, const char* kind) {
  return Status::Validation("Invalid KeySchema: The " + Ordinal(index) +
                            " KeySchemaElement is not a " + kind + " key type");
}

// An element of a KeySchema.
struct Element {
  KeyAttribute attribute;
  bool is_hash = false;
};

Status CheckDefined(const std::vector<Element>& elements, const AttributeDefinitions& definitions) {
  std::vector<KeyAttribute> all;
  bool defined = true;
  for (const Element& element : elements) {
    all.push_back(element.attribute);
    defined &= definitions.TypeOf(element.attribute.name).has_value();
  }
  if (defined) return {};
  return InvalidParameter(
      "Some index key attributes are not defined in AttributeDefinitions. Keys: " + ListNames(all) +
      ", AttributeDefinitions: " + ListNames(definitions.given()));
}

Status CheckDistinct(const std::vector<Element>& elements, KeySchemaOf of) {
  std::set<std::string_view> names;
  for (const Element& element : elements) {
    if (names.insert(element.attribute.name).second) continue;
    return Status::Validation(
        of == KeySchemaOf::kGlobalIndex
            ? "The KeySchema contains multiple key attributes with the same name"
            : "Both the Hash Key and the Range Key element in the KeySchema have the same name");
  }
  return {};
}

// Checks that hash keys come first and range keys follow. Only a global index may have several hash
// keys.
Status CheckKinds(const std::vector<Element>& elements, KeySchemaOf of) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const bool may_be_hash = i == 0 || (of == KeySchemaOf::kGlobalIndex && elements[i - 1].is_hash);
    if (i == 0 && !elements[i].is_hash) return WrongKind(i, "HASH");
    if (may_be_hash || !elements[i].is_hash) continue;
    if (of != KeySchemaOf::kGlobalIndex) return WrongKind(i, "RANGE");
    return InvalidParameter(
        "All HASH key attributes must precede RANGE key attributes in the KeySchema");
  }
  return {};
}

void AddElements(const std::vector<KeyAttribute>& attributes, KeyType type,
                 std::vector<KeySchemaElement>* elements) {
  for (const KeyAttribute& attribute : attributes) elements->push_back({attribute.name, type});
}

}  // namespace

AttributeDefinitions::AttributeDefinitions(const JsonObject& request) {
  const std::optional<Json> definitions = Member(request, "AttributeDefinitions");
  if (!definitions) return;
  members::ReadTo(*definitions, &given_).IgnoreError();
  for (const KeyAttribute& attribute : given_) AddKnown(attribute);
}

std::optional<AttributeType> AttributeDefinitions::TypeOf(std::string_view name) const {
  const auto found = types_.find(name);
  return found != types_.end() ? std::optional(found->second) : std::nullopt;
}

std::string ListNames(const std::vector<KeyAttribute>& attributes) {
  std::string text = "[";
  for (const KeyAttribute& attribute : attributes) {
    if (text.size() > kShownMax) break;
    text.append(text.size() > 1 ? ", " : "").append(attribute.name);
  }
  return text + "]";
}

Status ReadKeySchema(const JsonObject& structure, const AttributeDefinitions& definitions,
                     KeySchemaOf of, Keys* keys) {
  const std::optional<Json> schema = Member(structure, "KeySchema");
  if (!schema) return {};
  std::vector<Element> elements;
  std::vector<KeySchemaElement> given;
  DOLMEN_RETURN_IF_ERROR(members::ReadTo(*schema, &given));
  for (const auto& [name, type] : given) {
    elements.push_back(
        {{name, definitions.TypeOf(name).value_or(AttributeType::kS)}, type == KeyType::kHash});
  }
  Status valid = CheckDefined(elements, definitions);
  if (valid.ok()) valid = CheckDistinct(elements, of);
  if (valid.ok()) valid = CheckKinds(elements, of);
  for (const Element& element : elements) {
    (element.is_hash ? keys->partition : keys->sort).push_back(element.attribute);
  }
  return valid;
}

void WriteKeySchema(const Keys& keys, JsonWriter* json) {
  std::vector<KeySchemaElement> elements;
  AddElements(keys.partition, KeyType::kHash, &elements);
  AddElements(keys.sort, KeyType::kRange, &elements);
  json->Key("KeySchema");
  members::WriteFrom(elements, json);
}

void WriteKeySchema(const KeyAttribute& partition_key, const std::optional<KeyAttribute>& sort_key,
                    JsonWriter* json) {
  Keys keys{.partition = {partition_key}};
  if (sort_key) keys.sort = {*sort_key};
  WriteKeySchema(keys, json);
}

void WriteIndexKeys(std::string_view, const GlobalSecondaryIndex& index, JsonWriter* json) {
  WriteKeySchema({index.partition_key, index.sort_key}, json);
}

}  // namespace dolmen::wire
