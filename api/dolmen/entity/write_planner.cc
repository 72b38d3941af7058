#include "dolmen/entity/write_planner.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "dolmen/entity/describe_request.h"
#include "dolmen/entity/entity_matcher.h"
#include "dolmen/entity/update_planner.h"
#include "dolmen/internal/status_macros.h"

namespace dolmen::entity {
namespace {

ConditionBuilder Exists(const EntitySpec& entity) {
  return AttributeExists(entity.primary().partition_name);
}

// Returns the condition that the item, if it exists, belongs to the entity. An item without a type
// attribute does, because it has a key of the entity.
ConditionBuilder IsNotAnother(const EntitySpec& entity) {
  const Attr type(entity.type_attribute);
  ConditionBuilder condition = AttributeNotExists(type) || type == entity.name;
  for (const std::string_view name : entity.other_names) condition = condition || type == name;
  return condition;
}

// Returns the condition that the item has the version. An item that was written before its entity
// had a version has the version 0.
ConditionBuilder HasVersion(const EntitySpec& entity, std::int64_t version) {
  const Attr attribute(entity.version()->name);
  const ConditionBuilder is_equal = attribute == version;
  return version == 0 ? AttributeNotExists(attribute) || is_equal : is_equal;
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

}  // namespace

Result<PlannedWrite> PlanCreate(const EntitySpec& entity, const FillContext& context, void* value) {
  FillAttributes(entity, context, value);
  if (const AttributeSpec* version = entity.version()) version->set_version(value, 1);
  Result<PlannedWrite> write = BuildPut(entity, value);
  if (!write.ok()) return write;
  write->existing = PlannedWrite::Existing::kForbidden;
  PutOf(&*write).condition = AttributeNotExists(entity.primary().partition_name);
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
  ConditionBuilder condition = IsNotAnother(entity);
  PutOf(&*write).condition = version ? condition && HasVersion(entity, *version) : condition;
  return write;
}

Result<PlannedWrite> PlanUpdate(const EntitySpec& entity, const FillContext& context,
                                const void* key, const ChangeList& changes) {
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
                          PlanUpdateExpression(entity, context, key, changes));

  std::optional<ConditionBuilder> condition = changes.condition;
  if (changes.version) {
    const ConditionBuilder is_same = HasVersion(entity, *changes.version);
    condition = condition ? is_same && *condition : is_same;
  }
  auto rewriter = internal::Shared<UpdateRewriter>::Make(entity, context, std::move(update.changed),
                                                         changes.or_create);
  return PlannedWrite{
      .entity = &entity,
      .action = UpdateItemInput{.key = std::move(item_key),
                                .update = std::move(update.update),
                                .condition = condition ? ConditionExpression(*condition)
                                                       : ConditionExpression(),
                                .return_item_on_condition_failure = true,
                                .rewriter = rewriter},
      .existing =
          changes.or_create ? PlannedWrite::Existing::kAllowed : PlannedWrite::Existing::kRequired,
      .version = changes.version,
      .rewriter = std::move(rewriter)};
}

Result<PlannedWrite> PlanRemove(const EntitySpec& entity, const void* key,
                                const std::optional<ConditionBuilder>& condition) {
  DOLMEN_ASSIGN_OR_RETURN(Item item_key, PrimaryKeyOf(entity, key));
  const ConditionBuilder exists = Exists(entity) && IsNotAnother(entity);
  return PlannedWrite{
      .entity = &entity,
      .action = DeleteItemInput{.key = std::move(item_key),
                                .condition = condition ? exists && *condition : exists,
                                .return_item_on_condition_failure = true}};
}

Result<PlannedWrite> PlanConditionCheck(const EntitySpec& entity, const void* key,
                                        const std::optional<ConditionBuilder>& condition) {
  DOLMEN_ASSIGN_OR_RETURN(Item item_key, PrimaryKeyOf(entity, key));
  const ConditionBuilder exists = Exists(entity) && IsNotAnother(entity);
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
  if (MatchType(*write.entity, item->view()) == TypeMatch::kOther) {
    return Status::Corruption("an item of another entity, " +
                              DescribeType(*write.entity, item->view()) + ", has the key of " +
                              DescribeKeyParts(*write.entity, KeyOrItemOf(write.action)));
  }
  if (write.existing == PlannedWrite::Existing::kForbidden) {
    return Status::ResourceInUse("there is " + std::string(ArticleOf(*write.entity)) +
                                 DescribeKeyParts(*write.entity, KeyOrItemOf(write.action)) +
                                 " already");
  }
  if (write.version &&
      (*item)[write.entity->version()->name].AsInt64().value_or(0) != *write.version) {
    return VersionConflict(write, item);
  }
  return refusal;
}

}  // namespace dolmen::entity
