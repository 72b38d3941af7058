// The cost of access patterns in DynamoDB's units and in money.
//
//   const CostMeter meter;
//   auto table = EntityTable::Open(*database, {.name = "chat", .observer = meter.observer()});
//   {
//     const auto pattern = meter.Measure("newest messages of a conversation");
//     table->Query<Message>().With<&Message::conversation_id>("c_01").Backward().Limit(50).Page();
//   }
//   std::cout << meter.ToMarkdown();
//
// To compare two designs, run the same calls with each, and compare what a month would cost:
//
//   const Result<MonthlyCost> month = meter.Month(
//       {.million_reads = 0.125, .million_writes = 0.625,
//        .read_unit_hour = 0.00013, .write_unit_hour = 0.00065},
//       {{"newest messages of a conversation", 20}});   // calls per second

#pragma once

#include "dolmen/internal/hide_macros.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dolmen/consumed_capacity.h"
#include "dolmen/entity/request_log.h"
#include "dolmen/result.h"

namespace dolmen {

// The requests of one access pattern. Owns its texts.
struct PatternCost {
  std::string pattern = {};
  std::uint64_t calls = 0;     // how often the pattern was measured
  std::uint64_t requests = 0;  // of all calls together, also those that failed

  // The consumed capacity of all calls together. `indexes` has the share of each global or local
  // index, and `table` the rest.
  Capacity total = {};
  Capacity table = {};
  std::map<std::string, Capacity> indexes = {};
};

// The prices that DynamoDB charges, in any currency.
// https://aws.amazon.com/dynamodb/pricing/
struct UnitPrices {
  double million_reads = 0;    // a million read request units, on demand
  double million_writes = 0;   // a million write request units, on demand
  double read_unit_hour = 0;   // a provisioned read capacity unit for an hour
  double write_unit_hour = 0;  // a provisioned write capacity unit for an hour
};

// The cost of a month of 730 hours, without storage and other services.
struct MonthlyCost {
  double on_demand = 0;

  // With as many whole units for the table and each index as an even load needs. A load with peaks
  // needs more.
  double provisioned = 0;

  // The capacity that the table and its indexes consume in a second.
  Capacity per_second = {};
};

// A meter of the requests of a table. It keeps one sum for each access pattern. A request that fails
// adds no units, although DynamoDB charges for some of them.
//
// A handle: copies refer to the same sums. Thread-safe.
class CostMeter {
 public:
  // A call of an access pattern: the requests of its thread count for the pattern until the object is
  // destroyed. Several objects of a thread must be destroyed in the opposite order of their creation;
  // the latest one counts. Must be destroyed by the thread that has created it.
  class [[nodiscard]] Scope {
   public:
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    friend class CostMeter;
    Scope(const CostMeter& meter, std::string pattern);

    std::shared_ptr<void> meter_;
    std::string pattern_;
    const Scope* outer_;
  };

  CostMeter();

  // Returns an observer that adds each request to the sums. The observer keeps the sums alive. A
  // request outside of any Scope counts for the pattern with the name of its operation, as a call.
  RequestObserver observer() const;

  // Begins a call of the pattern. Patterns are equal if their names are.
  Scope Measure(std::string pattern) const { return Scope(*this, std::move(pattern)); }

  // Returns the sums, sorted by the names of the patterns.
  std::vector<PatternCost> Costs() const;

  // Returns a table in Markdown: for each pattern the calls, and the average requests and units of a
  // call, with the share of each index.
  std::string ToMarkdown() const;

  // Returns what a month costs in which each pattern is called `calls_per_second` times a second, and
  // each call costs as much as the average call so far.
  // - kValidation: a pattern was never called, or its rate is negative.
  Result<MonthlyCost> Month(const UnitPrices& prices,
                            const std::map<std::string, double>& calls_per_second) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace dolmen

#include "dolmen/internal/show_macros.h"
