#include "dolmen/entity/item.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/entity/attribute_map.h"
#include "dolmen/entity/entity_matcher.h"
#include "dolmen/entity/key_text.h"
#include "engine/base/status_macros.h"
#include "entity/upgrade.h"

namespace dolmen::entity {
namespace {

// Sets the key attribute `name` of the item and returns true. If an attribute that the template
// `key` names has no value, changes nothing and returns false.
Result<bool> AddKeyAttribute(const EntitySpec& entity, std::string_view name,
                             const KeyTemplate& key, const PartValues& parts, Item* item) {
  std::string text;
  DOLMEN_ASSIGN_OR_RETURN(const std::size_t count, RenderKey(entity, key, parts, &text));
  if (count < key.count) return false;
  item->insert_or_assign(name, std::move(text));
  return true;
}

// Returns the error of an incomplete primary key. The message names the first absent part.
Status MissingPartError(const EntitySpec& entity, const PartValues& parts) {
  for (std::size_t i = 0; i < entity.attributes.size(); ++i) {
    AttributeValue value;
    DOLMEN_ASSIGN_OR_RETURN(const bool known, parts.Get(i, &value));
    if (!known && entity.primary().HasPart(i)) {
      return InvalidAttribute(entity, entity.attributes[i].name, "is missing");
    }
  }
  return Status::Validation(std::string(entity.name) + ": the primary key is incomplete");
}

// Reads an attribute from its text in a key. A time of which the key has the day alone becomes
// midnight.
Status DecodePart(const AttributeSpec& attribute, const KeyPart& part, void* value) {
  if (part.text.empty()) return Status::Validation("is a part of the key and must not be empty");
  if (attribute.part_kind != PartKind::kInteger) {
    const bool is_day = part.segment->format == PartFormat::kDate;
    const std::string text = std::string(part.text) + (is_day ? "T00:00:00.000Z" : "");
    return attribute.decode(AttributeView(AttributeType::kS, text), value);
  }
  const bool is_negative = part.text.starts_with('-');
  const Result<Number> number = Number::Parse(part.text);
  if (!number.ok() || part.text.find_first_not_of("0123456789", is_negative) != part.text.npos) {
    return Status::Validation("is not a whole number: \"" + std::string(part.text) + "\"");
  }
  return attribute.decode(AttributeView(AttributeType::kN, number->encoded()), value);
}

// Returns true if the attribute's value must be read from the key.
bool IsOnlyInKey(const AttributeSpec& attribute, ItemView item) {
  return attribute.in_key_only || !item[attribute.name];
}

// Reads the attributes that the item does not hold from one attribute of the primary key.
// - kValidation: the message begins with the name of the wrong attribute.
Status ReadKeyAttribute(const EntitySpec& entity, std::string_view name, const KeyTemplate& key,
                        ItemView item, void* value) {
  const auto attribute_of = [&](const KeySegment& segment) -> const AttributeSpec& {
    return entity.attributes[static_cast<std::size_t>(segment.attribute)];
  };
  const bool is_needed = std::ranges::any_of(key, [&](const KeySegment& segment) {
    return segment.attribute != KeySegment::kNoAttribute &&
           IsOnlyInKey(attribute_of(segment), item);
  });
  if (!is_needed) return {};
  const auto text = item[name].AsString();
  if (!text) return NameAttribute(name, WrongType(item[name], AttributeType::kS));
  std::vector<KeyPart> parts;
  DOLMEN_RETURN_IF_ERROR(NameAttribute(name, SplitKey(key, *text, &parts)));
  for (const KeyPart& part : parts) {
    const AttributeSpec& attribute = attribute_of(*part.segment);
    if (!IsOnlyInKey(attribute, item)) continue;
    DOLMEN_RETURN_IF_ERROR(NameAttribute(attribute.name, DecodePart(attribute, part, value)));
  }
  return {};
}

// Reads the absent attributes of an item of another program from one attribute of an index's key.
// Does nothing if the attribute is absent or does not match the template.
Status ReadIndexKeyAttribute(const EntitySpec& entity, const std::string& name,
                             const KeyTemplate& key, ItemView item, void* value) {
  const auto text = item[name].AsString();
  std::vector<KeyPart> parts;
  if (!text || !SplitKey(key, *text, &parts).ok()) return {};
  for (const KeyPart& part : parts) {
    const AttributeSpec& attribute =
        entity.attributes[static_cast<std::size_t>(part.segment->attribute)];
    if (attribute.in_key || item[attribute.name]) continue;
    DOLMEN_RETURN_IF_ERROR(NameAttribute(attribute.name, DecodePart(attribute, part, value)));
  }
  return {};
}

// Reads absent attributes from the keys of indexes. Only for items without a type attribute: this
// layer stores each attribute of an index's key in the item, too.
Status ReadIndexKeys(const EntitySpec& entity, ItemView item, void* value) {
  if (entity.keys.size() == 1 || item[entity.type_attribute]) return {};
  for (const KeySpec& key : entity.keys.subspan(1)) {
    DOLMEN_RETURN_IF_ERROR(
        ReadIndexKeyAttribute(entity, key.PartitionName(), key.partition, item, value));
    if (!key.has_sort) continue;
    DOLMEN_RETURN_IF_ERROR(ReadIndexKeyAttribute(entity, key.SortName(), key.sort, item, value));
  }
  return {};
}

// Returns kCorruption with the entity's name and the item's primary key.
Status CorruptItem(const EntitySpec& entity, ItemView item, const std::string& what) {
  std::string message(entity.name);
  message.append(" ").append(item[entity.primary().partition_name].ToString());
  if (entity.primary().has_sort) {
    message.append(" ").append(item[entity.primary().sort_name].ToString());
  }
  return Status::Corruption(message.append(": ").append(what));
}

// Removes from the entity's Rest member the attributes that each write of the entity sets.
void RemoveOwnAttributes(const EntitySpec& entity, void* value) {
  const auto found = std::ranges::find_if(
      entity.attributes, [](const AttributeSpec& attribute) { return attribute.rest != nullptr; });
  if (found == entity.attributes.end()) return;
  Map& rest = *found->rest(value);
  rest.erase(entity.type_attribute);
  // The version of a newer program stays, because its attributes stay, too.
  const auto version = rest.find(kEntityVersion);
  const auto* number = version == rest.end() ? nullptr : version->second.get_if<Number>();
  if (number != nullptr && *number <= Number(entity.format)) rest.erase(kEntityVersion);
  for (const KeySpec& key : entity.keys) {
    rest.erase(key.PartitionName());
    rest.erase(key.SortName());
  }
}

// Appends the names and texts of a key's parts to the description.
void AppendParts(const EntitySpec& entity, const KeyTemplate& key, std::string_view text,
                 std::string* description) {
  std::vector<KeyPart> parts;
  SplitKey(key, text, &parts).IgnoreError();
  for (const KeyPart& part : parts) {
    description->append(description->empty() ? " with " : ", ");
    description->append(entity.attributes[static_cast<std::size_t>(part.segment->attribute)].name);
    description->append(" \"").append(part.text).append("\"");
  }
}

// Returns the text of a key attribute, or "" if it is absent or not a text.
std::string_view TextOf(const Item& key, std::string_view name) {
  const auto found = key.find(name);
  const auto* text = found == key.end() ? nullptr : found->second.get_if<std::string>();
  return text == nullptr ? std::string_view() : std::string_view(*text);
}

}  // namespace

void FillAttributes(const EntitySpec& entity, const FillContext& context, void* value) {
  // Skip an attribute whose path goes through an empty optional. Filling the attribute would also
  // fill the optional, and the optional's other required attributes would have no values.
  for (const AttributeSpec& attribute : entity.attributes) {
    if (!attribute.is_reachable(value)) continue;
    if (attribute.if_unset != nullptr) attribute.if_unset(value, context);
    if (attribute.always != nullptr) attribute.always(value, context);
  }
  // Derived values come last, because they may depend on the values that were just filled.
  for (const AttributeSpec& attribute : entity.attributes) {
    if (attribute.derive != nullptr && attribute.is_reachable(value)) attribute.derive(value);
  }
}

void DeriveAttributes(const EntitySpec& entity, void* value) {
  for (const AttributeSpec& attribute : entity.attributes) {
    if (attribute.IsComputed() && attribute.is_reachable(value)) attribute.derive(value);
  }
}

Result<bool> StructPartValues::Get(std::size_t attribute, AttributeValue* value) const {
  const AttributeSpec& spec = entity_.attributes[attribute];
  if (!spec.is_present(value_)) return false;
  const Status encoded = spec.encode(value_, value);
  if (!encoded.ok()) return InvalidAttribute(entity_, spec.name, encoded.message());
  return true;
}

Status AddIndexKey(const EntitySpec& entity, const KeySpec& key, const void* value, Item* item) {
  const StructPartValues parts(entity, value);
  // The primary key is the partition key of a local index, so it is in the item.
  if (key.is_local) return AddKeyAttribute(entity, key.SortName(), key.sort, parts, item).status();
  Result<bool> added = AddKeyAttribute(entity, key.PartitionName(), key.partition, parts, item);
  if (!added.ok() || !*added || !key.has_sort) return added.status();
  added = AddKeyAttribute(entity, key.SortName(), key.sort, parts, item);
  if (added.ok() && !*added) item->erase(key.PartitionName());
  return added.status();
}

Status ReadPrimaryKey(const EntitySpec& entity, ItemView item, void* value) {
  const KeySpec& key = entity.primary();
  DOLMEN_RETURN_IF_ERROR(ReadKeyAttribute(entity, key.partition_name, key.partition, item, value));
  if (!key.has_sort) return {};
  return ReadKeyAttribute(entity, key.sort_name, key.sort, item, value);
}

Result<Item> PrimaryKeyOf(const EntitySpec& entity, const void* value) {
  const KeySpec& key = entity.primary();
  const StructPartValues parts(entity, value);
  Item item;
  item.reserve(2);
  Result<bool> added = AddKeyAttribute(entity, key.partition_name, key.partition, parts, &item);
  if (added.ok() && *added && key.has_sort) {
    added = AddKeyAttribute(entity, key.sort_name, key.sort, parts, &item);
  }
  if (!added.ok()) return added.status();
  if (!*added) return MissingPartError(entity, parts);
  return item;
}

bool IsSharedKey(const EntitySpec& entity, std::string_view name) {
  const KeySpec& primary = entity.primary();
  return name == primary.partition_name || name == primary.sort_name ||
         std::ranges::any_of(entity.attributes, [&](const AttributeSpec& attribute) {
           return attribute.name == name;
         });
}

void HideMembers(const EntitySpec& entity, void* value) {
  if (!entity.hides_members) return;
  for (const AttributeSpec& attribute : entity.attributes) {
    if (attribute.hide != nullptr && attribute.is_reachable(value)) attribute.hide(value);
  }
}

Item KeyOf(const EntitySpec& entity, const Item& item) {
  const KeySpec& primary = entity.primary();
  Item key;
  for (const std::string_view name : {primary.partition_name, primary.sort_name}) {
    if (const auto found = item.find(name); found != item.end()) key.insert(*found);
  }
  return key;
}

Result<Item> ToItem(const EntitySpec& entity, const void* value) {
  Result<Item> item = PrimaryKeyOf(entity, value);
  if (!item.ok()) return item;
  item->reserve(item->size() + 2 * entity.keys.size() + entity.attributes.size());
  item->insert_or_assign(entity.type_attribute, entity.name);
  for (const KeySpec& key : entity.keys.subspan(1)) {
    DOLMEN_RETURN_IF_ERROR(AddIndexKey(entity, key, value, &*item));
  }
  const Status encoded = EncodeAttributes(entity.attributes, value, &*item);
  if (!encoded.ok()) {
    return Status::Validation(std::string(entity.name) + ": attribute " + encoded.message());
  }
  // Rest may hold the version of a newer program.
  if (entity.format > 1) item->emplace(kEntityVersion, entity.format);
  return item;
}

Status FromItem(const EntitySpec& entity, ItemView item, void* value) {
  const TypeMatch type = MatchType(entity, item);
  if (type == TypeMatch::kOther) {
    return CorruptItem(entity, item,
                       "the item belongs to another entity, " + DescribeType(entity, item));
  }
  if (type == TypeMatch::kAbsent && !HasKeyOf(entity, item)) {
    return CorruptItem(entity, item,
                       "the item has no attribute " + std::string(entity.type_attribute) +
                           ", and its key is not a key of this entity");
  }
  return DecodeItem(entity, item, value);
}

Status DecodeItem(const EntitySpec& entity, ItemView item, void* value) {
  std::string upgraded;
  const Result<bool> is_upgraded = UpgradeItem(entity, item, &upgraded);
  if (!is_upgraded.ok()) return CorruptItem(entity, item, is_upgraded.status().message());
  if (*is_upgraded) {
    DOLMEN_ASSIGN_OR_RETURN(item, ItemView::Parse(upgraded));
  }
  Status read = ReadPrimaryKey(entity, item, value);
  if (read.ok()) read = ReadIndexKeys(entity, item, value);
  if (read.ok()) read = DecodeAttributes(entity.attributes, item.attributes(), value);
  if (!read.ok()) return CorruptItem(entity, item, "attribute " + read.message());
  RemoveOwnAttributes(entity, value);
  return {};
}

std::string DescribeKeyParts(const EntitySpec& entity, const Item& key) {
  std::string parts;
  const KeySpec& primary = entity.primary();
  AppendParts(entity, primary.partition, TextOf(key, primary.partition_name), &parts);
  AppendParts(entity, primary.sort, TextOf(key, primary.sort_name), &parts);
  return std::string(entity.name) + parts;
}

}  // namespace dolmen::entity
