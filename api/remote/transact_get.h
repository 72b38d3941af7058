// TransactGetItems.

#pragma once

#include "dolmen/result.h"
#include "dolmen/transaction.h"
#include "remote/service.h"

namespace dolmen::remote {

// Contract: Database::TransactGetItems. REQUIRES: the tables belong to the service.
Result<TransactGetItemsOutput> TransactGet(const Service& service,
                                           const TransactGetItemsInput& input);

}  // namespace dolmen::remote
