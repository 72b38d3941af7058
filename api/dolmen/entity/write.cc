#include "dolmen/entity/write.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "dolmen/entity/describe.h"
#include "dolmen/entity/update_steps.h"

namespace dolmen::entity {
namespace {

ConditionBuilder IsThisEntity(const EntitySpec& entity) {
  return Attr(entity.type_attribute) == entity.name;
}

ConditionBuilder IsAbsent(const EntitySpec& entity) {
  return AttributeNotExists(entity.primary().partition_name);
}

// The parts that an update knows: what it sets, and what is in the primary key.
class UpdateParts : public PartValues {
 public:
  UpdateParts(const EntitySpec& entity, const void* key) : entity_(entity), key_(entity, key) {}

  void Set(std::size_t attribute, AttributeValue value) {
    set_.emplace_back(attribute, std::move(value));
  }

  Result<bool> Get(std::size_t attribute, AttributeValue* value) const override {
    for (const auto& [place, known] : set_) {
      if (place != attribute) continue;
      *value = known;
      return true;
    }
    if (!entity_.primary().Names(attribute)) return false;
    return key_.Get(attribute, value);
  }

  bool IsSet(std::size_t attribute) const {
    return std::ranges::find(set_, attribute, &Known::first) != set_.end();
  }

 private:
  using Known = std::pair<std::size_t, AttributeValue>;

  const EntitySpec& entity_;
  StructParts key_;
  std::vector<Known> set_;
};

// Makes the UpdateItem of a ChangeList, part by part.
class UpdatePlanner {
 public:
  UpdatePlanner(const EntitySpec& entity, const void* key, const ChangeList& changes)
      : entity_(entity),
        key_(key),
        changes_(changes),
        parts_(entity, key),
        created_parts_(entity, key) {}

  Status AddChanges();
  Status AddAlways(const FillContext& context, void* scratch);
  void AddVersion();
  // What an item that is made by the update must have besides.
  Status AddCreation(const FillContext& context, void* scratch);
  Status AddIndexKeys();

  UpdateExpression update() const { return ComposeUpdate(steps_); }

 private:
  using Kind = Change::Kind;

