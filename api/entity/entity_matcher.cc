#include "dolmen/entity/entity_matcher.h"

#include <algorithm>
#include <string>

#include "dolmen/entity/key_text.h"

namespace dolmen::entity {
namespace {

// Returns true if `text` is a text of the part, for example 4 digits for {number:04}.
bool IsTextOf(const EntitySpec& entity, const KeyTemplate& key, const KeyPart& part) {
  const KeySegment& segment = *part.segment;
  if (segment.format == PartFormat::kDate) return IsDay(part.text);
  if (segment.format == PartFormat::kLower &&
      std::ranges::any_of(part.text, [](char letter) { return letter >= 'A' && letter <= 'Z'; })) {
    return false;
  }
  const auto position = static_cast<std::size_t>(segment.attribute);
  if (entity.attributes[position].part_kind == PartKind::kInteger) {
    if (segment.format == PartFormat::kPadded && part.text.size() != segment.width) return false;
    const std::string_view digits = part.text.substr(part.text.starts_with('-') ? 1 : 0);
    if (digits.find_first_not_of("0123456789") != std::string_view::npos) return false;
  }
  return CheckPartText(key, segment, part.text).ok();
}

// Appends the parts of a key attribute. Returns false if the attribute does not fit the template, or
// if it has another value for an attribute of the entity than an earlier part.
bool AppendParts(const EntitySpec& entity, const KeyTemplate& key, AttributeView attribute,
                 std::vector<KeyPart>* parts) {
  const auto text = attribute.AsString();
  const std::size_t before = parts->size();
  if (!text || !SplitKey(key, *text, parts).ok()) return false;
  for (std::size_t i = before; i < parts->size(); ++i) {
    const KeyPart& part = (*parts)[i];
    if (!IsTextOf(entity, key, part)) return false;
    const auto same = std::ranges::find(*parts, part.segment->attribute, [](const KeyPart& other) {
      return other.segment->attribute;
    });
    if (same->text != part.text) return false;
  }
  return true;
}

bool HasName(const EntitySpec& entity, std::string_view name) {
  return name == entity.name ||
         std::ranges::find(entity.other_names, name) != entity.other_names.end();
}

// Returns true if the item is a claim of a unique value of one of the entities (claims.h).
bool IsClaim(const std::vector<const EntitySpec*>& entities, ItemView item) {
  return std::ranges::any_of(entities, [&](const EntitySpec* entity) {
    const auto type = item[entity->type_attribute].AsString();
    return type &&
           std::ranges::find(entity->uniques, *type, &UniqueSpec::claim) != entity->uniques.end();
  });
}

// Returns true if the item can be read without its primary key.
bool HasAllKeyAttributes(const EntitySpec& entity, ItemView item) {
  return std::ranges::all_of(entity.attributes, [&](const AttributeSpec& attribute) {
    return !attribute.in_key || (!attribute.in_key_only && item[attribute.name]);
  });
}

}  // namespace

TypeMatch MatchType(const EntitySpec& entity, ItemView item) {
  const AttributeView type = item[entity.type_attribute];
  if (!type) return TypeMatch::kAbsent;
  const auto name = type.AsString();
  return name && HasName(entity, *name) ? TypeMatch::kSame : TypeMatch::kOther;
}

// An item without a type attribute belongs to the entity, because it has a key of the entity.
ConditionBuilder HasType(const EntitySpec& entity) {
  const Attr type(entity.type_attribute);
  ConditionBuilder condition = type == entity.name;
  for (const std::string_view name : entity.other_names) condition = condition || type == name;
  return condition;
}

ConditionBuilder IsNotAnother(const EntitySpec& entity) {
  return AttributeNotExists(entity.type_attribute) || HasType(entity);
}

std::string DescribeType(const EntitySpec& entity, ItemView item) {
  const AttributeView type = item[entity.type_attribute];
  const auto name = type.AsString();
  if (name) return std::string(*name);
  return type ? type.ToString() : "unnamed";
}

bool HasKeyOf(const EntitySpec& entity, ItemView item) {
  const KeySpec& key = entity.primary();
  std::vector<KeyPart> parts;
  parts.reserve(KeyTemplate::kSegmentsMax);
  return AppendParts(entity, key.partition, item[key.partition_name], &parts) &&
         (!key.has_sort || AppendParts(entity, key.sort, item[key.sort_name], &parts));
}

EntityMatcher::EntityMatcher(std::vector<const EntitySpec*> entities)
    : entities_(std::move(entities)) {
  for (const EntitySpec* entity : entities_) {
    for (const EntitySpec* other : entities_) {
      if (entity == other) break;
      shares_types_ |= HasName(*entity, other->name) || HasName(*other, entity->name) ||
                       std::ranges::any_of(other->other_names, [&](std::string_view name) {
                         return HasName(*entity, name);
                       });
    }
  }
}

Result<std::optional<std::size_t>> EntityMatcher::Guess(ItemView item) const {
  for (std::size_t i = 0; !shares_types_ && i < entities_.size(); ++i) {
    if (MatchType(*entities_[i], item) == TypeMatch::kSame) return std::optional(i);
  }
  return Find(item);
}

Result<std::optional<std::size_t>> EntityMatcher::Find(ItemView item) const {
  std::optional<std::size_t> by_type;
  for (std::size_t i = 0; i < entities_.size(); ++i) {
    const EntitySpec& entity = *entities_[i];
    const TypeMatch type = MatchType(entity, item);
    if (type == TypeMatch::kOther) continue;
    // An item that holds all attributes of its key can be read although its key has another form,
    // for example because the templates have changed.
    if (type == TypeMatch::kSame && !by_type && HasAllKeyAttributes(entity, item)) by_type = i;
    if (by_type == i && !shares_types_) break;
    if (HasKeyOf(entity, item)) return std::optional(i);
  }
  if (!by_type && is_strict_ && !IsClaim(entities_, item)) return UnknownEntityError(item);
  return by_type;
}

Status EntityMatcher::UnknownEntityError(ItemView item) const {
  const EntitySpec& entity = *entities_.front();
  return Status::Corruption("a query of " + std::string(entity.name) +
                            (entities_.size() > 1 ? " and others found " : " found ") +
                            item[entity.primary().partition_name].ToString() + " " +
                            item[entity.primary().sort_name].ToString() +
                            ", an item of another entity, " + DescribeType(entity, item));
}

}  // namespace dolmen::entity
