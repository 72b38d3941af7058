#include "tests/model/reference_table.h"

#include <algorithm>
#include <array>

#include "tests/model/reference_expression.h"

namespace dolmen::test {
namespace {

using Operator = SortKeyCondition::Operator;

constexpr std::array kIndexes = {"GSI1", "GSI2"};

AttributeType KeyType(const std::string& index) {
  return index == "GSI2" ? AttributeType::kN : AttributeType::kS;
}

bool IsEmpty(const AttributeValue& value) {
  const auto* text = value.get_if<std::string>();
  return text != nullptr && text->empty();
}

// An item may lack an index's key, but it may not have a wrong one.
bool HasOnlyRightIndexKeys(const Item& item) {
  for (const std::string index : kIndexes) {
    const KeyNames& keys = KeyNamesOf(index);
    for (const std::string& name : {keys.partition, keys.sort}) {
      const auto found = item.find(name);
      if (found == item.end()) continue;
      if (found->second.type() != KeyType(index) || IsEmpty(found->second)) return false;
    }
  }
  return true;
}

bool IsIn(const Item& item, const std::string& index) {
  const KeyNames& keys = KeyNamesOf(index);
  return item.contains(keys.partition) && item.contains(keys.sort);
}

// The attributes by which items of the table or of an index are ordered, most important first.
std::vector<std::string> OrderOf(const std::string& index) {
  const KeyNames& keys = KeyNamesOf(index);
  std::vector<std::string> names{keys.partition, keys.sort};
  if (!index.empty()) names.insert(names.end(), {"PK", "SK"});
  return names;
}

int CompareKeys(const Item& a, const Item& b, const std::string& index) {
  for (const std::string& name : OrderOf(index)) {
    if (const int order = *Compare(a.at(name), b.at(name)); order != 0) return order;
  }
  return 0;
}

bool Meets(const AttributeValue& sort, const SortKeyCondition& condition) {
  const int order = *Compare(sort, condition.value);
  switch (condition.op) {
    case Operator::kEqual:
      return order == 0;
    case Operator::kLess:
      return order < 0;
    case Operator::kLessOrEqual:
      return order <= 0;
    case Operator::kGreater:
      return order > 0;
    case Operator::kGreaterOrEqual:
      return order >= 0;
    case Operator::kBetween:
      return order >= 0 && *Compare(sort, condition.upper) <= 0;
    case Operator::kBeginsWith:
      return sort.get_if<std::string>()->starts_with(*condition.value.get_if<std::string>());
  }
  return false;
}

// What ReturnValues asks for.
std::optional<Item> Returned(const WriteOperation& operation, const Item* old,
                             const std::optional<Item>& after) {
  const std::optional<Item> before = old == nullptr ? std::nullopt : std::optional(*old);
  std::vector<Path> targets;
  for (const UpdateAction& action : operation.update) targets.push_back(action.target);
  const auto touched = [&](const std::optional<Item>& item) -> std::optional<Item> {
    Item parts = item ? Project(targets, *item) : Item();
    return parts.empty() ? std::nullopt : std::optional(std::move(parts));
  };
  switch (operation.return_values) {
    case ReturnValues::kNone:
      return std::nullopt;
    case ReturnValues::kAllOld:
      return before;
    case ReturnValues::kAllNew:
      return after;
    case ReturnValues::kUpdatedOld:
      return touched(before);
    case ReturnValues::kUpdatedNew:
      return touched(after);
  }
  return std::nullopt;
}

}  // namespace

ReferenceTable::Key ReferenceTable::KeyOf(const Item& item) {
  return {*item.at("PK").get_if<std::string>(), *item.at("SK").get_if<std::string>()};
}

const Item* ReferenceTable::Find(const Item& key) const {
  const auto found = items_.find(KeyOf(key));
  return found == items_.end() ? nullptr : &found->second;
}

Outcome ReferenceTable::Get(const GetOperation& operation) const {
  const Item* const item = Find(operation.key);
  if (item == nullptr) return {};
  return {.item = operation.projection.empty() ? *item : Project(operation.projection, *item)};
}

// The values that an update assigns as they stand in the request.
Item AssignedBy(const std::vector<UpdateAction>& update) {
  Item assigned;
  for (const UpdateAction& action : update) {
    const bool as_it_stands = action.section == UpdateAction::Section::kSet &&
                              action.source == UpdateAction::Source::kOperand &&
                              !action.left_default && !action.left.path && !action.left.size &&
                              !action.target.member && !action.target.index;
    if (as_it_stands) assigned.emplace(action.target.attribute, action.left.value);
  }
  return assigned;
}

ReferenceTable::Plan ReferenceTable::PlanWrite(const WriteOperation& operation) const {
  using Kind = WriteOperation::Kind;
  const bool is_update = operation.kind == Kind::kUpdate;
  const Item given = is_update ? AssignedBy(operation.update) : operation.item;
  if ((is_update || operation.kind == Kind::kPut) && !HasOnlyRightIndexKeys(given)) {
    return {.outcome = {.code = StatusCode::kValidation}, .refused_at_once = true};
  }
  const Item* const old = Find(operation.item);
  if (operation.condition && !Holds(*operation.condition, old == nullptr ? Item() : *old)) {
    Plan plan{.outcome = {.code = StatusCode::kConditionalCheckFailed}};
    if (old != nullptr && operation.return_item_on_condition_failure) plan.outcome.item = *old;
    return plan;
  }
  Plan plan;
  if (operation.kind == Kind::kPut) plan.after = operation.item;
  if (operation.kind == Kind::kCheck && old != nullptr) plan.after = *old;
  if (operation.kind == Kind::kUpdate) {
    const Item& before = old == nullptr ? operation.item : *old;  // its key, if there is no item
    plan.after = Updated(operation.update, before, before);
    if (!plan.after || !HasOnlyRightIndexKeys(*plan.after)) {
      return {.outcome = {.code = StatusCode::kValidation}};
    }
  }
  plan.outcome.item = Returned(operation, old, plan.after);
  return plan;
}

void ReferenceTable::Commit(const WriteOperation& operation, const Plan& plan) {
  const Key key = KeyOf(operation.item);
  items_.erase(key);
  if (plan.after) items_.emplace(key, *plan.after);
}

Outcome ReferenceTable::Write(const WriteOperation& operation) {
  const Plan plan = PlanWrite(operation);
  if (plan.outcome.code == StatusCode::kOk) Commit(operation, plan);
  return plan.outcome;
}

Outcome ReferenceTable::Transact(const std::vector<WriteOperation>& operations) {
  std::vector<Plan> plans;
  Outcome cancelled{.code = StatusCode::kTransactionCanceled};
  bool all_ok = true;
  for (const WriteOperation& operation : operations) {
    const bool updates_nothing =
        operation.kind == WriteOperation::Kind::kUpdate && operation.update.empty();
    if (updates_nothing) return {.code = StatusCode::kValidation};
    const Plan& plan = plans.emplace_back(PlanWrite(operation));
    if (plan.refused_at_once) return {.code = StatusCode::kValidation};
    all_ok = all_ok && plan.outcome.code == StatusCode::kOk;
    cancelled.reasons.push_back(plan.outcome);
  }
  if (!all_ok) return cancelled;
  for (std::size_t i = 0; i < operations.size(); ++i) Commit(operations[i], plans[i]);
  return {};
}

std::vector<const Item*> ReferenceTable::Sorted(const std::string& index,
                                                const AttributeValue* partition) const {
  std::vector<const Item*> items;
  for (const auto& [key, item] : items_) {
    if (!IsIn(item, index)) continue;
    if (partition != nullptr && item.at(KeyNamesOf(index).partition) != *partition) continue;
    items.push_back(&item);
  }
  std::sort(items.begin(), items.end(),
            [&](const Item* a, const Item* b) { return CompareKeys(*a, *b, index) < 0; });
  return items;
}

std::vector<Item> ReferenceTable::Items(const std::string& index) const {
  std::vector<Item> items;
  for (const Item* item : Sorted(index, nullptr)) items.push_back(*item);
  return items;
}

Page ReferenceTable::Query(const QueryOperation& operation, const Item& start_key) const {
  const KeyNames& keys = KeyNamesOf(operation.index);
  std::vector<const Item*> items = Sorted(operation.index, &operation.partition);
  if (!operation.forward) std::reverse(items.begin(), items.end());
  Page page;
  for (const Item* const found : items) {
    const Item& item = *found;
    if (operation.sort && !Meets(item.at(keys.sort), *operation.sort)) continue;
    if (!start_key.empty()) {
      const int order = CompareKeys(item, start_key, operation.index);
      if (operation.forward ? order <= 0 : order >= 0) continue;
    }
    ++page.scanned_count;
    if (!operation.filter || Holds(*operation.filter, item)) {
      ++page.count;
      if (operation.select == Select::kDefault) {
        page.items.push_back(operation.projection.empty() ? item
                                                          : Project(operation.projection, item));
      }
    }
    if (page.scanned_count != operation.limit) continue;
    for (const std::string& name : OrderOf(operation.index)) {
      page.last_evaluated_key.emplace(name, item.at(name));
    }
    break;
  }
  return page;
}

std::string ToString(const Outcome& outcome) {
  std::string text(StatusCodeName(outcome.code));
  if (outcome.item) text += " " + ToString(AttributeValue(*outcome.item));
  for (const Outcome& reason : outcome.reasons) text += "\n    " + ToString(reason);
  return text;
}

std::string ToString(const Page& page) {
  std::string text = "count " + std::to_string(page.count) + " of " +
                     std::to_string(page.scanned_count) + ", last evaluated key " +
                     ToString(AttributeValue(page.last_evaluated_key));
  for (const Item& item : page.items) text += "\n    " + ToString(AttributeValue(item));
  return text;
}

}  // namespace dolmen::test
