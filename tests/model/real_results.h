// Conversions of a real table's outputs to the reference's form.

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

// Executes the operation on the table.
// REQUIRES: the operation is not a ConditionCheck
Outcome Write(const WriteOperation& operation, const Table& table);

// The pages of each segment. A scan that is not parallel has one segment.
using Pages = std::vector<Page>;
std::vector<Pages> Scan(const ScanOperation& operation, const Table& table);

// Returns the difference between the real scan and the model's, or "" if they agree.
std::string Difference(const ScanOperation& operation, const ReferenceTable& model,
                       const std::vector<Pages>& segments);

}  // namespace dolmen::test
