#include "tests/model/reference_table.h"

#include <algorithm>
#include <utility>

#include "tests/model/reference_capacity.h"
#include "tests/model/reference_expression.h"

namespace dolmen::test {
namespace {

// The limits of key sizes in bytes.
constexpr std::size_t kPartitionKeyMax = 2048;
constexpr std::size_t kSortKeyMax = 1024;

bool All(const std::string& /*attribute*/) { return true; }

// Returns the size of a key value in bytes.
// REQUIRES: the type is a key type
std::size_t KeyBytes(const AttributeValue& value) {
  if (const auto* number = value.get_if<Number>()) return number->encoded().size();
  const auto* const text = value.get_if<std::string>();
  return text != nullptr ? text->size() : value.get_if<Binary>()->bytes.size();
}

// Returns the attributes that ReturnValues selects.
std::optional<Item> Returned(const WriteOperation& operation, const Item* old,
                             const std::optional<Item>& after) {
  const std::optional<Item> before = old == nullptr ? std::nullopt : std::optional(*old);
  std::vector<Path> targets;
  for (const UpdateAction& action : operation.update) targets.push_back(action.target);
  const auto touched = [&](const std::optional<Item>& item) -> std::optional<Item> {
    Item parts = item ? Project(targets, *item) : Item();
    return parts.empty() ? std::nullopt : std::optional(std::move(parts));
  };
  switch (operation.return_values) {
    case ReturnValues::kNone:
      return std::nullopt;
    case ReturnValues::kAllOld:
      return before;
    case ReturnValues::kAllNew:
      return after;
    case ReturnValues::kUpdatedOld:
      return touched(before);
    case ReturnValues::kUpdatedNew:
      return touched(after);
  }
  return std::nullopt;
}

// Returns the values that the update assigns literally.
Item AssignedBy(const std::vector<UpdateAction>& update) {
  Item assigned;
  for (const UpdateAction& action : update) {
    const bool as_it_stands = action.section == UpdateAction::Section::kSet &&
                              action.source == UpdateAction::Source::kOperand &&
                              !action.left_default && !action.left.path && !action.left.size &&
                              !action.target.member && !action.target.index;
    if (as_it_stands) assigned.emplace(action.target.attribute, action.left.value);
  }
  return assigned;
}

// Returns true if the update creates no item. Only SET and ADD create one, or an empty update.
bool OnlyRemoves(const std::vector<UpdateAction>& update) {
  const auto removes = [](const UpdateAction& action) {
    return action.section == UpdateAction::Section::kRemove ||
           action.section == UpdateAction::Section::kDelete;
  };
  return !update.empty() && std::all_of(update.begin(), update.end(), removes);
}

bool IsTarget(const std::vector<UpdateAction>& update, const std::string& attribute) {
  return std::any_of(update.begin(), update.end(), [&](const UpdateAction& action) {
    return action.target.attribute == attribute;
  });
}

}  // namespace

bool ReferenceTable::KeyLess::operator()(const Key& a, const Key& b) const {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (const int order = *Compare(a[i], b[i]); order != 0) return order < 0;
  }
  return false;
}

bool ReferenceTable::CanBeKey(const AttributeValue& value, const KeyAttribute& key) {
  return value.type() == key.type && KeyBytes(value) > 0;
}

std::size_t ReferenceTable::KeyPart::BytesOf(const Item& item) const {
  std::size_t bytes = 0;
  for (const KeyAttribute& key : attributes) {
    const auto found = item.find(key.name);
    if (found != item.end() && CanBeKey(found->second, key)) bytes += KeyBytes(found->second);
  }
  return bytes;
}

ReferenceTable::ReferenceTable(CreateTableInput description)
    : description_(std::move(description)) {
  DescriptionChanged();
}

void ReferenceTable::CreateIndex(const GlobalSecondaryIndex& index) {
  description_.global_secondary_indexes.push_back(index);
  DescriptionChanged();
}

void ReferenceTable::DeleteIndex(const std::string& name) {
  std::erase_if(description_.global_secondary_indexes,
                [&](const GlobalSecondaryIndex& index) { return index.name == name; });
  DescriptionChanged();
}

void ReferenceTable::DescriptionChanged() {
  shapes_.clear();
  key_parts_.clear();
  for (const std::string& name : IndexNames(description_)) {
    const Shape& shape = shapes_.emplace(name, ShapeOf(description_, name)).first->second;
    if (name.empty()) continue;
    key_parts_[name] = {{shape.partition, kPartitionKeyMax}, {shape.sort, kSortKeyMax}};
  }
}

ReferenceTable::Key ReferenceTable::KeyOfItem(const Item& item) const {
  Key key{item.at(description_.partition_key.name)};
  if (description_.sort_key) key.push_back(item.at(description_.sort_key->name));
  return key;
}

