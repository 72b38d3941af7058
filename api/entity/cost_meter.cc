#include "dolmen/entity/cost_meter.h"

#include <array>
#include <charconv>
#include <cmath>
#include <mutex>
#include <utility>

namespace dolmen {
namespace {

constexpr double kHoursOfMonth = 730;
constexpr double kSecondsOfHour = 3600;

thread_local const CostMeter::Scope* current_scope = nullptr;

// Returns the capacity times `factor`.
Capacity Times(Capacity capacity, double factor) {
  capacity.read_units *= factor;
  capacity.write_units *= factor;
  return capacity;
}

void Add(const ConsumedCapacity& consumed, PatternCost* cost) {
  cost->total += consumed.total;
  cost->table += consumed.table;
  for (const auto& [index, capacity] : consumed.global_secondary_indexes) {
    cost->indexes[index] += capacity;
  }
  for (const auto& [index, capacity] : consumed.local_secondary_indexes) {
    cost->indexes[index] += capacity;
  }
}

// Rounds up to whole units. A rounding error of the sums must not cost a unit.
double WholeUnits(double units) { return std::ceil(units - 1e-9); }

// Returns the price of the whole units that an even load needs for a table or an index.
double ProvisionedCost(const Capacity& per_second, const UnitPrices& prices) {
  return kHoursOfMonth * (WholeUnits(per_second.read_units) * prices.read_unit_hour +
                          WholeUnits(per_second.write_units) * prices.write_unit_hour);
}

// Returns the number without needless digits: "0.5", "13", "1.67".
std::string ToText(double number) {
  std::array<char, 32> text;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed, 2)
          .ptr;
  std::string trimmed(text.data(), end);
  trimmed.erase(trimmed.find_last_not_of('0') + 1);
  if (trimmed.ends_with('.')) trimmed.pop_back();
  return trimmed;
}

std::string DescribeUnits(const Capacity& capacity) {
  std::string text;
  if (capacity.read_units > 0) text = ToText(capacity.read_units) + " read";
  if (capacity.write_units > 0) {
    if (!text.empty()) text += ", ";
    text += ToText(capacity.write_units) + " write";
  }
  return text.empty() ? "0" : text;
}

// Appends the row of a pattern.
void AppendRow(const PatternCost& cost, std::string* table) {
  const double share = 1 / static_cast<double>(cost.calls);
  std::string indexes;
  for (const auto& [index, capacity] : cost.indexes) {
    indexes.append(indexes.empty() ? "" : "; ").append(index).append(": ");
    indexes += DescribeUnits(Times(capacity, share));
  }
  table->append("| ").append(cost.pattern).append(" | ").append(std::to_string(cost.calls));
  table->append(" | ").append(ToText(static_cast<double>(cost.requests) * share));
  table->append(" | ").append(DescribeUnits(Times(cost.total, share)));
  table->append(" | ").append(indexes).append(" |\n");
}

}  // namespace

struct CostMeter::State {
  std::mutex mutex;
  std::map<std::string, PatternCost> costs;

  // Returns the sum of the pattern. REQUIRES: `mutex` is held.
  PatternCost& CostOf(const std::string& pattern) {
    PatternCost& cost = costs[pattern];
    cost.pattern = pattern;
    return cost;
  }
};

CostMeter::Scope::Scope(const CostMeter& meter, std::string pattern)
    : meter_(meter.state_), pattern_(std::move(pattern)), outer_(current_scope) {
  current_scope = this;
  const std::lock_guard lock(meter.state_->mutex);
  ++meter.state_->CostOf(pattern_).calls;
}

CostMeter::Scope::~Scope() { current_scope = outer_; }

CostMeter::CostMeter() : state_(std::make_shared<State>()) {}

RequestObserver CostMeter::observer() const {
  return [state = state_](const RequestTrace& trace) {
    const Scope* scope = current_scope;
    while (scope != nullptr && scope->meter_ != state) scope = scope->outer_;
    const std::lock_guard lock(state->mutex);
    PatternCost& cost = state->CostOf(scope != nullptr ? scope->pattern_ : trace.operation);
    if (scope == nullptr) ++cost.calls;
    ++cost.requests;
    for (const ConsumedCapacity& consumed : trace.consumed_capacity) Add(consumed, &cost);
  };
}

std::vector<PatternCost> CostMeter::Costs() const {
  const std::lock_guard lock(state_->mutex);
  std::vector<PatternCost> costs;
  for (const auto& [pattern, cost] : state_->costs) costs.push_back(cost);
  return costs;
}

std::string CostMeter::ToMarkdown() const {
  std::string table =
      "| Access pattern | Calls | Requests | Units | of these, indexes |\n|---|---|---|---|---|\n";
  for (const PatternCost& cost : Costs()) AppendRow(cost, &table);
  return table;
}

Result<MonthlyCost> CostMeter::Month(const UnitPrices& prices,
                                     const std::map<std::string, double>& calls_per_second) const {
  const std::lock_guard lock(state_->mutex);
  MonthlyCost month;
  Capacity table;
  std::map<std::string, Capacity> indexes;
  for (const auto& [pattern, rate] : calls_per_second) {
    const auto found = state_->costs.find(pattern);
    if (found == state_->costs.end()) {
      return Status::Validation("the access pattern \"" + pattern + "\" was never called");
    }
    if (!(rate >= 0)) {
      return Status::Validation("the access pattern \"" + pattern + "\" needs a rate of 0 or more");
    }
    const PatternCost& cost = found->second;
    const double factor = rate / static_cast<double>(cost.calls);
    month.per_second += Times(cost.total, factor);
    table += Times(cost.table, factor);
    for (const auto& [index, capacity] : cost.indexes) indexes[index] += Times(capacity, factor);
  }
  const double millions = kHoursOfMonth * kSecondsOfHour / 1e6;
  month.on_demand = millions * (month.per_second.read_units * prices.million_reads +
                                month.per_second.write_units * prices.million_writes);
  month.provisioned = ProvisionedCost(table, prices);
  for (const auto& [index, capacity] : indexes)
    month.provisioned += ProvisionedCost(capacity, prices);
  return month;
}

}  // namespace dolmen
