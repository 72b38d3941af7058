#include "engine/table/query_plan.h"

#include <string_view>
#include <utility>

#include "engine/expression/key_condition.h"
#include "engine/expression/parser.h"
#include "engine/table/key_paths.h"
#include "engine/table/start_key.h"

namespace dolmen::engine {
namespace {

using Operator = SortKeyCondition::Operator;

KeyElement ToElement(const KeyAttribute& attribute) { return {attribute.name, attribute.type}; }

// The typed form of a key condition's value; only types that keys have carry bytes, as the others
// are refused for their type.
AttributeView ToView(const AttributeValue& value) {
  const bool sortable = value.type() == AttributeType::kS || value.type() == AttributeType::kN ||
                        value.type() == AttributeType::kB;
  return {value.type(), sortable ? SortableBytes(value) : std::string_view()};
}

Result<KeyConditionTerms> TypedTerms(const KeySchema& keys, const QueryInput& input) {
  KeyConditionTerms terms;
  terms.terms.push_back({keys.partition.name, Operator::kEqual, ToView(*input.partition), {}});
  if (input.sort) {
    // Without a sort key the condition has no attribute, which is then refused like any other.
    const std::string_view name = keys.sort ? std::string_view(keys.sort->name) : "sort key";
    terms.terms.push_back(
        {name, input.sort->op, ToView(input.sort->value), ToView(input.sort->upper)});
    if (Status valid = CheckSortCondition(terms.terms.back()); !valid.ok()) return valid;
  }
  return terms;
}

Result<KeyConditionTerms> BindTerms(const QueryInput& input, QueryPlan* plan) {
  if (input.key_condition.empty()) {
    if (!input.partition) {
      return Status::Validation(
          "Either the KeyConditions or KeyConditionExpression parameter must be specified in the "
          "request.");
    }
    return TypedTerms(plan->keys(), input);
  }
  if (input.partition || input.sort) {
    return Status::Validation(
        "Can not use both expression and non-expression parameters in the same request: "
        "Non-expression parameters: {KeyConditions} Expression parameters: "
        "{KeyConditionExpression}");
  }
  return BindKeyCondition(*plan->key_condition_syntax, *plan->placeholders);
}

Status ParseExpressions(const QueryInput& input, QueryPlan* plan) {
  if (!input.key_condition.empty()) {
    auto syntax = ParseCondition(input.key_condition, ExpressionKind::kKeyCondition);
    if (!syntax.ok()) return syntax.status();
    plan->key_condition_syntax.emplace(*std::move(syntax));
  }
  if (!input.filter.empty()) {
    auto syntax = ParseCondition(input.filter, ExpressionKind::kFilter);
    if (!syntax.ok()) return syntax.status();
    plan->filter_syntax.emplace(*std::move(syntax));
  }
  if (!input.projection.empty()) {
    auto syntax = ParseProjection(input.projection);
    if (!syntax.ok()) return syntax.status();
    plan->projection_syntax.emplace(*std::move(syntax));
  }
  return {};
}

Status BindFilterAndProjection(QueryPlan* plan) {
  if (plan->filter_syntax) {
    auto bound = BindCondition(*plan->filter_syntax, ExpressionKind::kFilter, *plan->placeholders);
    if (!bound.ok()) return bound.status();
    plan->filter.emplace(*std::move(bound));
  }
  if (plan->projection_syntax) {
    auto bound = BindProjection(*plan->projection_syntax, *plan->placeholders);
    if (!bound.ok()) return bound.status();
    plan->projection.emplace(*std::move(bound));
  }
  return plan->placeholders->CheckAllUsed();
}

// What the filter and the projection may do with keys.
Status CheckUsesOfKey(const QueryPlan& plan) {
  if (plan.filter) {
    const bool of_index = plan.index != nullptr;
    Status valid = CheckQueryFilter(*plan.filter, KeyNames(plan.keys()).span(), of_index);
    if (valid.ok()) valid = CheckKeyPaths(*plan.table, plan.filter->paths());
    if (!valid.ok()) return valid;
  }
  return plan.projection ? CheckKeyPaths(*plan.table, plan.projection->paths()) : Status();
}

Status SetRange(const KeyCondition& condition, QueryPlan* plan) {
  const KeyBytes bytes{condition.partition_value.payload(),
                       condition.sort ? condition.sort->value.payload() : std::string_view()};
  if (Status sizes = CheckKeyBytes(bytes); !sizes.ok()) return sizes;
  if (condition.sort) {
    const KeyBytes upper{bytes.partition, condition.sort->upper.payload()};
    if (Status sizes = CheckKeyBytes(upper); !sizes.ok()) return sizes;
  }
  if (!condition.sort) {
    plan->range = PartitionRange(plan->keyspace(), bytes.partition);
    return {};
  }
  const SortKeyBounds bounds{condition.sort->op, bytes.sort, condition.sort->upper.payload()};
  const SortKeyForm form = plan->index != nullptr ? SortKeyForm::kTerminated : SortKeyForm::kRaw;
  plan->range = PartitionRange(plan->keyspace(), bytes.partition, bounds, form);
  return {};
}

}  // namespace

Status PlanQuery(const TableSchema& table, const QueryInput& input, QueryPlan* plan) {
  plan->table = &table;
  if (input.limit == 0u) {
    return Status::Validation(
        "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member "
        "must have value greater than or equal to 1");
  }
  if (!input.index.empty()) {
    plan->index = table.FindIndex(input.index);
    if (plan->index == nullptr) {
      return Status::Validation("The table does not have the specified index: " + input.index);
    }
  }
  auto placeholders =
      Placeholders::Make(input.names, input.values,
                         {{ExpressionKind::kProjection, !input.projection.empty()},
                          {ExpressionKind::kFilter, !input.filter.empty()},
                          {ExpressionKind::kKeyCondition, !input.key_condition.empty()}});
  if (!placeholders.ok()) return placeholders.status();
  plan->placeholders.emplace(*std::move(placeholders));
  if (Status parsed = ParseExpressions(input, plan); !parsed.ok()) return parsed;
  const Result<KeyConditionTerms> terms = BindTerms(input, plan);
  if (!terms.ok()) return terms.status();
  if (Status bound = BindFilterAndProjection(plan); !bound.ok()) return bound;

  const KeySchema& keys = plan->keys();
  const auto sort = keys.sort ? std::optional(ToElement(*keys.sort)) : std::nullopt;
  const Result<KeyCondition> condition =
      ResolveKeyCondition(*terms, ToElement(keys.partition), sort, input.index);
  if (!condition.ok()) return condition.status();
  if (Status uses = CheckUsesOfKey(*plan); !uses.ok()) return uses;
  if (Status ranged = SetRange(*condition, plan); !ranged.ok()) return ranged;
  Status started = ApplyStartKey(input, condition->partition_value.payload(), plan);
  if (!started.ok()) return started;
  if (input.select == Select::kCount && !input.projection.empty()) {
    return Status::Validation(
        "Cannot specify the ProjectionExpression when choosing to get only the Count");
  }
  return {};
}

}  // namespace dolmen::engine