// Checks that every index key that the item has is valid. An item may lack an index key.
bool ReferenceTable::FitsIndexes(const Item& item,
                                 const std::function<bool(const std::string&)>& which) const {
  const auto fits = [&](const KeyPart& part) {
    bool any = false;
    for (const KeyAttribute& key : part.attributes) {
      const auto found = item.find(key.name);
      if (found == item.end() || !which(key.name)) continue;
      if (!CanBeKey(found->second, key)) return false;
      any = true;
    }
    return !any || part.BytesOf(item) <= part.bytes_max;
  };
  return std::all_of(key_parts_.begin(), key_parts_.end(), [&](const auto& index) {
    return std::all_of(index.second.begin(), index.second.end(), fits);
  });
}

bool ReferenceTable::HasWrongType(const Item& item) const {
  const auto is_wrong = [&](const KeyAttribute& key) {
    const auto found = item.find(key.name);
    return found != item.end() && found->second.type() != key.type;
  };
  return std::ranges::any_of(key_parts_, [&](const auto& index) {
    return std::ranges::any_of(index.second, [&](const KeyPart& part) {
      return std::ranges::any_of(part.attributes, is_wrong);
    });
  });
}

const Item* ReferenceTable::Find(const Item& key) const {
  const auto found = items_.find(KeyOfItem(key));
  return found == items_.end() ? nullptr : &found->second;
}

Outcome ReferenceTable::Get(const GetOperation& operation) const {
  const Item* const item = Find(operation.key);
  Bill bill(operation.capacity);
  bill.AddRead(*this, "", item == nullptr ? 0 : SizeOf(*item), operation.consistent_read);
  Outcome outcome{.capacity = bill.Total()};
  if (item == nullptr) return outcome;
  outcome.item = operation.projection.empty() ? *item : Project(operation.projection, *item);
  return outcome;
}

ReferenceTable::Plan ReferenceTable::PlanWrite(const WriteOperation& operation) const {
  using Kind = WriteOperation::Kind;
  const bool is_update = operation.kind == Kind::kUpdate;
  const Item given = is_update ? AssignedBy(operation.update) : operation.item;
  if ((is_update || operation.kind == Kind::kPut) && !FitsIndexes(given, All)) {
    return {.outcome = {.code = StatusCode::kValidation},
            .refused_at_once = true,
            .has_wrong_type = HasWrongType(given)};
  }
  const Item* const old = Find(operation.item);
  if (operation.condition && !Holds(*operation.condition, old == nullptr ? Item() : *old)) {
    Plan plan{.outcome = {.code = StatusCode::kConditionalCheckFailed}};
    if (old != nullptr && operation.return_item_on_condition_failure) plan.outcome.item = *old;
    return plan;
  }
  Plan plan;
  if (operation.kind == Kind::kPut) plan.after = operation.item;
  if (operation.kind == Kind::kCheck && old != nullptr) plan.after = *old;
  if (operation.kind == Kind::kUpdate && old == nullptr && OnlyRemoves(operation.update)) {
    return plan;
  }
  if (operation.kind == Kind::kUpdate) {
    const Item& before = old == nullptr ? operation.item : *old;  // absent: only the key
    plan.after = Updated(operation.update, before, before);
    // If the item exists, only the index keys that the update changes must be valid. Its other index
    // keys may be invalid, because it may have been written before the index was created.
    const auto is_target = [&](const std::string& name) {
      return old == nullptr || IsTarget(operation.update, name);
    };
    if (!plan.after || !FitsIndexes(*plan.after, is_target)) {
      return {.outcome = {.code = StatusCode::kValidation}};
    }
  }
  plan.outcome.item = Returned(operation, old, plan.after);
  return plan;
}

void ReferenceTable::Commit(const WriteOperation& operation, const Plan& plan) {
  const Key key = KeyOfItem(operation.item);
  items_.erase(key);
  if (plan.after) items_.emplace(key, *plan.after);
}

Outcome ReferenceTable::Write(const WriteOperation& operation) {
  Plan plan = PlanWrite(operation);
  if (plan.outcome.code != StatusCode::kOk) return plan.outcome;
  Bill bill(operation.capacity);
  bill.AddWrite(*this, Find(operation.item), plan.after ? &*plan.after : nullptr);
  plan.outcome.capacity = bill.Total();
  Commit(operation, plan);
  return plan.outcome;
}

std::string ToString(const Outcome& outcome) {
  std::string text(StatusCodeName(outcome.code));
  if (outcome.item) text += " " + ToString(AttributeValue(*outcome.item));
  for (const Outcome& reason : outcome.reasons) text += "\n    " + ToString(reason);
  return text + ToString(outcome.capacity);
}

std::string ToString(const Page& page) {
  if (page.code != StatusCode::kOk) return std::string(StatusCodeName(page.code));
  std::string text = "count " + std::to_string(page.count) + " of " +
                     std::to_string(page.scanned_count) + ", last evaluated key " +
                     ToString(AttributeValue(page.last_evaluated_key));
  for (const Item& item : page.items) text += "\n    " + ToString(AttributeValue(item));
  return text + ToString(page.capacity);
}

}  // namespace dolmen::test
