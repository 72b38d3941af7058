// The conversion between entities and items, for items that do not come from an EntityTable:
// records of a stream, exports, batches that the program builds itself.
//
//   if (image[kEntityType].AsString() == EntityName<Message>()) {
//     const Result<Message> message = FromItem<Message>(image);
//   }
//
// All functions are pure and thread-safe.

#pragma once

#include <optional>

#include "dolmen/entity/definition.h"
#include "dolmen/entity/key_text.h"
#include "dolmen/item_view.h"
#include "dolmen/result.h"

namespace dolmen {

namespace entity {

// Applies the rules IfUnset, Always and Derived to the entity at `value`, in this order. Skips an
// attribute with an empty optional on its path.
void FillAttributes(const EntitySpec& entity, const FillContext& context, void* value);

// Do the work of the templates ToItem and FromItem below. `value` points to the entity's struct.
// FromItem reads into a struct with default values; on an error the struct is incomplete.
Result<Item> ToItem(const EntitySpec& entity, const void* value);
Status FromItem(const EntitySpec& entity, ItemView item, void* value);

// Returns the primary key, built from the attributes in its templates. Reads no other attribute.
// - kValidation: an attribute in the key is missing or does not fit into the key.
Result<Item> PrimaryKeyOf(const EntitySpec& entity, const void* value);

// The values of a struct's members, as a source of the parts of keys. Borrows both arguments of
// the constructor.
class StructPartValues : public PartValues {
 public:
  StructPartValues(const EntitySpec& entity, const void* value) : entity_(entity), value_(value) {}
  Result<bool> Get(std::size_t attribute, AttributeValue* value) const override;

 private:
  const EntitySpec& entity_;
  const void* value_;
};

// Describes a primary key for messages: `message with conversationId "c_01", messageId "01HW1A"`.
// `key` has the key attributes; other attributes are ignored.
std::string DescribeKeyParts(const EntitySpec& entity, const Item& key);

// Returns the value of the item's type attribute; "" if the attribute is absent or not a text. The
// view is borrowed from the item.
std::string_view EntityTypeOf(const EntitySpec& entity, ItemView item);

}  // namespace entity

// Returns the item of an entity: primary key, index keys, type attribute and all present
// attributes. Does not apply the rules IfUnset, Always, Derived and Version; EntityTable's writes
// do.
//
// The message of an error names the entity and the attribute.
// - kValidation: a required attribute is missing.
// - kValidation: a value cannot be stored, for example an enum without a spelling.
// - kValidation: a value in a key is empty or contains a separator (key.h).
template <EntityStruct T>
Result<Item> ToItem(const T& value) {
  return entity::ToItem(entity::kSpec<T>, &value);
}

// Returns the entity that the item holds. The entity owns its values, so `item` need not outlive
// the call. Ignores attributes that the entity does not declare. If a value is stored in the
// primary key and in an attribute, reads the attribute and does not compare the two.
//
// The message of an error names the entity, the primary key and the attribute.
// - kCorruption: the type attribute is absent, or holds the name of a different entity.
// - kCorruption: a required attribute is missing.
// - kCorruption: an attribute has the wrong type, or a value that the member cannot hold.
// - kCorruption: the primary key does not match the entity's templates.
template <EntityStruct T>
Result<T> FromItem(ItemView item) {
  T value{};
  if (Status status = entity::FromItem(entity::kSpec<T>, item, &value); !status.ok()) return status;
  return value;
}

}  // namespace dolmen
