// TransactWriteItems. Updates of entities are decided as in write_item.h.

#pragma once

#include "dolmen/result.h"
#include "dolmen/transaction.h"
#include "remote/service.h"

namespace dolmen::remote {

// Contract: Database::TransactWriteItems. Without a token of the program each request gets a new one,
// so that it can be repeated after a lost response. If a transaction with updates of entities and with
// a token of the program is sent again after its success, the service finds the token with other
// actions; that counts as success.
// - kTransactionConflict: other writers have changed the items 30 times between read and write.
// REQUIRES: the tables belong to the service.
Result<TransactWriteItemsOutput> TransactWrite(const Service& service,
                                               const TransactWriteItemsInput& input);

}  // namespace dolmen::remote
