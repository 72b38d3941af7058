#include "engine/read/query.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/base/status_macros.h"
#include "engine/expression/key_condition.h"
#include "engine/key/key_codec.h"
#include "engine/read/read_page.h"
#include "engine/read/read_plan.h"
#include "engine/read/start_key.h"
#include "engine/schema/key_paths.h"

namespace dolmen::engine {
namespace {

constexpr std::size_t kPartitionsMax = 100;

using Operator = SortKeyCondition::Operator;

// Returns a view of the value in a key condition. If the value's type is not S, N or B, the view
// has no bytes: a key cannot have this type, and a later check rejects the value.
AttributeView ToView(const AttributeValue& value) {
  const bool sortable = value.type() == AttributeType::kS || value.type() == AttributeType::kN ||
                        value.type() == AttributeType::kB;
  return {value.type(), sortable ? SortableBytes(value) : std::string_view()};
}

Result<KeyConditionTerms> TypedTerms(const KeySchema& keys, const AttributeValue& partition,
                                     const std::optional<SortKeyCondition>& sort) {
  if (keys.partition().size() > 1 || keys.sort().size() > 1) {
    return Status::Validation(
        "The key has several attributes, so Partition cannot describe it. Use a "
        "KeyConditionExpression: .key_condition = Key(\"a\") == 1 && Key(\"b\") == 2");
  }
  KeyConditionTerms terms;
  terms.terms.push_back({keys.partition()[0].name, Operator::kEqual, ToView(partition), {}});
  if (sort) {
    // If the table has no sort key, the term for the sort key gets the name "sort key".
    // ResolveKeyCondition then rejects the term, because no key attribute has this name.
    const std::string_view name =
        keys.sort().empty() ? "sort key" : std::string_view(keys.sort()[0].name);
    terms.terms.push_back({name, sort->op, ToView(sort->value), ToView(sort->upper)});
    DOLMEN_RETURN_IF_ERROR(CheckSortCondition(terms.terms.back()));
  }
  return terms;
}

// Returns the request's KeyConditionExpression; an empty one if the request names partitions.
const KeyConditionExpression& ExpressionOf(const QueryInput& input) {
  static const KeyConditionExpression kNone;
  const auto* const expression = std::get_if<KeyConditionExpression>(&input.key_condition);
  return expression != nullptr ? *expression : kNone;
}

Status CheckPartitionCount(const QueryInput& input) {
  const auto* const several = std::get_if<Partitions>(&input.key_condition);
  if (several == nullptr || several->keys.size() <= kPartitionsMax) return {};
  return Status::Validation(
      "A Query reads at most 100 partitions. Divide them among several requests.");
}

bool HasRange(const QueryInput& input) {
  if (const auto* const several = std::get_if<Partitions>(&input.key_condition)) {
    return !several->keys.empty();
  }
  return std::holds_alternative<Partition>(input.key_condition) || ExpressionOf(input).given();
}

Status CheckFilter(const ReadPlan& plan) {
  // The filter of a statement may name key attributes.
  if (!plan.filter || plan.filter->dialect() == Dialect::kStatement) return {};
  return CheckQueryFilter(*plan.filter, KeyNames(plan.keys()).span(), plan.index != nullptr);
}

KeyRange RangeOf(const KeyCondition& condition, const ReadPlan& plan) {
  const KeyBytes& equal = condition.equal;
  const EncodedKey prefix = KeyPrefix(plan.keyspace(), {equal.data(), equal.size()});
  if (!condition.last) return PrefixRange(prefix);
  const SortKeyBounds bounds{condition.last->op, condition.last->value.payload(),
                             condition.last->upper.payload()};
  return SortKeyRange(prefix, bounds,
                      plan.index != nullptr ? SortKeyForm::kTerminated : SortKeyForm::kRaw);
}

Status AddRange(const Result<KeyConditionTerms>& terms, const std::string& index, ReadPlan* plan) {
  if (!terms.ok()) return terms.status();
  const Result<KeyCondition> condition = ResolveKeyCondition(*terms, plan->keys(), index);
  if (!condition.ok()) return condition.status();
  plan->ranges.push_back(RangeOf(*condition, *plan));
  return {};
}

Status SetRanges(const QueryInput& input, ReadPlan* plan) {
  if (plan->key_condition) return AddRange(*plan->key_condition, input.index, plan);
  if (const auto* const one = std::get_if<Partition>(&input.key_condition)) {
    return AddRange(TypedTerms(plan->keys(), one->key, one->sort_key), input.index, plan);
  }
  const auto& [keys, sort_key] = std::get<Partitions>(input.key_condition);
  for (const AttributeValue& partition : keys) {
    DOLMEN_RETURN_IF_ERROR(
        AddRange(TypedTerms(plan->keys(), partition, sort_key), input.index, plan));
  }
  const auto begins_before = [](const KeyRange& a, const KeyRange& b) { return a.lower < b.lower; };
  std::sort(plan->ranges.begin(), plan->ranges.end(), begins_before);
  const auto same = [](const KeyRange& a, const KeyRange& b) { return a.lower == b.lower; };
  if (std::adjacent_find(plan->ranges.begin(), plan->ranges.end(), same) == plan->ranges.end()) {
    return {};
  }
  return Status::Validation("Two keys of Partitions are equal. Give each partition once.");
}

// Copies into the plan the parts of the request that do not depend on the table, and binds the
// request's expressions.
Status Bind(const QueryInput& input, ReadPlan* plan) {
  CopyOptions(input, plan);
  plan->forward = input.forward;
  DOLMEN_RETURN_IF_ERROR(CheckLimit(*plan));
  DOLMEN_RETURN_IF_ERROR(CheckPartitionCount(input));
  DOLMEN_RETURN_IF_ERROR(CheckStartKey(input.exclusive_start_key));
  DOLMEN_RETURN_IF_ERROR(BindExpressions(input.names, input.values, &plan->placeholders,
                                         ExpressionSlot{ExpressionOf(input), &plan->key_condition},
                                         ExpressionSlot{input.filter, &plan->filter},
                                         ExpressionSlot{input.projection, &plan->projection}));
  if (plan->key_condition) DOLMEN_RETURN_IF_ERROR(plan->key_condition->status);
  if (!HasRange(input)) {
    return Status::Validation(
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the "
        "request.");
  }
  return CheckSelect(*plan, !input.index.empty());
}

Status PlanQuery(const TableSchema& table, const QueryInput& input, ReadPlan* plan) {
  DOLMEN_RETURN_IF_ERROR(Bind(input, plan));
  DOLMEN_RETURN_IF_ERROR(SetIndex(table, input.index, plan));
  DOLMEN_RETURN_IF_ERROR(SetRanges(input, plan));
  DOLMEN_RETURN_IF_ERROR(CheckFilter(*plan));
  DOLMEN_RETURN_IF_ERROR(CheckKeyUses(*plan));
  DOLMEN_RETURN_IF_ERROR(ApplyStartKey(input.exclusive_start_key, plan));
  return ChooseSource(plan);
}

}  // namespace

Status ValidateQuery(const QueryInput& input) {
  ReadPlan plan;
  return Bind(input, &plan);
}

Result<std::uint64_t> ApproximateBytes(const ReadContext& context, const TableSchema& table,
                                       const QueryInput& input) {
  ReadPlan plan;
  DOLMEN_RETURN_IF_ERROR(PlanQuery(table, input, &plan));
  return ApproximateBytes(context.store, plan);
}

Status Query(const ReadContext& context, const TableSchema& table, const QueryInput& input,
             QueryOutput* page, const ReadOrder* order) {
  ReadPlan plan;
  DOLMEN_RETURN_IF_ERROR(PlanQuery(table, input, &plan));
  HideExpired(input.options.hide_expired, context.clock, &plan);
  if (order == nullptr) return ReadPage(context.store, plan, page);
  return ReadPageInOrder(context.store, input.exclusive_start_key, *order, &plan, page);
}

}  // namespace dolmen::engine
