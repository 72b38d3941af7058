#include "dolmen/entity/update_planner.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dolmen/entity/item.h"
#include "dolmen/entity/update_steps.h"
#include "dolmen/internal/status_macros.h"

namespace dolmen::entity {
namespace {

// The values of key parts that are known to an update: the values that it sets, and the values in
// the primary key.
class UpdatePartValues : public PartValues {
 public:
  UpdatePartValues(const EntitySpec& entity, const void* key)
      : entity_(entity), key_(entity, key) {}

  void Set(std::size_t attribute, AttributeValue value) {
    set_.emplace_back(attribute, std::move(value));
  }

  Result<bool> Get(std::size_t attribute, AttributeValue* value) const override {
    for (const auto& [position, known] : set_) {
      if (position != attribute) continue;
      *value = known;
      return true;
    }
    if (!entity_.primary().HasPart(attribute)) return false;
    return key_.Get(attribute, value);
  }

  bool IsSet(std::size_t attribute) const {
    return std::ranges::find(set_, attribute, &PositionedValue::first) != set_.end();
  }

 private:
  using PositionedValue = std::pair<std::size_t, AttributeValue>;

  const EntitySpec& entity_;
  StructPartValues key_;
  std::vector<PositionedValue> set_;
};

// Collects the steps of one update. PlanUpdateExpression calls the Add functions in order.
class UpdatePlanner {
 public:
  UpdatePlanner(const EntitySpec& entity, const void* key, const ChangeList& changes)
      : entity_(entity),
        key_(key),
        changes_(changes),
        parts_(entity, key),
        created_parts_(entity, key) {}

  // Adds the caller's changes.
  Status AddChanges();

  // Adds the values of Always attributes that the update may set.
  Status AddAlwaysValues(const FillContext& context, void* scratch);

  // Adds 1 to the version, if the entity has one.
  void AddVersion();

  // Adds the attributes that a new item needs in addition to the changes, if the update may create
  // the item.
  Status AddCreationValues(const FillContext& context, void* scratch);

  // Adds or removes the keys of indexes. REQUIRES: all other changes are added
  Status AddIndexKeys();

  PlannedUpdate update() && {
    return {ComposeUpdate(steps_), std::move(guard_), std::move(guarded_)};
  }

 private:
  using Kind = Change::Kind;

  Status CheckChange(const Change& change) const;
  void AddChange(Change change);
  void AddStep(Kind kind, std::string attribute, AttributeValue value = {}) {
    steps_.push_back({kind, std::move(attribute), std::move(value)});
  }
  bool IsInAnIndex(std::size_t attribute) const {
    return std::ranges::any_of(entity_.keys.subspan(1),
                               [&](const KeySpec& index) { return index.HasPart(attribute); });
  }
  Status AddIndexKey(const KeySpec& index);

  // Adds a guard if the key of the index contains values of IfUnset. REQUIRES: the update sets the
  // key only in an item without the key.
  void AddGuard(const KeySpec& index);

  // Returns true if the update changes an attribute that is a part of the index's key.
  bool ChangesPartOf(const KeySpec& index) const;

  // Returns true if the update removes a part of the index's key, so that the item leaves the
  // index.
  bool RemovesPartOf(const KeySpec& index) const;

  // Returns the error for the first part of the index's key whose new value is unknown.
  Status MissingPartError(const KeySpec& index) const;

  // Returns the caller's change of an attribute, or null.
  const Change* FindChange(std::size_t attribute) const {
    const auto found = std::ranges::find(changes_.changes, attribute, &Change::attribute);
    return found == changes_.changes.end() ? nullptr : &*found;
  }
  std::string NameOf(std::size_t attribute) const {
    return std::string(entity_.attributes[attribute].name);
  }

