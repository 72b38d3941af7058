#include "engine/table/query_plan.h"

#include <string_view>
#include <utility>

#include "engine/expression/key_condition.h"
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

Status CheckNotMixed(const QueryInput& input) {
  if (!input.key_condition.given() || (!input.partition && !input.sort)) return {};
  return Status::Validation(
      "Can not use both expression and non-expression parameters in the same request: "
      "Non-expression parameters: {KeyConditions} Expression parameters: "
      "{KeyConditionExpression}");
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
  if (Status mixed = CheckNotMixed(input); !mixed.ok()) return mixed;
  Status bound = BindExpressions(input.names, input.values, &plan->placeholders,
                                 ExpressionSlot{input.key_condition, &plan->key_condition},
                                 ExpressionSlot{input.filter, &plan->filter},
                                 ExpressionSlot{input.projection, &plan->projection});
  if (!bound.ok()) return bound;
  if (!input.key_condition.given() && !input.partition) {
    return Status::Validation(
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the "
        "request.");
  }

  // What is wrong with the request by itself is said before anything that takes the table to know.
  if (!input.index.empty()) {
    plan->index = table.FindIndex(input.index);
    if (plan->index == nullptr) {
      return Status::Validation("The table does not have the specified index: " + input.index);
    }
  }
  const KeySchema& keys = plan->keys();
  const Result<KeyConditionTerms> terms = input.key_condition.given()
                                              ? Result<KeyConditionTerms>(*plan->key_condition)
                                              : TypedTerms(keys, input);
  if (!terms.ok()) return terms.status();
  const auto sort = keys.sort ? std::optional(ToElement(*keys.sort)) : std::nullopt;
  const Result<KeyCondition> condition =
      ResolveKeyCondition(*terms, ToElement(keys.partition), sort, input.index);
  if (!condition.ok()) return condition.status();
  if (Status uses = CheckUsesOfKey(*plan); !uses.ok()) return uses;
  if (Status ranged = SetRange(*condition, plan); !ranged.ok()) return ranged;
  Status started = ApplyStartKey(input, condition->partition_value.payload(), plan);
  if (!started.ok()) return started;
  if (input.select == Select::kCount && input.projection.given()) {
    return Status::Validation(
        "Cannot specify the ProjectionExpression when choosing to get only the Count");
  }
  return {};
}

}  // namespace dolmen::engine
