#include "dolmen/entity/lint.h"

#include <algorithm>

#include "dolmen/entity/table_check.h"

namespace dolmen {

namespace entity {
namespace {

// Returns "the table" or the name of the index.
std::string Place(const KeySpec& key) {
  return key.index.empty() ? "the table" : "the index " + std::string(key.index);
}

bool HasPart(const KeyTemplate& key) {
  return std::ranges::any_of(
      key, [](const auto& segment) { return segment.attribute != KeySegment::kNoAttribute; });
}

// Returns the text that all keys of the template begin with.
std::string_view Prefix(const KeyTemplate& key) {
  return key.count == 0 ? std::string_view() : key.segments[0].literal;
}

void FindStaticPartitions(const EntitySpec& entity, std::vector<std::string>* advice) {
  for (const KeySpec& key : entity.keys) {
    if (HasPart(key.partition) || !HasPart(key.sort)) continue;
    advice->push_back(std::string(entity.name) + ": all items share the partition \"" +
                      std::string(Prefix(key.partition)) + "\" of " + Place(key));
  }
}

// Finds the ranges of `a` in which a query also reads `b`.
void FindSharedRanges(const EntitySpec& a, const EntitySpec& b, std::vector<std::string>* advice) {
  for (const KeySpec& x : a.keys) {
    const KeySpec* y = b.FindKey(x.index);
    if (y == nullptr || !HasPart(x.sort) || !Prefix(y->sort).starts_with(Prefix(x.sort)) ||
        !HaveCommonText(PatternOf(a, x.partition), PatternOf(b, y->partition))) {
      continue;
    }
    advice->push_back("a query for all " + std::string(a.name) + " in " + Place(x) +
                      " also reads " + std::string(b.name) + ": both sort keys begin with \"" +
                      std::string(Prefix(x.sort)) + "\"");
  }
}

}  // namespace

std::vector<std::string> FindAdvice(std::span<const EntitySpec* const> entities,
                                    std::span<const AccessPattern> patterns) {
  std::vector<std::string> advice;
  for (const AccessPattern& pattern : patterns) {
    if (std::string fault = pattern.FindFault(); !fault.empty()) advice.push_back(std::move(fault));
  }
  for (const EntitySpec* entity : entities) FindStaticPartitions(*entity, &advice);
  for (const EntitySpec* a : entities) {
    for (const EntitySpec* b : entities) {
      if (a != b) FindSharedRanges(*a, *b, &advice);
    }
  }
  return advice;
}

}  // namespace entity

AccessPattern& AccessPattern::Add(const entity::EntitySpec* entity, std::size_t attribute,
                                  bool is_order) {
  if (entity_ == nullptr) entity_ = entity;
  has_two_entities_ = has_two_entities_ || entity_ != entity;
  (is_order ? order_ : known_).push_back(attribute);
  return *this;
}

AccessPattern& AccessPattern::AddKey(const entity::EntitySpec* entity) {
  for (const entity::KeyTemplate& key : {entity->primary().partition, entity->primary().sort}) {
    for (const entity::KeySegment& part : key) {
      if (part.attribute != entity::KeySegment::kNoAttribute) Add(entity, part.attribute, false);
    }
  }
  return *this;
}

bool AccessPattern::Knows(const entity::KeySegment& part) const {
  return part.attribute == entity::KeySegment::kNoAttribute ||
         std::ranges::find(known_, static_cast<std::size_t>(part.attribute)) != known_.end();
}

bool AccessPattern::IsServedBy(const entity::KeySpec& key) const {
  for (const entity::KeySegment& part : key.partition) {
    if (!Knows(part)) return false;
  }
  const auto* next = std::ranges::find_if_not(key.sort, [&](const auto& p) { return Knows(p); });
  const bool all_known = std::ranges::all_of(known_, [&](std::size_t attribute) {
    const auto is_it = [&](const auto& part) {
      return part.attribute == static_cast<std::int16_t>(attribute);
    };
    return key.partition.HasPart(attribute) || std::any_of(key.sort.begin(), next, is_it);
  });
  if (!all_known) return false;
  return order_.empty() ||
         (next != key.sort.end() && next->attribute == static_cast<std::int16_t>(order_[0]));
}

const entity::KeySpec* AccessPattern::FindKey() const {
  if (entity_ == nullptr || has_two_entities_ || order_.size() > 1) return nullptr;
  const auto served = std::ranges::find_if(
      entity_->keys, [this](const entity::KeySpec& key) { return IsServedBy(key); });
  return served == entity_->keys.end() ? nullptr : &*served;
}

std::string AccessPattern::FindFault() const {
  if (entity_ == nullptr) return name_ + ": the pattern names no member";
  if (has_two_entities_) return name_ + ": the pattern names members of two entities";
  if (order_.size() > 1) return name_ + ": the pattern has two orders";
  if (FindKey() != nullptr) return {};
  std::string fault = name_ + ": no key of " + std::string(entity_->name) + " serves a query with";
  for (const std::size_t& attribute : known_) {
    fault.append(&attribute == known_.data() ? " " : ", ")
        .append(entity_->attributes[attribute].name);
  }
  if (known_.empty()) fault += " no attribute";
  if (!order_.empty()) fault.append(", sorted by ").append(entity_->attributes[order_[0]].name);
  return fault;
}

}  // namespace dolmen