  const EntitySpec& entity_;
  const void* key_;
  const ChangeList& changes_;
  UpdatePartValues parts_;
  UpdatePartValues created_parts_;  // the parts of a new item, IfUnset values included
  std::vector<Change> filled_;      // the IfUnset values that are parts of index keys
  std::vector<UpdateStep> steps_;
  std::optional<ConditionBuilder> guard_;
  std::vector<GuardedKey> guarded_;
};

Status UpdatePlanner::CheckChange(const Change& change) const {
  const AttributeSpec& attribute = entity_.attributes[change.attribute];
  Status error = change.encoded;
  if (entity_.primary().HasPart(change.attribute)) {
    error = Status::Validation("can't be changed, as it is part of the primary key");
  } else if (attribute.is_read_only) {
    error = Status::Validation("is read-only");
  } else if (change.kind == Kind::kRemove && attribute.is_required) {
    error = Status::Validation("is required");
  }
  return error.ok() ? Status() : InvalidAttribute(entity_, attribute.name, error.message());
}

void UpdatePlanner::AddChange(Change change) {
  if (change.kind == Kind::kSet && IsInAnIndex(change.attribute)) {
    parts_.Set(change.attribute, change.value);
    created_parts_.Set(change.attribute, change.value);
  }
  AddStep(change.kind, NameOf(change.attribute), std::move(change.value));
}

Status UpdatePlanner::AddChanges() {
  for (const Change& change : changes_.changes) {
    DOLMEN_RETURN_IF_ERROR(CheckChange(change));
    AddChange(change);
  }
  return {};
}

Status UpdatePlanner::AddAlwaysValues(const FillContext& context, void* scratch) {
  for (std::size_t i = 0; i < entity_.attributes.size(); ++i) {
    const AttributeSpec& attribute = entity_.attributes[i];
    // Skips an attribute whose path goes through an optional, because the stored item may lack the
    // other attributes of that optional.
    if (attribute.always == nullptr || !attribute.is_reachable(scratch)) continue;
    attribute.always(scratch, context);
    if (!attribute.is_present(scratch)) continue;  // the function returned an empty value
    Change change = {.attribute = i};
    change.encoded = attribute.encode(scratch, &change.value);
    if (!change.encoded.ok()) {
      return InvalidAttribute(entity_, attribute.name, change.encoded.message());
    }
    AddChange(std::move(change));
  }
  return {};
}

void UpdatePlanner::AddVersion() {
  if (const AttributeSpec* version = entity_.version()) {
    AddStep(Kind::kAdd, std::string(version->name), 1);
  }
}

Status UpdatePlanner::AddCreationValues(const FillContext& context, void* scratch) {
  AddStep(Kind::kSet, std::string(entity_.type_attribute), entity_.name);
  for (std::size_t i = 0; i < entity_.attributes.size(); ++i) {
    const AttributeSpec& attribute = entity_.attributes[i];
    if (attribute.in_key_only || attribute.always != nullptr || attribute.is_version) continue;
    Change change = {.attribute = i};
    if (entity_.primary().HasPart(i)) {
      change.encoded = attribute.encode(key_, &change.value);
    } else if (FindChange(i) != nullptr) {
      continue;
    } else if (attribute.if_unset != nullptr && attribute.is_reachable(scratch)) {
      change.kind = Kind::kSetIfAbsent;
      attribute.if_unset(scratch, context);
      if (!attribute.is_present(scratch)) continue;  // the function returned an empty value
      change.encoded = attribute.encode(scratch, &change.value);
      created_parts_.Set(i, change.value);
      if (IsInAnIndex(i)) filled_.push_back(change);
    } else if (attribute.is_required && attribute.is_reachable(scratch)) {
      change.encoded = Status::Validation("is missing, and the update may create the item");
    } else {
      continue;
    }
    if (!change.encoded.ok()) {
      return InvalidAttribute(entity_, attribute.name, change.encoded.message());
    }
    AddChange(change);
  }
  return {};
}

bool UpdatePlanner::ChangesPartOf(const KeySpec& index) const {
  for (std::size_t i = 0; i < entity_.attributes.size(); ++i) {
    if (!index.HasPart(i) || entity_.primary().HasPart(i)) continue;
    if (FindChange(i) != nullptr || parts_.IsSet(i)) return true;
  }
  return false;
}

bool UpdatePlanner::RemovesPartOf(const KeySpec& index) const {
  return std::ranges::any_of(changes_.changes, [&](const Change& change) {
    return change.kind == Kind::kRemove && index.HasPart(change.attribute);
  });
}

Status UpdatePlanner::MissingPartError(const KeySpec& index) const {
  for (std::size_t i = 0; i < entity_.attributes.size(); ++i) {
    AttributeValue value;
    if (!index.HasPart(i)) continue;
    DOLMEN_ASSIGN_OR_RETURN(const bool known, parts_.Get(i, &value));
    if (known) continue;
    return InvalidAttribute(
        entity_, NameOf(i),
        "must be set by the update, too, as it is part of the key in " + std::string(index.index));
  }
  return {};
}

Status UpdatePlanner::AddIndexKey(const KeySpec& index) {
  if (RemovesPartOf(index)) {
    AddStep(Kind::kRemove, index.PartitionName());
    if (index.has_sort) AddStep(Kind::kRemove, index.SortName());
    return {};
  }
  const bool changed = ChangesPartOf(index);
  if (!changed && !changes_.or_create) return {};
  const UpdatePartValues& parts = changed ? parts_ : created_parts_;
  std::string partition;
  std::string sort;
  DOLMEN_ASSIGN_OR_RETURN(const auto partition_count,
                          RenderKey(entity_, index.partition, parts, &partition));
  DOLMEN_ASSIGN_OR_RETURN(const auto sort_count, RenderKey(entity_, index.sort, parts, &sort));
  if (partition_count < index.partition.count || sort_count < index.sort.count) {
    return changed ? MissingPartError(index) : Status();
  }
  // If the update changes no part, an existing item keeps its key: kSetIfAbsent sets the key only
  // in an item without the key, for example in a new item.
  const Kind kind = changed ? Kind::kSet : Kind::kSetIfAbsent;
  AddStep(kind, index.PartitionName(), partition);
  if (index.has_sort) AddStep(kind, index.SortName(), sort);
  if (!changed) AddGuard(index);
  return {};
}

void UpdatePlanner::AddGuard(const KeySpec& index) {
  std::optional<ConditionBuilder> same;
  GuardedKey key = {.index = &index};
  for (const Change& change : filled_) {
    if (!index.HasPart(change.attribute)) continue;
    const Attr part(NameOf(change.attribute));
    const ConditionBuilder is_same = AttributeNotExists(part) || part == change.value;
    same = same ? *same && is_same : is_same;
    key.filled.emplace(NameOf(change.attribute), change.value);
  }
  if (!same) return;
  const ConditionBuilder guard = AttributeExists(Attr(index.PartitionName())) || *same;
  guard_ = guard_ ? *guard_ && guard : guard;
  guarded_.push_back(std::move(key));
}

Status UpdatePlanner::AddIndexKeys() {
  for (const KeySpec& index : entity_.keys.subspan(1)) {
    DOLMEN_RETURN_IF_ERROR(AddIndexKey(index));
  }
  return {};
}

}  // namespace

Result<PlannedUpdate> PlanUpdateExpression(const EntitySpec& entity, const FillContext& context,
                                           const void* key, const ChangeList& changes,
                                           void* scratch) {
  UpdatePlanner planner(entity, key, changes);
  DOLMEN_RETURN_IF_ERROR(planner.AddChanges());
  DOLMEN_RETURN_IF_ERROR(planner.AddAlwaysValues(context, scratch));
  if (changes.or_create) DOLMEN_RETURN_IF_ERROR(planner.AddCreationValues(context, scratch));
  DOLMEN_RETURN_IF_ERROR(planner.AddIndexKeys());
  planner.AddVersion();
  return std::move(planner).update();
}

}  // namespace dolmen::entity
