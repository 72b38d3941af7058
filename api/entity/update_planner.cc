#include "dolmen/entity/update_planner.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "engine/base/status_macros.h"

namespace dolmen::entity {
namespace {

// Collects the steps of one update. PlanUpdateSteps calls the Add functions in order.
class UpdatePlanner {
 public:
  explicit UpdatePlanner(const EntitySpec& entity) : entity_(entity) {}

  // Adds the caller's changes.
  Status AddChanges(const ChangeList& changes);

  // Adds the values of Always attributes that the update may set.
  Status AddAlwaysValues(const FillContext& context);

  // Adds the attributes by which a new item is found and read.
  Status AddIdentity(const void* key);

  // Adds 1 to the version, if the entity has one.
  void AddVersion();

  PlannedUpdate update() && { return {std::move(steps_), std::move(changed_)}; }

 private:
  using Kind = Change::Kind;

  Status CheckChange(const Change& change) const;
  // Encodes the attribute of the struct at `value` and adds a step that sets it.
  Status AddEncoded(std::size_t attribute, const void* value);
  // Returns the number that an absent attribute has before an addition; nothing if it is 0.
  std::optional<AttributeValue> StartOf(const Change& change);
  // Returns a struct of the entity, with the values of its initialisers.
  void* scratch() {
    if (scratch_.get() == nullptr) scratch_ = OwnedStruct(entity_);
    return scratch_.get();
  }

  const EntitySpec& entity_;
  OwnedStruct scratch_;
  std::vector<UpdateStep> steps_;
  std::vector<std::size_t> changed_;
};

Status UpdatePlanner::CheckChange(const Change& change) const {
  const AttributeSpec& attribute = entity_.attributes[change.attribute];
  Status error = change.encoded;
  if (attribute.in_key) {
    error = Status::Validation("can't be changed, as it is part of the primary key");
  } else if (attribute.is_read_only && !change.is_copy) {
    error = Status::Validation("is read-only");
  } else if (change.kind == Kind::kRemove && !change.removes_struct && !change.is_copy &&
             (attribute.is_required || !attribute.may_be_empty)) {
    error = Status::Validation("is required");
  }
  return error.ok() ? Status() : InvalidAttribute(entity_, attribute.name, error.message());
}

std::optional<AttributeValue> UpdatePlanner::StartOf(const Change& change) {
  const AttributeSpec& attribute = entity_.attributes[change.attribute];
  if (change.kind != Kind::kAdd || change.value.type() != AttributeType::kN) return std::nullopt;
  AttributeValue start;
  if (!attribute.is_present(scratch()) || !attribute.encode(scratch(), &start).ok() || start == 0) {
    return std::nullopt;
  }
  return start;
}

Status UpdatePlanner::AddChanges(const ChangeList& changes) {
  steps_.reserve(changes.changes.size() + 1);  // the version may follow
  changed_.reserve(changes.changes.size());
  for (const Change& change : changes.changes) {
    DOLMEN_RETURN_IF_ERROR(CheckChange(change));
    steps_.push_back({.kind = change.kind,
                      .attribute = entity_.attributes[change.attribute].name,
                      .value = change.value,
                      .start = StartOf(change)});
    changed_.push_back(change.attribute);
  }
  return {};
}

Status UpdatePlanner::AddEncoded(std::size_t attribute, const void* value) {
  const AttributeSpec& spec = entity_.attributes[attribute];
  UpdateStep step = {.kind = Kind::kSet, .attribute = spec.name};
  const Status encoded = spec.encode(value, &step.value);
  if (!encoded.ok()) return InvalidAttribute(entity_, spec.name, encoded.message());
  steps_.push_back(std::move(step));
  changed_.push_back(attribute);
  return {};
}

Status UpdatePlanner::AddAlwaysValues(const FillContext& context) {
  for (std::size_t i = 0; i < entity_.attributes.size(); ++i) {
    const AttributeSpec& attribute = entity_.attributes[i];
    // Skips an attribute whose path goes through an optional, because the stored item may lack the
    // other attributes of that optional.
    if (attribute.always == nullptr || !attribute.is_reachable(scratch())) continue;
    attribute.always(scratch(), context);
    if (!attribute.is_present(scratch())) continue;  // the function returned an empty value
    DOLMEN_RETURN_IF_ERROR(AddEncoded(i, scratch()));
  }
  return {};
}

Status UpdatePlanner::AddIdentity(const void* key) {
  steps_.push_back({.attribute = entity_.type_attribute, .value = entity_.name});
  for (std::size_t i = 0; i < entity_.attributes.size(); ++i) {
    const AttributeSpec& attribute = entity_.attributes[i];
    if (!attribute.in_key || attribute.in_key_only) continue;
    DOLMEN_RETURN_IF_ERROR(AddEncoded(i, key));
  }
  return {};
}

void UpdatePlanner::AddVersion() {
  if (const AttributeSpec* version = entity_.version()) {
    steps_.push_back({.kind = Kind::kAdd, .attribute = version->name, .value = 1});
  }
}

}  // namespace

Result<PlannedUpdate> PlanUpdateSteps(const EntitySpec& entity, const FillContext& context,
                                      const void* key, const ChangeList& changes) {
  UpdatePlanner planner(entity);
  DOLMEN_RETURN_IF_ERROR(planner.AddChanges(changes));
  DOLMEN_RETURN_IF_ERROR(planner.AddAlwaysValues(context));
  if (changes.or_create) DOLMEN_RETURN_IF_ERROR(planner.AddIdentity(key));
  planner.AddVersion();
  return std::move(planner).update();
}

}  // namespace dolmen::entity
