#include "entity/plain_update.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dolmen/entity/attribute_map.h"
#include "dolmen/entity/definition.h"
#include "dolmen/entity/item.h"
#include "engine/value/stored_form.h"
#include "entity/evaluate.h"
#include "entity/known_values.h"
#include "entity/write_constants.h"

namespace dolmen::entity {
namespace {

// Returns the step of the attribute, or null.
const UpdateStep* FindStep(const std::vector<UpdateStep>& steps, std::string_view name) {
  const auto found = std::ranges::find(steps, name, &UpdateStep::attribute);
  return found == steps.end() ? nullptr : &*found;
}

// Makes the plain form of one update. MakePlainUpdate calls the functions that return a bool in their
// order; false means that the update has no plain form.
class Maker {
 public:
  explicit Maker(const PlannedWrite& write)
      : write_(write),
        entity_(*write.entity),
        request_(*std::get_if<UpdateItemInput>(&write.action)),
        constants_(entity_.write_constants()),
        changed_(write.update.changed) {
    conditions_.reserve(4);  // enough for most updates
  }

  bool ReadValues();
  bool AddDerived();
  bool MakeNewItem();
  bool AddIndexes();
  bool AddNewValues();
  bool AddSums();
  bool AddStructs();
  UpdateItemInput Finish();

 private:
  using Kind = Change::Kind;

  const std::vector<UpdateStep>& steps() const { return write_.update.steps; }
  bool may_create() const { return write_.existing == PlannedWrite::Existing::kAllowed; }
  bool IsChanged(std::size_t attribute) const {
    return std::ranges::find(changed_, attribute) != changed_.end();
  }
  // Returns true if the new item has this value.
  bool HasValue(std::string_view name, const AttributeValue& value) const {
    const auto found = created_.find(name);
    return found != created_.end() && found->second == value;
  }
  bool DependsOnValues() const;
  void AddStep(std::string_view name, const std::optional<AttributeValue>& value);
  bool SetIndexKey(const WriteConstants::Index& index);
  void RequireIndexKey(const WriteConstants::Index& index);
  bool AddSum(const AttributeSpec& attribute, const UpdateStep& step);
  bool AddStruct(const std::vector<std::size_t>& members, const std::vector<std::size_t>& required);

