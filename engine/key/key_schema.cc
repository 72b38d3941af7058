#include "engine/key/key_schema.h"

#include <cassert>

#include "engine/value/utf8.h"

namespace dolmen::engine {
namespace {

Status SchemaMismatch() {
  return Status::Validation("The provided key element does not match the schema");
}

Status Invalid(std::string_view what) {
  return Status::Validation(
      std::string("One or more parameter values were invalid: ").append(what));
}

Status CheckNewKey(const KeySchema& schema, const KeyBytes& key) {
  if (key.partition.empty()) return EmptyKeyValue(schema.partition);
  if (schema.sort && key.sort.empty()) return EmptyKeyValue(*schema.sort);
  return CheckKeyBytes(key);
}

// The bytes of one attribute of a request's key.
Result<std::string_view> Find(const KeyAttribute& attribute, const Item& key) {
  const auto found = key.find(attribute.name);
  if (found == key.end() || found->second.type() != attribute.type) return SchemaMismatch();
  const std::string_view bytes = SortableBytes(found->second);
  if (attribute.type == AttributeType::kS && !IsUtf8(bytes)) {
    return Invalid("A string value is not valid UTF-8");
  }
  return bytes;
}

// The bytes of one attribute of an item that is to be stored.
Result<std::string_view> Find(const KeyAttribute& attribute, const ItemView& item) {
  const AttributeView value = item[attribute.name];
  if (!value) return Invalid("Missing the key " + attribute.name + " in the item");
  if (!value.Is(attribute.type)) {
    return Invalid(std::string("Type mismatch for key ")
                       .append(attribute.name)
                       .append(" expected: ")
                       .append(AttributeTypeName(attribute.type))
                       .append(" actual: ")
                       .append(AttributeTypeName(value.type())));
  }
  return value.payload();
}

template <typename Source>
Result<KeyBytes> FindAll(const KeySchema& schema, const Source& source) {
  const Result<std::string_view> partition = Find(schema.partition, source);
  if (!partition.ok()) return partition.status();
  KeyBytes key{*partition};
  if (schema.sort) {
    const Result<std::string_view> sort = Find(*schema.sort, source);
    if (!sort.ok()) return sort.status();
    key.sort = *sort;
  }
  if (Status sizes = CheckNewKey(schema, key); !sizes.ok()) return sizes;
  return key;
}

}  // namespace

Status EmptyKeyValue(const KeyAttribute& attribute) {
  const std::string_view kind = attribute.type == AttributeType::kB ? "binary" : "string";
  return Status::Validation(
      std::string("One or more parameter values are not valid. The AttributeValue for a key "
                  "attribute cannot contain an empty ")
          .append(kind)
          .append(" value. Key: ")
          .append(attribute.name));
}

std::string_view SortableBytes(const AttributeValue& value) {
  if (const auto* text = value.get_if<std::string>()) return *text;
  if (const auto* number = value.get_if<Number>()) return number->encoded();
  const auto* binary = value.get_if<Binary>();
  assert(binary != nullptr);
  return binary->bytes;
}

Result<KeyBytes> KeyOfRequest(const KeySchema& schema, const Item& key) {
  if (key.size() != (schema.sort ? 2 : 1)) return SchemaMismatch();
  return FindAll(schema, key);
}

Result<KeyBytes> KeyOfNewItem(const KeySchema& schema, const ItemView& item) {
  return FindAll(schema, item);
}

std::optional<KeyBytes> KeyOfStoredItem(const KeySchema& schema, const ItemView& item) {
  const AttributeView partition = item[schema.partition.name];
  if (!partition.Is(schema.partition.type)) return std::nullopt;
  KeyBytes key{partition.payload()};
  if (schema.sort) {
    const AttributeView sort = item[schema.sort->name];
    if (!sort.Is(schema.sort->type)) return std::nullopt;
    key.sort = sort.payload();
  }
  return key;
}

Status CheckKeyBytes(const KeyBytes& key) {
  if (key.partition.size() > kPartitionKeyBytesMax) {
    return Invalid("Size of hashkey has exceeded the maximum size limit of2048 bytes");
  }
  if (key.sort.size() > kSortKeyBytesMax) {
    return Invalid("Aggregated size of all range keys has exceeded the size limit of 1024 bytes");
  }
  return {};
}

}  // namespace dolmen::engine
