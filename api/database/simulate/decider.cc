#include "database/simulate/decider.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "database/simulate/draws.h"
#include "database/simulate/stream_shards.h"

namespace dolmen::database {
namespace {

bool IsTransaction(SimulatedOperation operation) {
  return operation == SimulatedOperation::kTransactGetItems ||
         operation == SimulatedOperation::kTransactWriteItems;
}

bool IsBatch(SimulatedOperation operation) {
  return operation == SimulatedOperation::kBatchGetItem ||
         operation == SimulatedOperation::kBatchWriteItem;
}

bool HasPages(SimulatedOperation operation) {
  return operation == SimulatedOperation::kQuery || operation == SimulatedOperation::kScan;
}

bool IsWriteOfOneItem(SimulatedOperation operation) {
  return operation == SimulatedOperation::kPutItem ||
         operation == SimulatedOperation::kUpdateItem ||
         operation == SimulatedOperation::kDeleteItem;
}

// Returns true if the fault can happen in the call.
bool Fits(SimulatedFault fault, const Call& call) {
  switch (fault) {
    case SimulatedFault::kTransactionConflict:
      return IsTransaction(call.operation) || IsWriteOfOneItem(call.operation);
    case SimulatedFault::kTransactionInProgress:
      return call.has_token;
    case SimulatedFault::kPartialBatch:
      return IsBatch(call.operation);
    case SimulatedFault::kPageItems:
    case SimulatedFault::kPageBytes:
      return HasPages(call.operation);
    default:
      return true;
  }
}

bool IsError(SimulatedFault fault) {
  return fault != SimulatedFault::kLatency && fault != SimulatedFault::kPartialBatch &&
         fault != SimulatedFault::kPageItems && fault != SimulatedFault::kPageBytes;
}

bool HasAmount(SimulatedFault fault) {
  return fault == SimulatedFault::kLatency || fault == SimulatedFault::kPageItems ||
         fault == SimulatedFault::kPageBytes;
}

bool HasMoment(SimulatedFault fault) {
  return fault == SimulatedFault::kInternalServerError ||
         fault == SimulatedFault::kServiceUnavailable ||
         fault == SimulatedFault::kDroppedConnection;
}

// Returns true if an error cancels a transaction. The other errors are errors of the whole call.
bool CancelsTransaction(SimulatedFault fault) {
  return fault == SimulatedFault::kProvisionedThroughputExceeded ||
         fault == SimulatedFault::kThrottling || fault == SimulatedFault::kTransactionConflict;
}

// Returns the positions of the items that the rule matches. None if the call does not match.
std::vector<std::size_t> MatchingItems(const SimulateRule& rule, const Call& call) {
  std::vector<std::size_t> matching;
  if (rule.operation && *rule.operation != call.operation) return matching;
  if (!rule.index.empty() && rule.index != call.index) return matching;
  for (std::size_t i = 0; i < call.items.size(); ++i) {
    const CallItem& item = call.items[i];
    if (!rule.table.empty() && rule.table != item.table) continue;
    if (item.key.starts_with(rule.key_prefix)) matching.push_back(i);
  }
  return matching;
}

// Returns about half of the items, but at least one. Leaves at least one item of a batch that has
// more than one.
std::vector<std::size_t> DrawUnprocessed(const std::vector<std::size_t>& items,
                                         std::size_t batch_size, Draws* draws) {
  std::vector<std::size_t> drawn;
  for (const std::size_t item : items) {
    if (draws->Happens(0.5)) drawn.push_back(item);
  }
  if (drawn.empty()) drawn.push_back(items[draws->Below(items.size())]);
  if (drawn.size() == batch_size && batch_size > 1) {
    drawn.erase(drawn.begin() + static_cast<std::ptrdiff_t>(draws->Below(drawn.size())));
  }
  return drawn;
}

// Sets the random parts of a decision that has the rule's fault.
void DrawDetails(const SimulateRule& rule, const Call& call, const std::vector<std::size_t>& items,
                 Draws* draws, SimulatedDecision* decision) {
  if (HasAmount(rule.fault)) {
    decision->amount = draws->Between(rule.amount_min, std::max(rule.amount_min, rule.amount_max));
  }
  if (IsTransaction(call.operation) && CancelsTransaction(rule.fault)) {
    decision->items = {items[draws->Below(items.size())]};
  }
  if (rule.fault != SimulatedFault::kPartialBatch) return;
  decision->items = DrawUnprocessed(items, call.items.size(), draws);
  // DynamoDB fails if it processes no item of a batch.
  if (call.items.size() > 1) return;
  decision->fault = SimulatedFault::kProvisionedThroughputExceeded;
  decision->items.clear();
}

// Returns true if no call can fail, except by a capacity.
bool HasNoFaults(const SimulateOptions& options) {
  const bool is_untouched = options.replay ? options.replay->empty() : options.rules.empty();
  return is_untouched && options.delays == SimulatedDelays() && options.item_collection_bytes == 0;
}

}  // namespace

Status CheckSimulateOptions(const SimulateOptions& options) {
  for (std::size_t i = 0; i < options.rules.size(); ++i) {
    const SimulateRule& rule = options.rules[i];
    const std::string name = "rules[" + std::to_string(i) + "] of the simulation";
    // The negated form also rejects a chance that is not a number.
    if (!(0 <= rule.chance && rule.chance <= 1)) {
      return Status::Validation("The chance of " + name + " must be 0 to 1, but is " +
                                std::to_string(rule.chance));
    }
    if (HasAmount(rule.fault) && rule.amount_min == 0) {
      return Status::Validation("The amount_min of " + name + " must be at least 1.");
    }
  }
  return CheckShards(options);
}

Decider::Decider(SimulateOptions options)
    : options_(std::move(options)),
      limits_calls_(TokenBuckets(options_).limits_calls() && !options_.replay),
      is_idle_(HasNoFaults(options_) && !limits_calls_),
      matches_(options_.rules.size(), 0),
      buckets_(options_) {
  if (!options_.replay) return;
  for (const SimulatedDecision& decision : *options_.replay) {
    replay_[NameOf(decision)].push_back(decision);
  }
}

Decider::CallName Decider::NameOf(const SimulatedDecision& decision) {
  return {decision.operation, decision.table, decision.index, decision.key, decision.call};
}

std::vector<SimulatedDecision> Decider::Decide(const Call& call, Timestamp now) {
  if (call.items.empty()) return {};  // the request is invalid
  SimulatedDecision name{.operation = call.operation,
                         .table = call.items[0].table,
                         .index = call.index,
                         .key = call.items[0].key,
                         .call = 0};
  const MutexLock lock(mutex_);
  name.call = ++calls_[NameOf(name)];
  std::vector<SimulatedDecision> decisions;
  if (!options_.replay) {
    decisions = DecideByRules(call, name);
    AddThrottling(call, name, now, &decisions);
  } else if (const auto found = replay_.find(NameOf(name)); found != replay_.end()) {
    decisions = found->second;
  }
  trace_.insert(trace_.end(), decisions.begin(), decisions.end());
  return decisions;
}

std::vector<SimulatedDecision> Decider::DecideByRules(const Call& call,
                                                      const SimulatedDecision& name) {
  std::vector<SimulatedDecision> decisions;
  for (std::size_t i = 0; i < options_.rules.size(); ++i) {
    const SimulateRule& rule = options_.rules[i];
    if (!Fits(rule.fault, call)) continue;
    const std::vector<std::size_t> items = MatchingItems(rule, call);
    if (items.empty() || !CountMatch(i)) continue;
    Draws draws(options_.seed);
    draws.Mix(i).Mix(static_cast<std::uint64_t>(name.operation)).Mix(name.table).Mix(name.index);
    draws.Mix(name.key).Mix(name.call);
    if (!draws.Happens(rule.chance)) continue;
    SimulatedDecision& decision = decisions.emplace_back(name);
    decision.fault = rule.fault;
    if (HasMoment(rule.fault)) decision.moment = rule.moment;
    if (rule.fault == SimulatedFault::kHalfResponse) decision.moment = FaultMoment::kAfter;
    DrawDetails(rule, call, items, &draws, &decision);
    if (IsError(decision.fault)) break;
  }
  return decisions;
}

void Decider::AddThrottling(const Call& call, const SimulatedDecision& name, Timestamp now,
                            std::vector<SimulatedDecision>* decisions) {
  if (!decisions->empty() && IsError(decisions->back().fault)) return;
  ThrottledItems throttled = buckets_.FindThrottled(call, now);
  if (throttled.items.empty()) return;
  SimulatedDecision& decision = decisions->emplace_back(name);
  const bool partial = IsBatch(call.operation) && throttled.items.size() < call.items.size();
  decision.fault =
      partial ? SimulatedFault::kPartialBatch : SimulatedFault::kProvisionedThroughputExceeded;
  if (partial || IsTransaction(call.operation)) decision.items = std::move(throttled.items);
  if (!partial) decision.throttling_reasons = std::move(throttled.reasons);
}

void Decider::Take(const Call& call, const std::set<std::size_t>& unprocessed,
                   const std::vector<ConsumedCapacity>& consumed, Timestamp now) {
  const MutexLock lock(mutex_);
  buckets_.Take(call, unprocessed, consumed, now);
}

bool Decider::CountMatch(std::size_t rule) {
  const std::uint64_t match = matches_[rule]++;
  const SimulateRule& limits = options_.rules[rule];
  return match >= limits.skip_calls && match - limits.skip_calls < limits.calls_max;
}

SimulatedTrace Decider::Trace() const {
  const MutexLock lock(mutex_);
  return trace_;
}

}  // namespace dolmen::database
