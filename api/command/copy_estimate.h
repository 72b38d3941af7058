// An estimate of the units and the cost of a copy.

#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "command/database_command.h"
#include "command/import_table.h"

namespace dolmen::command {

// The amounts that a copy will copy and consume.
struct CopyEstimate {
  std::uint64_t items = 0;
  std::uint64_t bytes = 0;
  double read_units = 0;
  double write_units = 0;  // if the target table is empty
};

// The limits of what an estimate reads and computes.
struct EstimateLimits {
  std::uint64_t whole_bytes = std::uint64_t{32} << 20U;  // a larger table on a service is sampled
  std::uint32_t sample_pages = 32;      // pages of at most 1 MB, of random segments
  std::uint64_t priced_items = 50'000;  // of further items only every tenth is priced
};

// Estimates a copy to a table with the definition `target`. Reads the whole table. Of a table that has
// more than `whole_bytes` by DescribeTable, it reads only pages of random segments, and takes the number
// of items from DescribeTable. The units of a put are those that a table in memory with this definition
// consumes. Calls `on_items` for each page with the number of items read so far; if it returns false,
// the estimate ends early and has no meaning. Fails as Table::Scan does, and with:
// - kValidation: the target would reject an item.
Result<CopyEstimate> EstimateCopy(const OpenedTable& from, const NewTable& target,
                                  const std::function<bool(std::uint64_t)>& on_items,
                                  const EstimateLimits& limits = {});

// Returns the price of units in DynamoDB's on-demand mode in us-east-1, such as "$0.62".
std::string PriceText(double read_units, double write_units);

}  // namespace dolmen::command