  const PlannedWrite& write_;
  const EntitySpec& entity_;
  const UpdateItemInput& request_;  // as it is planned
  const WriteConstants& constants_;
  std::optional<KnownValues> values_;         // empty if the plain form does not depend on them
  std::vector<std::size_t> changed_;          // the attributes that the update may change
  Item created_;                              // the new item, if the update may create one
  std::vector<UpdateStep> added_;             // the steps that the plain form adds
  std::vector<ConditionBuilder> conditions_;  // on an item that exists
};

// Returns true if the plain form depends on known values, or if one of them may be unreadable.
bool Maker::DependsOnValues() const {
  if (may_create() || constants_.computes() || !constants_.key_reads_back()) return true;
  return std::ranges::any_of(changed_, [&](std::size_t position) {
    const AttributeSpec& attribute = entity_.attributes[position];
    return attribute.check != nullptr || !attribute.reads_back ||
           std::ranges::any_of(constants_.indexes(), [&](const WriteConstants::Index& index) {
             return index.key->HasPart(position);
           });
  });
}

// Finds the values after the update that do not depend on the stored item, and checks them.
bool Maker::ReadValues() {
  if (!DependsOnValues()) return request_.update.tree() == nullptr || request_.update.tree()->ok();
  if (!values_.emplace(entity_).Read(request_.key, steps())) return false;
  return std::ranges::all_of(write_.update.changed, [&](std::size_t position) {
    const AttributeSpec& attribute = entity_.attributes[position];
    if (attribute.check == nullptr) return true;
    if (!values_->IsKnown(position)) return false;
    return !attribute.is_present(values_->get()) || CheckValue(attribute, values_->get()).ok();
  });
}

// Adds the step that sets the attribute, or removes it if `value` is empty. Borrows the name.
void Maker::AddStep(std::string_view name, const std::optional<AttributeValue>& value) {
  UpdateStep& step = added_.emplace_back(
      UpdateStep{.kind = value ? Kind::kSet : Kind::kRemove, .attribute = name});
  if (value) step.value = *value;
}

// Sets the Derived attributes of which the update changes an input. Adds the condition that the item has
// the right values of the others: otherwise a decided update corrects them, and the keys of their indexes.
bool Maker::AddDerived() {
  if (!constants_.computes()) return true;
  if (!values_->Derive()) return false;
  for (std::size_t i = 0; i < entity_.attributes.size(); ++i) {
    const AttributeSpec& attribute = entity_.attributes[i];
    if (!attribute.IsComputed()) continue;
    if (FindStep(steps(), attribute.name) != nullptr) return false;  // it is Always, too
    std::optional<AttributeValue> value;
    if (attribute.is_present(values_->get())) {
      if (!attribute.encode(values_->get(), &value.emplace()).ok()) return false;
    }
    const Attr stored(attribute.name);
    if (values_->IsInKey(i)) {
      conditions_.push_back(value ? stored == *value : AttributeNotExists(stored));
    } else {
      AddStep(attribute.name, value);
      changed_.push_back(i);
    }
  }
  return true;
}

// Finds the item that the update creates. Returns false if the steps alone make another item.
bool Maker::MakeNewItem() {
  if (!may_create()) return true;
  const Result<StoredItem> key = internal::ToStored(request_.key);
  if (!key.ok()) return false;
  const Result<StoredItem> stored = Apply(request_.update, key->view());
  const OwnedStruct value(entity_);
  if (!stored.ok() || !DecodeItem(entity_, stored->view(), value.get()).ok()) return false;
  const Result<Item> updated = stored->Copy();
  if (!updated.ok()) return false;
  FillAttributes(entity_, write_.context, value.get());
  Result<Item> created = ToItem(entity_, value.get());
  if (!created.ok()) return false;
  created_ = *std::move(created);
  return std::ranges::all_of(*updated,
                             [&](const auto& set) { return HasValue(set.first, set.second); });
}

// Adds the values of the new item that the steps do not set.
bool Maker::AddNewValues() {
  if (!may_create()) return true;
  for (const UpdateStep& step : added_) {  // of Derived attributes and indexes
    const bool is_same = step.kind == Kind::kSet ? HasValue(step.attribute, step.value)
                                                 : !created_.contains(step.attribute);
    if (!is_same) return false;
  }
  const std::vector<UpdateStep> of_others = added_;
  for (const auto& [name, initial] : created_) {
    if (request_.key.contains(name) || FindStep(of_others, name) != nullptr) continue;
    if (const UpdateStep* const step = FindStep(steps(), name)) {
      // The step leaves a new item without the attribute, which IfUnset then fills.
      if (step->kind == Kind::kRemove || step->kind == Kind::kDelete) return false;
      continue;
    }
    added_.push_back({.kind = Kind::kSetIfAbsent, .attribute = name, .value = initial});
    const auto spec = std::ranges::find(entity_.attributes, name, &AttributeSpec::name);
    if (spec == entity_.attributes.end() || spec->if_unset == nullptr) {
      conditions_.push_back(AttributeExists(name));
    }
  }
  return std::ranges::all_of(entity_.attributes, [&](const AttributeSpec& attribute) {
    return attribute.if_unset == nullptr || attribute.in_key_only ||
           created_.contains(attribute.name);
  });
}

bool Maker::AddIndexes() {
  return std::ranges::all_of(constants_.indexes(), [&](const WriteConstants::Index& index) {
    // With Changes::OrCreate, the steps set the attributes of the primary key, too.
    const bool is_changed = std::ranges::any_of(changed_, [&](std::size_t position) {
      return index.key->HasPart(position) && !values_->IsInKey(position);
    });
    if (is_changed) return SetIndexKey(index);
    RequireIndexKey(index);
    return true;
  });
}

// Adds the steps that give the item the key of the index, or no such key.
bool Maker::SetIndexKey(const WriteConstants::Index& index) {
  bool are_known = true;
  bool is_absent = false;  // a known part has no value, so the item has no key
  for (std::size_t i = 0; i < entity_.attributes.size(); ++i) {
    if (!index.key->HasPart(i)) continue;
    are_known = are_known && values_->IsKnown(i);
    is_absent =
        is_absent || (values_->IsKnown(i) && !entity_.attributes[i].is_present(values_->get()));
  }
  if (!are_known && !is_absent) return false;
  Item key;
  if (are_known && !AddIndexKey(entity_, *index.key, values_->get(), &key).ok()) return false;
  for (const std::string& name : index.names) {
    const auto found = key.find(name);
    AddStep(name, found == key.end() ? std::nullopt : std::optional(found->second));
  }
  return true;
}

// Adds the condition that the item has the key of the index, or that it has neither a part of the key nor
// an attribute of it.
void Maker::RequireIndexKey(const WriteConstants::Index& index) {
  if (created_.contains(index.mark)) return;  // AddNewValues adds the condition
  ConditionBuilder condition = index.has_mark;
  for (const std::string& name : index.names) {
    // OrCreate completes the key.
    if (may_create() && name != index.mark) {
      condition = std::move(condition) && AttributeExists(name);
    }
  }
  for (const std::vector<std::size_t>& absent : index.absent) {
    const auto may_be_set = [&](std::size_t one) {
      return IsChanged(one) || (may_create() && entity_.attributes[one].if_unset != nullptr);
    };
    if (std::ranges::any_of(absent, may_be_set)) continue;
    std::vector<ConditionBuilder> lacks_part;
    for (const std::string& name : index.names) {
      if (name != index.mark) lacks_part.push_back(AttributeNotExists(name));
    }
    for (const std::size_t one : absent) {
      lacks_part.push_back(AttributeNotExists(entity_.attributes[one].name));
    }
    condition = std::move(condition) || All(lacks_part);
  }
  conditions_.push_back(std::move(condition));
}

bool Maker::AddSums() {
  return std::ranges::all_of(steps(), [&](const UpdateStep& step) {
    if (step.kind != Kind::kAdd || step.value.type() != AttributeType::kN) return true;
    const auto spec = std::ranges::find(entity_.attributes, step.attribute, &AttributeSpec::name);
    // No item has so many writes that its version leaves the range of an integer.
    return spec->is_version || AddSum(*spec, step);
  });
}

// Adds the condition that the attribute's member can hold the sum.
bool Maker::AddSum(const AttributeSpec& attribute, const UpdateStep& step) {
  const auto holds = [&](const Number& number) {
    const OwnedStruct probe(entity_);
    return attribute.decode(AttributeView(AttributeType::kN, number.encoded()), probe.get()).ok();
  };
  if (holds(*Number::Parse("0.5"))) return holds(*Number::Parse("1E125"));  // every number
  const Number addend = *step.value.get_if<Number>();
  const bool grows = addend > Number(0);
  using Limits = std::vector<Number>;
  const Limits limits = grows ? Limits{std::numeric_limits<std::uint64_t>::max(),
                                       std::numeric_limits<std::int64_t>::max(),
                                       std::numeric_limits<std::uint32_t>::max(),
                                       std::numeric_limits<std::int32_t>::max(),
                                       std::numeric_limits<std::uint16_t>::max(),
                                       std::numeric_limits<std::int16_t>::max(),
                                       std::numeric_limits<std::uint8_t>::max(),
                                       std::numeric_limits<std::int8_t>::max()}
                              : Limits{std::numeric_limits<std::int64_t>::min(),
                                       std::numeric_limits<std::int32_t>::min(),
                                       std::numeric_limits<std::int16_t>::min(),
                                       std::numeric_limits<std::int8_t>::min(), 0};
  const auto limit = std::ranges::find_if(limits, holds);
  if (limit == limits.end()) return false;
  const Result<Number> bound = Number::Subtract(*limit, addend);
  if (!bound.ok()) return false;
  const Number start = step.start ? *step.start->get_if<Number>() : Number(0);
  const Attr stored(attribute.name);
  const ConditionBuilder fits = grows ? stored <= *bound : stored >= *bound;
  const bool start_fits = grows ? start <= *bound : start >= *bound;
  conditions_.push_back(start_fits ? AttributeNotExists(stored) || fits : fits);
  return true;
}

// Adds the conditions that the optional structs have their required members after the update.
bool Maker::AddStructs() {
  return std::ranges::all_of(constants_.optional_structs(), [&](const auto& members_and_required) {
    return AddStruct(members_and_required.first, members_and_required.second);
  });
}

// Adds the condition of one optional struct: it has the required members that the update leaves alone, or
// it is empty. Returns false if the update removes a required member, and may leave another member.
bool Maker::AddStruct(const std::vector<std::size_t>& members,
                      const std::vector<std::size_t>& required) {
  std::vector<ConditionBuilder> is_empty;
  bool is_filled = false;  // by the update, or by the primary key
  for (const std::size_t member : members) {
    const AttributeSpec& attribute = entity_.attributes[member];
    const UpdateStep* const step = FindStep(steps(), attribute.name);
    is_filled = is_filled || attribute.in_key || (step != nullptr && step->kind != Kind::kRemove);
    if (step == nullptr) is_empty.push_back(AttributeNotExists(attribute.name));
  }
  std::vector<ConditionBuilder> has_required;
  for (const std::size_t member : required) {
    const UpdateStep* const step = FindStep(steps(), entity_.attributes[member].name);
    const bool is_removed =
        step != nullptr && (step->kind == Kind::kRemove || step->kind == Kind::kDelete);
    if (is_removed && (is_filled || !is_empty.empty())) return false;
    if (step == nullptr) has_required.push_back(AttributeExists(entity_.attributes[member].name));
  }
  if (has_required.empty()) return true;
  ConditionBuilder condition = All(has_required);
  if (!is_filled) condition = std::move(condition) || All(is_empty);
  conditions_.push_back(std::move(condition));
  return true;
}

UpdateItemInput Maker::Finish() {
  UpdateItemInput request = request_;
  if (!added_.empty()) {
    added_.insert(added_.begin(), steps().begin(), steps().end());
    request.update = ComposeUpdate(added_);
  }
  conditions_.push_back(constants_.has_type());
  if (entity_.format > 1) conditions_.push_back(Attr(kEntityVersion) >= entity_.format);
  if (may_create()) {
    conditions_ = {constants_.is_absent() || All(conditions_)};
  }
  if (const auto* const given = request_.condition.tree()) conditions_.emplace_back(*given);
  request.condition = All(conditions_);
  return request;
}

}  // namespace

std::optional<UpdateItemInput> MakePlainUpdate(const PlannedWrite& write) {
  Maker maker(write);
  const bool is_possible = maker.ReadValues() && maker.AddDerived() && maker.MakeNewItem() &&
                           maker.AddIndexes() && maker.AddNewValues() && maker.AddSums() &&
                           maker.AddStructs();
  if (!is_possible) return std::nullopt;
  return maker.Finish();
}

}  // namespace dolmen::entity
