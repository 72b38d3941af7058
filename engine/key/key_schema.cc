#include "engine/key/key_schema.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/value/invalid_parameter.h"

namespace dolmen::engine {
namespace {

Status SchemaMismatch() {
  return Status::Validation("The provided key element does not match the schema");
}

Status CheckNewKey(const KeySchema& schema, const KeyBytes& key) {
  for (std::size_t i = 0; i < key.size(); ++i) {
    if (key[i].empty()) return EmptyKeyValue(schema.attributes()[i]);
  }
  return CheckKeySizes(schema, key);
}

struct KeySizes {
  std::size_t partition = 0;
  std::size_t sort = 0;
};

KeySizes ComputeKeySizes(const KeySchema& schema, const KeyBytes& key) {
  KeySizes sizes;
  for (std::size_t i = 0; i < key.size(); ++i) {
    (i < schema.partition().size() ? sizes.partition : sizes.sort) += key[i].size();
  }
  return sizes;
}

bool AreWithinLimits(const KeySizes& sizes) {
  return sizes.partition <= kPartitionKeyBytesMax && sizes.sort <= kSortKeyBytesMax;
}

// Returns the value of one key attribute in the key of a request. Returns null if the key has no such
// attribute, or if the attribute has another type.
const AttributeValue* FindKeyValue(const KeyAttribute& attribute, const Item& key) {
  const auto found = key.find(attribute.name);
  return found == key.end() || found->second.type() != attribute.type ? nullptr : &found->second;
}

// Returns the bytes of one key attribute of an item that a request puts.
Result<std::string_view> FindKeyBytes(const KeyAttribute& attribute, const ItemView& item,
                                      PutBy by) {
  const AttributeView value = item[attribute.name];
  if (by == PutBy::kBatch && !value.Is(attribute.type)) return SchemaMismatch();
  if (!value) return InvalidParameter("Missing the key " + attribute.name + " in the item");
  if (!value.Is(attribute.type)) {
    return InvalidParameter(std::string("Type mismatch for key ")
                                .append(attribute.name)
                                .append(" expected: ")
                                .append(AttributeTypeName(attribute.type))
                                .append(" actual: ")
                                .append(AttributeTypeName(value.type())));
  }
  return value.payload();
}

std::vector<KeyAttribute> AsVector(std::optional<KeyAttribute> attribute) {
  std::vector<KeyAttribute> attributes;
  if (attribute) attributes.push_back(*std::move(attribute));
  return attributes;
}

}  // namespace

KeySchema::KeySchema(std::vector<KeyAttribute> partition, std::vector<KeyAttribute> sort)
    : attributes_(std::move(partition)), partition_count_(attributes_.size()) {
  attributes_.insert(attributes_.end(), sort.begin(), sort.end());
}

KeySchema::KeySchema(KeyAttribute partition, std::optional<KeyAttribute> sort)
    : KeySchema(std::vector{std::move(partition)}, AsVector(std::move(sort))) {}

bool KeySchema::HasAttribute(std::string_view attribute) const {
  const auto is_it = [&](const KeyAttribute& key) { return key.name == attribute; };
  return std::any_of(attributes_.begin(), attributes_.end(), is_it);
}

Status EmptyKeyValue(const KeyAttribute& attribute) {
  if (attribute.type == AttributeType::kN) return InvalidParameter(kInvalidDouble);
  const std::string_view kind = attribute.type == AttributeType::kB ? "binary" : "string";
  return Status::Validation(
      std::string("One or more parameter values are not valid. The AttributeValue for a key "
                  "attribute cannot contain an empty ")
          .append(kind)
          .append(" value. Key: ")
          .append(attribute.name));
}

bool MatchesSchema(const KeySchema& schema, const Item& key) {
  const auto has = [&](const KeyAttribute& attribute) {
    return FindKeyValue(attribute, key) != nullptr;
  };
  return key.size() == schema.attributes().size() &&
         std::all_of(schema.attributes().begin(), schema.attributes().end(), has);
}

bool MatchesSchema(const KeySchema& schema, const ItemView& item) {
  const auto has = [&](const KeyAttribute& attribute) {
    return item[attribute.name].Is(attribute.type);
  };
  return std::all_of(schema.attributes().begin(), schema.attributes().end(), has);
}

std::string_view SortableBytes(const AttributeValue& value) {
  if (const auto* text = value.get_if<std::string>()) return *text;
  if (const auto* number = value.get_if<Number>()) return number->encoded();
  const auto* binary = value.get_if<Binary>();
  assert(binary != nullptr);
  return binary->bytes;
}

Result<KeyBytes> KeyOfRequest(const KeySchema& schema, const Item& key) {
  if (key.size() != schema.attributes().size()) return SchemaMismatch();
  KeyBytes bytes;
  for (const KeyAttribute& attribute : schema.attributes()) {
    const AttributeValue* const value = FindKeyValue(attribute, key);
    if (value == nullptr) return SchemaMismatch();
    bytes.push_back(SortableBytes(*value));
  }
  DOLMEN_RETURN_IF_ERROR(CheckNewKey(schema, bytes));
  return bytes;
}

Result<KeyBytes> KeyOfNewItem(const KeySchema& schema, const ItemView& item, PutBy by) {
  KeyBytes key;
  for (const KeyAttribute& attribute : schema.attributes()) {
    DOLMEN_ASSIGN_OR_RETURN(const std::string_view bytes, FindKeyBytes(attribute, item, by));
    key.push_back(bytes);
  }
  DOLMEN_RETURN_IF_ERROR(CheckNewKey(schema, key));
  return key;
}

std::optional<KeyBytes> KeyOfStoredItem(const KeySchema& schema, const ItemView& item) {
  boost::container::static_vector<AttributeView, 2 * kKeyAttributesMax> values;
  for (const KeyAttribute& attribute : schema.attributes()) values.push_back(item[attribute.name]);
  return KeyOfStoredValues(schema, {values.data(), values.size()});
}

std::optional<KeyBytes> KeyOfStoredValues(const KeySchema& schema,
                                          std::span<const AttributeView> values) {
  KeyBytes key;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i].Is(schema.attributes()[i].type) || values[i].payload().empty()) {
      return std::nullopt;
    }
    key.push_back(values[i].payload());
  }
  if (!AreWithinLimits(ComputeKeySizes(schema, key))) return std::nullopt;
  return key;
}

Status CheckKeySizes(const KeySchema& schema, const KeyBytes& key) {
  const KeySizes sizes = ComputeKeySizes(schema, key);
  if (sizes.partition > kPartitionKeyBytesMax) {
    return InvalidParameter("Size of hashkey has exceeded the maximum size limit of2048 bytes");
  }
  if (sizes.sort > kSortKeyBytesMax) {
    return InvalidParameter(
        "Aggregated size of all range keys has exceeded the size limit of 1024 bytes");
  }
  return {};
}

}  // namespace dolmen::engine
