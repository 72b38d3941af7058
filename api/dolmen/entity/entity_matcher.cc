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
  const auto position = static_cast<std::size_t>(segment.attribute);
  if (entity.attributes[position].part_kind == PartKind::kInteger) {
    if (segment.format == PartFormat::kPadded && part.text.size() != segment.width) return false;
    const std::string_view digits = part.text.substr(part.text.starts_with('-') ? 1 : 0);
    if (digits.find_first_not_of("0123456789") != std::string_view::npos) return false;
  }
  return CheckPartText(key, segment, part.text).ok();
}

// Appends the parts of a key attribute. Returns false if the attribute does not fit the template.
bool AppendParts(const EntitySpec& entity, const KeyTemplate& key, AttributeView attribute,
                 std::vector<KeyPart>* parts) {
  const auto text = attribute.AsString();
  std::vector<KeyPart> found;
  if (!text || !SplitKey(key, *text, &found).ok()) return false;
  for (const KeyPart& part : found) {
    if (!IsTextOf(entity, key, part)) return false;
    const auto same = std::ranges::find(*parts, part.segment->attribute, [](const KeyPart& other) {
      return other.segment->attribute;
    });
    if (same != parts->end() && same->text != part.text) return false;
    parts->push_back(part);
  }
  return true;
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
  if (name == entity.name) return TypeMatch::kSame;
  const bool is_known =
      name && std::ranges::find(entity.other_names, *name) != entity.other_names.end();
  return is_known ? TypeMatch::kSame : TypeMatch::kOther;
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
  return AppendParts(entity, key.partition, item[key.partition_name], &parts) &&
         (!key.has_sort || AppendParts(entity, key.sort, item[key.sort_name], &parts));
}

Result<std::optional<std::size_t>> EntityMatcher::Find(ItemView item) const {
  std::optional<std::size_t> by_type;
  for (std::size_t i = 0; i < entities_.size(); ++i) {
    const EntitySpec& entity = *entities_[i];
    const TypeMatch type = MatchType(entity, item);
    if (type == TypeMatch::kOther) continue;
    // An item that holds all attributes of its key can be read although its key has another form,
    // for example because the templates have changed.
    if (type == TypeMatch::kSame && !by_type && HasAllKeyAttributes(entity, item)) {
      by_type = i;
      if (entities_.size() == 1) break;
    }
    if (HasKeyOf(entity, item)) return std::optional(i);
  }
  if (!by_type && is_strict_) return UnknownEntityError(item);
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
