// What a real table does and says, in the form in which the reference says it.

#pragma once

#include <vector>

#include "dolmen/dolmen.h"
#include "tests/model/operations.h"
#include "tests/model/reference_database.h"
#include "tests/model/reference_table.h"

namespace dolmen::test {

Outcome ToOutcome(const Status& status);
Outcome ToOutcome(const Result<WriteItemOutput>& result);
Outcome ToOutcome(const Result<GetItemOutput>& result);
Outcome ToOutcome(const Result<TransactWriteItemsOutput>& result);
Outcome ToOutcome(const Result<BatchWriteItemOutput>& result);

Page ToPage(const Status& status, const QueryOutput& output);
Found ToFound(const Result<BatchGetItemOutput>& result);
Found ToFound(const Result<TransactGetItemsOutput>& result);

// Does it.  REQUIRES: it is no ConditionCheck.
Outcome Write(const WriteOperation& operation, const Table& table);

// The pages of each segment; of one if the scan is not parallel.
using Pages = std::vector<Page>;
std::vector<Pages> Scan(const ScanOperation& operation, const Table& table);

// How that differs from what the model says: "" if it does not.
std::string Difference(const ScanOperation& operation, const ReferenceTable& model,
                       const std::vector<Pages>& segments);

}  // namespace dolmen::test
