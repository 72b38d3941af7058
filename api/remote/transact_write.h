// TransactWriteItems.

#pragma once

#include "dolmen/result.h"
#include "dolmen/transaction.h"
#include "remote/service.h"

namespace dolmen::remote {

// Contract: Database::TransactWriteItems. Without a token of the program each request gets a new one,
// so that it can be repeated after a lost response.
//
// If an item has expired and is hidden from its action, this item is deleted first, as in write_item.h. The
// request contains the time at which items are hidden. This client repeats it with the time of its first use
// of the token (token_times.h). Another client has another time, so that the service finds its transaction
// different.
// - kTransactionConflict: other writers have put expired items 30 times.
// REQUIRES: the tables belong to the service.
Result<TransactWriteItemsOutput> TransactWrite(const Service& service,
                                               const TransactWriteItemsInput& input);

}  // namespace dolmen::remote
