#include "tests/model/reference_database.h"

#include <optional>
#include <set>
#include <utility>

#include "tests/model/reference_capacity.h"

namespace dolmen::test {
namespace {

constexpr std::chrono::minutes kTokenLives(10);
constexpr std::size_t kBatchWriteMax = 25;
constexpr std::size_t kBatchGetMax = 100;

// The items that a request names. A valid request names each item once.
class Named {
 public:
  explicit Named(const ReferenceDatabase& database) : database_(database) {}

  void Add(std::size_t table, const Item& item) {
    const Item key = PartOf(item, KeyOf(database_.table(table).description()));
    all_distinct_ = all_distinct_ &&
                    names_.insert(std::to_string(table) + ToString(AttributeValue(key))).second;
    ++count_;
  }
  bool all_distinct() const { return all_distinct_; }
  std::size_t count() const { return count_; }

 private:
  const ReferenceDatabase& database_;
  std::set<std::string> names_;
  bool all_distinct_ = true;
  std::size_t count_ = 0;
};

}  // namespace

void ReferenceDatabase::Create(std::size_t number, const CreateTableInput& description) {
  tables_.erase(number);
  tables_.emplace(number, ReferenceTable(description));
}

Outcome ReferenceDatabase::Transact(const TransactOperation& operation) {
  const Outcome refused{.code = StatusCode::kValidation};
  Named named(*this);
  std::vector<ReferenceTable::Plan> plans;
  Outcome cancelled{.code = StatusCode::kTransactionCanceled};
  bool all_ok = true;
  // The first action with a wrong type cancels the transaction, and no condition is looked at.
  std::optional<std::size_t> wrong;
  for (const auto& [number, write] : operation.writes) {
    named.Add(number, write.item);
    if (write.kind == WriteOperation::Kind::kUpdate && write.update.empty()) return refused;
    const auto& plan = plans.emplace_back(table(number).PlanWrite(write));
    if (plan.refused_at_once && !plan.has_wrong_type) return refused;
    if (plan.has_wrong_type && !wrong) wrong = plans.size() - 1;
    all_ok = all_ok && plan.outcome.code == StatusCode::kOk;
    cancelled.reasons.push_back(plan.outcome);
  }
  if (!named.all_distinct()) return refused;
  if (wrong) {
    cancelled.reasons.assign(operation.writes.size(), Outcome());
    cancelled.reasons[*wrong] = plans[*wrong].outcome;
    return cancelled;
  }
  const std::string what = ToString(operation);
  if (const auto done = done_.find(operation.token);
      done != done_.end() && now_ - done->second.at < kTokenLives) {
    if (done->second.what != what) return {.code = StatusCode::kIdempotentParameterMismatch};
    return {.capacity = CostOfRepeating(operation)};
  }
  if (!all_ok) return cancelled;
  Bill bill(operation.capacity, 2);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const auto& [number, write] = operation.writes[i];
    bill.AddWrite(table(number), table(number).Find(write.item), AfterOf(plans[i]));
    table(number).Commit(write, plans[i]);
  }
  if (!operation.token.empty()) done_[operation.token] = {now_, what};
  return {.capacity = bill.Total()};
}

// Returns the cost of a repeated transaction. The repetition reads the items instead of writing
// them.
std::vector<ConsumedCapacity> ReferenceDatabase::CostOfRepeating(
    const TransactOperation& operation) const {
  Bill bill(operation.capacity, 2);
  for (const auto& [number, write] : operation.writes) {
    const Item* const item = table(number).Find(write.item);
    bill.AddRead(table(number), "", item == nullptr ? 0 : SizeOf(*item), true);
  }
  return bill.Total();
}

Outcome ReferenceDatabase::BatchWrite(const std::vector<TableWrite>& writes,
                                      ReturnConsumedCapacity capacity) {
  Named named(*this);
  std::vector<ReferenceTable::Plan> plans;
  bool all_ok = true;
  for (const auto& [number, write] : writes) {
    named.Add(number, write.item);
    all_ok = all_ok &&
             plans.emplace_back(table(number).PlanWrite(write)).outcome.code == StatusCode::kOk;
  }
  const bool right_count = !writes.empty() && writes.size() <= kBatchWriteMax;
  if (!right_count || !named.all_distinct() || !all_ok) return {.code = StatusCode::kValidation};
  Bill bill(capacity);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const auto& [number, write] = writes[i];
    bill.AddWrite(table(number), table(number).Find(write.item), AfterOf(plans[i]));
    table(number).Commit(write, plans[i]);
  }
  return {.capacity = bill.Total()};
}

Found ReferenceDatabase::BatchGetItems(const std::vector<BatchGet>& gets,
                                       ReturnConsumedCapacity capacity) const {
  Named named(*this);
  Bill bill(capacity);
  Found found;
  for (const BatchGet& get : gets) {
    auto& items = found.items.emplace_back();
    for (const Item& key : get.keys) {
      named.Add(get.table, key);
      const Outcome one = table(get.table).Get({.key = key, .projection = get.projection});
      if (one.item) items.push_back(*one.item);
      const Item* const item = table(get.table).Find(key);
      bill.AddRead(table(get.table), "", item == nullptr ? 0 : SizeOf(*item), get.consistent_read);
    }
  }
  const bool right_count = named.count() > 0 && named.count() <= kBatchGetMax;
  if (!right_count || !named.all_distinct()) return {.code = StatusCode::kValidation};
  found.capacity = bill.Total();
  return found;
}

Found ReferenceDatabase::TransactGet(const std::vector<TableGet>& gets,
                                     ReturnConsumedCapacity capacity) const {
  Named named(*this);
  Bill bill(capacity, 2);
  Found found;
  for (const auto& [number, get] : gets) {
    named.Add(number, get.key);
    auto& items = found.items.emplace_back();
    const Outcome one = table(number).Get(get);
    if (one.item) items.push_back(*one.item);
    const Item* const item = table(number).Find(get.key);
    bill.AddRead(table(number), "", item == nullptr ? 0 : SizeOf(*item), true);
  }
  if (gets.empty() || !named.all_distinct()) return {.code = StatusCode::kValidation};
  found.capacity = bill.Total();
  return found;
}

std::string ToString(const Found& found) {
  std::string text(StatusCodeName(found.code));
  for (const std::vector<Item>& items : found.items) {
    text += "\n   ";
    for (const Item& item : items) text += " " + ToString(AttributeValue(item));
  }
  return text + ToString(found.capacity);
}

}  // namespace dolmen::test
