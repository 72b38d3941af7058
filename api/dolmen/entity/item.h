// Entities to and from items, for who has an item from elsewhere: a record of a stream, an export.

#pragma once

#include <optional>

#include "dolmen/entity/definition.h"
#include "dolmen/entity/key_text.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"

namespace dolmen {

namespace entity {

// Gives a new entity the values that its attributes have by themselves.
void FillAttributes(const EntitySpec& entity, const FillContext& context, void* value);

Result<Item> ToItem(const EntitySpec& entity, const void* value);
Status FromItem(const EntitySpec& entity, ItemView item, void* value);

// Of the attributes in the primary key's templates.
Result<Item> PrimaryKeyOf(const EntitySpec& entity, const void* value);

// The parts that a struct has.
class StructPartValues : public PartValues {
 public:
  StructPartValues(const EntitySpec& entity, const void* value) : entity_(entity), value_(value) {}
  Result<bool> Get(std::size_t attribute, AttributeValue* value) const override;

 private:
  const EntitySpec& entity_;
  const void* value_;
};

// For people: `message with conversationId "c_01", messageId "01HW1A"`.  `key` is an item, or more.
std::string DescribeKeyParts(const EntitySpec& entity, const Item& key);

// "" if the item has none.
std::string_view EntityTypeOf(const EntitySpec& entity, ItemView item);

}  // namespace entity

// The item of an entity: keys, index keys, type and attributes.
// kValidation, naming entity and attribute: one that is required is missing, a value is none of its
// enum's or not fit for a key.
template <EntityStruct T>
Result<Item> ToItem(const T& value) {
  return entity::ToItem(entity::kSpec<T>, &value);
}

// The entity of an item.
// kCorruption, naming entity, key and attribute: the item is of another entity, lacks an attribute
// or holds it with the wrong type or an unknown value.  Never a part of an entity.
template <EntityStruct T>
Result<T> FromItem(ItemView item) {
  T value{};
  if (Status status = entity::FromItem(entity::kSpec<T>, item, &value); !status.ok()) return status;
  return value;
}

}  // namespace dolmen
