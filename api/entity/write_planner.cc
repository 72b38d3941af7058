#include "dolmen/entity/write_planner.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "dolmen/entity/entity_matcher.h"
#include "dolmen/entity/update_planner.h"
#include "dolmen/entity/update_steps.h"
#include "engine/base/status_macros.h"
#include "entity/describe_request.h"
#include "entity/edges.h"
#include "entity/evaluate.h"
#include "entity/write_constants.h"

namespace dolmen::entity {
namespace {

ConditionBuilder Exists(const EntitySpec& entity) {
  return AttributeExists(entity.primary().partition_name);
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

// Returns `first` and all of `others`, joined by AND. Returns an empty expression if there is no
// condition.
ConditionExpression Join(std::optional<ConditionBuilder> first,
                         const std::vector<WriteCondition>& others) {
  for (const WriteCondition& other : others) {
    first = first ? *first && other.condition : other.condition;
  }
  return first ? ConditionExpression(*first) : ConditionExpression();
}

// Returns the caller's optional condition as a list.
std::vector<WriteCondition> ListOf(const std::optional<ConditionBuilder>& condition,
                                   std::string words) {
  std::vector<WriteCondition> conditions;
  if (condition) conditions.push_back({.condition = *condition, .words = std::move(words)});
  return conditions;
}

// Returns the error of a write of which only a condition of the caller was false. Evaluates the
// conditions again, because the table does not say which one was false.
Status ExplainCondition(const PlannedWrite& write, const Status& refusal) {
  const bool is_one = write.conditions.size() == 1;
  const auto refused = std::ranges::find_if(write.conditions, [&](const WriteCondition& given) {
    const StoredItem* const item = refusal.item();
    return is_one ||
           !Holds(given.condition, item == nullptr ? ItemView() : item->view()).value_or(false);
  });
  if (refused != write.conditions.end()) {
    if (refused->is_conflict) return Status::TransactionConflict();
    if (!refused->words.empty()) return refusal.WithMessage(refused->words);
  }
  return refusal.WithMessage("the condition on " +
                             DescribeKeyParts(*write.entity, KeyOrItemOf(write.action)) +
                             " is false");
}

// Sets `*write` to an error. With it, a planner has only one result to return, which need not be moved.
void KeepError(const Status& error, Result<PlannedWrite>* write) {
  if (!error.ok()) *write = error;
}

// Returns the changes of unique attributes.
// - kValidation: an update cannot change a unique attribute in this way.
Result<std::vector<Change>> UniqueChanges(const EntitySpec& entity, const ChangeList& changes) {
  std::vector<Change> found;
  if (entity.uniques.empty()) return found;
  if (changes.or_create) {
    return Status::Validation(std::string(entity.name) +
                              " has unique attributes, so an update cannot create it: use Create");
  }
  for (const Change& change : changes.changes) {
    if (!std::ranges::any_of(entity.uniques, [&](const UniqueSpec& unique) {
          return unique.attribute == change.attribute;
        })) {
      continue;
    }
    if (change.kind != Change::Kind::kSet && change.kind != Change::Kind::kRemove) {
      return InvalidAttribute(entity, entity.attributes[change.attribute].name,
                              "is unique, so an update can only set or remove it");
    }
    found.push_back(change);
  }
  return found;
}

// Returns the article for the entity's name by its first letter: "a profile", "an email".
std::string_view ArticleOf(const EntitySpec& entity) {
  return std::string_view("aeioAEIO").find(entity.name[0]) == std::string_view::npos ? "a " : "an ";
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

Result<PlannedWrite> PlanCreateItem(const EntitySpec& entity, const FillContext& context,
                                    void* value) {
  FillAttributes(entity, context, value);
  if (const AttributeSpec* version = entity.version()) version->set_version(value, 1);
  Result<PlannedWrite> write = BuildPut(entity, value);
  if (!write.ok()) return write;
  write->existing = PlannedWrite::Existing::kForbidden;
  PutOf(&*write).condition = entity.write_constants().is_absent();
  return write;
}

Result<PlannedWrite> PlanPutItem(const EntitySpec& entity, const FillContext& context,
                                 void* value) {
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
  const ConditionBuilder& condition = entity.write_constants().is_not_another();
  PutOf(&*write).condition = version ? condition && HasVersion(entity, *version) : condition;
  return write;
}

Result<PlannedWrite> PlanUpdateItem(const EntitySpec& entity, const FillContext& context,
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
  DOLMEN_ASSIGN_OR_RETURN(PlannedUpdate update, PlanUpdateSteps(entity, context, key, changes));

  DOLMEN_ASSIGN_OR_RETURN(std::vector<Change> unique_changes, UniqueChanges(entity, changes));
  std::optional<ConditionBuilder> is_same;
  if (changes.version) is_same = HasVersion(entity, *changes.version);
  UpdateExpression expression = ComposeUpdate(update.steps);
  return PlannedWrite{
      .entity = &entity,
      .action = UpdateItemInput{.key = std::move(item_key),
                                .update = std::move(expression),
                                .condition = Join(std::move(is_same), changes.conditions),
                                .return_item_on_condition_failure = true},
      .existing =
          changes.or_create ? PlannedWrite::Existing::kAllowed : PlannedWrite::Existing::kRequired,
      .version = changes.version,
      .conditions = changes.conditions,
      .unique_changes = std::move(unique_changes),
      .update = std::move(update),
      .context = context};
}

Result<PlannedWrite> PlanRemoveItem(const EntitySpec& entity, const void* key,
                                    const std::optional<ConditionBuilder>& condition,
                                    std::string words) {
  DOLMEN_ASSIGN_OR_RETURN(Item item_key, PrimaryKeyOf(entity, key));
  std::vector<WriteCondition> conditions = ListOf(condition, std::move(words));
  return PlannedWrite{
      .entity = &entity,
      .action =
          DeleteItemInput{.key = std::move(item_key),
                          .condition = Join(Exists(entity) && IsNotAnother(entity), conditions),
                          .return_item_on_condition_failure = true},
      .conditions = std::move(conditions)};
}

Result<PlannedWrite> PlanCreate(const EntitySpec& entity, const FillContext& context, void* value) {
  Result<PlannedWrite> write = PlanCreateItem(entity, context, value);
  if (write.ok()) KeepError(AddCreatedInverse(context, value, &*write), &write);
  return write;
}

Result<PlannedWrite> PlanPut(const EntitySpec& entity, const FillContext& context, void* value) {
  Result<PlannedWrite> write = PlanPutItem(entity, context, value);
  if (write.ok()) KeepError(AddPutInverse(context, value, &*write), &write);
  return write;
}

Result<PlannedWrite> PlanUpdate(const EntitySpec& entity, const FillContext& context,
                                const void* key, const ChangeList& changes) {
  Result<PlannedWrite> write = PlanUpdateItem(entity, context, key, changes);
  if (write.ok()) KeepError(AddUpdatedInverse(context, key, changes, &*write), &write);
  return write;
}

Result<PlannedWrite> PlanRemove(const EntitySpec& entity, const void* key,
                                const std::optional<ConditionBuilder>& condition,
                                std::string words) {
  Result<PlannedWrite> write = PlanRemoveItem(entity, key, condition, std::move(words));
  if (write.ok()) KeepError(AddRemovedInverse(key, &*write), &write);
  return write;
}

Result<PlannedWrite> PlanConditionCheck(const EntitySpec& entity, const void* key,
                                        const std::optional<ConditionBuilder>& condition,
                                        std::string words) {
  DOLMEN_ASSIGN_OR_RETURN(Item item_key, PrimaryKeyOf(entity, key));
  std::vector<WriteCondition> conditions = ListOf(condition, std::move(words));
  return PlannedWrite{
      .entity = &entity,
      .action =
          ConditionCheckInput{.key = std::move(item_key),
                              .condition = Join(Exists(entity) && IsNotAnother(entity), conditions),
                              .return_item_on_condition_failure = true},
      .conditions = std::move(conditions)};
}

void AddCondition(const ConditionBuilder& condition, PlannedWrite* write) {
  std::visit(
      [&](auto& action) {
        const auto* tree = action.condition.tree();
        action.condition = tree == nullptr ? condition : ConditionBuilder(*tree) && condition;
      },
      write->action);
}

Status ExplainRefusal(const PlannedWrite& write, const Status& refusal) {
  if (refusal.code() != StatusCode::kConditionalCheckFailed) return refusal;
  if (!write.refusal.ok()) return write.refusal;
  const StoredItem* item = refusal.item();
  if (item == nullptr) {
    if (write.version && *write.version != 0) return VersionConflict(write, item);
    if (write.existing != PlannedWrite::Existing::kRequired) {
      return ExplainCondition(write, refusal);
    }
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
  return ExplainCondition(write, refusal);
}

}  // namespace dolmen::entity
