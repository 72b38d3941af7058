#include "dolmen/entity/write_planner.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "dolmen/entity/describe_request.h"
#include "dolmen/internal/status_macros.h"

namespace dolmen::entity {
namespace {

ConditionBuilder IsThisEntity(const EntitySpec& entity) {
  return Attr(entity.type_attribute) == entity.name;
}

ConditionBuilder IsAbsent(const EntitySpec& entity) {
  return AttributeNotExists(entity.primary().partition_name);
}

// Returns the version in the struct. It is 0 if the struct was not read from an item.
Result<std::int64_t> VersionOf(const EntitySpec& entity, const AttributeSpec& version,
                               const void* value) {
  AttributeValue number;
  const Status encoded = version.encode(value, &number);
  if (!encoded.ok()) return InvalidAttribute(entity, version.name, encoded.message());
  return number.get_if<Number>()->ToInt64().value_or(0);
}

// Returns a put of the struct. The caller adds the condition.
Result<PlannedWrite> BuildPut(const EntitySpec& entity, const void* value) {
  DOLMEN_ASSIGN_OR_RETURN(Item item, ToItem(entity, value));
  return PlannedWrite{
      .entity = &entity,
      .action = PutItemInput{.item = std::move(item), .return_item_on_condition_failure = true}};
}

PutItemInput& PutOf(PlannedWrite* write) { return *std::get_if<PutItemInput>(&write->action); }

// Returns the article for the entity's name by its first letter: "a profile", "an email".
std::string_view ArticleOf(const EntitySpec& entity) {
  return std::string_view("aeio").find(entity.name[0]) == std::string_view::npos ? "a " : "an ";
}

// Returns the error of a write whose version check failed. `item` is the stored item, or null if
// it has been removed.
Status VersionConflict(const PlannedWrite& write, const StoredItem* item) {
  const std::string subject = DescribeKeyParts(*write.entity, KeyOrItemOf(write.action));
  if (item == nullptr) return Status::TransactionConflict(subject + " has been removed");
  const AttributeView found = (*item)[write.entity->version()->name];
  return Status::TransactionConflict(subject + " has been changed: it has version " +
                                     found.ToString() + ", not " + std::to_string(*write.version));
}

// Returns true if the stored item does not meet the guard of this key (UpdatePlanner::AddGuard).
bool IsGuardFalse(const GuardedKey& key, const StoredItem& item) {
  if (item[key.index->PartitionName()]) return false;
  return std::ranges::any_of(key.filled, [&](const auto& attribute) {
    const AttributeView stored = item[attribute.first];
    if (!stored) return false;
    const Result<AttributeValue> value = stored.Copy();
    return !value.ok() || *value != attribute.second;
  });
}

}  // namespace

Result<PlannedWrite> PlanCreate(const EntitySpec& entity, const FillContext& context, void* value) {
  FillAttributes(entity, context, value);
  if (const AttributeSpec* version = entity.version()) version->set_version(value, 1);
  Result<PlannedWrite> write = BuildPut(entity, value);
  if (!write.ok()) return write;
  write->existing = PlannedWrite::Existing::kForbidden;
  PutOf(&*write).condition = IsAbsent(entity);
  return write;
}

Result<PlannedWrite> PlanPut(const EntitySpec& entity, const FillContext& context, void* value) {
  FillAttributes(entity, context, value);
  std::optional<std::int64_t> version;
  if (const AttributeSpec* attribute = entity.version()) {
    DOLMEN_ASSIGN_OR_RETURN(const std::int64_t read, VersionOf(entity, *attribute, value));
    if (read == std::numeric_limits<std::int64_t>::max()) {
      return InvalidAttribute(entity, attribute->name, "has reached the greatest version");
    }
    version = read;
    attribute->set_version(value, read + 1);
  }
  Result<PlannedWrite> write = BuildPut(entity, value);
  if (!write.ok()) return write;
  write->version = version;
  write->existing = PlannedWrite::Existing::kAllowed;
  ConditionBuilder condition = IsAbsent(entity);
  if (!version) {
    condition = condition || IsThisEntity(entity);
  } else if (*version != 0) {
    condition = IsThisEntity(entity) && Attr(entity.version()->name) == *version;
  }
  PutOf(&*write).condition = condition;
  return write;
}

Result<PlannedWrite> PlanUpdate(const EntitySpec& entity, const FillContext& context,
                                const void* key, const ChangeList& changes, void* scratch) {
  DOLMEN_ASSIGN_OR_RETURN(Item item_key, PrimaryKeyOf(entity, key));
  if (changes.version && entity.version() == nullptr) {
    return Status::Validation(std::string(entity.name) + " has no version");
  }
  if (changes.version && changes.or_create) {
    return Status::Validation(
        std::string(entity.name) +
        ": IfVersion needs an existing item, so it cannot be combined with OrCreate");
  }
  DOLMEN_ASSIGN_OR_RETURN(PlannedUpdate update,
                          PlanUpdateExpression(entity, context, key, changes, scratch));

  ConditionBuilder condition = IsThisEntity(entity);
  if (changes.or_create) condition = IsAbsent(entity) || condition;
  if (changes.version) condition = condition && Attr(entity.version()->name) == *changes.version;
  if (changes.condition) condition = condition && *changes.condition;
  if (update.guard) condition = condition && *update.guard;
  return PlannedWrite{.entity = &entity,
                      .action = UpdateItemInput{.key = std::move(item_key),
                                                .update = std::move(update.update),
                                                .condition = condition,
                                                .return_item_on_condition_failure = true},
                      .existing = changes.or_create ? PlannedWrite::Existing::kAllowed
                                                    : PlannedWrite::Existing::kRequired,
                      .version = changes.version,
                      .guarded = std::move(update.guarded)};
}

Result<PlannedWrite> PlanRemove(const EntitySpec& entity, const void* key,
                                const std::optional<ConditionBuilder>& condition) {
  DOLMEN_ASSIGN_OR_RETURN(Item item_key, PrimaryKeyOf(entity, key));
  const ConditionBuilder exists = IsThisEntity(entity);
  return PlannedWrite{
      .entity = &entity,
      .action = DeleteItemInput{.key = std::move(item_key),
                                .condition = condition ? exists && *condition : exists,
                                .return_item_on_condition_failure = true}};
}

Result<PlannedWrite> PlanConditionCheck(const EntitySpec& entity, const void* key,
                                        const std::optional<ConditionBuilder>& condition) {
  DOLMEN_ASSIGN_OR_RETURN(Item item_key, PrimaryKeyOf(entity, key));
  const ConditionBuilder exists = IsThisEntity(entity);
  return PlannedWrite{
      .entity = &entity,
      .action = ConditionCheckInput{.key = std::move(item_key),
                                    .condition = condition ? exists && *condition : exists,
                                    .return_item_on_condition_failure = true}};
}

Status ExplainRefusal(const PlannedWrite& write, const Status& refusal) {
  if (refusal.code() != StatusCode::kConditionalCheckFailed) return refusal;
  const StoredItem* item = refusal.item();
  if (item == nullptr) {
    if (write.version && *write.version != 0) return VersionConflict(write, item);
    if (write.existing != PlannedWrite::Existing::kRequired) return refusal;
    return Status::ResourceNotFound("there is no " +
                                    DescribeKeyParts(*write.entity, KeyOrItemOf(write.action)));
  }
  const std::string_view type = EntityTypeOf(*write.entity, item->view());
  if (type != write.entity->name) {
    return Status::Corruption("an item of another entity, " +
                              (type.empty() ? "unnamed" : std::string(type)) + ", has the key of " +
                              DescribeKeyParts(*write.entity, KeyOrItemOf(write.action)));
  }
  if (write.existing == PlannedWrite::Existing::kForbidden) {
    return Status::ResourceInUse("there is " + std::string(ArticleOf(*write.entity)) +
                                 DescribeKeyParts(*write.entity, KeyOrItemOf(write.action)) +
                                 " already");
  }
  if (write.version && (*item)[write.entity->version()->name].AsInt64() != *write.version) {
    return VersionConflict(write, item);
  }
  for (const GuardedKey& key : write.guarded) {
    if (!IsGuardFalse(key, *item)) continue;
    return Status::Validation(DescribeKeyParts(*write.entity, KeyOrItemOf(write.action)) +
                              " has no key in " + std::string(key.index->index) +
                              ", and the update does not know all parts of the key. Put the "
                              "entity once, or update it without OrCreate.");
  }
  return refusal;
}

}  // namespace dolmen::entity
