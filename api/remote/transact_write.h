// TransactWriteItems. Updates of entities are decided as in write_item.h.

#pragma once

#include "dolmen/result.h"
#include "dolmen/transaction.h"
#include "remote/service.h"

namespace dolmen::remote {

// Contract: Database::TransactWriteItems. Without a token of the program each request gets a new one,
// so that it can be repeated after a lost response.
//
// An update of an entity that is sent again has other actions, because its item has changed. The service
// then says that the token was used with other actions. Such a transaction counts as done, unless this
// client has used the token for another one within ten minutes (used_tokens.h). If this client does not
// remember the token, another transaction is not noticed.
// - kIdempotentParameterMismatch: as there, or another transaction with the token is running, or the
//   service remembers the token although it has cancelled the transaction.
// - kTransactionConflict: other writers have changed the items 30 times between read and write.
// REQUIRES: the tables belong to the service.
Result<TransactWriteItemsOutput> TransactWrite(const Service& service,
                                               const TransactWriteItemsInput& input);

}  // namespace dolmen::remote
