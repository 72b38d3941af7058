// The conversion between entities and items, for items that do not come from an EntityTable:
// records of a stream, exports, batches that the program builds itself.
//
//   if (image[kEntityType].AsString() == EntityName<Message>()) {
//     const Result<Message> message = FromItem<Message>(image);
//   }
//
// All functions are pure and thread-safe.

#pragma once

#include "dolmen/internal/hide_macros.h"

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

// Applies the rule Derived to the attributes outside the primary key.
void DeriveAttributes(const EntitySpec& entity, void* value);

// Do the work of the templates ToItem and FromItem below. `value` points to the entity's struct.
// FromItem reads into a struct with default values; on an error the struct is incomplete.
Result<Item> ToItem(const EntitySpec& entity, const void* value);
Status FromItem(const EntitySpec& entity, ItemView item, void* value);

// Reads an item that belongs to the entity. Does not look at its type attribute.
Status DecodeItem(const EntitySpec& entity, ItemView item, void* value);

// Reads the attributes that the item does not hold from the texts of its primary key.
// - kValidation: the message begins with the name of the wrong attribute.
Status ReadPrimaryKey(const EntitySpec& entity, ItemView item, void* value);

// Returns the primary key, built from the attributes in its templates. Reads no other attribute.
// - kValidation: an attribute in the key is missing or does not fit into the key.
Result<Item> PrimaryKeyOf(const EntitySpec& entity, const void* value);

// Returns the attributes of the primary key that the item has.
Item KeyOf(const EntitySpec& entity, const Item& item);

// Adds the key attributes of an index to `*item`. If an attribute that a template of the key names
// has no value, adds none of them: the index then does not contain the item.
// - kValidation: a value does not fit into the key.
Status AddIndexKey(const EntitySpec& entity, const KeySpec& key, const void* value, Item* item);

// Returns true if a key attribute of an index is also an attribute of the entity, or a key attribute of
// the table. A write sets it as such, and the upkeep of the index must leave it alone.
bool IsSharedKey(const EntitySpec& entity, std::string_view name);

// Sets the hidden members of the struct to the values of their initialisers
// (MemberAttribute::Hidden).
void HideMembers(const EntitySpec& entity, void* value);

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

}  // namespace entity

// Returns the item of an entity: primary key, index keys, type attribute and all present
// attributes. Does not apply the rules IfUnset, Always, Derived and Version; EntityTable's writes
// do.
//
// The message of an error names the entity and the attribute.
// - kValidation: a required attribute is missing.
// - kValidation: a value cannot be stored, for example an enum without a spelling.
// - kValidation: a value in a key is empty or contains a separator (key.h).
template <typename T>
Result<Item> ToItem(const T& value) {
  return entity::ToItem(entity::kSpec<T>, &value);
}

// Returns the entity that the item holds. The entity owns its values, so `item` need not outlive
// the call. Ignores attributes that the entity does not declare.
//
// A member whose attribute is absent gets the value from the primary key, if the key has it. If the
// item has no type attribute, keys of indexes supply values, too. Otherwise the member keeps the
// value of its initialiser. If a value is stored in the primary key and in
// an attribute, reads the attribute and does not compare the two.
//
// The message of an error names the entity, the primary key and the attribute.
// - kCorruption: the type attribute holds the name of a different entity.
// - kCorruption: the type attribute is absent, and the primary key is not a key of this entity.
// - kCorruption: an attribute declared with Required() is missing.
// - kCorruption: an attribute has the wrong type, or a value that the member cannot hold.
// - kCorruption: a value that only the primary key has cannot be read from it.
template <typename T>
Result<T> FromItem(ItemView item) {
  T value{};
  if (Status status = entity::FromItem(entity::kSpec<T>, item, &value); !status.ok()) return status;
  return value;
}

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