  Status Check(const Change& change) const;
  void Apply(Change change);
  void AddStep(Kind kind, std::string attribute, AttributeValue value = {}) {
    steps_.push_back({kind, std::move(attribute), std::move(value)});
  }
  bool IsInAnIndex(std::size_t attribute) const {
    return std::ranges::any_of(entity_.keys.subspan(1),
                               [&](const KeySpec& index) { return index.Names(attribute); });
  }
  Status AddIndexKey(const KeySpec& index);
  // Whether the update changes, or removes, an attribute that the key's templates name.
  bool Touches(const KeySpec& index) const;
  bool Removes(const KeySpec& index) const;
  Status UnknownPart(const KeySpec& index) const;
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
  UpdateParts parts_;
  UpdateParts created_parts_;  // of an item that the update makes: IfUnset's values, too
  std::vector<UpdateStep> steps_;
};

Status UpdatePlanner::Check(const Change& change) const {
  const AttributeSpec& attribute = entity_.attributes[change.attribute];
  Problem problem = change.problem;
  if (entity_.primary().Names(change.attribute)) {
    problem = "can't be changed, as it is part of the primary key";
  } else if (attribute.is_read_only) {
    problem = "is read-only";
  } else if (change.kind == Kind::kRemove && attribute.is_required) {
    problem = "is required";
  }
  return problem.empty() ? Status() : BadAttribute(entity_, attribute.name, problem);
}

void UpdatePlanner::Apply(Change change) {
  if (change.kind == Kind::kSet && IsInAnIndex(change.attribute)) {
    parts_.Set(change.attribute, change.value);
    created_parts_.Set(change.attribute, change.value);
  }
  AddStep(change.kind, NameOf(change.attribute), std::move(change.value));
}

Status UpdatePlanner::AddChanges() {
  for (const Change& change : changes_.changes) {
    if (Status status = Check(change); !status.ok()) return status;
    Apply(change);
  }
  return {};
}

Status UpdatePlanner::AddAlways(const FillContext& context, void* scratch) {
  for (std::size_t i = 0; i < entity_.attributes.size(); ++i) {
    const AttributeSpec& attribute = entity_.attributes[i];
    // Behind an optional it would be there alone, without the others that go through that.
    if (attribute.always == nullptr || !attribute.is_reachable(scratch)) continue;
    attribute.always(scratch, context);
    if (!attribute.is_present(scratch)) continue;  // it has come to nothing
    Change change = {.attribute = i};
    change.problem = attribute.encode(scratch, &change.value);
    if (!change.problem.empty()) return BadAttribute(entity_, attribute.name, change.problem);
    Apply(std::move(change));
  }
  return {};
}

void UpdatePlanner::AddVersion() {
  if (const AttributeSpec* version = entity_.version()) {
    AddStep(Kind::kAdd, std::string(version->name), 1);
  }
}

Status UpdatePlanner::AddCreation(const FillContext& context, void* scratch) {
  AddStep(Kind::kSet, std::string(entity_.type_attribute), entity_.name);
  for (std::size_t i = 0; i < entity_.attributes.size(); ++i) {
    const AttributeSpec& attribute = entity_.attributes[i];
    if (attribute.in_key_only || attribute.always != nullptr || attribute.is_version) continue;
    Change change = {.attribute = i};
    if (entity_.primary().Names(i)) {
      change.problem = attribute.encode(key_, &change.value);
    } else if (FindChange(i) != nullptr) {
      continue;
    } else if (attribute.if_unset != nullptr && attribute.is_reachable(scratch)) {
      change.kind = Kind::kSetIfAbsent;
      attribute.if_unset(scratch, context);
      if (!attribute.is_present(scratch)) continue;  // it has come to nothing
      change.problem = attribute.encode(scratch, &change.value);
      created_parts_.Set(i, change.value);
    } else if (attribute.is_required && attribute.is_reachable(scratch)) {
      change.problem = "is missing, and the update may have to make the item";
    } else {
      continue;
    }
    if (!change.problem.empty()) return BadAttribute(entity_, attribute.name, change.problem);
    Apply(change);
  }
  return {};
}

bool UpdatePlanner::Touches(const KeySpec& index) const {
  for (std::size_t i = 0; i < entity_.attributes.size(); ++i) {
    if (!index.Names(i) || entity_.primary().Names(i)) continue;
    if (FindChange(i) != nullptr || parts_.IsSet(i)) return true;
  }
  return false;
}

bool UpdatePlanner::Removes(const KeySpec& index) const {
  return std::ranges::any_of(changes_.changes, [&](const Change& change) {
    return change.kind == Kind::kRemove && index.Names(change.attribute);
  });
}

Status UpdatePlanner::UnknownPart(const KeySpec& index) const {
  for (std::size_t i = 0; i < entity_.attributes.size(); ++i) {
    AttributeValue value;
    if (!index.Names(i)) continue;
    const Result<bool> known = parts_.Get(i, &value);
    if (!known.ok()) return known.status();
    if (*known) continue;
    return BadAttribute(
        entity_, NameOf(i),
        "must be set by the update, too, as it is part of the key in " + std::string(index.index));
  }
  return {};
}

Status UpdatePlanner::AddIndexKey(const KeySpec& index) {
  if (Removes(index)) {
    AddStep(Kind::kRemove, index.PartitionName());
    if (index.has_sort) AddStep(Kind::kRemove, index.SortName());
    return {};
  }
  const bool touched = Touches(index);
  if (!touched && !changes_.or_create) return {};
  const UpdateParts& parts = touched ? parts_ : created_parts_;
  std::string partition;
  std::string sort;
  const auto partition_count = RenderKey(entity_, index.partition, parts, &partition);
  if (!partition_count.ok()) return partition_count.status();
  const auto sort_count = RenderKey(entity_, index.sort, parts, &sort);
  if (!sort_count.ok()) return sort_count.status();
  if (*partition_count < index.partition.count || *sort_count < index.sort.count) {
    return touched ? UnknownPart(index) : Status();
  }
  // Of parts that are not touched an item that is there has its key, or rightly none.
  const Kind kind = touched ? Kind::kSet : Kind::kSetIfAbsent;
  AddStep(kind, index.PartitionName(), partition);
  if (index.has_sort) AddStep(kind, index.SortName(), sort);
  return {};
}

Status UpdatePlanner::AddIndexKeys() {
  for (const KeySpec& index : entity_.keys.subspan(1)) {
    if (Status status = AddIndexKey(index); !status.ok()) return status;
  }
  return {};
}

// The version that the struct has; 0 if it was not read from an item.
Result<std::int64_t> VersionOf(const EntitySpec& entity, const AttributeSpec& version,
                               const void* value) {
  AttributeValue number;
  const Problem problem = version.encode(value, &number);
  if (!problem.empty()) return BadAttribute(entity, version.name, problem);
  return number.get_if<Number>()->ToInt64().value_or(0);
}

Result<Write> MakePut(const EntitySpec& entity, const void* value) {
  Result<Item> item = ToItem(entity, value);
  if (!item.ok()) return item.status();
  return Write{
      .entity = &entity,
      .action = PutItemInput{.item = *std::move(item), .return_item_on_condition_failure = true}};
}

PutItemInput& PutOf(Write* write) { return *std::get_if<PutItemInput>(&write->action); }

// "a profile", "an email": as far as spelling tells.
std::string_view ArticleOf(const EntitySpec& entity) {
  return std::string_view("aeio").find(entity.name[0]) == std::string_view::npos ? "a " : "an ";
}

Status WrongVersion(const Write& write, const StoredItem* item) {
  const std::string subject = DescribeKey(*write.entity, KeyOf(write.action));
  if (item == nullptr) return Status::TransactionConflict(subject + " has been removed");
  const AttributeView found = (*item)[write.entity->version()->name];
  return Status::TransactionConflict(subject + " has been changed: it has version " +
                                     found.ToString() + ", not " + std::to_string(*write.version));
}

}  // namespace

Result<Write> PlanCreate(const EntitySpec& entity, const FillContext& context, void* value) {
  Fill(entity, context, value);
  if (const AttributeSpec* version = entity.version()) version->set_version(value, 1);
  Result<Write> write = MakePut(entity, value);
  if (!write.ok()) return write;
  write->expects = Write::Expects::kNone;
  PutOf(&*write).condition = IsAbsent(entity);
  return write;
}

Result<Write> PlanPut(const EntitySpec& entity, const FillContext& context, void* value) {
  Fill(entity, context, value);
  std::optional<std::int64_t> version;
  if (const AttributeSpec* attribute = entity.version()) {
    const Result<std::int64_t> read = VersionOf(entity, *attribute, value);
    if (!read.ok()) return read.status();
    if (*read == std::numeric_limits<std::int64_t>::max()) {
      return BadAttribute(entity, attribute->name, "has come to its end");
    }
    version = *read;
    attribute->set_version(value, *read + 1);
  }
  Result<Write> write = MakePut(entity, value);
  if (!write.ok()) return write;
  write->version = version;
  write->expects = Write::Expects::kEither;
  ConditionBuilder condition = IsAbsent(entity);
  if (!version) {
    condition = condition || IsThisEntity(entity);
  } else if (*version != 0) {
    condition = IsThisEntity(entity) && Attr(entity.version()->name) == *version;
  }
  PutOf(&*write).condition = condition;
  return write;
}

Result<Write> PlanUpdate(const EntitySpec& entity, const FillContext& context, const void* key,
                         const ChangeList& changes, void* scratch) {
  Result<Item> item_key = PrimaryKeyOf(entity, key);
  if (!item_key.ok()) return item_key.status();
  if (changes.version && entity.version() == nullptr) {
    return Status::Validation(std::string(entity.name) + " has no version");
  }
  if (changes.version && changes.or_create) {
    return Status::Validation(std::string(entity.name) +
                              ": what has a version is there, so OrCreate makes no sense");
  }
  UpdatePlanner planner(entity, key, changes);
  Status status = planner.AddChanges();
  if (status.ok()) status = planner.AddAlways(context, scratch);
  if (status.ok() && changes.or_create) status = planner.AddCreation(context, scratch);
  if (status.ok()) status = planner.AddIndexKeys();
  if (!status.ok()) return status;
  planner.AddVersion();

  ConditionBuilder condition = IsThisEntity(entity);
  if (changes.or_create) condition = IsAbsent(entity) || condition;
  if (changes.version) condition = condition && Attr(entity.version()->name) == *changes.version;
  if (changes.condition) condition = condition && *changes.condition;
  return Write{.entity = &entity,
               .action = UpdateItemInput{.key = *std::move(item_key),
                                         .update = planner.update(),
                                         .condition = condition,
                                         .return_item_on_condition_failure = true},
               .expects = changes.or_create ? Write::Expects::kEither : Write::Expects::kItem,
               .version = changes.version};
}

Result<Write> PlanRemove(const EntitySpec& entity, const void* key,
                         const std::optional<ConditionBuilder>& condition) {
  Result<Item> item_key = PrimaryKeyOf(entity, key);
  if (!item_key.ok()) return item_key.status();
  const ConditionBuilder there = IsThisEntity(entity);
  return Write{.entity = &entity,
               .action = DeleteItemInput{.key = *std::move(item_key),
                                         .condition = condition ? there && *condition : there,
                                         .return_item_on_condition_failure = true}};
}

Result<Write> PlanCheck(const EntitySpec& entity, const void* key,
                        const std::optional<ConditionBuilder>& condition) {
  Result<Item> item_key = PrimaryKeyOf(entity, key);
  if (!item_key.ok()) return item_key.status();
  const ConditionBuilder there = IsThisEntity(entity);
  return Write{.entity = &entity,
               .action = ConditionCheckInput{.key = *std::move(item_key),
                                             .condition = condition ? there && *condition : there,
                                             .return_item_on_condition_failure = true}};
}

Status Explain(const Write& write, const Status& refusal) {
  if (refusal.code() != StatusCode::kConditionalCheckFailed) return refusal;
  const StoredItem* item = refusal.item();
  if (item == nullptr) {
    if (write.version && *write.version != 0) return WrongVersion(write, item);
    if (write.expects != Write::Expects::kItem) return refusal;
    return Status::ResourceNotFound("there is no " +
                                    DescribeKey(*write.entity, KeyOf(write.action)));
  }
  const std::string_view type = EntityTypeOf(*write.entity, item->view());
  if (type != write.entity->name) {
    return Status::Corruption("where " + DescribeKey(*write.entity, KeyOf(write.action)) +
                              " belongs there is an item of another entity, " +
                              (type.empty() ? "unnamed" : std::string(type)));
  }
  if (write.expects == Write::Expects::kNone) {
    return Status::ResourceInUse("there is " + std::string(ArticleOf(*write.entity)) +
                                 DescribeKey(*write.entity, KeyOf(write.action)) + " already");
  }
  if (write.version && (*item)[write.entity->version()->name].AsInt64() != *write.version) {
    return WrongVersion(write, item);
  }
  return refusal;
}

}  // namespace dolmen::entity
